//! Value noise: a number at each point of a square lattice, blended by a quintic.
//!
//! Cheaper than gradients and blockier. The blend is that of Perlin noise without the gradients' own parts.

use terrane_lanes::Lanes;

use super::{KindInfo, KindParams, Octave, SettingValue, Smoothness};
use crate::axis::{WeightLanes, weights};
use crate::gradient;
use crate::kernel::coherent::{LatticeKind, column_halves, on_shared_cells};
use crate::kernel::hashing::{self, corner, number};
use crate::kernel::pointwise::{At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::scratch::Lattice;

/// Value noise.
///
/// ```
/// use terrane_noise::{Noise, NoiseParams, Value};
/// let noise = Noise::new(&NoiseParams { kind: Value.into(), ..NoiseParams::default() })?;
/// assert!(noise.at(3.into(), 4.into()).abs() <= 1.0);
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value;

/// One octave: numbers in -amplitude ..= amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueOctave {
    square: Square,
    amplitude: f32,
}

impl KindParams for Value {
    const INFO: KindInfo = KindInfo {
        id: 3,
        name: "value",
        about: "soft patches: numbers on a square lattice",
        settings: &[],
        slope_max: Some([3.75, 3.75]),
        tiles: true,
        has_features: true,
    };
    type Octave = ValueOctave;

    fn from_settings(_: &[SettingValue]) -> Self {
        Self
    }

    fn settings(&self) -> Vec<SettingValue> {
        Vec::new()
    }

    fn smoothness(&self, three: bool) -> Smoothness {
        if three { Smoothness::of_slopes(&Self::INFO) } else { Smoothness::new(3.8, 14.35) }
    }

    fn octave(&self, plan: &OctavePlan) -> ValueOctave {
        ValueOctave { square: Square::new(plan), amplitude: plan.share as f32 }
    }
}

impl Octave for ValueOctave {
    on_shared_cells!();
}

/// 2^-23: 24 bits in 0..2.
const HASH_UNIT: f32 = 1.0 / 8_388_608.0;

impl ValueOctave {
    #[inline(always)]
    fn number<L: Lanes>(&self, l: L, folded: L::U) -> L::F {
        number(l, corner(l, folded), self.amplitude * HASH_UNIT, self.amplitude)
    }

    /// Numbers at the corners: `[lower or upper in z][lower or upper in y][left or right]`.
    #[inline(always)]
    fn corners_at<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> [[[L::F; 2]; 2]; 2] {
        let folded = hashing::corners::<L, THREE>(l, at, &self.square);
        let mut corners = [[[l.splat(0.0); 2]; 2]; 2];
        for (rows, folded) in corners.iter_mut().zip(&folded) {
            for (row, folded) in rows.iter_mut().zip(folded).take(if THREE { 2 } else { 1 }) {
                for (corner, folded) in row.iter_mut().zip(folded) {
                    *corner = self.number(l, *folded);
                }
            }
        }
        corners
    }
}

impl LatticeKind for ValueOctave {
    const GRADIENT: bool = false;

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
        let vectors = columns.1.div_ceil(L::N);
        for (i, values) in to.parts[0].iter_mut().enumerate().take(rows.1) {
            let half_row = l.splat_u(self.square.half(2, rows.0, i as u32) ^ half_plane);
            for (half, values) in halves.chunks_exact(L::N).zip(values.chunks_exact_mut(L::N)).take(vectors) {
                l.store(self.number(l, l.load_u(half) ^ half_row), values);
            }
        }
    }
}

/// The blend along x, in 3D along y, then along z.
#[inline(always)]
fn blend<L: Lanes, const THREE: bool>(
    corners: &[[[L::F; 2]; 2]; 2],
    a: &WeightLanes<L::F>,
    b: &WeightLanes<L::F>,
    c: &WeightLanes<L::F>,
) -> L::F {
    blend_row::<L, THREE>(&corners[0], a, b) * c.q0 + blend_row::<L, THREE>(&corners[1], a, b) * c.q1
}

#[inline(always)]
fn blend_row<L: Lanes, const THREE: bool>(
    [[v00, v10], [v01, v11]]: &[[L::F; 2]; 2],
    a: &WeightLanes<L::F>,
    b: &WeightLanes<L::F>,
) -> L::F {
    let below = *v00 * a.q0 + *v10 * a.q1;
    if THREE { below * b.q0 + (*v01 * a.q0 + *v11 * a.q1) * b.q1 } else { below }
}

impl Sample for ValueOctave {
    on_the_square_lattice!();

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> L::F {
        let corners = self.corners_at::<L, THREE>(l, at);
        let [a, b, c] = [weights(l, at[0].fraction), weights(l, at[1].fraction), weights(l, at[2].fraction)];
        blend::<L, THREE>(&corners, &a, &b, &c)
    }

    #[inline(always)]
    fn value_and_slopes<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> [L::F; 4] {
        let corners = self.corners_at::<L, THREE>(l, at);
        let [x, y, z] = gradient::axes(l, at, &self.square);
        [
            blend::<L, THREE>(&corners, &x.value, &y.value, &z.value),
            blend::<L, THREE>(&corners, &x.slope, &y.value, &z.value),
            if THREE { blend::<L, true>(&corners, &x.value, &y.slope, &z.value) } else { l.splat(0.0) },
            blend::<L, THREE>(&corners, &x.value, &y.value, &z.slope),
        ]
    }
}
