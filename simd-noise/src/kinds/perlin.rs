//! Perlin's gradient noise: a gradient at each point of a square lattice, blended by a quintic.
//!
//! Source: K. Perlin, *Improving Noise* (2002), for the quintic; eight directions in the plane (docs/decisions/0003),
//! and in space (0006). The separable form is in docs/NOISE.md.

use terrane_lanes::{Lanes, SimdLevel, Table8};

use super::{AxisPart, KindInfo, KindParams, Octave, SettingValue};
use crate::axis::{Need, weights};
use crate::gradient::{self, Corners, DIRECTION_X, DIRECTION_Z, SPACE};
use crate::kernel::coherent::{self, LatticeKind, column_halves};
use crate::kernel::hashing::{corner_top, halves};
use crate::kernel::job::Job;
use crate::kernel::pointwise::{self, At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::scratch::{Lattice, OctaveScratch};

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
    };
    type Octave = PerlinOctave;

    fn from_settings(_: &[SettingValue]) -> Self {
        Self
    }

    fn settings(&self) -> Vec<SettingValue> {
        Vec::new()
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
    fn coherent(&self, stride: u32) -> bool {
        self.square.shares_cells(stride)
    }

    fn prepare(
        &self,
        level: SimdLevel,
        part: AxisPart,
        coherent: bool,
        slopes: bool,
        to: &mut OctaveScratch,
    ) {
        let need = if coherent { Need::blends(slopes) } else { Need::Places };
        self.square.prepare(level, part, need, to);
    }

    fn run(&self, job: &mut Job<'_, '_>) {
        if job.coherent { coherent::run(self, job) } else { pointwise::run(self, job) }
    }
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
    fn corners_at<L: Lanes, const THREE: bool>(&self, l: L, [x, y, z]: &At<L>) -> Corners<L::F> {
        let (x0, x1) = halves(l, x.cell, self.square.line(0));
        let (z0, z1) = halves(l, z.cell, self.square.line(2));
        let (y0, y1) =
            if THREE { halves(l, y.cell, self.square.line(1)) } else { (l.splat_u(0), l.splat_u(0)) };
        let row00 = [self.gradient::<L, THREE>(l, x0 ^ z0 ^ y0), self.gradient::<L, THREE>(l, x1 ^ z0 ^ y0)];
        let row10 = [self.gradient::<L, THREE>(l, x0 ^ z1 ^ y0), self.gradient::<L, THREE>(l, x1 ^ z1 ^ y0)];
        if !THREE {
            return [[row00, row00], [row10, row10]];
        }
        let row01 = [self.gradient::<L, THREE>(l, x0 ^ z0 ^ y1), self.gradient::<L, THREE>(l, x1 ^ z0 ^ y1)];
        let row11 = [self.gradient::<L, THREE>(l, x0 ^ z1 ^ y1), self.gradient::<L, THREE>(l, x1 ^ z1 ^ y1)];
        [[row00, row01], [row10, row11]]
    }
}

impl Sample for PerlinOctave {
    on_the_square_lattice!();

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> L::F {
        let corners = self.corners_at::<L, THREE>(l, at);
        let (a, c) = (weights(l, at[0].fraction), weights(l, at[2].fraction));
        if THREE {
            gradient::deep(&corners, &a, &weights(l, at[1].fraction), &c)
        } else {
            gradient::flat(&corners, &a, &c)
        }
    }

    #[inline(always)]
    fn value_and_slopes<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> [L::F; 4] {
        let corners = self.corners_at::<L, THREE>(l, at);
        let axes = gradient::axes(l, at, &self.square);
        gradient::value_and_slopes::<L, THREE>(l, &corners, &axes)
    }
}
