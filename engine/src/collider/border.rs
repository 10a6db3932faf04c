//! The border rule: which line a chunk's border is for colliders, whatever their steps.
//!
//! In: a border's heights of level 0, in the order of growing coordinates, and the tolerance. Out: the border's step,
//! and the polyline through every step-th height. Both chunks of a border have the same heights in the same order, so
//! they find the same step and the same line, to the bit, knowing nothing of each other. Deliberately not here: the
//! inside of a chunk.
//!
//! What neighbours share. A collider of step s has its border samples on the line at multiples of s. Where both
//! neighbours have a sample, the samples are equal to the bit. Between them, the finer one's samples are points of the
//! coarser one's segment rounded to f32, as are that segment's ends: the lines lie at most one unit in the last place
//! of the larger end apart (6e-5 m at 1000 m), and not at all where the points need no rounding, as with heights on a
//! lattice of 2^-10 m within 128 m. An exact line for all heights is not to be had: a quarter of the way between two
//! neighbouring f32 there is no third.

/// The point `k` of `n` between two heights, `n` a power of two. Exact unless the heights are 2^20 times apart in size.
#[inline(always)]
fn between(a: f32, b: f32, k: usize, n: usize) -> f64 {
    let (a, b) = (f64::from(a), f64::from(b));
    a + (b - a) * (k as f64 / n as f64)
}

/// The largest step, a power of two that divides the cells, whose polyline is within `tolerance_m` of all heights.
/// Rounding of the line's points to f32 is counted, whichever of them a collider has; with step 1 there is none.
///
/// ```
/// use terrane::collider::border_step;
/// let ridge = [0.0, 1.0, 2.0, 1.0, 0.0];
/// assert_eq!(border_step(&ridge, 0.0), 2);
/// assert_eq!(border_step(&ridge, 1.9), 2, "a step of 4 would be 2 m below the ridge");
/// assert_eq!(border_step(&ridge, 2.0), 4);
/// ```
///
/// # Panics
/// When the number of cells, one less than that of heights, is not a power of two.
#[must_use]
pub fn border_step(heights: &[f32], tolerance_m: f64) -> usize {
    let mut step = cells(heights);
    while step > 1 && !fits(heights, step, tolerance_m) {
        step /= 2;
    }
    step
}

/// Fills `line` with the border's polyline of `step`, one point a sample, rounded to f32.
///
/// ```
/// let mut line = [0.0; 5];
/// terrane::collider::border_line(&[0.0, 7.0, 2.0, 7.0, 4.0], 2, &mut line);
/// assert_eq!(line, [0.0, 1.0, 2.0, 3.0, 4.0]);
/// ```
///
/// # Panics
/// When `line` has not as many samples as `heights`, or `step` is no power of two that divides the cells.
pub fn border_line(heights: &[f32], step: usize, line: &mut [f32]) {
    let cells = cells(heights);
    assert_eq!(line.len(), heights.len(), "one point a sample");
    assert!(step.is_power_of_two() && step <= cells, "step {step} of {cells} cells");
    for (segment, first) in (0..cells).step_by(step).enumerate() {
        let (a, b) = (heights[first], heights[first + step]);
        let points = &mut line[segment * step..][..step];
        points[0] = a;
        for (k, point) in points.iter_mut().enumerate().skip(1) {
            *point = between(a, b, k, step) as f32;
        }
    }
    line[cells] = heights[cells];
}

fn cells(heights: &[f32]) -> usize {
    let cells = heights.len().saturating_sub(1);
    assert!(cells.is_power_of_two(), "{cells} cells along a border");
    cells
}

/// Whether the polyline of `step` keeps to the tolerance. A line through rounded points is off the exact one by no more
/// than the worst rounding of a point: so largest error plus largest rounding bound every step's line.
fn fits(heights: &[f32], step: usize, tolerance_m: f64) -> bool {
    let (mut error, mut rounding) = (0.0f64, 0.0f64);
    for piece in heights.windows(step + 1).step_by(step) {
        let (a, b) = (piece[0], piece[step]);
        for (k, &height) in piece.iter().enumerate().take(step).skip(1) {
            let point = between(a, b, k, step);
            error = error.max((point - f64::from(height)).abs());
            rounding = rounding.max((point - f64::from(point as f32)).abs());
        }
        if error + rounding > tolerance_m {
            return false;
        }
    }
    true
}
