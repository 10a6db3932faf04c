//! A height field with fewer samples, within a tolerance of the ground.
//!
//! In: the heights of a chunk's level 0, or of nine chunks in a square. Out: the largest step that keeps to the
//! tolerance, its samples, and the exact error. Deliberately not here: other steps in other places of one chunk (that
//! is the adaptive mesh).
//!
//! **The surface.** Step s, a power of two that divides the cells, takes every s-th sample of every s-th row. Samples
//! on the chunk's border are points of the border's polyline (see [`border_step`](super::border_step)), whose step may
//! be larger than s: then they differ from the ground's. s is at most the step of every border, so that both neighbours
//! have the line's corners.
//!
//! **The error is exact.** The diagonals from (x0, z1) to (x1, z0) of a cell of s by s run through the corners of fine
//! cells, along their diagonals: every fine triangle lies inside one coarse triangle. On a fine triangle both surfaces
//! are linear, so is their difference, and its absolute value is largest at a corner. So the largest distance between
//! the surfaces is that at samples of level 0. With the other diagonal, or with diagonals that alternate, this would
//! not hold. It is computed in f64, where interpolation by powers of two rounds nothing that f32 heights of similar
//! size hold.
//!
//! The error need not grow with the step; the largest step within tolerance is found from the top. Step 1 always is:
//! there the border lines alone differ from the ground, and they keep to the tolerance. Full resolution needs no
//! decimation: the layouts take a field of any size as it is.

use crate::collider::border::{border_line, border_step};
use crate::collider::error::check_capacity;
use crate::collider::{ColliderError, HeightRows};

/// The most cells along a chunk's side.
pub const CELLS_MAX: usize = 128;
/// The most samples along a side: those of three chunks.
const SIDE_MAX: usize = 3 * CELLS_MAX + 1;

/// Sides in the order of neighbour masks: -x, +x, -z, +z.
const WEST: usize = 0;
const EAST: usize = 1;
const NORTH: usize = 2;
const SOUTH: usize = 3;

/// How a field is decimated, and how far it then is from the ground.
///
/// ```
/// use terrane::collider::{Decimation, HeightField};
/// // A slope with a bump of a metre in the middle.
/// let mut heights: Vec<f32> = (0..17 * 17).map(|i| (i % 17) as f32).collect();
/// heights[8 * 17 + 8] += 1.0;
/// let field = HeightField::new(&heights, 17)?;
///
/// let fine = Decimation::plan(&field, 0.5)?;
/// assert_eq!((fine.step, fine.side, fine.error_exact_m), (2, 9, 0.5), "half way to the bump");
/// let flat = Decimation::plan(&field, 1.0)?;
/// assert_eq!((flat.step, flat.side, flat.error_exact_m), (16, 2, 1.0));
///
/// let mut samples = vec![0.0; flat.samples()];
/// flat.write(&field, &mut samples)?;
/// assert_eq!(samples, [0.0, 16.0, 0.0, 16.0]);
/// # Ok::<(), terrane::collider::ColliderError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimation {
    /// Every how many samples of level 0 it has one.
    pub step: usize,
    /// Samples along a side: the cells of level 0 divided by the step, and one.
    pub side: usize,
    /// The steps of the borders: -x, +x, -z, +z. Of nine chunks, the smallest along each side.
    pub border_steps: [usize; 4],
    /// The largest vertical distance to the triangulated ground of level 0, border lines included. At most the
    /// tolerance.
    pub error_exact_m: f64,
    tolerance_m: f64,
    chunks: usize,
}

impl Decimation {
    /// Finds the largest step for a chunk. Costs a few passes over the heights, most of them cut short.
    ///
    /// # Errors
    /// When the field is not square, its cells are no power of two from 2 to [`CELLS_MAX`], the tolerance is negative
    /// or NaN, or a height is not finite.
    pub fn plan(heights: &impl HeightRows, tolerance_m: f64) -> Result<Self, ColliderError> {
        Self::plan_chunks(heights, 1, tolerance_m)
    }

    /// The same for `chunks` by `chunks` chunks, whose outer borders keep to the border rule chunk by chunk.
    pub(super) fn plan_chunks(
        heights: &impl HeightRows,
        chunks: usize,
        tolerance_m: f64,
    ) -> Result<Self, ColliderError> {
        check(heights, chunks, tolerance_m)?;
        let rim = Rim::new(heights, chunks, tolerance_m);
        let mut step = rim.steps.into_iter().fold(CELLS_MAX, usize::min);
        let error_exact_m = loop {
            if step == 1 {
                break rim.error(heights);
            }
            if let Some(error_exact_m) = surface_error(heights, &rim, step, tolerance_m) {
                break error_exact_m;
            }
            step /= 2;
        };
        assert!(error_exact_m <= tolerance_m, "border lines keep to the tolerance");
        let side = rim.last / step + 1;
        Ok(Self { step, side, border_steps: rim.steps, error_exact_m, tolerance_m, chunks })
    }

    /// Samples of the result.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.side * self.side
    }

    /// Writes the samples of the field that this was planned for, row by row, nothing between rows.
    ///
    /// # Errors
    /// When `out` has not exactly [`samples`](Self::samples) values, or `heights` not the size that it was planned for.
    pub fn write(&self, heights: &impl HeightRows, out: &mut [f32]) -> Result<(), ColliderError> {
        check_capacity("a decimated field", out.len(), self.samples())?;
        let [width, rows] = heights.size();
        let side = self.step * (self.side - 1) + 1;
        check_capacity("a row that was planned for", width, side)?;
        check_capacity("a column that was planned for", rows, side)?;
        let rim = Rim::new(heights, self.chunks, self.tolerance_m);
        for (z, row) in out.chunks_exact_mut(self.side).enumerate() {
            rim.sample(heights.row(z * self.step), z * self.step, self.step, row);
        }
        Ok(())
    }

    /// The same within the memory of the heights themselves: the first [`samples`](Self::samples) values are the
    /// result.
    pub(super) fn write_in_place(&self, heights: &mut [f32], rim: &Rim) {
        let side = self.step * (self.side - 1) + 1;
        let mut row = [0.0; SIDE_MAX];
        for z in 0..self.side {
            // A row is written before where it was read: later ones are still whole.
            let from = z * self.step * side;
            rim.sample(&heights[from..from + side], z * self.step, self.step, &mut row[..self.side]);
            heights[z * self.side..][..self.side].copy_from_slice(&row[..self.side]);
        }
    }
}

fn check(heights: &impl HeightRows, chunks: usize, tolerance_m: f64) -> Result<(), ColliderError> {
    let size = heights.size();
    let cells = size[0].saturating_sub(1) / chunks;
    let whole = size == [cells * chunks + 1; 2];
    if !whole || !cells.is_power_of_two() || !(2..=CELLS_MAX).contains(&cells) {
        return Err(ColliderError::Cells { size, chunks, max: CELLS_MAX });
    }
    if tolerance_m.is_nan() || tolerance_m < 0.0 {
        return Err(ColliderError::Tolerance { tolerance_m });
    }
    for z in 0..size[1] {
        let row = heights.row(z);
        // Without a branch in it the compiler takes whole vectors.
        if !row.iter().fold(true, |finite, height| finite & height.is_finite()) {
            let x = row.iter().position(|height| !height.is_finite()).unwrap_or(0);
            return Err(ColliderError::NotFinite { x, z, height_m: row[x] });
        }
    }
    Ok(())
}

/// The border lines around a field.
pub(super) struct Rim {
    lines: [[f32; SIDE_MAX]; 4],
    steps: [usize; 4],
    last: usize,
}

impl Rim {
    pub(super) fn new(heights: &impl HeightRows, chunks: usize, tolerance_m: f64) -> Self {
        let [side, _] = heights.size();
        let cells = (side - 1) / chunks;
        let mut rim = Self { lines: [[0.0; SIDE_MAX]; 4], steps: [cells; 4], last: side - 1 };
        let mut border = [0.0; SIDE_MAX];
        for (which, line) in rim.lines.iter_mut().enumerate() {
            match which {
                NORTH => border[..side].copy_from_slice(heights.row(0)),
                SOUTH => border[..side].copy_from_slice(heights.row(side - 1)),
                _ => {
                    let x = if which == WEST { 0 } else { side - 1 };
                    for (z, height) in border[..side].iter_mut().enumerate() {
                        *height = heights.row(z)[x];
                    }
                }
            }
            for first in (0..side - 1).step_by(cells) {
                let of_chunk = first..=first + cells;
                let step = border_step(&border[of_chunk.clone()], tolerance_m);
                border_line(&border[of_chunk.clone()], step, &mut line[of_chunk]);
                rim.steps[which] = rim.steps[which].min(step);
            }
        }
        rim
    }

    /// Every `step`-th sample of row `z`, a multiple of `step`, into `out`.
    fn sample(&self, row: &[f32], z: usize, step: usize, out: &mut [f32]) {
        let row = match z {
            0 => &self.lines[NORTH][..=self.last],
            z if z == self.last => &self.lines[SOUTH][..=self.last],
            _ => row,
        };
        for (value, sample) in out.iter_mut().zip(row.iter().step_by(step)) {
            *value = *sample;
        }
        // Lines end in the corners' heights, so that rows and columns agree there.
        out[0] = self.lines[WEST][z];
        out[self.last / step] = self.lines[EAST][z];
    }

    /// The largest distance of the lines to the ground. At step 1 it is that of the whole surface: inside, all samples
    /// are the ground's, and in a cell at the border two linear functions are furthest apart at a corner.
    fn error(&self, heights: &impl HeightRows) -> f64 {
        let mut error = 0.0f64;
        for z in 0..=self.last {
            let row = heights.row(z);
            for (which, x) in [(WEST, 0), (EAST, self.last)] {
                error = error.max(distance(self.lines[which][z], row[x]));
            }
        }
        for (which, z) in [(NORTH, 0), (SOUTH, self.last)] {
            for (&line, &height) in self.lines[which].iter().zip(heights.row(z)) {
                error = error.max(distance(line, height));
            }
        }
        error
    }
}

fn distance(a: f32, b: f32) -> f64 {
    (f64::from(a) - f64::from(b)).abs()
}

/// The largest distance of the decimated surface to samples of level 0; `None` as soon as it is above `limit_m`.
fn surface_error(heights: &impl HeightRows, rim: &Rim, step: usize, limit_m: f64) -> Option<f64> {
    let (last, side) = (rim.last, rim.last / step + 1);
    let mut rows = [[0.0; SIDE_MAX]; 2];
    let mut error = 0.0f64;
    rim.sample(heights.row(0), 0, step, &mut rows[1][..side]);
    for z0 in (0..last).step_by(step) {
        rows.swap(0, 1);
        rim.sample(heights.row(z0 + step), z0 + step, step, &mut rows[1][..side]);
        let [low, high] = rows.each_ref().map(|row| &row[..side]);
        // A row of coarse samples belongs to the cells below it; the last one has none.
        let end = if z0 + step == last { step + 1 } else { step };
        for r in 0..end {
            error = error.max(row_error(low, high, r, step, heights.row(z0 + r)));
        }
        if error > limit_m {
            return None;
        }
    }
    Some(error)
}

/// Row `r` of the coarse cells between two rows of coarse samples, against the heights of that row.
#[inline(always)]
fn row_error(low: &[f32], high: &[f32], r: usize, step: usize, heights: &[f32]) -> f64 {
    let per_step = 1.0 / step as f64;
    let v = r as f64 * per_step;
    let mut error = 0.0f64;
    let cells = low.windows(2).zip(high.windows(2));
    for ((low, high), heights) in cells.zip(heights.chunks_exact(step)) {
        let [v00, v10, v01, v11] = [low[0], low[1], high[0], high[1]].map(f64::from);
        // Left of the diagonal, which this row meets at step - r, and from there on.
        let (left, right) = heights.split_at((step - r).min(heights.len()));
        let (first, along) = (v00 + (v01 - v00) * v, (v10 - v00) * per_step);
        for (i, &height) in left.iter().enumerate() {
            error = error.max((first + i as f64 * along - f64::from(height)).abs());
        }
        let (first, along) = (v01 + (v10 - v11) * (1.0 - v), (v11 - v01) * per_step);
        for (i, &height) in right.iter().enumerate() {
            let at = (step - r + i) as f64;
            error = error.max((first + at * along - f64::from(height)).abs());
        }
    }
    // The last column, which belongs to no cell's left.
    let (top, bottom) = (f64::from(low[low.len() - 1]), f64::from(high[high.len() - 1]));
    let at = top + (bottom - top) * v;
    error.max((at - f64::from(heights[heights.len() - 1])).abs())
}
