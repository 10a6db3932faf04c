//! Gray pictures: values stretched to black and white, written whole or not at all.

use std::path::Path;

use crate::error::Failure;
use crate::whole_file;

/// Gray pixels, row by row.
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<u8>,
}

/// Black at the lowest half per cent, white at the highest.
pub(crate) fn stretched(values: &[f32]) -> Vec<u8> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let (low, high) = (sorted[sorted.len() / 200], sorted[sorted.len() - 1 - sorted.len() / 200]);
    let scale = if high > low { 255.0 / (high - low) } else { 0.0 };
    let gray = |v: &f32| if scale == 0.0 { 128 } else { ((v - low) * scale + 0.5).clamp(0.0, 255.0) as u8 };
    values.iter().map(gray).collect()
}

/// Writes a PNG and says so.
pub(crate) fn write(path: &Path, picture: &Picture, force: bool) -> Result<(), Failure> {
    whole_file::write(path, force, |file| {
        let mut encoder = png::Encoder::new(file, picture.width as u32, picture.height as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().map_err(io)?;
        writer.write_image_data(&picture.pixels).map_err(io)?;
        writer.finish().map_err(io)
    })?;
    say!("{}", path.display());
    Ok(())
}

/// Makes a folder where there is none.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|source| Failure::Io {
        doing: "make",
        path: folder.display().to_string(),
        source,
    })
}

fn io(error: png::EncodingError) -> std::io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => std::io::Error::other(other),
    }
}
