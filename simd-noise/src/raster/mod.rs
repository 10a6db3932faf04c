//! A raster: pixels that lie somewhere on the ground, as a field.
//!
//! In: 16-bit pixels, where they lie, how to filter and what is outside, checked once. Then: values, and slopes if asked,
//! over grids, blocks of a program and points, displaced or not; docs/RASTERS.md defines them to the bit. Deliberately
//! not here: files (the engine decodes them), metres, and copies of the pixels at lower resolution: a coarse level of
//! detail reads the same pixels, because its samples are samples of the full resolution.

mod filter;
mod params;
mod place;
mod roughness;
mod sample;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use crate::grid::{Grid, Volume};
use crate::kernel::job::{Displacement, Samples, Targets};
use crate::noise::Gradient;
use crate::phase::Coord;
use crate::scratch::STRIP;

pub use params::{
    Filter, Outside, PIXELS_PER_SAMPLE_MAX, PIXELS_PER_SAMPLE_MIN, RASTER_SIDE_MAX, RASTER_VALUE_MAX,
    RasterError, RasterParams,
};

use filter::{BicubicTaps, BilinearTaps, NearestTaps, Taps};
use place::AxisMap;
pub(crate) use roughness::Roughness;
use sample::{Pixels, Strip, ValueAndSlopes, index};

/// Pixels on the ground: elevations of a real place, a painted mask.
///
/// Cloning shares the pixels. All levels run the same code, so none is asked for.
///
/// ```
/// use terrane_noise::{Grid, Raster, RasterParams};
///
/// // Two rows of three pixels, the first row at the smallest z; four samples a pixel.
/// let params = RasterParams { pixels_per_sample: [0.25; 2], high: 65_535.0, ..RasterParams::default() };
/// let raster = Raster::new([0u16, 100, 200, 400, 500, 600].into(), 3, 2, &params)?;
/// assert_eq!(raster.at(4.into(), 0.into()), 100.0);
/// assert_eq!(raster.at(6.into(), 2.into()), 350.0);
///
/// let grid = Grid { x: 0, z: 0, width: 9, height: 5, stride: 1 };
/// let mut out = vec![0.0; grid.samples()];
/// raster.fill(&grid, &mut out, 9);
/// assert_eq!(out[..4], [0.0, 25.0, 50.0, 75.0]);
/// # Ok::<(), terrane_noise::RasterError>(())
/// ```
#[derive(Clone)]
pub struct Raster {
    samples: Arc<[u16]>,
    width: u32,
    height: u32,
    params: RasterParams,
    axes: [AxisMap; 2],
    scale: f32,
    bounds: (f32, f32),
    slope_bounds: [f32; 2],
}

/// Calls a method with the filter's type.
macro_rules! with_filter {
    ($filter:expr, $on:ident.$method:ident [$($slopes:literal)?] ($($argument:expr),*)) => {
        match $filter {
            Filter::Nearest => $on.$method::<NearestTaps $(, $slopes)?>($($argument),*),
            Filter::Bilinear => $on.$method::<BilinearTaps $(, $slopes)?>($($argument),*),
            Filter::Bicubic => $on.$method::<BicubicTaps $(, $slopes)?>($($argument),*),
        }
    };
}

impl Raster {
    /// Checks the settings, and looks at every pixel once for the bounds. Pixels stand row by row, the row of smallest z
    /// first. Allocates nothing.
    ///
    /// # Errors
    /// When a side, the number of pixels or a setting is wrong; the error names it.
    pub fn new(
        samples: Arc<[u16]>,
        width: u32,
        height: u32,
        params: &RasterParams,
    ) -> Result<Self, RasterError> {
        for (name, pixels) in [("width", width), ("height", height)] {
            if !(1..=RASTER_SIDE_MAX).contains(&pixels) {
                return Err(RasterError::Side { name, pixels });
            }
        }
        let (found, expected) = (samples.len(), u64::from(width) * u64::from(height));
        if found as u64 != expected {
            return Err(RasterError::Pixels { found, width, height, expected });
        }
        params.check()?;
        let mut raster = Self {
            width,
            height,
            params: *params,
            axes: [AxisMap::new(params, 0, width), AxisMap::new(params, 1, height)],
            scale: ((f64::from(params.high) - f64::from(params.low)) / 65_535.0) as f32,
            bounds: (0.0, 0.0),
            slope_bounds: [0.0; 2],
            samples,
        };
        (raster.bounds, raster.slope_bounds) = with_filter!(params.filter, raster.find_bounds[]());
        Ok(raster)
    }

    /// Columns of pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels, row by row.
    #[must_use]
    pub fn samples(&self) -> &Arc<[u16]> {
        &self.samples
    }

    /// The settings as they were given.
    #[must_use]
    pub fn params(&self) -> &RasterParams {
        &self.params
    }

    /// Pixels a sample along x and z as they count: rounded to a multiple of 2^-32.
    ///
    /// ```
    /// use terrane_noise::{Raster, RasterParams};
    /// let params = RasterParams { pixels_per_sample: [0.1, 0.5], ..RasterParams::default() };
    /// let raster = Raster::new([7u16].into(), 1, 1, &params)?;
    /// assert_eq!(raster.pixels_per_sample(), [429_496_730.0 / 4_294_967_296.0, 0.5]);
    /// # Ok::<(), terrane_noise::RasterError>(())
    /// ```
    #[must_use]
    pub fn pixels_per_sample(&self) -> [f64; 2] {
        self.axes.map(|axis| axis.pixels_per_sample())
    }

    /// No value is below the first or above the second, wherever it is taken. From the pixels that are there (and the
    /// constant outside); of the bicubic filter wider by what it may overshoot.
    ///
    /// ```
    /// use terrane_noise::{Filter, Raster, RasterParams};
    /// let params = RasterParams { high: 65_535.0, filter: Filter::Nearest, ..RasterParams::default() };
    /// let raster = Raster::new([10u16, 30].into(), 2, 1, &params)?;
    /// assert_eq!(raster.bounds(), (10.0, 30.0));
    /// let smooth = Raster::new([10u16, 30].into(), 2, 1, &RasterParams { filter: Filter::Bicubic, ..params })?;
    /// assert!(smooth.bounds().0 < 5.0 && smooth.bounds().1 > 35.0);
    /// # Ok::<(), terrane_noise::RasterError>(())
    /// ```
    #[must_use]
    pub fn bounds(&self) -> (f32, f32) {
        self.bounds
    }

    /// No slope a sample along x or z is larger in size, wherever it is taken; with the slack of [`bounds`](Self::bounds).
    ///
    /// ```
    /// use terrane_noise::{Raster, RasterParams};
    /// let params = RasterParams { pixels_per_sample: [0.5, 0.25], high: 65_535.0, ..RasterParams::default() };
    /// let [x, z] = Raster::new([10u16, 30].into(), 2, 1, &params)?.slope_bounds();
    /// assert!((10.0..10.01).contains(&x) && (5.0..5.01).contains(&z));
    /// # Ok::<(), terrane_noise::RasterError>(())
    /// ```
    #[must_use]
    pub fn slope_bounds(&self) -> [f32; 2] {
        self.slope_bounds
    }

    /// The value at one position; at a sample it has the bits that [`fill`](Self::fill) gives.
    #[must_use]
    pub fn at(&self, x: Coord, z: Coord) -> f32 {
        let pixels = self.pixels();
        with_filter!(self.params.filter, pixels.at[false](x, z))[0]
    }

    /// Value and slopes a sample at one position; the slope along y is 0. Those of [`Filter::Nearest`] are 0; where
    /// bilinear patches meet it is the slope towards larger x and z.
    ///
    /// ```
    /// use terrane_noise::{Raster, RasterParams};
    /// let params = RasterParams { pixels_per_sample: [0.5; 2], high: 65_535.0, ..RasterParams::default() };
    /// let slope = Raster::new([0u16, 100, 0, 100].into(), 2, 2, &params)?;
    /// assert_eq!(slope.gradient_at(1.into(), 1.into()).slope, [50.0, 0.0, 0.0]);
    /// # Ok::<(), terrane_noise::RasterError>(())
    /// ```
    #[must_use]
    pub fn gradient_at(&self, x: Coord, z: Coord) -> Gradient {
        let pixels = self.pixels();
        let [value, slope_x, slope_z]: ValueAndSlopes =
            with_filter!(self.params.filter, pixels.at[true](x, z));
        Gradient { value, slope: [slope_x, 0.0, slope_z] }
    }

    /// Fills `out` with the samples of `grid`, its rows `row_stride` apart. The same bits for every cut into tiles and
    /// every stride. Allocates nothing. Costs a few operations a sample where a pixel spans several, and reads all the
    /// filter's pixels of each sample where it does not.
    ///
    /// # Panics
    /// When `row_stride` is less than the grid's width, `out` has no room for the rows, or the stride is 0.
    pub fn fill(&self, grid: &Grid, out: &mut [f32], row_stride: usize) {
        if grid.width == 0 || grid.height == 0 {
            return;
        }
        Volume::from(*grid).check_output("the output", out.len(), [row_stride, 0]);
        with_filter!(self.params.filter, self.fill_with[](grid, out, row_stride));
    }

    fn fill_with<T: Taps>(&self, grid: &Grid, out: &mut [f32], row_stride: usize) {
        let pixels = self.pixels();
        for column in (0..grid.width).step_by(STRIP) {
            let lanes = (grid.width - column).min(STRIP);
            let first = index(grid.x, column, grid.stride);
            let mut strip = Strip::<T, false>::new(&pixels, first, grid.stride, lanes);
            for (row, out) in out[column..].chunks_mut(row_stride).enumerate().take(grid.height) {
                strip.row(index(grid.z, row, grid.stride), &mut out[..lanes], [&mut [], &mut []]);
            }
        }
    }

    /// For programs: values of some samples, moved by a displacement, into the targets' rows and the caller's where there
    /// are any. Slopes, if asked, along x and z, with respect to the moved position; that along y is left alone.
    pub(crate) fn run(
        &self,
        samples: Samples<'_>,
        displacement: Option<Displacement<'_>>,
        slopes: bool,
        to: &mut Targets<'_>,
    ) {
        let pixels = self.pixels();
        if slopes {
            with_filter!(self.params.filter, pixels.run[true](samples, displacement, to));
        } else {
            with_filter!(self.params.filter, pixels.run[false](samples, displacement, to));
        }
        to.copy_out(samples.size());
    }

    fn pixels(&self) -> Pixels<'_> {
        Pixels {
            samples: &self.samples,
            width: self.width as usize,
            axes: &self.axes,
            low: self.params.low,
            scale: self.scale,
            outside: match self.params.outside {
                Outside::Constant(value) => value,
                _ => 0.0,
            },
        }
    }

    /// Smallest and largest value of a pixel of the endless plane.
    fn extremes(&self) -> (f32, f32) {
        let extremes = |(low, high): (u16, u16), pixel: &u16| (low.min(*pixel), high.max(*pixel));
        let (a, b) = self.samples.iter().fold((u16::MAX, 0), extremes);
        // The map is monotone, upwards or downwards, also when rounded.
        let [a, b] = [a, b].map(|pixel| self.params.low + f32::from(pixel) * self.scale);
        match self.params.outside {
            Outside::Constant(value) => (a.min(b).min(value), a.max(b).max(value)),
            _ => (a.min(b), a.max(b)),
        }
    }

    /// Bounds of values and of slopes: docs/RASTERS.md, "Bounds".
    fn find_bounds<T: Taps>(&self) -> ((f32, f32), [f32; 2]) {
        let (low, high) = self.extremes();
        // Equal pixels are filtered without rounding, and one pixel is not filtered.
        if T::COUNT == 1 || low == high {
            return ((low, high), [0.0; 2]);
        }
        let range = f64::from(high) - f64::from(low);
        let magnitude = f64::from(low.abs().max(high.abs()));
        let tiny = f64::from(f32::MIN_POSITIVE);
        let rounding = (range + magnitude) / 131_072.0 + tiny;
        let beyond = range * T::OVERSHOOT + rounding;
        let bounds =
            (((f64::from(low) - beyond) as f32).next_down(), ((f64::from(high) + beyond) as f32).next_up());
        let steepest = range * T::STEEPEST + 2.0 * rounding;
        let slopes = self.axes.map(|axis| ((steepest * f64::from(axis.per_sample) + tiny) as f32).next_up());
        (bounds, slopes)
    }
}

/// The same settings and the same pixels, shared or not.
impl PartialEq for Raster {
    fn eq(&self, other: &Self) -> bool {
        let key = |raster: &Self| (raster.width, raster.height, raster.params);
        key(self) == key(other)
            && (Arc::ptr_eq(&self.samples, &other.samples) || self.samples == other.samples)
    }
}

/// The settings; not millions of pixels.
impl fmt::Debug for Raster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, params, bounds, .. } = self;
        f.debug_struct("Raster")
            .field("width", width)
            .field("height", height)
            .field("params", params)
            .field("bounds", bounds)
            .finish_non_exhaustive()
    }
}
