//! Pools, arenas and a priority job graph that allocates nothing once it runs. Knows nothing of terrain.
//!
//! In the order in which one builds on the other:
//!
//! - [`Clock`]: time, as the host gives it.

mod clock;
mod sync;

#[cfg(feature = "threads")]
pub use clock::SystemClock;
pub use clock::{Clock, ManualClock};
