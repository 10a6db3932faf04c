//! A PNG written row by row, so that a picture may be larger than memory.
//!
//! In: a name in the output folder, the size, then rows of bytes in the file's order. Out: the finished file.
//!
//! The `png` crate's stream writer gives its last bytes away while it is dropped, where an error would be
//! lost. The sink here therefore keeps the first error until [`PngStream::finish`] asks for it.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::{ExportError, OutputDir, PartFile, WrittenFile};

/// The largest side that a PNG can state.
const SIDE_MAX: usize = i32::MAX as usize;

/// Bytes per IDAT chunk.
const CHUNK_BYTES: usize = 1 << 16;

/// What a pixel is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pixel {
    /// One big-endian `u16`, a measurement rather than a shade.
    Gray16,
    /// Three bytes, sRGB.
    Rgb8,
}

impl Pixel {
    const fn bytes(self) -> usize {
        match self {
            Self::Gray16 => 2,
            Self::Rgb8 => 3,
        }
    }
}

/// An open picture.
pub(super) struct PngStream {
    // Declared before the sink, so that a cancelled encoder is gone before the file is.
    writer: png::StreamWriter<'static, Sink>,
    sink: Sink,
}

impl PngStream {
    /// Upper bound of the file's size in bytes. Deflate stores what it cannot shrink, at five bytes per
    /// block.
    pub(super) fn bytes_max(pixel: Pixel, width: usize, height: usize) -> u128 {
        let raw = (width as u128 * pixel.bytes() as u128 + 1) * height as u128;
        raw + raw / 64 + 4096
    }

    /// Refuses sides that PNG cannot state.
    pub(super) fn check(format: &'static str, width: usize, height: usize) -> Result<(), ExportError> {
        let side = width.max(height);
        if side <= SIDE_MAX {
            return Ok(());
        }
        Err(ExportError::TooLarge {
            format,
            amount: side as u128,
            limit: SIDE_MAX as u128,
            unit: "pixels on a side",
            remedy: "choose a smaller --region or leave the format out of --formats",
        })
    }

    /// Begins `name` in `out`.
    ///
    /// # Errors
    /// Those of [`OutputDir::file`], and the encoder's for a side of 0 or one that [`check`](Self::check)
    /// refuses.
    pub(super) fn open(
        out: &OutputDir,
        name: &'static str,
        pixel: Pixel,
        width: usize,
        height: usize,
    ) -> Result<Self, ExportError> {
        let file = out.file(name)?;
        let path = file.path().to_owned();
        let sink = Sink(Arc::new(Mutex::new(Inner { file, failed: None })));
        let mut encoder = png::Encoder::new(sink.clone(), side(width), side(height));
        match pixel {
            Pixel::Gray16 => {
                encoder.set_color(png::ColorType::Grayscale);
                encoder.set_depth(png::BitDepth::Sixteen);
            }
            Pixel::Rgb8 => {
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_depth(png::BitDepth::Eight);
                encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
            }
        }
        encoder.set_deflate_compression(png::DeflateCompression::Level(4));
        // Choosing per row costs more than it saves: on smooth ground Paeth is nearly always the choice.
        encoder.set_filter(png::Filter::Paeth);
        let writer =
            encoder.write_header().and_then(|writer| writer.into_stream_writer_with_size(CHUNK_BYTES));
        Ok(Self { writer: writer.map_err(ExportError::png(&path))?, sink })
    }

    /// Writes one row of pixels.
    pub(super) fn write_row(&mut self, row: &[u8]) -> Result<(), ExportError> {
        self.writer.write_all(row).map_err(|error| self.sink.error(error))
    }

    /// Completes the picture.
    ///
    /// # Errors
    /// [`ExportError`] if rows are missing, or if any write has failed.
    pub(super) fn finish(self) -> Result<WrittenFile, ExportError> {
        let Self { writer, sink } = self;
        let path = sink.lock(|inner| inner.file.path().to_owned());
        writer.finish().map_err(ExportError::png(&path))?;
        // The encoder is dropped by now, so this is the only handle.
        let Ok(inner) = Arc::try_unwrap(sink.0) else { unreachable!("the encoder keeps its sink") };
        let Inner { file, failed } = inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        match failed {
            Some(error) => Err(ExportError::io("write", &path)(error)),
            None => file.finish(),
        }
    }
}

/// A side as PNG states it; one that is too long becomes 0, which the encoder refuses.
fn side(pixels: usize) -> u32 {
    u32::try_from(pixels).unwrap_or(0)
}

/// The file, shared with the encoder that writes to it.
#[derive(Clone)]
struct Sink(Arc<Mutex<Inner>>);

struct Inner {
    file: PartFile,
    failed: Option<io::Error>,
}

impl Sink {
    fn lock<T>(&self, act: impl FnOnce(&mut Inner) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn error(&self, source: io::Error) -> ExportError {
        self.lock(|inner| ExportError::io("write", inner.file.path())(source))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock(|inner| {
            let result = inner.file.write(bytes);
            if let Err(error) = &result
                && error.kind() != io::ErrorKind::Interrupted
                && inner.failed.is_none()
            {
                inner.failed = Some(io::Error::new(error.kind(), error.to_string()));
            }
            result
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        // The encoder flushes for its own sake; the buffer below empties when it is full and when the file is
        // finished.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::test_scene;

    #[test]
    fn rows_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutputDir::create(dir.path(), false).unwrap();
        let mut png = PngStream::open(&out, "a.png", Pixel::Rgb8, 3, 100).unwrap();
        let rows: Vec<[u8; 9]> =
            (0..100u8).map(|row| std::array::from_fn(|i| row.wrapping_mul(i as u8 + 3))).collect();
        rows.iter().for_each(|row| png.write_row(row).unwrap());
        let file = png.finish().unwrap();
        out.commit().unwrap();
        assert_eq!(test_scene::read_png(&file.path).1, rows.concat());
    }

    #[test]
    fn incompressible_rows_stay_below_the_bound() {
        for (width, height) in [(1, 5000), (5000, 1), (700, 300)] {
            let dir = tempfile::tempdir().unwrap();
            let out = OutputDir::create(dir.path(), false).unwrap();
            let mut png = PngStream::open(&out, "a.png", Pixel::Gray16, width, height).unwrap();
            let mut state = 1u64;
            for _ in 0..height {
                let row: Vec<u8> = (0..2 * width)
                    .map(|_| {
                        state = state
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1_442_695_040_888_963_407);
                        (state >> 56) as u8
                    })
                    .collect();
                png.write_row(&row).unwrap();
            }
            let bytes = png.finish().unwrap().bytes;
            assert!(u128::from(bytes) <= PngStream::bytes_max(Pixel::Gray16, width, height));
        }
    }

    #[test]
    fn missing_rows_and_impossible_sizes_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutputDir::create(dir.path(), false).unwrap();
        let png = PngStream::open(&out, "a.png", Pixel::Rgb8, 3, 2).unwrap();
        assert!(matches!(png.finish(), Err(ExportError::Png { .. })));
        let wide = PngStream::open(&out, "b.png", Pixel::Rgb8, 1 << 32, 1);
        assert!(matches!(wide, Err(ExportError::Png { .. })));
        let wide = PngStream::check("test", 1 << 31, 1);
        assert!(matches!(wide, Err(ExportError::TooLarge { format: "test", limit: 0x7fff_ffff, .. })));
    }
}
