//! How a volume is cut: strips of at most 80 lanes by bands of at most 64 rows, evenly, so that 67 by 67 is one strip by
//! two bands. Eight strips at a time go down band by band: columns are prepared once a strip, rows once a band of such a
//! group. In a strip and band, slice by slice from the lowest.

use crate::grid::Volume;
use crate::kernel::job::Block;
use crate::scratch::{BAND, STRIP, STRIPS};

/// A block, where it lies in the volume, and what it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) block: Block,
    /// First column, row and layer.
    pub(crate) column: usize,
    pub(crate) row: usize,
    pub(crate) layer: usize,
    /// Number of the strip in its group.
    pub(crate) strip: usize,
    pub(crate) begins_strip: bool,
    pub(crate) begins_band: bool,
}

/// Equal strips of whole 16-lane vectors: the widest level's, so that all levels cut alike.
fn strip_lanes(width: usize) -> usize {
    width.div_ceil(width.div_ceil(STRIP)).next_multiple_of(16)
}

/// Equal bands.
fn band_rows(height: usize) -> usize {
    height.div_ceil(height.div_ceil(BAND))
}

/// The blocks of a volume, in order. None of an empty one.
pub(crate) fn blocks(volume: &Volume) -> Blocks {
    let volume = *volume;
    let empty = volume.width == 0 || volume.height == 0 || volume.depth == 0;
    let (strip, band) = if empty { (1, 1) } else { (strip_lanes(volume.width), band_rows(volume.height)) };
    let group = if empty { volume.width } else { 0 };
    Blocks { volume, strip, band, group, row: 0, number: 0, column: group, layer: 0 }
}

/// The next block's place. Counted by hand: adapters within one another are copied about, which a small tile feels.
pub(crate) struct Blocks {
    volume: Volume,
    /// Lanes of a strip, rows of a band.
    strip: usize,
    band: usize,
    /// First column of the group of strips; at the volume's width there are no more.
    group: usize,
    row: usize,
    /// Number of the strip in its group.
    number: usize,
    column: usize,
    layer: usize,
}

impl Iterator for Blocks {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        let Self { volume, strip, band, .. } = *self;
        if self.group >= volume.width {
            return None;
        }
        let next = cut(&volume, ((self.number, self.column), strip), (self.row, band), self.layer);
        self.layer += 1;
        if self.layer == volume.depth {
            (self.layer, self.number, self.column) = (0, self.number + 1, self.column + strip);
        }
        if self.number == STRIPS || self.column >= volume.width {
            (self.row, self.number, self.column) = (self.row + band, 0, self.group);
        }
        if self.row >= volume.height {
            self.group += strip * STRIPS;
            (self.row, self.column) = (0, self.group);
        }
        Some(next)
    }
}

fn cut(
    volume: &Volume,
    ((number, column), strip): ((usize, usize), usize),
    (row, band): (usize, usize),
    layer: usize,
) -> Cut {
    let stride = i64::from(volume.stride);
    let index = |first: i64, i: usize| first.wrapping_add((i as i64).wrapping_mul(stride));
    Cut {
        block: Block {
            x: index(volume.x, column),
            y: index(volume.y, layer),
            z: index(volume.z, row),
            stride: volume.stride,
            lanes: (volume.width - column).min(strip),
            rows: (volume.height - row).min(band),
        },
        column,
        row,
        layer,
        strip: number,
        begins_strip: row == 0 && layer == 0,
        begins_band: number == 0 && layer == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_in_one_block() {
        for (width, height, depth) in
            [(1, 1, 1), (67, 67, 1), (80, 64, 2), (81, 65, 3), (1000, 7, 1), (700, 129, 2), (0, 5, 5)]
        {
            let volume = Volume { x: -5, y: 2, z: 9, width, height, depth, stride: 3 };
            let mut seen = vec![0; volume.samples()];
            for cut in blocks(&volume) {
                assert!((1..=STRIP).contains(&cut.block.lanes) && (1..=BAND).contains(&cut.block.rows));
                assert_eq!(cut.block.x, -5 + 3 * cut.column as i64);
                for row in cut.row..cut.row + cut.block.rows {
                    for column in cut.column..cut.column + cut.block.lanes {
                        seen[(cut.layer * height + row) * width + column] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|times| *times == 1), "{width} {height} {depth}");
        }
    }
}
