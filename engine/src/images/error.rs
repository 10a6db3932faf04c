//! Why bytes are no gray picture.
//!
//! In: what a decoder found. Out: one closed enum; each text says what was found and what would be right and reads on
//! after a file's name and a colon. The name itself is the caller's.

/// Bytes that make no raster.
///
/// ```
/// let error = terrane::images::decode_r16(&[0; 10], 2).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "10 bytes are not a whole number of rows of 4 bytes (2 pixels of 2 bytes); correct the width, or export the \
///      file as raw 16-bit without a header"
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Not a PNG, or a damaged one.
    #[error(
        "not a PNG that can be read ({source}); it must be a whole, undamaged PNG of 8-bit or 16-bit gray"
    )]
    Png {
        /// What the decoder found.
        source: png::DecodingError,
    },

    /// A PNG of something else than one height a pixel.
    #[error(
        "the PNG holds {found} of {bits} bits; it must be gray (with or without alpha) of 8 or 16 bits, so save it as \
         grayscale, best with 16 bits"
    )]
    Pixels {
        /// "gray", "RGB colours", "palette colours".
        found: &'static str,
        /// Bits a channel, or a palette index.
        bits: u8,
    },

    /// A side that rasters cannot have.
    #[error(
        "the image is {width} x {height} pixels; both sides must be from 1 to 32768 pixels, so crop or reduce it"
    )]
    Size {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },

    /// More pixels than are allowed.
    #[error(
        "the image is {width} x {height} pixels and would take {bytes} bytes; at most 1 GiB (2^29 pixels) is allowed, so \
         crop or reduce it"
    )]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Two a pixel.
        bytes: u64,
    },

    /// A raw file whose bytes are no rows of the given width.
    #[error(
        "{bytes} bytes are not a whole number of rows of {row_bytes} bytes ({width} pixels of 2 bytes); correct the width, \
         or export the file as raw 16-bit without a header"
    )]
    Rows {
        /// The file's length.
        bytes: usize,
        /// The width that was given.
        width: u32,
        /// Twice the width.
        row_bytes: u64,
    },

    /// The width given for a raw file.
    #[error("the width is given as {width} pixels; it must be from 1 to 32768 pixels")]
    Width {
        /// The width that was given.
        width: u32,
    },

    /// The system has no memory for the pixels.
    #[error("there is no memory for {bytes} bytes of pixels; crop or reduce the image")]
    Memory {
        /// What the pixels need.
        bytes: u64,
    },
}

impl From<png::DecodingError> for ImageError {
    fn from(source: png::DecodingError) -> Self {
        Self::Png { source }
    }
}
