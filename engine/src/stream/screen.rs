//! Distances from what is seen: how near a viewer must be for the error of a level to show.
//!
//! In: a screen and the error that may be seen on it, in pixels; error bounds of levels in metres. Out: metres. It decides which
//! chunks exist, so it must be the same on every machine: the tangent comes from a library in Rust, not from the platform.

/// The error that may be seen on a screen.
///
/// ```
/// use terrane::ScreenError;
/// let screen = ScreenError { error_px: 2.0, height_px: 1080.0, fov_y_deg: 60.0 };
/// // A metre is two pixels high from here on.
/// assert_eq!(screen.distance_m(1.0).round(), 468.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenError {
    /// How far what is drawn may be from the ground, in pixels, 0.1 ..= 1000.
    pub error_px: f64,
    /// Height of the picture, in pixels, 1 ..= 100,000.
    pub height_px: f64,
    /// Angle that the picture spans from its lower to its upper edge, in degrees, 1 ..= 170.
    pub fov_y_deg: f64,
}

impl ScreenError {
    /// Height of the picture where a world file leaves it out.
    pub const HEIGHT_PX: f64 = 1080.0;
    /// Angle where a world file leaves it out.
    pub const FOV_Y_DEG: f64 = 60.0;

    /// From which distance on an error of `error_m` metres is no more than [`error_px`](Self::error_px), wherever in the picture and
    /// whichever way it is seen, in metres. In the middle of the picture an upright error is seen largest but for the picture's corners,
    /// where perspective stretches it; distances of streams are those along the larger axis, which are smaller than the true ones.
    #[must_use]
    pub fn distance_m(&self, error_m: f64) -> f64 {
        let half_height = libm::tan(self.fov_y_deg.to_radians() / 2.0);
        error_m * self.height_px / (2.0 * half_height * self.error_px)
    }
}
