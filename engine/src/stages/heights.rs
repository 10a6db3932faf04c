//! Heights: a field's values through the height curve, then down to the floor at the edge of a finite world.
//!
//! In: a grid of samples. Out: metres. The value of a sample depends on its index alone, not on the grid that asks.

use terrane_lanes::{Aligned, Kernel, Lanes, SimdLevel};
use terrane_noise::{Deviation, Grid, Scratch, Volume};

use crate::buffers::{APRON, apron_stride};
use crate::config::ExtentConfig;
use crate::fields::{Fields, HeightCurve, INTERVALS};

/// Everything that decides a height, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) fields: Fields,
    /// Which of them becomes heights.
    pub(crate) field: usize,
    pub(crate) curve: HeightCurve,
    pub(crate) falloff: Option<EdgeFalloff>,
}

impl Ground {
    /// How far heights, in metres, can leave a triangulation of every `stride`-th sample, wherever chunks of
    /// `chunk_cells` cells a side lie.
    pub(crate) fn deviation_m(&self, stride: u32, chunk_cells: u32) -> Deviation {
        let (program, curve) = (&self.fields.program, &self.curve);
        let values = program.deviation(self.field, stride);
        let mut heights = curve.deviation_m(values, program.bounds(self.field));
        if let Some(falloff) = &self.falloff {
            heights =
                falloff.deviation_m(heights, [curve.min_m, curve.max_m].map(f64::from), stride, chunk_cells);
        }
        heights.within(f64::from(curve.max_m) - f64::from(curve.min_m))
    }
}

/// How the heights of a finite world fall to its floor: a smoothstep from the edge inwards, per axis.
#[derive(Clone, Debug)]
pub(crate) struct EdgeFalloff {
    /// First and last sample of the world, x then z.
    min: [i64; 2],
    max: [i64; 2],
    /// One over the width of the falloff in samples; 0 for a sheer edge.
    inverse_width: f32,
    /// Height of the edge and of everything outside, in metres.
    floor_m: f32,
}

/// Widest grid that a call takes: a chunk of 128 cells with its apron.
pub(crate) const WIDTH_MAX: usize = 144;

impl EdgeFalloff {
    pub(crate) fn new(config: &ExtentConfig, spacing_m: f64) -> Self {
        let inverse = (spacing_m / config.falloff_m) as f32;
        Self {
            min: config.min,
            max: config.max,
            inverse_width: if config.falloff_m > 0.0 { inverse } else { 0.0 },
            floor_m: config.floor_m,
        }
    }

    /// First and last sample, x then z.
    pub(crate) fn extent(&self) -> ([i64; 2], [i64; 2]) {
        (self.min, self.max)
    }

    /// True when the sample belongs to the world, its last row and column included.
    pub(crate) fn contains(&self, [x, z]: [i64; 2]) -> bool {
        (self.min[0]..=self.max[0]).contains(&x) && (self.min[1]..=self.max[1]).contains(&z)
    }

    /// How much of the height over the floor is left at a sample: 0 outside, 1 far inside; on the edge 0, or 1 where
    /// the edge is sheer.
    fn weight(&self, axis: usize, index: i64) -> f32 {
        let depth = index.saturating_sub(self.min[axis]).min(self.max[axis].saturating_sub(index));
        if depth < 0 {
            return 0.0;
        }
        if self.inverse_width == 0.0 {
            return 1.0;
        }
        let t = depth as f32 * self.inverse_width;
        if t < 1.0 { t * t * (3.0 - 2.0 * t) } else { 1.0 }
    }
}

impl EdgeFalloff {
    /// What is left of heights within `range_m`: `floor + (h - floor) w_x w_z`, rounded.
    fn deviation_m(&self, heights: Deviation, range_m: [f64; 2], stride: u32, chunk_cells: u32) -> Deviation {
        let side = i64::from(chunk_cells) * i64::from(stride);
        let is_cut = |axis: usize| self.min[axis] % side != 0 || self.max[axis] % side != 0;
        let is_sheer = self.inverse_width == 0.0;
        // Chunks that end with the world hold no cliff.
        if is_sheer && !is_cut(0) && !is_cut(1) {
            return heights;
        }
        let [x, z] = [0, 1].map(|axis| self.weight_deviation(axis, stride));
        let floor_m = f64::from(self.floor_m);
        let above_m = range_m.map(|end_m| (end_m - floor_m).abs()).into_iter().fold(0.0, f64::max);
        let largest_m = range_m[0].abs().max(range_m[1].abs()) + floor_m.abs();
        heights.times(above_m, x.times(1.0, z, 1.0), 1.0).rounded(2.0 * f64::from(f32::EPSILON) * largest_m)
    }

    /// Of the weight along an axis: a smoothstep of the depth, 0 outside, whose slope is at most 3/2 and whose second
    /// derivative 6, over the width.
    fn weight_deviation(&self, axis: usize, stride: u32) -> Deviation {
        if self.inverse_width == 0.0 {
            return Deviation { bend: 1.0, drift: 1.0, swing: 1.0 };
        }
        let inverse = f64::from(self.inverse_width) * (1.0 + 1e-6);
        let width = inverse * f64::from(stride);
        let (drift, swing) = (1.5 * width / 2.0, 1.5 * width);
        // Where the strips of both sides meet before the weight is 1, there is a crease.
        let middle = (self.max[axis] - self.min[axis]) as f64 / 2.0 * inverse;
        let smooth = 6.0 * (width / 2.0) * (width / 2.0) / 2.0;
        let bend = if middle < 1.0 { drift } else { smooth };
        Deviation { bend, drift, swing }.within(1.0).rounded(1.0 / 1_048_576.0)
    }
}

/// Fills `out` with the heights of `grid` in metres, rows `row_stride` apart. Lanes between rows are written too.
///
/// # Panics
/// When the grid is wider than [`WIDTH_MAX`] or `row_stride` is not a multiple of 16 that holds it.
pub(crate) fn heights(
    level: SimdLevel,
    ground: &Ground,
    grid: &Grid,
    out: &mut [f32],
    row_stride: usize,
    scratch: &mut Scratch,
) {
    assert!(grid.width <= WIDTH_MAX && row_stride >= grid.width && row_stride.is_multiple_of(16));
    let volume = Volume::from(*grid);
    ground.fields.program.fill_output(level, ground.field, &volume, out, [row_stride, 0], scratch);
    let rows = &mut out[..grid.height * row_stride];
    level.dispatch(Shape { ground, grid, rows, row_stride });
}

/// The lowest and the highest vertex of a chunk with `side` vertices a side, from heights with apron. Never -0.
pub(crate) fn range(level: SimdLevel, side: usize, apron: &[f32]) -> [f32; 2] {
    level.dispatch(Range { side, apron })
}

struct Range<'a> {
    side: usize,
    apron: &'a [f32],
}

impl Kernel for Range<'_> {
    type Output = [f32; 2];
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [f32; 2] {
        let Self { side, apron } = self;
        let row_stride = apron_stride(side);
        let first = &apron[APRON * row_stride + APRON..];
        let (mut low, mut high) = (l.load(first), l.load(first));
        // A side is whole vectors and one vertex, whose row or column the neighbour has as well: those are taken one by one.
        let (mut last_low, mut last_high) = (f32::INFINITY, f32::NEG_INFINITY);
        for row in first.chunks(row_stride).take(side) {
            for at in (0..side - 1).step_by(L::N) {
                let heights = l.load(&row[at..]);
                (low, high) = (l.min(low, heights), l.max(high, heights));
            }
            (last_low, last_high) = (last_low.min(row[side - 1]), last_high.max(row[side - 1]));
        }
        // The order of lanes decides nothing but the sign of zero, which the sum takes away.
        let (mut lows, mut highs) = ([f32::INFINITY; 16], [f32::NEG_INFINITY; 16]);
        l.store(low, &mut lows);
        l.store(high, &mut highs);
        [
            lows.iter().fold(last_low, |a, b| a.min(*b)) + 0.0,
            highs.iter().fold(last_high, |a, b| a.max(*b)) + 0.0,
        ]
    }
}

/// One field value through the curve, in metres, as [`heights`] does it.
#[cfg(test)]
pub(crate) fn shape(curve: &HeightCurve, value: f32) -> f32 {
    struct One<'a>(&'a HeightCurve, f32);
    impl Kernel for One<'_> {
        type Output = f32;
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> f32 {
            let mut row = [self.1];
            shape_row(l, self.0, &mut Places::new(), &mut row);
            row[0]
        }
    }
    SimdLevel::SCALAR.dispatch(One(curve, value))
}

/// The height of one sample, with the bits that [`heights`] gives.
pub(crate) fn height(ground: &Ground, x: i64, z: i64) -> f32 {
    let mut row = [ground.fields.program.at(ground.field, x.into(), z.into())];
    let grid = Grid { x, z, width: 1, height: 1, stride: 1 };
    SimdLevel::SCALAR.dispatch(Shape { ground, grid: &grid, rows: &mut row, row_stride: 1 });
    row[0]
}

/// Field values to heights, in place.
struct Shape<'a> {
    ground: &'a Ground,
    grid: &'a Grid,
    rows: &'a mut [f32],
    row_stride: usize,
}

impl Kernel for Shape<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { ground, grid, rows, row_stride } = self;
        let mut places = Places::new();
        for row in rows.chunks_exact_mut(row_stride) {
            shape_row(l, &ground.curve, &mut places, &mut row[..grid.width.next_multiple_of(L::N)]);
        }
        if let Some(falloff) = &ground.falloff {
            let mut weights = [0.0; WIDTH_MAX];
            for (i, weight) in weights.iter_mut().enumerate().take(grid.width) {
                *weight = falloff.weight(0, grid.x + i as i64 * i64::from(grid.stride));
            }
            for (j, row) in rows.chunks_exact_mut(row_stride).enumerate() {
                let weight = falloff.weight(1, grid.z + j as i64 * i64::from(grid.stride));
                let row = &mut row[..grid.width.next_multiple_of(L::N)];
                fall_row(l, falloff.floor_m, weight, &weights, row);
            }
        }
    }
}

/// Where the values of a row lie in the curve's table.
struct Places {
    index: Aligned<[u32; WIDTH_MAX]>,
    below: Aligned<[f32; WIDTH_MAX]>,
    above: Aligned<[f32; WIDTH_MAX]>,
}

impl Places {
    fn new() -> Self {
        Self {
            index: Aligned([0; WIDTH_MAX]),
            below: Aligned([0.0; WIDTH_MAX]),
            above: Aligned([0.0; WIDTH_MAX]),
        }
    }
}

/// One row through the curve's table, in three passes: places in the table, the entries around each, the line between
/// them. The middle pass is scalar (no level has a safe gather); apart from the others it need not wait for them.
#[inline(always)]
fn shape_row<L: Lanes>(l: L, curve: &HeightCurve, places: &mut Places, row: &mut [f32]) {
    let Places { index, below, above } = places;
    // The largest f32 below the number of intervals: the index of the last one, with a fraction near 1.
    let last = l.splat((INTERVALS as f32).next_down());
    for (values, index) in row.chunks_exact_mut(L::N).zip(index.chunks_exact_mut(L::N)) {
        let t = (l.load(values) + l.splat(1.0)) * l.splat(INTERVALS as f32 / 2.0);
        // In this order NaN, which no noise gives, would become 0 and not an index out of range.
        let t = l.min(l.max(t, l.splat(0.0)), last);
        let i = l.trunc(t);
        l.store_u(i, index);
        l.store(t - l.to_f(i), values);
    }
    let table_m = curve.table_m();
    let entries = below.iter_mut().zip(above.iter_mut()).zip(index.iter());
    for ((below, above), index) in entries.take(row.len()) {
        // Below INTERVALS already; the mask tells the compiler.
        let i = *index as usize & (INTERVALS - 1);
        *below = table_m[i];
        *above = table_m[i + 1];
    }
    let (low, high) = (l.splat(curve.min_m), l.splat(curve.max_m));
    let ends = below.chunks_exact(L::N).zip(above.chunks_exact(L::N));
    for (values, (below, above)) in row.chunks_exact_mut(L::N).zip(ends) {
        let (below, above) = (l.load(below), l.load(above));
        let h = below + l.load(values) * (above - below);
        l.store(l.min(l.max(h, low), high), values);
    }
}

/// One row down to the floor.
#[inline(always)]
fn fall_row<L: Lanes>(l: L, floor_m: f32, weight: f32, weights: &[f32; WIDTH_MAX], row: &mut [f32]) {
    let (floor, one) = (l.splat(floor_m), l.splat(1.0));
    for (values, weights) in row.chunks_exact_mut(L::N).zip(weights.chunks_exact(L::N)) {
        let w = l.load(weights) * l.splat(weight);
        let h = l.load(values);
        // Far inside the weight is 1 and the ground is that of the endless world, to the bit.
        l.store(l.pick(l.lt(w, one), floor + (h - floor) * w, h), values);
    }
}
