//! A picture in memory with the few things that a legend is drawn with.
//!
//! In: rectangles and single pixels with a coverage. Out: rows of sRGB. Blending happens on the codes, as the
//! font's coverage values are made for.

/// An sRGB colour.
pub(super) type Rgb = [u8; 3];

pub(super) struct Canvas {
    size: [usize; 2],
    pixels: Vec<Rgb>,
}

impl Canvas {
    pub(super) fn new(size: [usize; 2], color: Rgb) -> Self {
        Self { size, pixels: vec![color; size[0] * size[1]] }
    }

    pub(super) fn size(&self) -> [usize; 2] {
        self.size
    }

    pub(super) fn rows(&self) -> std::slice::ChunksExact<'_, Rgb> {
        self.pixels.chunks_exact(self.size[0])
    }

    /// Mixes `color` into a pixel; `alpha` 0..=1. Outside the picture nothing happens.
    pub(super) fn blend(&mut self, x: usize, y: usize, color: Rgb, alpha: f32) {
        if x < self.size[0] && y < self.size[1] {
            let pixel = &mut self.pixels[y * self.size[0] + x];
            for (old, new) in pixel.iter_mut().zip(color) {
                let (a, b) = (f32::from(*old), f32::from(new));
                *old = (a + (b - a) * alpha + 0.5) as u8;
            }
        }
    }

    /// Fills `size` pixels from `at`.
    pub(super) fn fill(&mut self, at: [usize; 2], size: [usize; 2], color: Rgb) {
        for (y, x) in (at[1]..at[1] + size[1]).flat_map(|y| (at[0]..at[0] + size[0]).map(move |x| (y, x))) {
            self.blend(x, y, color, 1.0);
        }
    }

    /// A frame one pixel wide around `size` pixels from `at`, and a soft shadow below it.
    pub(super) fn frame(&mut self, at: [usize; 2], size: [usize; 2], color: Rgb) {
        const SHADOW: usize = 10;
        for (y, x) in (0..size[1] + 2 * SHADOW).flat_map(|y| (0..size[0] + 2 * SHADOW).map(move |x| (y, x))) {
            // Distance to the rectangle, which lies a little higher than its shadow.
            let beyond =
                |i: usize, size: usize| (SHADOW.saturating_sub(i)).max((i + 1).saturating_sub(size + SHADOW));
            let (dx, dy) = (beyond(x, size[0]) as f32, beyond(y, size[1]) as f32);
            let fade = 1.0 - (dx * dx + dy * dy).sqrt() / SHADOW as f32;
            if (dx > 0.0 || dy > 0.0) && fade > 0.0 {
                self.blend(at[0] + x - SHADOW, at[1] + y + 3 - SHADOW, color, 0.16 * fade * fade);
            }
        }
        self.fill([at[0] - 1, at[1] - 1], [size[0] + 2, size[1] + 2], color);
    }

    /// Copies `size` pixels of a row-major picture `width` wide.
    pub(super) fn copy(
        &mut self,
        from: &[Rgb],
        width: usize,
        at: [usize; 2],
        to: [usize; 2],
        size: [usize; 2],
    ) {
        for y in 0..size[1] {
            let source = &from[(at[1] + y) * width + at[0]..][..size[0]];
            self.pixels[(to[1] + y) * self.size[0] + to[0]..][..size[0]].copy_from_slice(source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_stays_inside_and_mixes() {
        let mut canvas = Canvas::new([30, 30], [0; 3]);
        canvas.fill([28, 28], [10, 10], [200; 3]);
        canvas.blend(0, 0, [200, 100, 0], 0.5);
        canvas.frame([12, 12], [4, 4], [9; 3]);
        let rows: Vec<_> = canvas.rows().collect();
        assert_eq!((rows[0][0], rows[29][29], rows[11][11]), ([100, 50, 0], [200; 3], [9; 3]));
        canvas.copy(&[[1; 3], [2; 3], [3; 3], [4; 3]], 2, [1, 0], [5, 5], [1, 2]);
        let rows: Vec<_> = canvas.rows().collect();
        assert_eq!((rows[5][5], rows[6][5]), ([2; 3], [4; 3]));
    }
}
