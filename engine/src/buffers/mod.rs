//! Struct-of-arrays columns of a chunk: aligned, with a capacity that is known from the config.

mod chunk;
mod layout;
mod view;

pub use chunk::ChunkBuffers;
pub use layout::{ChunkLayout, FIELD_COLUMNS_MAX, FieldColumn, FieldFormat};
pub(crate) use layout::{Content, KINDS, apron_len, apron_stride};
pub use terrane_jobs::Column;
pub(crate) use view::ChunkColumns;
pub use view::{ChunkView, FieldValues};

/// Samples of the apron on each side.
pub(crate) const APRON: usize = 1;
