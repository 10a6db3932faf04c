//! `heights.r16`: raw 16-bit height codes, little-endian, no header, as terrain importers read them.
//!
//! In: heights. Out: `2 * width * height` bytes, rows along x, smallest z first, and the sidecar
//! `heights.json` with everything that the file cannot say. The codes are those of `heights.png` (see
//! `heights.rs`).

use std::io::Write;

use super::heights::{self, Codes};
use super::{Band, ExportError, Exporter, Format, OutputDir, PartFile, Scene, WrittenFile};

pub(super) const FORMAT: Format = Format {
    id: "heights-r16",
    files: &["heights.r16", heights::SIDECAR],
    about: "raw 16-bit heights, little-endian, with a JSON sidecar",
    needs_mesh: false,
    bytes: |scene| 2 * scene.samples(),
    check: |_| Ok(()),
    open: |scene, out| Ok(Box::new(HeightsR16::open(scene, out)?)),
};

struct HeightsR16 {
    file: PartFile,
    sidecar: Option<WrittenFile>,
    codes: Codes,
    width: usize,
    row: Vec<u16>,
}

impl HeightsR16 {
    fn open(scene: &Scene, out: &OutputDir) -> Result<Self, ExportError> {
        let (codes, width) = (Codes::new(scene), scene.width);
        let file = out.file("heights.r16")?;
        Ok(Self {
            file,
            sidecar: heights::write_sidecar(scene, out)?,
            codes,
            width,
            row: Vec::with_capacity(width),
        })
    }
}

impl Exporter for HeightsR16 {
    fn write_band(&mut self, band: &Band<'_>) -> Result<(), ExportError> {
        for heights in band.heights.chunks_exact(self.width) {
            self.codes.encode(heights, u16::to_le, &mut self.row);
            self.file
                .write_all(bytemuck::cast_slice(&self.row))
                .map_err(ExportError::io("write", self.file.path()))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, ExportError> {
        Ok([self.file.finish()?].into_iter().chain(self.sidecar).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene::TestScene;

    #[test]
    fn reads_back_within_half_a_step() {
        for scene in [TestScene::hills(16, [2, 3]), TestScene::noise(64, [3, 2])] {
            let dir = tempfile::tempdir().unwrap();
            let files = scene.export(&[&FORMAT], dir.path());
            assert_eq!(u128::from(files[0].bytes), (FORMAT.bytes)(&scene.scene));
            let bytes = std::fs::read(&files[0].path).unwrap();
            let codes = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            scene.assert_codes_within_half_a_step(codes);
        }
    }
}
