//! Perlin's gradient noise: a gradient at each point of a square lattice, blended by a quintic.
//!
//! Source: K. Perlin, *Improving Noise* (2002), for the quintic; eight directions in the plane (docs/decisions/0003),
//! and in space (0006). The separable form is in docs/NOISE.md.

use terrane_lanes::{Lanes, Table8};

use super::{KindInfo, KindParams, Octave, SettingValue, Smoothness};
use crate::gradient::{self, Corners, DIRECTION_X, DIRECTION_Z, SPACE};
use crate::kernel::coherent::{LatticeKind, column_halves, on_shared_cells};
use crate::kernel::hashing::{self, corner_top};
use crate::kernel::pointwise::{Apart, At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::scratch::Lattice;

/// Perlin's gradient noise.
///
/// ```
/// use terrane_noise::{Noise, NoiseParams, Perlin};
/// let noise = Noise::new(&NoiseParams { kind: Perlin.into(), ..NoiseParams::default() })?;
/// assert!(noise.at(3.into(), 4.into()).abs() <= 1.0);
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perlin;

/// One octave: gradients times the octave's amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerlinOctave {
    square: Square,
    /// Parts along x, y, z.
    gradients: [Table8; 3],
}

impl KindParams for Perlin {
    const INFO: KindInfo = KindInfo {
        id: 1,
        name: "perlin",
        about: "rolling ground: gradients on a square lattice",
        settings: &[],
        slope_max: Some([3.652 / 0.693_6, 4.623 / 0.742_28]),
        tiles: true,
        has_features: true,
    };
    type Octave = PerlinOctave;

    fn from_settings(_: &[SettingValue]) -> Self {
        Self
    }

    fn settings(&self) -> Vec<SettingValue> {
        Vec::new()
    }

    fn smoothness(&self, three: bool) -> Smoothness {
        if three {
            Smoothness::of_slopes(&Self::INFO)
        } else {
            Smoothness::new(2.09 / 0.693_6, 9.23 / 0.693_6)
        }
    }

    fn octave(&self, plan: &OctavePlan) -> PerlinOctave {
        let bound = if plan.three { gradient::SPACE_BOUND } else { gradient::BOUND };
        let amplitude = (plan.share / bound) as f32;
        let parts = if plan.three { SPACE } else { [DIRECTION_X, [0.0; 8], DIRECTION_Z] };
        PerlinOctave {
            square: Square::new(plan),
            gradients: parts.map(|part| Table8::new(part.map(|v| v * amplitude))),
        }
    }
}

impl Octave for PerlinOctave {
    on_shared_cells!();
}

impl LatticeKind for PerlinOctave {
    const GRADIENT: bool = true;

    #[inline(always)]
    fn corners<L: Lanes>(
        &self,
        l: L,
        columns: (u32, usize),
        rows: (u32, usize),
        plane: Option<u32>,
        to: &mut Lattice,
    ) {
        let halves = column_halves(l, &self.square, columns);
        let half_plane = plane.map_or(0, |plane| self.square.half(1, plane, 0));
        let [gradients_x, gradients_y, gradients_z] = &self.gradients;
        let [x, y, z] = &mut to.parts;
        let vectors = columns.1.div_ceil(L::N);
        let lines = x.iter_mut().zip(y.iter_mut()).zip(z.iter_mut()).take(rows.1).enumerate();
        for (i, ((x, y), z)) in lines {
            let half_row = l.splat_u(self.square.half(2, rows.0, i as u32) ^ half_plane);
            let points = x.chunks_exact_mut(L::N).zip(y.chunks_exact_mut(L::N)).zip(z.chunks_exact_mut(L::N));
            for (((x, y), z), half) in points.zip(halves.chunks_exact(L::N)).take(vectors) {
                let hash = corner_top(l, l.load_u(half) ^ half_row);
                l.store(l.look_up8(gradients_x, hash), x);
                if plane.is_some() {
                    l.store(l.look_up8(gradients_y, hash), y);
                }
                l.store(l.look_up8(gradients_z, hash), z);
            }
        }
    }
}

impl PerlinOctave {
    #[inline(always)]
    fn gradient<L: Lanes, const THREE: bool>(&self, l: L, folded: L::U) -> [L::F; 3] {
        let hash = corner_top(l, folded);
        let [x, y, z] = &self.gradients;
        let across = if THREE { l.look_up8(y, hash) } else { l.splat(0.0) };
        [l.look_up8(x, hash), across, l.look_up8(z, hash)]
    }

    #[inline(always)]
    fn corners_at<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> Corners<L::F> {
        let folded = hashing::corners::<L, THREE>(l, at, &self.square);
        let mut corners = [[[[l.splat(0.0); 3]; 2]; 2]; 2];
        for (rows, folded) in corners.iter_mut().zip(&folded) {
            for (row, folded) in rows.iter_mut().zip(folded).take(if THREE { 2 } else { 1 }) {
                for (corner, folded) in row.iter_mut().zip(folded) {
                    *corner = self.gradient::<L, THREE>(l, *folded);
                }
            }
        }
        corners
    }
}

impl Sample for PerlinOctave {
    const TWO: bool = true;
    const APART: Apart = Apart::Moved;
    on_the_square_lattice!();

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> L::F {
        gradient::value::<L, THREE>(l, &self.corners_at::<L, THREE>(l, at), at)
    }

    #[inline(always)]
    fn value_and_slopes<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> [L::F; 4] {
        let corners = self.corners_at::<L, THREE>(l, at);
        let axes = gradient::axes(l, at, &self.square);
        gradient::value_and_slopes::<L, THREE>(l, &corners, &axes)
    }
}
