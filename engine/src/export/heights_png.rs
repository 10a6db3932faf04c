//! `heights.png`: the whole region as one 16-bit gray picture.
//!
//! In: heights. Out: one pixel a sample, rows along x, smallest z on top, and the sidecar `heights.json` that
//! turns codes into metres (see `heights.rs`). Encoded row by row. Deliberately not here: gamma or
//! colour-space chunks, since the values are heights and no viewer should bend them.

use super::heights::{self, Codes};
use super::png_stream::{Pixel, PngStream};
use super::{Band, ExportError, Exporter, Format, OutputDir, Scene, WrittenFile};

pub(super) const FORMAT: Format = Format {
    id: "heights-png",
    files: &["heights.png", heights::SIDECAR],
    about: "16-bit gray picture of the heights, with a JSON sidecar",
    needs_mesh: false,
    bytes: |scene| PngStream::bytes_max(Pixel::Gray16, scene.width, scene.height),
    check: |scene| PngStream::check(FORMAT.id, scene.width, scene.height),
    open: |scene, out| Ok(Box::new(HeightsPng::open(scene, out)?)),
};

struct HeightsPng {
    png: PngStream,
    sidecar: Option<WrittenFile>,
    codes: Codes,
    width: usize,
    row: Vec<u16>,
}

impl HeightsPng {
    fn open(scene: &Scene, out: &OutputDir) -> Result<Self, ExportError> {
        let (codes, width) = (Codes::new(scene), scene.width);
        let png = PngStream::open(out, "heights.png", Pixel::Gray16, width, scene.height)?;
        Ok(Self {
            png,
            sidecar: heights::write_sidecar(scene, out)?,
            codes,
            width,
            row: Vec::with_capacity(width),
        })
    }
}

impl Exporter for HeightsPng {
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        for heights in band.heights.chunks_exact(self.width) {
            // PNG is big-endian.
            self.codes.encode(heights, u16::to_be, &mut self.row);
            self.png.write_row(bytemuck::cast_slice(&self.row))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, ExportError> {
        Ok([self.png.finish()?].into_iter().chain(self.sidecar).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene::{self, TestScene};

    #[test]
    fn reads_back_within_half_a_step() {
        for scene in [TestScene::hills(16, [2, 3]), TestScene::noise(64, [3, 2])] {
            let dir = tempfile::tempdir().unwrap();
            let files = scene.export(&[&FORMAT], dir.path());
            let (info, bytes) = test_scene::read_png(&files[0].path);
            assert_eq!((info.width as usize, info.height as usize), (scene.scene.width, scene.scene.height));
            assert_eq!(
                (info.color_type, info.bit_depth),
                (png::ColorType::Grayscale, png::BitDepth::Sixteen)
            );
            let codes = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            scene.assert_codes_within_half_a_step(codes);
        }
    }
}
