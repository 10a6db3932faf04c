//! Gray pictures as pixels for raster fields.
//!
//! In: the bytes of a PNG or R16 file. Out: a [`GrayImage`] of 16-bit pixels, or an [`ImageError`] that says what was
//! found and what would be right; the caller, who read the file, adds its name. No input panics, and none makes the
//! decoder take more than [`DECODED_BYTES_MAX`] and a row.
//!
//! Deliberately not here: reading files; gamma, colour profiles and transparency (a height is not a shade); colours turned
//! to gray, because which gray would be a guess.
//!
//! ```
//! use terrane::images::decode_r16;
//! use terrane::noise::{Raster, RasterParams};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let image = decode_r16(&[0x00, 0x00, 0xff, 0xff, 0x34, 0x12, 0x00, 0x80], 2)?;
//! assert_eq!((image.width, image.height), (2, 2));
//! let params = RasterParams { low: -100.0, high: 3000.0, ..RasterParams::default() };
//! let raster = Raster::new(image.samples.into(), image.width, image.height, &params)?;
//! assert_eq!(raster.at(0.into(), 0.into()), -100.0);
//! # Ok(())
//! # }
//! ```

mod error;
mod gray_png;
mod r16;
#[cfg(test)]
mod test_png;

pub use error::ImageError;
pub use gray_png::decode_png;
pub use r16::decode_r16;

/// Largest width and height in pixels; those of rasters.
pub const IMAGE_SIDE_MAX: u32 = terrane_noise::RASTER_SIDE_MAX;
/// Largest size of the decoded pixels: 1 GiB.
pub const DECODED_BYTES_MAX: u64 = 1 << 30;

/// Decoded pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrayImage {
    /// Columns, 1 ..= [`IMAGE_SIDE_MAX`].
    pub width: u32,
    /// Rows, 1 ..= [`IMAGE_SIDE_MAX`].
    pub height: u32,
    /// Bits of a pixel in the file, 8 or 16. Eight bits are spread evenly, so that 255 becomes 65535.
    pub file_bits: u8,
    /// `width * height` pixels, row by row from the top of the picture.
    pub samples: Vec<u16>,
}

/// Memory for the pixels of an image, if its size is allowed and there is so much. A zero side is none.
fn room(width: u32, height: u32) -> Result<Vec<u16>, ImageError> {
    let side = 1..=IMAGE_SIDE_MAX;
    if !side.contains(&width) || !side.contains(&height) {
        return Err(ImageError::Size { width, height });
    }
    let bytes = 2 * u64::from(width) * u64::from(height);
    if bytes > DECODED_BYTES_MAX {
        return Err(ImageError::TooLarge { width, height, bytes });
    }
    let mut samples = Vec::new();
    let reserved = samples.try_reserve_exact((bytes / 2) as usize);
    reserved.map(|()| samples).map_err(|_| ImageError::Memory { bytes })
}
