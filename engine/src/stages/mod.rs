//! The stages of a chunk, one file each: pure functions from inputs to outputs with scratch. A stage cannot
//! schedule, allocates nothing, and does not know which thread runs it.
//!
//! | stage | reads | writes |
//! |---|---|---|
//! | [`heights`] | a field, the height curve, the edge falloff | heights with apron |
//! | [`normals`] | heights with apron | normals |
//! | [`vertices`] | heights | positions |
//! | [`colors`] | heights, the colour ramp | colours |
//! | [`coarse`] | heights with apron | coarse pairs |
//! | [`packed`] | heights with apron, the lattice of heights | packed vertices |
//! | [`slopes`] | heights with apron | slopes, walkability |
//! | [`fields`] | a field | a column of its values |

pub(crate) mod coarse;
pub(crate) mod colors;
pub(crate) mod fields;
pub(crate) mod heights;
pub(crate) mod normals;
pub(crate) mod packed;
pub(crate) mod slopes;
pub(crate) mod vertices;
