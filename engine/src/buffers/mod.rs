//! Struct-of-arrays columns of a chunk: aligned, with a capacity that is known from the config.

mod chunk;
mod column;

pub(crate) use chunk::{APRON, apron_stride};
pub use chunk::{ChunkBuffers, ChunkView};
pub use column::Column;
