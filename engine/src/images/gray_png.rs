//! Gray PNG.
//!
//! In: all bytes of the file. Out: its pixels as they are stored: 16 bits kept, 8 bits times 257, alpha left out. Rows go
//! straight into the result, also those of the seven passes of an interlaced file, so nothing else of the picture's size
//! is needed. Deliberately not here: gamma, colour profiles, colours, fewer than 8 bits.
//!
//! Format: W3C, Portable Network Graphics (PNG) Specification, third edition.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Reader, Transformations};

use super::{GrayImage, ImageError, room};

/// What the decoder may take for itself: a few rows and the file's smaller parts.
const DECODER_BYTES: usize = 16 << 20;

/// Decodes a PNG of 8-bit or 16-bit gray, with or without alpha, interlaced or not.
///
/// ```
/// # let mut bytes = Vec::new();
/// # let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
/// # encoder.set_color(png::ColorType::Grayscale);
/// # encoder.set_depth(png::BitDepth::Eight);
/// # encoder.write_header()?.write_image_data(&[0, 255])?;
/// // `bytes` hold a picture of a black and a white pixel, 8 bits each.
/// let image = terrane::images::decode_png(&bytes)?;
/// assert_eq!((image.width, image.height, image.file_bits), (2, 1, 8));
/// assert_eq!(image.samples, [0, 65_535]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the bytes are no whole PNG, its pixels are not gray of 8 or 16 bits, or it is too large.
pub fn decode_png(bytes: &[u8]) -> Result<GrayImage, ImageError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: DECODER_BYTES });
    decoder.set_transformations(Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info()?;
    let (width, height, interlaced) = (header.width, header.height, header.interlaced);
    let layout = Layout::of(header.color_type, header.bit_depth)?;
    // Sizes are refused before anything of that size is made.
    let mut samples = room(width, height)?;
    samples.resize(width as usize * height as usize, 0);
    let mut reader = decoder.read_info()?;
    for pass in if interlaced { &ADAM7[..] } else { &[WHOLE] } {
        pass.read(&mut reader, layout, &mut samples, [width as usize, height as usize])?;
    }
    // Up to the end, so that a file cut off there is found too.
    reader.finish()?;
    Ok(GrayImage { width, height, file_bits: layout.bits, samples })
}

/// How pixels stand in a row.
#[derive(Clone, Copy)]
struct Layout {
    /// 8 or 16.
    bits: u8,
    /// From one pixel to the next.
    pixel_bytes: usize,
}

impl Layout {
    fn of(color: ColorType, depth: BitDepth) -> Result<Self, ImageError> {
        let bits = depth as u8;
        let channels = match color {
            ColorType::Grayscale if bits >= 8 => 1,
            ColorType::GrayscaleAlpha => 2,
            ColorType::Grayscale => return Err(ImageError::Pixels { found: "gray", bits }),
            ColorType::Rgb | ColorType::Rgba => {
                return Err(ImageError::Pixels { found: "RGB colours", bits });
            }
            ColorType::Indexed => return Err(ImageError::Pixels { found: "palette colours", bits }),
        };
        Ok(Self { bits, pixel_bytes: channels * usize::from(bits / 8) })
    }

    fn sample(self, pixel: &[u8]) -> u16 {
        if self.bits == 16 { u16::from_be_bytes([pixel[0], pixel[1]]) } else { u16::from(pixel[0]) * 257 }
    }
}

/// The pixels of one pass: every `step`-th from `first` on, along x and y.
struct Pass {
    first: [usize; 2],
    step: [usize; 2],
}

/// A file that is not interlaced.
const WHOLE: Pass = Pass { first: [0, 0], step: [1, 1] };

/// The passes of an interlaced one.
const ADAM7: [Pass; 7] = [
    Pass { first: [0, 0], step: [8, 8] },
    Pass { first: [4, 0], step: [8, 8] },
    Pass { first: [0, 4], step: [4, 8] },
    Pass { first: [2, 0], step: [4, 4] },
    Pass { first: [0, 2], step: [2, 4] },
    Pass { first: [1, 0], step: [2, 2] },
    Pass { first: [0, 1], step: [1, 2] },
];

impl Pass {
    /// Reads the rows of the pass; there are none where it has no column.
    fn read(
        &self,
        reader: &mut Reader<Cursor<&[u8]>>,
        layout: Layout,
        samples: &mut [u16],
        [width, height]: [usize; 2],
    ) -> Result<(), ImageError> {
        let Self { first: [x, y], step: [step_x, step_y] } = *self;
        if x >= width {
            return Ok(());
        }
        for y in (y..height).step_by(step_y) {
            let row = reader.next_row()?.ok_or_else(missing_row)?;
            let to = samples[y * width..][..width][x..].iter_mut().step_by(step_x);
            for (sample, pixel) in to.zip(row.data().chunks_exact(layout.pixel_bytes)) {
                *sample = layout.sample(pixel);
            }
        }
        Ok(())
    }
}

/// The decoder gives all rows or an error; should it not, the file is to blame.
fn missing_row() -> png::DecodingError {
    png::DecodingError::IoError(std::io::ErrorKind::UnexpectedEof.into())
}

#[cfg(test)]
mod tests {
    use super::super::test_png::{Picture, crc, noise};
    use super::*;
    use proptest::prelude::*;

    const SIZES: [[u32; 2]; 9] =
        [[1, 1], [1, 9], [2, 3], [4, 4], [5, 5], [8, 8], [9, 17], [67, 3], [300, 200]];

    #[test]
    fn every_layout_comes_back() {
        for size in SIZES {
            for (color, channels) in [(0, 1), (4, 2)] {
                for bits in [8, 16] {
                    for interlaced in [false, true] {
                        let picture = Picture { size, color, bits, channels, interlaced };
                        let raw = noise(picture.raw_bytes());
                        let image = decode_png(&picture.encode(&raw)).expect("a valid PNG");
                        let pixel_bytes = channels * usize::from(bits) / 8;
                        let expected: Vec<u16> = raw
                            .chunks(pixel_bytes)
                            .map(|pixel| match bits {
                                8 => u16::from(pixel[0]) << 8 | u16::from(pixel[0]),
                                _ => u16::from(pixel[0]) << 8 | u16::from(pixel[1]),
                            })
                            .collect();
                        let [width, height] = size;
                        let image_expected = GrayImage { width, height, file_bits: bits, samples: expected };
                        assert_eq!(image, image_expected);
                    }
                }
            }
        }
    }

    #[test]
    fn filtered_and_compressed_rows_come_back() {
        let samples: Vec<u16> = (0..100 * 70).map(|i| (i % 100 * i / 7) as u16).collect();
        let raw: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 100, 70);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Sixteen);
        encoder.set_filter(png::Filter::Adaptive);
        // Neither changes a height.
        encoder.set_source_gamma(png::ScaledFloat::new(1.0 / 2.2));
        encoder.add_text_chunk("Title".into(), "hills".into()).unwrap();
        encoder.write_header().unwrap().write_image_data(&raw).unwrap();
        assert_eq!(decode_png(&bytes).unwrap().samples, samples);
    }

    #[test]
    fn other_pixels_are_refused_by_name() {
        for (color, channels, bits, found) in [
            (2, 3, 8, "RGB colours of 8 bits"),
            (6, 4, 16, "RGB colours of 16 bits"),
            (3, 1, 8, "palette colours of 8 bits"),
            (0, 1, 1, "gray of 1 bits"),
            (0, 1, 4, "gray of 4 bits"),
        ] {
            let picture = Picture { size: [3, 2], color, bits, channels, interlaced: false };
            let error = decode_png(&picture.encode(&noise(picture.raw_bytes()))).unwrap_err();
            let expected = format!(
                "the PNG holds {found}; it must be gray (with or without alpha) of 8 or 16 bits, so save it as \
                 grayscale, best with 16 bits"
            );
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn sizes_are_refused_before_memory_is_taken() {
        let header_only = |size| {
            let picture = Picture { size, color: 0, bits: 16, channels: 1, interlaced: false };
            decode_png(&picture.header()).unwrap_err().to_string()
        };
        assert!(header_only([32_769, 1]).starts_with("the image is 32769 x 1 pixels; both sides"));
        assert!(header_only([1, 0x7fff_ffff]).starts_with("the image is 1 x 2147483647 pixels; both sides"));
        assert_eq!(
            header_only([32_768, 16_385]),
            "the image is 32768 x 16385 pixels and would take 1073807360 bytes; at most 1 GiB (2^29 pixels) is allowed, \
             so crop or reduce it"
        );
    }

    #[test]
    fn a_file_cut_anywhere_is_an_error() {
        for interlaced in [false, true] {
            let picture = Picture { size: [9, 5], color: 4, bits: 16, channels: 2, interlaced };
            let bytes = picture.encode(&noise(picture.raw_bytes()));
            assert!(decode_png(&bytes).is_ok());
            for end in 0..bytes.len() {
                let error = decode_png(&bytes[..end]).expect_err("a part of a file");
                assert!(error.to_string().starts_with("not a PNG that can be read ("), "{error}");
            }
        }
    }

    #[test]
    fn no_damage_panics() {
        let picture = Picture { size: [9, 5], color: 0, bits: 8, channels: 1, interlaced: true };
        let bytes = picture.encode(&noise(picture.raw_bytes()));
        for at in 0..bytes.len() {
            for change in [1, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let _ = decode_png(&damaged);
                // The same with a header whose checksum is right, so that the damage gets further.
                let sum = crc(&damaged[12..29]);
                damaged[29..33].copy_from_slice(&sum.to_be_bytes());
                if let Ok(image) = decode_png(&damaged) {
                    assert_eq!(image.samples.len(), image.width as usize * image.height as usize);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            prop_assert!(decode_png(&bytes).is_err());
            let mut signed = b"\x89PNG\r\n\x1a\n".to_vec();
            signed.extend(&bytes);
            prop_assert!(decode_png(&signed).is_err());
        }

        #[test]
        fn random_pictures_of_random_bytes_never_panic(
            size in [1u32..20, 1u32..20],
            color in prop::sample::select(vec![0u8, 2, 3, 4, 6]),
            bits in prop::sample::select(vec![1u8, 2, 4, 8, 16]),
            interlaced: bool,
            data in prop::collection::vec(any::<u8>(), 0..400),
        ) {
            let picture = Picture { size, color, bits, channels: 1, interlaced };
            let _ = decode_png(&picture.with_data(&data));
            let _ = decode_png(&picture.with_data(&super::super::test_png::zlib(&data)));
        }
    }
}
