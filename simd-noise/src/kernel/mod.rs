//! The kernels, once each over `Lanes`. Data flows down this list:
//!
//! - `axis`: sample indices to lattice cells and weights, per axis;
//! - `lattice`: cells to gradients at lattice points, and those blended along x, per lattice row;
//! - `rows`: lattice rows to samples, four multiplies and four adds each: the inner loop;
//! - `corners`: samples one by one from their four corners, for octaves above one cell a sample and for points;
//! - `fbm`: strips, bands and octaves: the order in which the above run.

mod axis;
mod corners;
mod fbm;
mod lattice;
mod rows;

pub(crate) use fbm::{FbmGrid, FbmPoint};
