//! Simplex noise: gradients on the densest lattice, each with a round falloff; no square grid to see.
//!
//! In the plane the lattice is triangular, in space body-centred cubic (two cubic lattices, each giving the four points
//! that can reach a sample), turned so that horizontal slices look best. Both are linear maps of sample indices, so
//! phases are exact in fixed point: a column part, a row part and a slice part that add with a carry.
//!
//! Sources: K. Perlin, *Noise Hardware* (2001); the formulation on two cubic lattices and the turn follow KdotJPG's
//! OpenSimplex2 (public domain).

use terrane_lanes::{Aligned, Lanes, SimdLevel, Table8};

use super::{AxisPart, KindInfo, KindParams, Octave, SettingValue, Smoothness};
use crate::axis::{phases, ramp};
use crate::gradient::{DIRECTION_X, DIRECTION_Z};
use crate::hash::{KX, KY, KZ, octave_offsets, octave_second_word, octave_words};
use crate::kernel::hashing::{corner_top, fold};
use crate::kernel::job::{Job, Samples};
use crate::kernel::pointwise::{self, Apart, At, Place, RowOf, Sample, load_place};
use crate::octave::OctavePlan;
use crate::phase::{Coord, FRACTION, ONE_CELL, cell, fraction, linear};
use crate::scratch::{OctaveScratch, PlaceRow, STRIP, WordRow};

/// Simplex noise.
///
/// ```
/// use terrane_noise::{Noise, NoiseParams, Simplex};
/// let noise = Noise::new(&NoiseParams { kind: Simplex.into(), ..NoiseParams::default() })?;
/// assert!(noise.at(3.into(), 4.into()).abs() <= 1.0);
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Simplex;

/// Largest value of one octave in the plane, rounded up.
const FLAT_BOUND: f64 = 0.010_059_8;
/// The same in space, proved by branch and bound: docs/decisions/0005.
const DEEP_BOUND: f64 = 0.041_204_2;
/// Eight directions in space, along the lattice axes u, v, w, chosen so that horizontal and vertical slices look alike:
/// docs/decisions/0005.
const DIRECTIONS: [[f32; 8]; 3] = [
    [0.136_754, -0.102_984, -0.894_441, 0.954_873, -0.772_135, 0.079_225, 0.029_623, 0.568_283],
    [-0.990_526, -0.227_365, -0.139_005, -0.263_223, 0.276_529, -0.310_959, 0.860_179, 0.794_191],
    [-0.012_505, 0.968_349, -0.425_033, 0.137_589, 0.572_136, -0.947_116, -0.509_130, 0.215_209],
];
/// What a step along both lattice axes of the plane takes back: (3 - sqrt 3) / 6.
const UNSKEW: f32 = 0.211_324_87;

/// One octave: how samples map to the lattice, and gradients times the octave's amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimplexOctave {
    three: bool,
    /// Steps of lattice axes u, v, w (rows) for one sample along x, y, z; in the plane u and w only, which lie in
    /// places 0 and 2 as x and z do for other kinds. Negative steps wrap.
    steps: [[u64; 3]; 3],
    /// The same in cells.
    cells: [[f32; 3]; 3],
    offsets: [u64; 3],
    words: [u32; 3],
    /// From word x to that of the second cubic lattice.
    to_second: u32,
    /// Parts along x and z in the plane; along u, v, w in space.
    gradients: [Table8; 3],
    /// Cells a sample.
    frequency: f32,
}

impl KindParams for Simplex {
    const INFO: KindInfo = KindInfo {
        id: 4,
        name: "simplex",
        about: "rolling ground without a square grid behind it",
        settings: &[],
        slope_max: Some([23.7, 5.535]),
        tiles: false,
        has_features: true,
    };
    type Octave = SimplexOctave;

    fn from_settings(_: &[SettingValue]) -> Self {
        Self
    }

    fn settings(&self) -> Vec<SettingValue> {
        Vec::new()
    }

    fn smoothness(&self, three: bool) -> Smoothness {
        if three {
            return Smoothness::of_slopes(&Self::INFO);
        }
        // The eighth power of a way near 0.7 is rounded more often than lattice weights are.
        Smoothness { rounding: 1.0 / 65_536.0, ..Smoothness::new(0.075_5 / FLAT_BOUND, 0.573 / FLAT_BOUND) }
    }

    fn octave(&self, plan: &OctavePlan) -> SimplexOctave {
        let step = |cells: f64| (plan.frequency * cells * ONE_CELL).round() as i64 as u64;
        let steps = if plan.three {
            let (a, b, c) =
                (step(0.788_675_134_594_813), step(0.211_324_865_405_187), step(0.577_350_269_189_626));
            let minus = u64::wrapping_neg;
            [[a, c, minus(b)], [minus(c), c, minus(c)], [minus(b), c, a]]
        } else {
            let skew = 0.366_025_403_784_438_65;
            let (along, across) = (step(1.0 + skew), step(skew));
            [[along, 0, across], [0, 0, 0], [across, 0, along]]
        };
        let (bound, parts) = if plan.three {
            (DEEP_BOUND, DIRECTIONS)
        } else {
            (FLAT_BOUND, [DIRECTION_X, [0.0; 8], DIRECTION_Z])
        };
        let amplitude = (plan.share / bound) as f32;
        let words = octave_words(plan.seed, plan.index);
        SimplexOctave {
            three: plan.three,
            cells: steps.map(|row| row.map(|step| step.cast_signed() as f32 * (1.0 / 4_294_967_296.0))),
            steps,
            offsets: octave_offsets(plan.seed, plan.index),
            words,
            to_second: octave_second_word(plan.seed, plan.index).wrapping_sub(words[0]),
            gradients: parts.map(|part| Table8::new(part.map(|v| v * amplitude))),
            frequency: plan.frequency as f32,
        }
    }
}

impl Octave for SimplexOctave {
    fn coherent(&self, _: u32) -> bool {
        false
    }

    fn prepare(&self, _: SimdLevel, _: AxisPart, _: bool, _: bool, _: &mut OctaveScratch) {}

    fn run(&self, job: &mut Job<'_, '_>) {
        pointwise::run(self, job);
    }
}

impl SimplexOctave {
    /// The phase of one lattice axis.
    fn phase(&self, axis: usize, at: [Coord; 3]) -> u64 {
        let [x, y, z] = self.steps[axis];
        let along = linear(x, at[0]).wrapping_add(linear(z, at[2]));
        along.wrapping_add(linear(y, at[1])).wrapping_add(self.offsets[axis])
    }

    /// What a lattice axis adds to the hash a cell, and its word.
    #[inline(always)]
    fn line(&self, axis: usize) -> (u32, u32) {
        ([KX, KY, KZ][axis], self.words[axis])
    }

    /// One lattice axis of the vector from lane `at` of a row on.
    #[inline(always)]
    fn along_axis<L: Lanes, const THREE: bool>(
        &self,
        l: L,
        axis: usize,
        columns: &Columns,
        (row_low, row_half): (L::U, L::U),
        of: &RowOf<'_>,
        places: &PlaceRow,
        at: usize,
    ) -> Place<L::U, L::F> {
        let (k, _) = self.line(axis);
        let place = match of.samples {
            Samples::Block(_) => {
                let low = l.load_u(&columns.low[at..]) + row_low;
                let carry = l.pick_u(l.lt_u(low, row_low), l.splat_u(k), l.splat_u(0));
                let half = (l.load_u(&columns.half[at..]) + row_half) + carry;
                Place { cell: half, fraction: l.to_f(low >> 8) * l.splat(FRACTION) }
            }
            Samples::Points(_) => load_place(l, places, axis, at),
        };
        let Some([by_x, by_y, by_z]) = of.displacement else { return place };
        let [x, y, z] = self.cells[axis];
        let mut by = l.load(&by_x[of.row][at..]) * l.splat(x);
        if THREE {
            by = by + l.load(&by_y[of.row][at..]) * l.splat(y);
        }
        by = by + l.load(&by_z[of.row][at..]) * l.splat(z);
        // Programs move an octave by at most 2^16 cells along x, y and z, which is less than 2^17 along a lattice axis.
        let (cells, fraction) = l.split(place.fraction + by);
        Place { cell: place.cell + cells * l.splat_u(k), fraction }
    }

    /// What a row adds to the low word of one lattice axis, and to its half of the hash.
    #[inline(always)]
    fn row_along_axis<L: Lanes>(&self, l: L, axis: usize, of: &RowOf<'_>) -> (L::U, L::U) {
        let Samples::Block(block) = of.samples else { return (l.splat_u(0), l.splat_u(0)) };
        let rows = (of.row as u64).wrapping_mul(u64::from(block.stride));
        let row = rows.wrapping_mul(self.steps[axis][2]);
        (l.splat_u(row as u32), l.splat_u(cell(row).wrapping_mul(self.line(axis).0)))
    }

    /// One lattice axis of a block's first row.
    #[inline(always)]
    fn columns<L: Lanes>(&self, l: L, axis: usize, samples: Samples<'_>) -> Columns {
        let mut to = Columns { low: Aligned([0; STRIP]), half: Aligned([0; STRIP]) };
        let Samples::Block(block) = samples else { return to };
        let start = self.phase(axis, [block.x.into(), block.y.into(), block.z.into()]);
        let step = self.steps[axis][0].wrapping_mul(u64::from(block.stride));
        let ((k, word), (ramp_low, ramp_high)) = (self.line(axis), ramp(l, step));
        let mut at = 0;
        while at < block.lanes && at + L::N <= STRIP {
            let (cell, low) =
                phases(l, start.wrapping_add((at as u64).wrapping_mul(step)), ramp_low, ramp_high);
            l.store_u(low, &mut to.low[at..]);
            l.store_u(cell * l.splat_u(k) + l.splat_u(word), &mut to.half[at..]);
            at += L::N;
        }
        to
    }
}

/// One lattice axis of the lanes of a block's first row: the phase's low word, and the half of the hash that belongs to
/// its high word.
pub(crate) struct Columns {
    low: WordRow,
    half: WordRow,
}

impl Sample for SimplexOctave {
    const TWO: bool = true;
    const APART: Apart = Apart::Still;
    const TWO_OF_EIGHT_WITH_SLOPES_IN_SPACE: bool = false;
    type Shared = [Columns; 3];

    #[inline(always)]
    fn share<L: Lanes, const THREE: bool>(&self, l: L, samples: Samples<'_>) -> [Columns; 3] {
        [self.columns(l, 0, samples), self.columns(l, 1, samples), self.columns(l, 2, samples)]
    }

    type Row<L: Lanes> = [(L::U, L::U); 3];

    #[inline(always)]
    fn row<L: Lanes>(&self, l: L, of: &RowOf<'_>) -> [(L::U, L::U); 3] {
        [self.row_along_axis(l, 0, of), self.row_along_axis(l, 1, of), self.row_along_axis(l, 2, of)]
    }

    fn scatter(&self, points: &[[Coord; 3]], to: &mut PlaceRow) {
        for axis in 0..3 {
            for (i, point) in points.iter().enumerate() {
                let phase = self.phase(axis, *point);
                // A half of the hash, as in `along_axis`.
                let (k, word) = self.line(axis);
                to.cell[axis][i] = cell(phase).wrapping_mul(k).wrapping_add(word);
                to.fraction[axis][i] = fraction(phase);
            }
        }
    }

    #[inline(always)]
    fn place<L: Lanes, const THREE: bool>(
        &self,
        l: L,
        ([u, v, w], row): (&[Columns; 3], &[(L::U, L::U); 3]),
        of: &RowOf<'_>,
        places: &PlaceRow,
        at: usize,
    ) -> At<L> {
        let u = self.along_axis::<L, THREE>(l, 0, u, row[0], of, places, at);
        let v = if THREE { self.along_axis::<L, THREE>(l, 1, v, row[1], of, places, at) } else { u };
        [u, v, self.along_axis::<L, THREE>(l, 2, w, row[2], of, places, at)]
    }

    fn three(&self) -> bool {
        self.three
    }

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> L::F {
        if THREE {
            let [first, second] = self.deep_points(l, at);
            self.deep_value(l, &first) + self.deep_value(l, &second)
        } else {
            let [a, b, c] = self.flat_corners(l, at);
            (self.flat::<L>(l, &a).value + self.flat::<L>(l, &b).value) + self.flat::<L>(l, &c).value
        }
    }

    #[inline(always)]
    fn value_and_slopes<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> [L::F; 4] {
        if THREE {
            let [first, second] = self.deep_points(l, at);
            let [value, u, v, w] = self.deep_slopes(l, &first);
            let [value2, u2, v2, w2] = self.deep_slopes(l, &second);
            let (value, u, v, w) = (value + value2, u + u2, v + v2, w + w2);
            let [[ux, uy, uz], [vx, vy, vz], [wx, wy, wz]] = self.cells;
            [
                value,
                (u * l.splat(ux) + v * l.splat(vx)) + w * l.splat(wx),
                (u * l.splat(uy) + v * l.splat(vy)) + w * l.splat(wy),
                (u * l.splat(uz) + v * l.splat(vz)) + w * l.splat(wz),
            ]
        } else {
            let corners = self.flat_corners(l, at);
            let [a, b, c] = [self.flat(l, &corners[0]), self.flat(l, &corners[1]), self.flat(l, &corners[2])];
            let w = l.splat(self.frequency);
            [
                (a.value + b.value) + c.value,
                ((a.slope(l, 0) + b.slope(l, 0)) + c.slope(l, 0)) * w,
                l.splat(0.0),
                ((a.slope(l, 2) + b.slope(l, 2)) + c.slope(l, 2)) * w,
            ]
        }
    }
}

/// A lattice point: its hash (folded halves), and the way from it to the sample.
#[derive(Clone, Copy)]
struct Point<U, F> {
    folded: U,
    way: [F; 3],
}

/// What a lattice point gives to a sample.
#[derive(Clone, Copy)]
struct Given<F> {
    value: F,
    gradient: [F; 3],
    way: [F; 3],
    /// t^4 and t^3 g.
    fourth: F,
    third: F,
}

impl<F: Copy + std::ops::Add<Output = F> + std::ops::Mul<Output = F>> Given<F> {
    /// Its slope along one axis: `t^4 gradient + (t^3 g -8) way`.
    #[inline(always)]
    fn slope<L: Lanes<F = F>>(&self, l: L, axis: usize) -> F {
        self.fourth * self.gradient[axis] + (self.third * l.splat(-8.0)) * self.way[axis]
    }
}

impl SimplexOctave {
    /// The three corners of the triangle around a sample of the plane.
    #[inline(always)]
    fn flat_corners<L: Lanes>(&self, l: L, [u, _, v]: &At<L>) -> [Point<L::U, L::F>; 3] {
        let t = (u.fraction + v.fraction) * l.splat(UNSKEW);
        let (x0, z0) = (u.fraction - t, v.fraction - t);
        let middle_along_u = l.lt(v.fraction, u.fraction);
        let (along_x, along_z) = l.pick_both(middle_along_u, UNSKEW - 1.0, UNSKEW);
        let (x1, z1) = (x0 + along_x, z0 + along_z);
        let last = l.splat(2.0 * UNSKEW - 1.0);
        // Folding commutes with joining, so three joined words are folded and not four halves. A sum with one of two constants is
        // cheaper than a choice of two sums.
        let (half_u, half_v) = (u.cell, v.cell);
        let (k_u, k_v, none) = (l.splat_u(KX), l.splat_u(KZ), l.splat_u(0));
        let middle_u = half_u + l.pick_u(middle_along_u, k_u, none);
        let middle_v = half_v + l.pick_u(middle_along_u, none, k_v);
        let zero = l.splat(0.0);
        [
            Point { folded: fold::<L>(half_u ^ half_v), way: [x0, zero, z0] },
            Point { folded: fold::<L>(middle_u ^ middle_v), way: [x1, zero, z1] },
            Point { folded: fold::<L>((half_u + k_u) ^ (half_v + k_v)), way: [x0 + last, zero, z0 + last] },
        ]
    }

    #[inline(always)]
    fn flat<L: Lanes>(&self, l: L, point: &Point<L::U, L::F>) -> Given<L::F> {
        let [x, y, z] = point.way;
        let t = l.max((l.splat(0.5) - x * x) - z * z, l.splat(0.0));
        let t2 = t * t;
        let hash = corner_top(l, point.folded);
        let (gx, gz) = (l.look_up8(&self.gradients[0], hash), l.look_up8(&self.gradients[2], hash));
        let g = gx * x + gz * z;
        let fourth = t2 * t2;
        Given { value: fourth * g, gradient: [gx, y, gz], way: point.way, fourth, third: (t2 * t) * g }
    }

    /// The points of both cubic lattices that can reach a sample, four each.
    #[inline(always)]
    fn deep_points<L: Lanes>(&self, l: L, [u, v, w]: &At<L>) -> [[Point<L::U, L::F>; 4]; 2] {
        let second_u = Place { cell: u.cell + l.splat_u(self.to_second), fraction: u.fraction };
        [
            four(l, &[whole_lines(l, u, KX), whole_lines(l, v, KY), whole_lines(l, w, KZ)]),
            four(l, &[middle_lines(l, &second_u, KX), middle_lines(l, v, KY), middle_lines(l, w, KZ)]),
        ]
    }

    /// What the four points of a cubic lattice give together.
    #[inline(always)]
    fn deep_value<L: Lanes>(&self, l: L, [p, a, b, ab]: &[Point<L::U, L::F>; 4]) -> L::F {
        let near = self.deep(l, p).value + self.deep(l, a).value;
        near + (self.deep(l, b).value + self.deep(l, ab).value)
    }

    /// The same and its slopes along u, v, w.
    #[inline(always)]
    fn deep_slopes<L: Lanes>(&self, l: L, [p, a, b, ab]: &[Point<L::U, L::F>; 4]) -> [L::F; 4] {
        let (p, a, b, ab) = (self.deep(l, p), self.deep(l, a), self.deep(l, b), self.deep(l, ab));
        [
            (p.value + a.value) + (b.value + ab.value),
            (p.slope(l, 0) + a.slope(l, 0)) + (b.slope(l, 0) + ab.slope(l, 0)),
            (p.slope(l, 1) + a.slope(l, 1)) + (b.slope(l, 1) + ab.slope(l, 1)),
            (p.slope(l, 2) + a.slope(l, 2)) + (b.slope(l, 2) + ab.slope(l, 2)),
        ]
    }

    #[inline(always)]
    fn deep<L: Lanes>(&self, l: L, point: &Point<L::U, L::F>) -> Given<L::F> {
        let [u, v, w] = point.way;
        let t = l.max(((l.splat(0.666_666_6) - u * u) - v * v) - w * w, l.splat(0.0));
        let t2 = t * t;
        let hash = corner_top(l, point.folded);
        let [gu, gv, gw] = [
            l.look_up8(&self.gradients[0], hash),
            l.look_up8(&self.gradients[1], hash),
            l.look_up8(&self.gradients[2], hash),
        ];
        let g = (gu * u + gv * v) + gw * w;
        let fourth = t2 * t2;
        Given { value: fourth * g, gradient: [gu, gv, gw], way: point.way, fourth, third: (t2 * t) * g }
    }
}

/// A plane of lattice points across one axis: the folded half of its hash, and the way from it to the sample.
#[derive(Clone, Copy)]
struct Line<U, F> {
    folded: U,
    way: F,
}

/// The nearest of a cubic lattice's planes across one axis, and the one on the sample's other side.
#[derive(Clone, Copy)]
struct Lines<U, F> {
    near: Line<U, F>,
    beyond: Line<U, F>,
}

/// The planes around a sample of the lattice at whole cells.
#[inline(always)]
fn whole_lines<L: Lanes>(l: L, at: &Place<L::U, L::F>, k: u32) -> Lines<L::U, L::F> {
    let lower = l.lt(at.fraction, l.splat(0.5));
    let here = Line { folded: fold::<L>(at.cell), way: at.fraction };
    let next = Line { folded: fold::<L>(at.cell + l.splat_u(k)), way: at.fraction - l.splat(1.0) };
    Lines { near: choose(l, lower, here, next), beyond: choose(l, lower, next, here) }
}

/// The planes around a sample of the lattice at the middles of cells.
#[inline(always)]
fn middle_lines<L: Lanes>(l: L, at: &Place<L::U, L::F>, k: u32) -> Lines<L::U, L::F> {
    let lower = l.lt(at.fraction, l.splat(0.5));
    let way = at.fraction - l.splat(0.5);
    let beyond = at.cell + l.pick_u(lower, l.splat_u(k.wrapping_neg()), l.splat_u(k));
    Lines {
        near: Line { folded: fold::<L>(at.cell), way },
        beyond: Line { folded: fold::<L>(beyond), way: way + l.pick(lower, l.splat(1.0), l.splat(-1.0)) },
    }
}

/// The nearest point of a cubic lattice, P, and P + A, P + B, P + A + B: A and B lead to the planes beyond along the two axes
/// of the longer ways, A the earlier of u, v, w. Every other point is at r^2 >= 2/3: with ways a, b >= c from P, one along the
/// third axis has r^2 >= a^2 + b^2 + (1 - c)^2 >= 2/3, and any further one >= 1. So it does not matter which axis is called
/// the third where two ways are as short.
#[inline(always)]
fn four<L: Lanes>(l: L, [u, v, w]: &[Lines<L::U, L::F>; 3]) -> [Point<L::U, L::F>; 4] {
    let (uu, vv, ww) = (u.near.way * u.near.way, v.near.way * v.near.way, w.near.way * w.near.way);
    let u_third = l.lt(uu, l.min(vv, ww));
    let w_third = l.lt(ww, l.min(uu, vv));
    // A is along u, or v where u is the third; B along w, or v where w is the third.
    let a_u = choose(l, u_third, u.near, u.beyond);
    let a_v = choose(l, u_third, v.beyond, v.near);
    let b_w = choose(l, w_third, w.near, w.beyond);
    let b_v = choose(l, w_third, v.beyond, v.near);
    let ab_v = choose(l, w_third, v.beyond, a_v);
    [
        point::<L>(u.near, v.near, w.near),
        point::<L>(a_u, a_v, w.near),
        point::<L>(u.near, b_v, b_w),
        point::<L>(a_u, ab_v, b_w),
    ]
}

#[inline(always)]
fn point<L: Lanes>(u: Line<L::U, L::F>, v: Line<L::U, L::F>, w: Line<L::U, L::F>) -> Point<L::U, L::F> {
    Point { folded: u.folded ^ v.folded ^ w.folded, way: [u.way, v.way, w.way] }
}

#[inline(always)]
fn choose<L: Lanes>(l: L, mask: L::M, a: Line<L::U, L::F>, b: Line<L::U, L::F>) -> Line<L::U, L::F> {
    Line { folded: l.pick_u(mask, a.folded, b.folded), way: l.pick(mask, a.way, b.way) }
}
