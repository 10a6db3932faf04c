//! The pictures of rasters: read from files, each once.
//!
//! In: a path, as a world file names it, and for rows without a header their width. Out: its pixels, shared by all fields
//! that name it, or why there are none. A limit on their bytes holds for all pictures of a world together.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use super::field::RasterImage;

/// Most bytes of a world's pictures: of a file, and of all of them decoded.
const BYTES_MAX: u64 = 1 << 30;

/// What has been read.
#[derive(Default)]
pub(crate) struct Pictures {
    read: RefCell<BTreeMap<(String, Option<u32>), RasterImage>>,
}

impl Pictures {
    /// A PNG, or rows of `width` 16-bit pixels; paths start from `folder`.
    pub(crate) fn get(&self, folder: &Path, file: &str, width: Option<u32>) -> Result<RasterImage, String> {
        let mut read = self.read.borrow_mut();
        let key = (file.to_owned(), width);
        if let Some(image) = read.get(&key) {
            return Ok(image.clone());
        }
        let path = folder.join(file);
        let image = read_image(&path, width)
            .map_err(|error| format!("a gray picture; {}: {error}", path.display()))?;
        let image = RasterImage { file: file.to_owned(), ..image };
        let bytes: u64 = read.values().chain([&image]).map(|image| 2 * image.samples.len() as u64).sum();
        if bytes > BYTES_MAX {
            return Err(format!(
                "pictures of at most {BYTES_MAX} bytes in all, 2 a pixel; with this one {bytes}"
            ));
        }
        read.insert(key, image.clone());
        Ok(image)
    }
}

#[cfg(feature = "images")]
fn read_image(path: &Path, width: Option<u32>) -> Result<RasterImage, String> {
    use std::io::Read;

    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err("it is no file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(format!("it has more than {BYTES_MAX} bytes"));
    }
    let image = match width {
        Some(width) => crate::images::decode_r16(&bytes, width),
        None => crate::images::decode_png(&bytes),
    };
    let image = image.map_err(|error| error.to_string())?;
    let samples = image.samples.into();
    Ok(RasterImage { file: String::new(), width: image.width, height: image.height, samples })
}

#[cfg(not(feature = "images"))]
fn read_image(_: &Path, _: Option<u32>) -> Result<RasterImage, String> {
    Err("this build reads no pictures (feature images)".to_owned())
}
