//! How a raster lies on the ground and what its pixels mean, and why some settings make no raster.
//!
//! In: what a caller writes. Out: the same, checked. Deliberately not here: metres (a world file's metres per pixel
//! become pixels a sample before they come here) and decoding of files.

use crate::phase::Coord;

/// Largest width and height in pixels.
pub const RASTER_SIDE_MAX: u32 = 32_768;
/// Fewer pixels a sample, 2^-24, would leave the fixed-point step too few digits.
pub const PIXELS_PER_SAMPLE_MIN: f64 = 1.0 / 16_777_216.0;
/// Most pixels a sample: 2^16.
pub const PIXELS_PER_SAMPLE_MAX: f64 = 65_536.0;
/// Largest magnitude of `low`, `high` and the constant outside: differences and slopes of such values stay finite.
pub const RASTER_VALUE_MAX: f32 = 1e30;

/// Everything but the pixels that decides a raster.
///
/// ```
/// use terrane_noise::{Filter, Outside, RasterParams};
///
/// // Elevations of 0 to 2000 m, 30 samples a pixel, flat sea around.
/// let dem = RasterParams {
///     pixels_per_sample: [1.0 / 30.0; 2],
///     filter: Filter::Bicubic,
///     outside: Outside::Constant(0.0),
///     low: 0.0,
///     high: 2000.0,
///     ..RasterParams::default()
/// };
/// assert_eq!(dem.origin, [0.into(), 0.into()]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterParams {
    /// Where the centre of pixel (0, 0) lies, along x and z.
    pub origin: [Coord; 2],
    /// Pixels a sample along x and z: spacing / metres per pixel. 2^-24 ..= 2^16, rounded to a multiple of 2^-32.
    pub pixels_per_sample: [f64; 2],
    /// What is between pixels.
    pub filter: Filter,
    /// What is beyond the border.
    pub outside: Outside,
    /// What pixel 0 means.
    pub low: f32,
    /// What pixel 65535 means. May be less than `low`.
    pub high: f32,
}

impl Default for RasterParams {
    /// A pixel a sample from sample (0, 0) on, bilinear, the border continued, 0..1.
    fn default() -> Self {
        Self {
            origin: [Coord::default(); 2],
            pixels_per_sample: [1.0; 2],
            filter: Filter::Bilinear,
            outside: Outside::Clamp,
            low: 0.0,
            high: 1.0,
        }
    }
}

/// How a value between pixel centres is made.
///
/// ```
/// use terrane_noise::Filter;
/// assert_eq!(Filter::ALL.map(|(_, name, _)| name), ["nearest", "bilinear", "bicubic"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The pixel whose centre is nearest; half way the one of larger index. Slopes are 0.
    Nearest,
    /// Straight between two pixels along each axis. Continuous; slopes jump at pixel centres.
    Bilinear,
    /// Catmull-Rom through four pixels along each axis. Continuous with its slopes; overshoots steps, see
    /// [`Raster::bounds`](crate::Raster::bounds).
    Bicubic,
}

impl Filter {
    /// Every filter with its name in world files and its stable id.
    pub const ALL: [(Self, &'static str, u32); 3] =
        [(Self::Nearest, "nearest", 0), (Self::Bilinear, "bilinear", 1), (Self::Bicubic, "bicubic", 2)];

    /// Its name in world files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Its stable id.
    #[must_use]
    pub fn id(self) -> u32 {
        Self::ALL[self as usize].2
    }
}

/// Which pixel stands where the raster has none. The filters see an endless plane of pixels made by it.
///
/// ```
/// use terrane_noise::Outside;
/// assert_eq!(Outside::Constant(-20.0).name(), "constant");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// The nearest pixel of the border.
    Clamp,
    /// The raster again, with a period of its width and height in pixels.
    Wrap,
    /// The raster reflected in its border pixels, which stand once: 0 1 2 1 0 1 2 for three of them.
    Mirror,
    /// This value, in units of `low..high`; it need not lie between them.
    Constant(f32),
}

impl Outside {
    /// Every mode's name in world files and its stable id.
    pub const ALL: [(&'static str, u32); 4] = [("clamp", 0), ("wrap", 1), ("mirror", 2), ("constant", 3)];

    /// Its name in world files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self.at()].0
    }

    /// Its stable id.
    #[must_use]
    pub fn id(self) -> u32 {
        Self::ALL[self.at()].1
    }

    fn at(self) -> usize {
        match self {
            Self::Clamp => 0,
            Self::Wrap => 1,
            Self::Mirror => 2,
            Self::Constant(_) => 3,
        }
    }
}

/// Why pixels and settings make no raster.
///
/// ```
/// use terrane_noise::{Raster, RasterParams};
/// let error = Raster::new([0u16; 5].into(), 3, 2, &RasterParams::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the raster has 5 pixels; a width of 3 and a height of 2 need 6");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RasterError {
    /// No pixels along an axis, or too many.
    #[error("{name} is {pixels} pixels; it must be from 1 to 32768")]
    Side {
        /// width or height.
        name: &'static str,
        /// What it was.
        pixels: u32,
    },
    /// Not as many pixels as width and height say.
    #[error("the raster has {found} pixels; a width of {width} and a height of {height} need {expected}")]
    Pixels {
        /// How many there are.
        found: usize,
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// width times height.
        expected: u64,
    },
    /// A number is not one, or out of range.
    #[error("{name} is {value}; it must be {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What it was.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// An origin beyond the ends of the world.
    #[error("{name} is sample {index}; it must be above -2^60 and below 2^60")]
    Origin {
        /// The parameter.
        name: &'static str,
        /// Its sample.
        index: i64,
    },
}

impl RasterParams {
    /// The first thing that is wrong, if any.
    pub(super) fn check(&self) -> Result<(), RasterError> {
        let names = [("origin x", "pixels_per_sample x"), ("origin z", "pixels_per_sample z")];
        for (axis, (origin, per_sample)) in names.into_iter().enumerate() {
            let index = self.origin[axis].index;
            if index.unsigned_abs() >= 1 << 60 {
                return Err(RasterError::Origin { name: origin, index });
            }
            let value = self.pixels_per_sample[axis];
            if !(PIXELS_PER_SAMPLE_MIN..=PIXELS_PER_SAMPLE_MAX).contains(&value) {
                let expected = "from 2^-24 to 2^16";
                return Err(RasterError::Value { name: per_sample, value, expected });
            }
        }
        check_value("low", self.low)?;
        check_value("high", self.high)?;
        match self.outside {
            Outside::Constant(value) => check_value("outside constant", value),
            _ => Ok(()),
        }
    }
}

/// NaN is not in range either.
fn check_value(name: &'static str, value: f32) -> Result<(), RasterError> {
    if value.abs() <= RASTER_VALUE_MAX {
        return Ok(());
    }
    Err(RasterError::Value { name, value: f64::from(value), expected: "a number from -1e30 to 1e30" })
}
