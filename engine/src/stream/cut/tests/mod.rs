//! Tests of the cut. [`checker`] and [`naive`] know nothing of the forest; [`faults`] shows that the checker finds what
//! is planted; [`histories`] runs viewers and hosts of all kinds past it.

mod calls;
mod checker;
mod faults;
mod histories;
mod kit;
mod naive;
mod wanted;
