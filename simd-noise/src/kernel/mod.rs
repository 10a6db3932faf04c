//! The kernels that kinds share, once each over `Lanes`:
//!
//! - `pointwise`: samples one by one at any place: the general kernel;
//! - `places`: where the samples of a row lie in an octave's lattice, displaced or not;
//! - `coherent`: a strip and a band at once, from lattice rows: the grid kernel of Perlin, classic and value noise;
//! - `blend`: lattice numbers blended along x, once a lattice row and lane;
//! - `fold`: lattice planes blended along y, once a slice, in 3D;
//! - `rows`: lattice rows to samples: the inner loop;
//! - `hashing`: the lattice hash over lanes;
//! - `combine`: what billow, ridged and weighted fractals do with an octave.

pub(crate) mod blend;
pub(crate) mod coherent;
pub(crate) mod combine;
pub(crate) mod fold;
pub(crate) mod hashing;
pub(crate) mod job;
pub(crate) mod places;
pub(crate) mod pointwise;
pub(crate) mod rows;
