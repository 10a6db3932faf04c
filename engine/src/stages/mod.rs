//! The stages of a chunk, one file each: pure functions from inputs to outputs with scratch. A stage cannot
//! schedule, allocates nothing, and does not know which thread runs it.
//!
//! | stage | reads | writes |
//! |---|---|---|
//! | [`heights`] | a field, the height curve, the edge falloff | heights with apron |
//! | [`normals`] | heights with apron | normals |
//! | [`vertices`] | heights | positions |
//! | [`colors`] | heights, the colour ramp | colours |
//! | [`fields`] | a field | a column of its values |

pub(crate) mod colors;
pub(crate) mod fields;
pub(crate) mod heights;
pub(crate) mod normals;
pub(crate) mod vertices;
