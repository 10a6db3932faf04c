//! How much neighbouring pixels differ, and how much those differences do: what bounds of coarse triangulations are
//! made of.
//!
//! In: the pixels of a raster and what is outside. Out: the largest of each over the endless plane. Every pixel is
//! looked at once, and two rows and columns beyond the border: what is further out is like them.

use super::{Outside, Raster};
use crate::raster::place::OUTSIDE;

/// Pixels beyond the border that are looked at.
const BEYOND: i64 = 2;

/// The largest differences of pixels' values, f32 rounding of the values included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Roughness {
    /// Of neighbours along x and along z.
    pub(crate) step: [f64; 2],
    /// Of two such differences on both sides of a pixel, along the same axis.
    pub(crate) bend: [f64; 2],
    /// Of two such differences side by side: how much one along x changes along z.
    pub(crate) twist: f64,
    /// The range of all values, and the largest size on top.
    pub(crate) size: f64,
}

impl Raster {
    /// Looks at all pixels: some nanoseconds each. Allocates four rows.
    pub(crate) fn roughness(&self) -> Roughness {
        let columns: Vec<u32> = self.around(0, self.width).collect();
        // Rows before the last one, this row.
        let mut rows: [Vec<f64>; 3] = std::array::from_fn(|_| Vec::with_capacity(columns.len()));
        let (low, high) = self.extremes();
        let (low, high) = (f64::from(low), f64::from(high));
        let mut found = Roughness { size: high - low + low.abs().max(high.abs()), ..Roughness::default() };
        for (count, z) in self.around(1, self.height).enumerate() {
            rows.rotate_left(1);
            rows[2].clear();
            rows[2].extend(columns.iter().map(|x| self.value_of(*x, z)));
            found.row(&rows, count);
        }
        found
    }

    /// The pixels of an axis and those beyond, as they are read.
    fn around(&self, axis: usize, count: u32) -> impl Iterator<Item = u32> + '_ {
        (-BEYOND..i64::from(count) + BEYOND).map(move |pixel| self.axes[axis].index(pixel))
    }

    fn value_of(&self, x: u32, z: u32) -> f64 {
        if x == OUTSIDE || z == OUTSIDE {
            return match self.params.outside {
                Outside::Constant(value) => f64::from(value),
                _ => unreachable!("nothing else is outside"),
            };
        }
        let pixel = self.samples[z as usize * self.width as usize + x as usize];
        f64::from(self.params.low + f32::from(pixel) * self.scale)
    }
}

impl Roughness {
    /// The newest of three rows, `count` of them before it.
    fn row(&mut self, [before, last, here]: &[Vec<f64>; 3], count: usize) {
        let widen = |to: &mut f64, difference: f64| *to = to.max(difference.abs());
        for pair in here.windows(2) {
            widen(&mut self.step[0], pair[1] - pair[0]);
        }
        for three in here.windows(3) {
            widen(&mut self.bend[0], three[2] - three[1] - (three[1] - three[0]));
        }
        if count >= 1 {
            for (last, here) in last.iter().zip(here) {
                widen(&mut self.step[1], here - last);
            }
            for (last, here) in last.windows(2).zip(here.windows(2)) {
                widen(&mut self.twist, here[1] - here[0] - (last[1] - last[0]));
            }
        }
        if count >= 2 {
            for ((before, last), here) in before.iter().zip(last).zip(here) {
                widen(&mut self.bend[1], here - last - (last - before));
            }
        }
    }
}
