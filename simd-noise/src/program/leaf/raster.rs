//! A raster in a program: its bounds, those of its slopes, how far it may be moved, and its text.
//!
//! Deliberately not here: the raster itself (`raster/`).

use std::sync::{Arc, OnceLock};

use super::{LeafSlopes, Places, Where};
use crate::kernel::job::Targets;
use crate::program::deviation::Deviation;
use crate::program::error::{ProgramError, number};
use crate::program::interval::{Interval, LIMIT};
use crate::raster::{Filter, Outside, Raster, RasterParams, Roughness};

/// No raster is moved by more pixels: what is left of an f32 then places a sample within 1/128 of a pixel.
const PIXELS_MAX: f64 = 65_536.0;

#[derive(Clone, Debug)]
pub(crate) struct RasterLeaf {
    raster: Raster,
    /// Looked for when it is first asked for: that takes all pixels.
    roughness: Arc<OnceLock<Roughness>>,
}

/// The same raster, and zeros of the same sign: they are values.
impl PartialEq for RasterLeaf {
    fn eq(&self, other: &Self) -> bool {
        signs(self.raster.params()) == signs(other.raster.params()) && self.raster == other.raster
    }
}

fn signs(params: &RasterParams) -> [bool; 3] {
    let outside = if let Outside::Constant(value) = params.outside { value } else { 0.0 };
    [params.low, params.high, outside].map(f32::is_sign_negative)
}

impl RasterLeaf {
    pub(crate) fn new(raster: &Raster) -> Result<Self, ProgramError> {
        let limit = f64::from(LIMIT);
        let (low, high) = raster.bounds();
        for (name, value) in [("lowest value", low), ("highest value", high)] {
            let expected = "from -1e30 to 1e30 with what the filter adds, so choose a smaller low and high";
            number("raster", name, f64::from(value), -limit..=limit, expected)?;
        }
        for slope in raster.slope_bounds() {
            let expected = "at most 1e30, so choose a smaller low and high or fewer pixels a sample";
            number("raster", "steepest slope a sample", f64::from(slope), 0.0..=limit, expected)?;
        }
        Ok(Self { raster: raster.clone(), roughness: Arc::default() })
    }

    pub(crate) fn slopes(&self) -> LeafSlopes {
        match self.raster.params().filter {
            Filter::Nearest => LeafSlopes::Zero,
            Filter::Bilinear | Filter::Bicubic => LeafSlopes::Made,
        }
    }

    pub(crate) fn interval(&self) -> Interval {
        let (low, high) = self.raster.bounds();
        Interval::new(low, high)
    }

    pub(crate) fn slope_interval(&self, axis: usize) -> Interval {
        let [x, z] = self.raster.slope_bounds();
        let steepest = [x, 0.0, z][axis];
        Interval::new(-steepest, steepest)
    }

    /// From how much neighbouring pixels differ, and how much those differences do.
    ///
    /// Nearest: a value changes by at most `step` for each line between pixels that is crossed. Bilinear: the slope
    /// along x jumps by at most `bend` where a column of pixels is crossed, and changes by at most `twist` a pixel
    /// along z; about the middle of what it can be in a triangle it is off by half of that, and what is linear does
    /// not count. Bicubic: a slope is at most 1.5 steps along its axis, a second derivative 3 bends, and what filters
    /// the other axis adds 1.25 times.
    pub(crate) fn deviation(&self, at: &Places) -> Deviation {
        let Roughness { step, bend: [xx, zz], twist, size } =
            *self.roughness.get_or_init(|| self.raster.roughness());
        // Positions are exact to 2^-24 of a pixel, moved ones to what an f32 of that size is.
        let pixels = self.raster.pixels_per_sample();
        let moved = [at.moved[0] * pixels[0], at.moved[2] * pixels[1]]
            .map(|by| if by > 0.0 { by + 1.0 } else { 0.0 });
        let misplaced = moved.map(|moved| (1.0 + 4.0 * moved) / 4_194_304.0);
        let [x, z] = [at.axes[0].through(pixels[0], 0.0), at.axes[2].through(pixels[1], 0.0)];
        let along = |slopes: [f64; 2], of: fn(&Deviation) -> f64| slopes[0] * of(&x) + slopes[1] * of(&z);
        let crossed = [x.swing + misplaced[0], z.swing + misplaced[1]].map(|pixels| pixels.floor() + 1.0);
        let (slopes, more, rounding): ([f64; 2], f64, f64) = match self.raster.params().filter {
            Filter::Nearest => {
                let swing = step[0] * crossed[0] + step[1] * crossed[1];
                return Deviation { bend: swing, drift: swing, swing };
            }
            Filter::Bilinear => {
                let apart_x = (2.0 * step[0]).min(crossed[0] * xx + z.swing * twist);
                let apart_z = (2.0 * step[1]).min(crossed[1] * zz + x.swing * twist);
                (step, apart_x / 2.0 * x.drift + apart_z / 2.0 * z.drift, size / 1_048_576.0)
            }
            Filter::Bicubic => {
                let second = 3.75 * (xx * x.drift * x.drift + zz * z.drift * z.drift);
                let mixed = 2.25 * twist * x.drift * z.drift;
                (step.map(|step| 1.875 * step), second / 2.0 + mixed, size / 262_144.0)
            }
        };
        let rounding = rounding + slopes[0] * misplaced[0] + slopes[1] * misplaced[1];
        let smooth = Deviation {
            bend: along(slopes, |of| of.bend) + more,
            drift: along(slopes, |of| of.drift),
            swing: along(slopes, |of| of.swing),
        };
        smooth.rounded(rounding)
    }

    pub(crate) fn check_move(&self, node: usize, by: [Interval; 3]) -> Result<(), ProgramError> {
        let [along_x, along_z] = self.raster.pixels_per_sample();
        for (axis, by, pixels_per_sample) in [('x', by[0], along_x), ('z', by[2], along_z)] {
            let samples = by.size();
            let pixels = samples * pixels_per_sample;
            if pixels > PIXELS_MAX {
                return Err(ProgramError::RasterMovedTooFar { node, axis, samples, pixels });
            }
        }
        Ok(())
    }

    pub(crate) fn text(&self) -> String {
        let (width, height) = (self.raster.width(), self.raster.height());
        let RasterParams { pixels_per_sample: [x, z], filter, outside, .. } = *self.raster.params();
        let filter = filter.name();
        let constant =
            if let Outside::Constant(value) = outside { format!(" {value}") } else { String::new() };
        let outside = outside.name();
        format!(
            "raster of {width} by {height} pixels, {filter}, outside {outside}{constant}, {x} by {z} pixels a sample"
        )
    }

    pub(crate) fn run(&self, at: Where<'_>, slopes: bool, to: &mut Targets<'_>) {
        self.raster.run(at.samples, at.displacement, slopes, to);
    }
}
