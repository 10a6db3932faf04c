//! A raster in a program: its bounds, those of its slopes, how far it may be moved, and its text.
//!
//! Deliberately not here: the raster itself (`raster/`).

use super::{LeafSlopes, Where};
use crate::kernel::job::Targets;
use crate::program::error::{ProgramError, number};
use crate::program::interval::{Interval, LIMIT};
use crate::raster::{Filter, Outside, Raster, RasterParams};

/// No raster is moved by more pixels: what is left of an f32 then places a sample within 1/128 of a pixel.
const PIXELS_MAX: f64 = 65_536.0;

#[derive(Clone, Debug)]
pub(crate) struct RasterLeaf {
    raster: Raster,
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
        Ok(Self { raster: raster.clone() })
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
