//! `heat.png`: the debugging view, one pixel a sample, low blue over cyan, green and yellow to high red.
//!
//! In: heights. Out: a picture whose colour depends on the height and the world's range alone, so that a
//! seam, a step or a flat spot is what it looks like. Deliberately not here: shading, sea, legend; that is
//! `preview`.

use super::png_stream::{Pixel, PngStream};
use super::{Band, ExportError, Exporter, Format, OutputDir, Scene, WrittenFile};

pub(super) const FORMAT: Format = Format {
    id: "heat",
    files: &["heat.png"],
    about: "false colours over the world's height range, low blue to high red",
    needs_mesh: false,
    bytes: |scene| PngStream::bytes_max(Pixel::Rgb8, scene.width, scene.height),
    check,
    open: |scene, out| Ok(Box::new(Heat::open(scene, out)?)),
};

/// Viewers count pixels in 32 bits; a picture beyond this is of no use to anyone who wants to look at it.
const PIXELS_MAX: u128 = 1 << 31;

/// Evenly spaced colours, sRGB.
const STOPS: [[u8; 3]; 5] = [[20, 40, 200], [20, 190, 220], [40, 180, 60], [250, 220, 40], [210, 25, 25]];

/// Shades looked up; more than the colours that 8 bits can tell apart along the ramp.
const SHADES: usize = 2048;

struct Heat {
    png: PngStream,
    shades: Vec<[u8; 3]>,
    min_m: f64,
    shades_per_metre: f64,
    width: usize,
    row: Vec<[u8; 3]>,
}

fn check(scene: &Scene) -> Result<(), ExportError> {
    if scene.samples() > PIXELS_MAX {
        return Err(ExportError::TooLarge {
            format: FORMAT.id,
            amount: scene.samples(),
            limit: PIXELS_MAX,
            unit: "pixels",
            remedy: "choose a smaller --region or leave `heat` out of --formats (`preview` fits any size)",
        });
    }
    PngStream::check(FORMAT.id, scene.width, scene.height)
}

impl Heat {
    fn open(scene: &Scene, out: &OutputDir) -> Result<Self, ExportError> {
        let png = PngStream::open(out, "heat.png", Pixel::Rgb8, scene.width, scene.height)?;
        let range_m = f64::from(scene.max_m) - f64::from(scene.min_m);
        let shades_per_metre = if range_m > 0.0 { (SHADES - 1) as f64 / range_m } else { 0.0 };
        let (min_m, width) = (f64::from(scene.min_m), scene.width);
        Ok(Self { png, shades: shades(), min_m, shades_per_metre, width, row: Vec::with_capacity(width) })
    }
}

/// The ramp as a table, interpolated linearly.
fn shades() -> Vec<[u8; 3]> {
    let spans = STOPS.len() - 1;
    let shade = |i: usize| {
        let position = (i * spans) as f64 / (SHADES - 1) as f64;
        let low = (position as usize).min(spans - 1);
        let part = position - low as f64;
        std::array::from_fn(|channel| {
            let (a, b) = (f64::from(STOPS[low][channel]), f64::from(STOPS[low + 1][channel]));
            (a + (b - a) * part + 0.5) as u8
        })
    };
    (0..SHADES).map(shade).collect()
}

impl Exporter for Heat {
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        for heights in band.heights.chunks_exact(self.width) {
            self.row.clear();
            self.row.extend(heights.iter().map(|&height| {
                // The cast truncates and saturates at 0.
                let shade = ((f64::from(height) - self.min_m) * self.shades_per_metre + 0.5) as usize;
                self.shades[shade.min(SHADES - 1)]
            }));
            self.png.write_row(self.row.as_flattened())?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, ExportError> {
        Ok(vec![self.png.finish()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene::{self, TestScene};

    #[test]
    fn colours_follow_the_world_range() {
        let mut scene = TestScene::hills(16, [2, 3]);
        let middle = (scene.scene.min_m + scene.scene.max_m) / 2.0;
        scene.heights[..3].copy_from_slice(&[scene.scene.min_m, scene.scene.max_m, middle]);
        let dir = tempfile::tempdir().unwrap();
        let files = scene.export(&[&FORMAT], dir.path());
        let (info, bytes) = test_scene::read_png(&files[0].path);
        assert_eq!((info.width as usize, info.height as usize), (scene.scene.width, scene.scene.height));
        assert_eq!(bytes[..6], [STOPS[0], STOPS[4]].concat());
        assert!(bytes[6..9].iter().zip(STOPS[2]).all(|(&byte, stop)| byte.abs_diff(stop) <= 1));
    }

    #[test]
    fn a_flat_world_is_blue() {
        let mut scene = TestScene::hills(16, [1, 1]);
        (scene.scene.min_m, scene.scene.max_m) = (3.0, 3.0);
        scene.heights.fill(3.0);
        let dir = tempfile::tempdir().unwrap();
        let files = scene.export(&[&FORMAT], dir.path());
        assert!(test_scene::read_png(&files[0].path).1.chunks_exact(3).all(|pixel| pixel == STOPS[0]));
    }
}
