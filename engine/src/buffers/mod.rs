//! Struct-of-arrays columns of a chunk: aligned, with a capacity that is known from the config.

mod chunk;
mod kind;
mod layout;
mod packed;
mod slices;
mod view;

pub use chunk::ChunkBuffers;
pub use kind::ColumnKind;
pub use layout::{ChunkLayout, FIELD_COLUMNS_MAX, FieldColumn, FieldFormat};
pub(crate) use layout::{Content, FIELDS, KINDS, PLAIN, apron_len, apron_stride};
pub use packed::{Packed4, Packed8};
pub use slices::ChunkSlices;
pub use terrane_jobs::Column;
pub(crate) use view::{ChunkColumns, ChunkFacts};
pub use view::{ChunkView, FieldValues};

/// Samples of the apron on each side: normals look one to each side, those of the next coarser level two.
pub(crate) const APRON: usize = 2;
