//! Averages a stream of rows into a small raster.
//!
//! In: rows of heights, in order. Out: the mean of every `averaged[0] x averaged[1]` block. Blocks are whole
//! numbers of samples, because blocks of varying size would show as stripes in the shading.

/// Heights in metres, row by row.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) size: [usize; 2],
    pub(super) values: Vec<f32>,
}

impl Grid {
    pub(super) fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.values.chunks_exact(self.size[0])
    }
}

pub(super) struct Raster {
    averaged: [usize; 2],
    /// Samples of a row and of the region.
    from: [usize; 2],
    size: [usize; 2],
    values: Vec<f32>,
    /// Sums of the row of blocks that is being gathered; `f64`, so that a block of a million samples keeps
    /// its mean.
    sums: Vec<f64>,
    gathered_rows: usize,
}

impl Raster {
    pub(super) fn new(from: [usize; 2], averaged: [usize; 2]) -> Self {
        let size = [from[0].div_ceil(averaged[0]), from[1].div_ceil(averaged[1])];
        let values = Vec::with_capacity(size[0] * size[1]);
        Self { averaged, from, size, values, sums: vec![0.0; size[0]], gathered_rows: 0 }
    }

    pub(super) fn push_row(&mut self, row: &[f32]) {
        for (sum, block) in self.sums.iter_mut().zip(row.chunks(self.averaged[0])) {
            *sum += block.iter().map(|&height| f64::from(height)).sum::<f64>();
        }
        self.gathered_rows += 1;
        if self.gathered_rows == self.averaged[1] {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let [averaged, width] = [self.averaged[0], self.from[0]];
        for (i, sum) in self.sums.iter_mut().enumerate() {
            let columns = averaged.min(width - i * averaged);
            self.values.push((*sum / (columns * self.gathered_rows) as f64) as f32);
            *sum = 0.0;
        }
        self.gathered_rows = 0;
    }

    pub(super) fn finish(mut self) -> Grid {
        if self.gathered_rows > 0 {
            self.flush();
        }
        assert_eq!(self.values.len(), self.size[0] * self.size[1], "rows are missing");
        Grid { size: self.size, values: self.values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_means_and_the_last_ones_may_be_smaller() {
        let mut raster = Raster::new([5, 3], [2, 2]);
        for z in 0..3 {
            raster.push_row(&[0.0, 1.0, 2.0, 3.0, 4.0].map(|x: f32| x + 10.0 * z as f32));
        }
        let grid = raster.finish();
        assert_eq!(grid.size, [3, 2]);
        assert_eq!(grid.values, [5.5, 7.5, 9.0, 20.5, 22.5, 24.0]);
    }

    #[test]
    fn without_averaging_the_heights_are_kept() {
        let mut raster = Raster::new([2, 2], [1, 1]);
        raster.push_row(&[0.1, -3.0]);
        raster.push_row(&[7.0, 8.5]);
        assert_eq!(raster.finish().values, [0.1, -3.0, 7.0, 8.5]);
    }
}
