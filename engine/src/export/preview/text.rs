//! Text in the Noto Sans Mono bitmaps of `noto-sans-mono-bitmap`.
//!
//! In: a string, a place, a size. Out: glyphs blended by their coverage. One bitmap size is compiled in, 16
//! pixels; larger text is made from it by reading the coverage as a distance field: interpolated, then
//! sharpened about one half, so that edges stay crisp. Characters without a bitmap (outside Basic Latin) are
//! drawn as `?`.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};

use super::canvas::{Canvas, Rgb};

const SIZE: RasterHeight = RasterHeight::Size16;
const STYLE: FontWeight = FontWeight::Regular;

/// A text size as a multiple of 16 pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale(pub(super) f32);

pub(super) const BODY: Scale = Scale(1.25);

impl Scale {
    fn pixels(self, of_16: usize) -> usize {
        (of_16 as f32 * self.0 + 0.5) as usize
    }

    /// Width of a text in pixels.
    pub(super) fn width(self, text: &str) -> usize {
        text.chars().count() * self.pixels(get_raster_width(STYLE, SIZE))
    }

    /// Height of a line's glyphs in pixels.
    pub(super) fn height(self) -> usize {
        self.pixels(SIZE.val())
    }

    /// The text, cut to `width` pixels; three dots say that it was cut.
    pub(super) fn fit(self, text: &str, width: usize) -> String {
        let room = width / self.pixels(get_raster_width(STYLE, SIZE));
        if text.chars().count() <= room {
            return text.to_owned();
        }
        text.chars().take(room.saturating_sub(3)).chain("...".chars()).collect()
    }
}

/// Draws `text` with its upper left corner at `at`.
pub(super) fn draw(canvas: &mut Canvas, at: [usize; 2], scale: Scale, color: Rgb, text: &str) {
    let advance = scale.pixels(get_raster_width(STYLE, SIZE));
    for (i, character) in text.chars().enumerate() {
        let glyph = get_raster(character, STYLE, SIZE).or_else(|| get_raster('?', STYLE, SIZE));
        // The bitmaps carry Basic Latin; without a question mark there would be nothing to draw anyway.
        let Some(glyph) = glyph else { continue };
        for (y, x) in (0..scale.height()).flat_map(|y| (0..advance).map(move |x| (y, x))) {
            let alpha = coverage(&glyph, x, y, scale);
            if alpha > 0.0 {
                canvas.blend(at[0] + i * advance + x, at[1] + y, color, alpha);
            }
        }
    }
}

/// Coverage 0..=1 of an output pixel.
fn coverage(glyph: &RasterizedChar, x: usize, y: usize, scale: Scale) -> f32 {
    let at = |x: isize, y: isize| match (usize::try_from(x), usize::try_from(y)) {
        (Ok(x), Ok(y)) => f32::from(glyph.pixel(x, y).unwrap_or(0)) / 255.0,
        _ => 0.0,
    };
    if scale.0 == 1.0 {
        return at(x as isize, y as isize);
    }
    let place = |i: usize| (i as f32 + 0.5) / scale.0 - 0.5;
    let (u, v) = (place(x), place(y));
    let (left, top) = (u.floor(), v.floor());
    let (s, t) = (u - left, v - top);
    let (i, j) = (left as isize, top as isize);
    let upper = at(i, j) + (at(i + 1, j) - at(i, j)) * s;
    let lower = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * s;
    let value = upper + (lower - upper) * t;
    // Steeper by the enlargement, so that an edge is as wide as it was; thin strokes peak below 1, hence
    // below one half.
    ((value - 0.42) * scale.0 + 0.5).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_leaves_ink_and_stays_in_its_box() {
        for scale in [Scale(1.0), BODY, Scale(2.0)] {
            for text in ["seed 42", "\u{6f22}"] {
                let mut canvas = Canvas::new([200, 60], [255; 3]);
                draw(&mut canvas, [10, 10], scale, [0; 3], text);
                let inked = |x: usize, y: usize| canvas.rows().nth(y).unwrap()[x] != [255; 3];
                let ink: Vec<_> = (0..60)
                    .flat_map(|y| (0..200).map(move |x| (x, y)))
                    .filter(|&(x, y)| inked(x, y))
                    .collect();
                assert!(ink.len() > 10, "{text} at {scale:?}");
                let (right, bottom) = (10 + scale.width(text), 10 + scale.height());
                assert!(ink.iter().all(|&(x, y)| (10..right).contains(&x) && (10..bottom).contains(&y)));
            }
        }
    }

    #[test]
    fn long_texts_are_cut() {
        let width = BODY.width("1234567890");
        assert_eq!(BODY.fit("1234567890", width), "1234567890");
        assert_eq!(BODY.fit("12345678901", width), "1234567...");
    }
}
