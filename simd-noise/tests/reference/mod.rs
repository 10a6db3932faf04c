//! Two slow, plain definitions of every noise, written from docs/NOISE.md and not from the kernels.
//!
//! In: a [`Spec`] (what noise) and a [`Place`] (where). Out:
//! - [`exact`] and [`exact_gradient`]: the definition's operations in the definition's order in f32, one sample at a
//!   time. Every kernel at every level must equal them to the bit.
//! - [`textbook`] and [`textbook_slope`]: the same noise as textbooks write it, in f64, on positions that are exact
//!   rationals. They bound the error of the f32 formulas and show that the error is the same anywhere.
//!
//! The free functions prepare all octaves at each call; a test of many places makes a [`Reference`] once.
//! Deliberately not here: bounds (the caller passes them in the spec), checks of parameters, speed.
//! `tests/reference_self.rs` holds the two against each other and against Ken Perlin's own code.
#![allow(dead_code, unused_imports)] // each test uses its part

mod exact;
mod exact_kinds;
pub(crate) mod ken_perlin;
mod octave;
mod spec;
mod textbook;

pub(crate) use exact_kinds::{SPACE, TURNED as DIRECTIONS_3D};
pub(crate) use octave::Octave;
pub(crate) use spec::{Distance, KindSpec, Place, Returns, Shape, Spec};
pub(crate) use textbook::Position;

/// A noise with its octaves prepared.
pub(crate) struct Reference {
    pub(crate) spec: Spec,
    pub(crate) octaves: Vec<Octave>,
}

impl Reference {
    pub(crate) fn new(spec: &Spec) -> Self {
        Self { spec: *spec, octaves: octave::octaves(spec) }
    }
}

/// The value in f32, by the definition.
pub(crate) fn exact(spec: &Spec, place: &Place) -> f32 {
    Reference::new(spec).exact(place)
}

/// Value, d/dx, d/dy, d/dz a sample in f32, by the definition; d/dy is 0 in 2D. None for kinds without derivative.
pub(crate) fn exact_gradient(spec: &Spec, place: &Place) -> Option<[f32; 4]> {
    Reference::new(spec).exact_gradient(place)
}

/// The value in f64, by the textbook.
pub(crate) fn textbook(spec: &Spec, place: &Place) -> f64 {
    Reference::new(spec).textbook(place)
}

/// d/dx, d/dy, d/dz a sample in f64, by central differences of the textbook; d/dy is 0 in 2D.
pub(crate) fn textbook_slope(spec: &Spec, place: &Place) -> [f64; 3] {
    Reference::new(spec).textbook_slope(place)
}
