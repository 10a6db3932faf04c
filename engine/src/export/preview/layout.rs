//! How a region of any shape becomes a picture of a sensible one.
//!
//! In: width and height in samples. Out: how many samples are averaged into one, how large the map is in
//! pixels, and into how many strips it is cut. A region three times as long as wide or more is cut like an
//! old road map, since a fifty times longer one would otherwise be a line.

/// Longest side of the map in pixels, when a large region is averaged down.
const SIDE_MAX: usize = 1600;

/// Longest side below which a map is enlarged, and what it is then enlarged to.
const SIDE_SMALL: usize = 1000;
const SIDE_ENLARGED: f64 = 1300.0;

/// No page is larger than this, legend and margins included (tested over all shapes).
pub(super) const PAGE_SIDE_MAX: usize = 2600;

/// Regions longer than this many times their width are cut into strips.
const ASPECT_MAX: f64 = 3.0;
const STRIPS_MAX: usize = 24;

/// Fewest samples across a strip; longer regions are stretched across instead of thinned further.
const ACROSS_MIN: usize = 16;

/// Pixels between strips.
pub(super) const STRIP_GAP: usize = 20;

/// Sizes along x and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    /// Samples that are averaged into one, per axis.
    pub(super) averaged: [usize; 2],
    /// The map before it is cut, in pixels.
    pub(super) map: [usize; 2],
    /// Pixels per averaged sample, at least 1.
    pub(super) enlarged: f64,
    /// Number of strips; 1 for an ordinary map.
    pub(super) strips: usize,
    /// The axis that is cut: 0 for x, 1 for z.
    pub(super) long: usize,
}

impl Layout {
    pub(super) fn new(width: usize, height: usize) -> Self {
        let size = [width, height];
        let long = usize::from(height > width);
        let (length, across) = (size[long], size[1 - long]);
        let strips = strip_count(length as f64 / across as f64);

        // The block of strips is `length / strips` by `across * strips`; the larger of the two must fit.
        let side = length.div_ceil(strips).max(across.saturating_mul(strips));
        let along_averaged = side.div_ceil(SIDE_MAX).max(1);
        let across_averaged = along_averaged.min((across / ACROSS_MIN).max(1));
        let mut averaged = [along_averaged; 2];
        averaged[1 - long] = across_averaged;

        let raster = [width.div_ceil(averaged[0]), height.div_ceil(averaged[1])];
        let side = raster[long].div_ceil(strips).max(raster[1 - long] * strips);
        let enlarged = if side < SIDE_SMALL { SIDE_ENLARGED / side as f64 } else { 1.0 };
        let map = raster.map(|samples| ((samples as f64 * enlarged) as usize).max(1));
        Self { averaged, map, enlarged, strips, long }
    }

    /// Metres per pixel along x and z.
    pub(super) fn pixel_m(&self, sample_spacing_m: f64) -> [f64; 2] {
        self.averaged.map(|samples| samples as f64 * sample_spacing_m / self.enlarged)
    }

    /// How much wider than long a square on the ground is drawn; 1 but for extreme shapes.
    pub(super) fn stretch(&self) -> f64 {
        self.averaged[self.long] as f64 / self.averaged[1 - self.long] as f64
    }

    /// Pixels along the long axis of a strip; the last strip may have fewer.
    pub(super) fn strip_length(&self) -> usize {
        self.map[self.long].div_ceil(self.strips)
    }

    /// The block of strips, in pixels.
    pub(super) fn block(&self) -> [usize; 2] {
        let mut block = [0; 2];
        block[self.long] = self.strip_length();
        block[1 - self.long] = self.map[1 - self.long] * self.strips + (self.strips - 1) * STRIP_GAP;
        block
    }

    /// Where strip `i` starts: in the map, then in the block.
    pub(super) fn strip(&self, i: usize) -> ([usize; 2], [usize; 2]) {
        let (mut from, mut to) = ([0; 2], [0; 2]);
        from[self.long] = i * self.strip_length();
        to[1 - self.long] = i * (self.map[1 - self.long] + STRIP_GAP);
        (from, to)
    }
}

/// As many strips as make the block a little longer than wide.
fn strip_count(aspect: f64) -> usize {
    if aspect <= ASPECT_MAX {
        return 1;
    }
    ((aspect / 1.3).sqrt() as usize).clamp(2, STRIPS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::preview::page;

    #[test]
    fn every_shape_gives_a_page_of_sensible_size() {
        let sides = [17, 65, 129, 513, 1025, 1601, 3201, 6401, 64_001, 1_000_001, 640_000_001];
        for (width, height) in sides.iter().flat_map(|&w| sides.iter().map(move |&h| (w, h))) {
            let layout = Layout::new(width, height);
            let [w, h] = page::size(&layout);
            assert!(w.max(h) <= PAGE_SIDE_MAX, "{width} x {height}: page of {w} x {h}, {layout:?}");
            let block = layout.block();
            assert!(block[0].max(block[1]) >= 600, "{width} x {height}: {block:?}");
            let raster = [width.div_ceil(layout.averaged[0]), height.div_ceil(layout.averaged[1])];
            assert!(raster[0] * raster[1] <= SIDE_MAX * SIDE_MAX, "{width} x {height}: {raster:?}");
            assert!(layout.strip(layout.strips - 1).0[layout.long] < layout.map[layout.long]);
        }
    }

    #[test]
    fn ordinary_maps_are_one_piece_to_scale() {
        for size in [[65, 65], [513, 513], [1601, 900], [64_001, 64_001]] {
            let layout = Layout::new(size[0], size[1]);
            assert_eq!((layout.strips, layout.stretch()), (1, 1.0), "{size:?}");
            assert_eq!(layout.block(), layout.map);
        }
        assert!(Layout::new(65, 1281).strips > 1);
    }
}
