//! R16: little-endian 16-bit pixels without a header, as terrain tools write them.
//!
//! In: all bytes of the file, and the width, which it cannot say. Out: the pixels; the height follows from the length.
//! Deliberately not here: guessing the width, big-endian files.

use super::{GrayImage, IMAGE_SIDE_MAX, ImageError, room};

/// Decodes an R16 file of rows of `width` pixels.
///
/// ```
/// let image = terrane::images::decode_r16(&[1, 0, 2, 0, 3, 0, 4, 1, 5, 0, 6, 0], 3)?;
/// assert_eq!((image.height, image.samples[3]), (2, 0x0104));
/// # Ok::<(), terrane::images::ImageError>(())
/// ```
///
/// # Errors
/// When the width is 0 or above [`IMAGE_SIDE_MAX`], or the bytes are not a whole number of rows, none, or too many.
pub fn decode_r16(bytes: &[u8], width: u32) -> Result<GrayImage, ImageError> {
    if !(1..=IMAGE_SIDE_MAX).contains(&width) {
        return Err(ImageError::Width { width });
    }
    let row_bytes = 2 * width as usize;
    if bytes.is_empty() || !bytes.len().is_multiple_of(row_bytes) {
        return Err(ImageError::Rows { bytes: bytes.len(), width, row_bytes: row_bytes as u64 });
    }
    let height = u32::try_from(bytes.len() / row_bytes).unwrap_or(u32::MAX);
    let mut samples = room(width, height)?;
    samples.extend(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])));
    Ok(GrayImage { width, height, file_bits: 16, samples })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let samples: Vec<u16> = (0..15).map(|i| i * 4369 + 7).collect();
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        for (width, height) in [(15, 1), (5, 3), (3, 5), (1, 15)] {
            let image = decode_r16(&bytes, width).unwrap();
            assert_eq!(image, GrayImage { width, height, file_bits: 16, samples: samples.clone() });
        }
    }

    #[test]
    fn wrong_lengths_and_widths_are_errors() {
        let error = |bytes: &[u8], width| decode_r16(bytes, width).unwrap_err().to_string();
        for width in [0, 32_769, u32::MAX] {
            assert_eq!(
                error(&[0; 6], width),
                format!("the width is given as {width} pixels; it must be from 1 to 32768 pixels")
            );
        }
        for bytes in [&[][..], &[0], &[0; 6], &[0; 13]] {
            assert!(matches!(decode_r16(bytes, 2), Err(ImageError::Rows { width: 2, row_bytes: 4, .. })));
        }
        assert_eq!(
            error(&[0; 2 * 32_769], 1),
            "the image is 1 x 32769 pixels; both sides must be from 1 to 32768 pixels, so crop or reduce it"
        );
    }
}
