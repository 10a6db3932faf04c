//! One noise over a grid, a volume, points or a line.

use terrane_lanes::SimdLevel;

use crate::blocks::{Cut, blocks};
use crate::grid::{Grid, Volume};
use crate::kernel::job::{Samples, Target, Targets};
use crate::kinds::AxisPart;
use crate::params::{NoiseError, NoiseParams};
use crate::phase::Coord;
use crate::scratch::{PlaceRow, ROW, STRIP, Scratch};
use crate::source::{Aside, Memory, Source};

/// A noise, compiled: values in -1..=1.
///
/// ```
/// use terrane_noise::{Fractal, Grid, Noise, NoiseParams, Scratch, SimdLevel};
///
/// let hills = Noise::new(&NoiseParams {
///     seed: 7,
///     frequency: 1.0 / 200.0,
///     fractal: Fractal { octaves: 5, ..Fractal::default() },
///     ..NoiseParams::default()
/// })?;
/// let grid = Grid { x: -64, z: 1_000_000_000_000, width: 65, height: 65, stride: 1 };
/// let mut out = vec![0.0; grid.samples()];
/// hills.fill(SimdLevel::detect(), &grid, &mut out, 65, &mut Scratch::new());
/// assert!(out.iter().all(|v| v.abs() <= 1.0));
/// assert_eq!(out[0], hills.at((-64).into(), 1_000_000_000_000.into()));
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Noise {
    source: Source,
}

/// A value and its slopes a sample along x, y (0 in 2D) and z.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gradient {
    /// The value, the same bits as without slopes.
    pub value: f32,
    /// d/dx, d/dy, d/dz a sample.
    pub slope: [f32; 3],
}

impl Noise {
    /// Checks and compiles `params`. Allocates.
    ///
    /// # Errors
    /// When a parameter is not a number or out of range; the error names it.
    pub fn new(params: &NoiseParams) -> Result<Self, NoiseError> {
        Ok(Self { source: Source::new(params)? })
    }

    /// True when the kind has derivatives: all but cellular.
    #[must_use]
    pub fn has_slopes(&self) -> bool {
        self.source.has_slopes
    }

    /// Makes room in `scratch`, so that the first [`fill`](Self::fill) allocates nothing either.
    pub fn reserve(&self, scratch: &mut Scratch) {
        scratch.fit(&self.source, false);
    }

    /// Fills `out` with the samples of `grid`, its rows `row_stride` apart. A noise in three dimensions gives its plane
    /// y = 0. Allocates nothing once `scratch` has seen a noise as large. The same bits at every `level`, for every cut
    /// into tiles and every stride.
    ///
    /// For costs see docs/PERFORMANCE.md.
    ///
    /// # Panics
    /// When `row_stride` is less than the grid's width, `out` has no room for the rows, or the stride is 0.
    pub fn fill(
        &self,
        level: SimdLevel,
        grid: &Grid,
        out: &mut [f32],
        row_stride: usize,
        scratch: &mut Scratch,
    ) {
        self.fill_volume(level, &Volume::from(*grid), out, [row_stride, row_stride * grid.height], scratch);
    }

    /// The same over a volume: rows `strides[0]` apart, layers `strides[1]`.
    ///
    /// # Panics
    /// When a stride is too small, `out` has no room, or the volume's stride is 0.
    pub fn fill_volume(
        &self,
        level: SimdLevel,
        volume: &Volume,
        out: &mut [f32],
        strides: [usize; 2],
        scratch: &mut Scratch,
    ) {
        volume.check_output("the output", out.len(), strides);
        self.fill_planes(level, volume, [out, &mut [], &mut [], &mut []], strides, false, scratch);
    }

    /// Values and slopes a sample along x, y, z into four outputs laid out alike. That of y may be empty in 2D, where it
    /// is left alone. Values have the bits of [`fill`](Self::fill).
    ///
    /// # Panics
    /// As [`fill_volume`](Self::fill_volume), and when the kind has no derivatives ([`has_slopes`](Self::has_slopes)).
    pub fn fill_gradient(
        &self,
        level: SimdLevel,
        volume: &Volume,
        value: &mut [f32],
        slopes: [&mut [f32]; 3],
        strides: [usize; 2],
        scratch: &mut Scratch,
    ) {
        assert!(self.has_slopes(), "this kind of noise has no derivatives");
        volume.check_output("the output", value.len(), strides);
        for (axis, slope) in slopes.iter().enumerate() {
            if axis != 1 || self.source.three() {
                volume.check_output("the output", slope.len(), strides);
            }
        }
        let [x, y, z] = slopes;
        self.fill_planes(level, volume, [value, x, y, z], strides, true, scratch);
    }

    fn fill_planes(
        &self,
        level: SimdLevel,
        volume: &Volume,
        mut out: [&mut [f32]; 4],
        strides: [usize; 2],
        slopes: bool,
        scratch: &mut Scratch,
    ) {
        let source = &self.source;
        scratch.fit(source, slopes);
        let (mut memory, mut rows) = scratch.split(source, slopes);
        let coherent = source.coherent(volume.stride);
        for cut in blocks(volume) {
            let Cut { block, column, row, layer, .. } = cut;
            if let Some((octaves, _)) = &mut memory.tables {
                if layer == 0 {
                    source.select(cut.strip, octaves);
                }
                for part in parts(&cut) {
                    source.prepare(level, part, coherent, slopes, octaves);
                }
            }
            let first = layer * strides[1] + row * strides[0] + column;
            let [value, x, y, z] = &mut out;
            let [rows_value, rows_x, rows_y, rows_z] = &mut rows;
            let mut targets = Targets {
                value: Target::new(rows_value, value, first, strides[0]),
                slopes: [
                    Target::new(rows_x, x, first, strides[0]),
                    Target::new(rows_y, y, first, strides[0]),
                    Target::new(rows_z, z, first, strides[0]),
                ],
            };
            source.run(level, Samples::Block(&block), coherent, None, slopes, &mut memory, &mut targets);
        }
    }

    /// The value at one position of the ground plane (y = 0 in three dimensions); at a sample it has the bits that
    /// [`fill`](Self::fill) gives. One sample costs what a lattice cell costs in a grid: for many use `fill` or
    /// [`fill_points`](Self::fill_points).
    #[must_use]
    pub fn at(&self, x: Coord, z: Coord) -> f32 {
        self.at_3d([x, Coord::default(), z])
    }

    /// The value at one position in space.
    #[must_use]
    pub fn at_3d(&self, at: [Coord; 3]) -> f32 {
        let (mut places, mut value) = (PlaceRow::new(), [ROW; 1]);
        let (mut octave, mut weight) = ([ROW; 1], [ROW; 1]);
        let aside = Aside {
            octave: [&mut octave, &mut [], &mut [], &mut []],
            weight: [&mut weight, &mut [], &mut [], &mut []],
        };
        let mut memory = Memory { places: &mut places, tables: None, aside };
        let mut to = Targets {
            value: Target::rows(&mut value),
            slopes: [Target::rows(&mut []), Target::rows(&mut []), Target::rows(&mut [])],
        };
        self.source.run(SimdLevel::SCALAR, Samples::Points(&[at]), 0, None, false, &mut memory, &mut to);
        value[0][0]
    }

    /// Value and slopes at one position in space.
    ///
    /// # Panics
    /// When the kind has no derivatives.
    #[must_use]
    pub fn gradient_at(&self, at: [Coord; 3]) -> Gradient {
        assert!(self.has_slopes(), "this kind of noise has no derivatives");
        let mut places = PlaceRow::new();
        let [mut to, mut octave, mut weight] = [[[ROW; 1]; 4]; 3];
        let aside = Aside {
            octave: octave.each_mut().map(|r| &mut r[..]),
            weight: weight.each_mut().map(|r| &mut r[..]),
        };
        let mut memory = Memory { places: &mut places, tables: None, aside };
        let [value, x, y, z] = to.each_mut().map(|rows| Target::rows(&mut rows[..]));
        let mut targets = Targets { value, slopes: [x, y, z] };
        self.source.run(SimdLevel::SCALAR, Samples::Points(&[at]), 0, None, true, &mut memory, &mut targets);
        let [value, x, y, z] = to.map(|rows| rows[0][0]);
        Gradient { value, slope: [x, y, z] }
    }

    /// Values at any positions. At samples they have the bits of [`fill`](Self::fill).
    ///
    /// # Panics
    /// When `out` is not as long as `points`.
    pub fn fill_points(
        &self,
        level: SimdLevel,
        points: &[[Coord; 3]],
        out: &mut [f32],
        scratch: &mut Scratch,
    ) {
        assert_eq!(points.len(), out.len(), "one output a point");
        scratch.fit(&self.source, false);
        let (mut memory, mut rows) = scratch.split(&self.source, false);
        memory.tables = None;
        for (points, out) in points.chunks(STRIP).zip(out.chunks_mut(STRIP)) {
            let [value, x, y, z] = &mut rows;
            let slopes = [Target::rows(x), Target::rows(y), Target::rows(z)];
            let mut to = Targets { value: Target::rows(value), slopes };
            self.source.run(level, Samples::Points(points), 0, None, false, &mut memory, &mut to);
            out.copy_from_slice(&value[0][..out.len()]);
        }
    }

    /// Values along a line: `from`, then `out.len() - 1` steps of `step` in 1/65536 of a sample along x, y, z.
    ///
    /// ```
    /// use terrane_noise::{Noise, NoiseParams, Scratch, SimdLevel};
    /// let noise = Noise::new(&NoiseParams::default())?;
    /// let mut profile = [0.0; 100];
    /// let half_a_sample_east = [0x8000, 0, 0];
    /// noise.fill_line(
    ///     SimdLevel::detect(), [0.into(); 3], half_a_sample_east, &mut profile, &mut Scratch::new());
    /// assert_eq!(profile[84], noise.at(42.into(), 0.into()));
    /// # Ok::<(), terrane_noise::NoiseError>(())
    /// ```
    pub fn fill_line(
        &self,
        level: SimdLevel,
        from: [Coord; 3],
        step: [i64; 3],
        out: &mut [f32],
        scratch: &mut Scratch,
    ) {
        let mut points = [[Coord::default(); 3]; STRIP];
        for (chunk, out) in out.chunks_mut(STRIP).enumerate() {
            for (i, point) in points.iter_mut().enumerate() {
                let steps = (chunk * STRIP + i) as i64;
                for ((to, from), step) in point.iter_mut().zip(from).zip(step) {
                    *to = from.moved(i128::from(step) * i128::from(steps));
                }
            }
            self.fill_points(level, &points[..out.len()], out, scratch);
        }
    }
}

/// What a block begins, axis by axis.
pub(crate) fn parts(cut: &Cut) -> impl Iterator<Item = AxisPart> + use<> {
    let block = cut.block;
    let stride = block.stride;
    let strip = AxisPart { axis: 0, first: block.x, stride, n: block.lanes };
    let band = AxisPart { axis: 2, first: block.z, stride, n: block.rows };
    let slice = AxisPart { axis: 1, first: block.y, stride, n: 1 };
    let parts = [(cut.begins_strip, strip), (cut.begins_band, band), (true, slice)];
    parts.into_iter().filter_map(|(begins, part)| begins.then_some(part))
}
