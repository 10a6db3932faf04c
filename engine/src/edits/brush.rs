//! A brush at its place: checked once, then a rectangle of samples and a weight each.
//!
//! In: an edit and the world's spacing. Out: the rectangle that may be touched, and weights. Distances are f64: an index
//! difference times the spacing has at most 44 significant bits and is exact. Deliberately not here: heights.

use terrane_noise::Coord;

use super::error::EditError;
use super::types::{BRUSH_SAMPLES_MAX, Brush, BrushShape, Edit, EditOp, SampleRect};
use crate::coords::SAMPLE_LIMIT;

/// A brush that passed its checks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedBrush {
    center: [Coord; 2],
    spacing_m: f64,
    round: bool,
    radius_m: f64,
    falloff_m: f64,
}

/// Refuses what is no number in range.
fn check(field: &'static str, found: f64, expected: &'static str, right: bool) -> Result<(), EditError> {
    if right { Ok(()) } else { Err(EditError::Value { field, found, expected }) }
}

/// Checks what an edit does.
pub(crate) fn check_op(op: EditOp) -> Result<(), EditError> {
    match op {
        EditOp::Raise { by_m } | EditOp::Lower { by_m } => {
            let right = by_m.is_finite() && by_m >= 0.0;
            check("op.by_m", by_m.into(), "metres, 0 or more", right)
        }
        EditOp::Set { height_m } => {
            check("op.height_m", height_m.into(), "a finite height in metres", height_m.is_finite())
        }
        EditOp::Flatten | EditOp::Smooth => Ok(()),
    }
}

impl PlacedBrush {
    pub(crate) fn new(edit: &Edit, spacing_m: f64) -> Result<Self, EditError> {
        let Brush { center, shape, falloff_m } = edit.brush;
        for (axis, index) in [('x', center.x.index), ('z', center.z.index)] {
            if !(-SAMPLE_LIMIT < index && index < SAMPLE_LIMIT) {
                return Err(EditError::Center { axis, index });
            }
        }
        let (round, field, radius_m) = match shape {
            BrushShape::Circle { radius_m } => (true, "brush.shape.radius_m", radius_m),
            BrushShape::Square { half_m } => (false, "brush.shape.half_m", half_m),
        };
        check(field, radius_m, "metres above 0", radius_m.is_finite() && radius_m > 0.0)?;
        let samples = 2.0 * (radius_m / spacing_m);
        if samples > f64::from(BRUSH_SAMPLES_MAX) {
            let limit_m = f64::from(BRUSH_SAMPLES_MAX / 2) * spacing_m;
            return Err(EditError::TooWide { field, samples, limit_m });
        }
        let right = (0.0..=radius_m).contains(&falloff_m);
        check("brush.falloff_m", falloff_m, "metres from 0 (sheer) to the brush's radius", right)?;
        Ok(Self { center: [center.x, center.z], spacing_m, round, radius_m, falloff_m })
    }

    /// A rectangle that holds every sample with a weight, and at most one more row or column a side. `max` may lie below
    /// `min` once it is cut to `limit`: then there is none.
    pub(crate) fn rect(&self, limit: &SampleRect) -> SampleRect {
        let radius = self.radius_m / self.spacing_m;
        let ends = |axis: usize| {
            let Coord { index, fraction } = self.center[axis];
            let fraction = f64::from(fraction) / 65_536.0;
            // At most 1025: the place in the world never becomes a float.
            let (low, high) = ((fraction - radius).floor() as i64, (fraction + radius).ceil() as i64);
            ((index + low).max(limit.min[axis]), (index + high).min(limit.max[axis]))
        };
        let ((x0, x1), (z0, z1)) = (ends(0), ends(1));
        SampleRect { min: [x0, z0], max: [x1, z1] }
    }

    /// Metres from the centre along an axis; exact.
    fn offset_m(&self, axis: usize, index: i64) -> f64 {
        let Coord { index: center, fraction } = self.center[axis];
        ((index - center) as f64 - f64::from(fraction) / 65_536.0) * self.spacing_m
    }

    /// The distances of a row, for [`weight`](Self::weight).
    pub(crate) fn offset_z_m(&self, z: i64) -> f64 {
        self.offset_m(1, z)
    }

    /// The weight of a sample, 0 ..= 1, in a row `dz` metres off the centre.
    pub(crate) fn weight(&self, x: i64, dz: f64) -> f32 {
        let dx = self.offset_m(0, x);
        let distance_m = if self.round { (dx * dx + dz * dz).sqrt() } else { dx.abs().max(dz.abs()) };
        let depth_m = self.radius_m - distance_m;
        if depth_m < 0.0 {
            return 0.0;
        }
        let t = depth_m / self.falloff_m;
        // Without a falloff the division gives infinity inside and NaN on the rim, which belongs to the brush.
        if t < 1.0 { (t * t * (3.0 - 2.0 * t)) as f32 } else { 1.0 }
    }
}
