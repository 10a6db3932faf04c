//! Named fields as columns: values at the chunk's vertices, as they are or as whole numbers over the field's bounds.
//!
//! In: a program, the chunk's grid. Out: one column. The continuous field, so without curve, edge and edits.

use bytemuck::cast_slice_mut;
use terrane_lanes::SimdLevel;
use terrane_noise::{Bounds, Grid, Program, Scratch, Volume};

use crate::buffers::{FieldColumn, FieldFormat};

/// Rows that are computed together before they are encoded.
const BAND: usize = 8;
/// Widest chunk: 128 cells.
const SIDE_MAX: usize = 129;

/// Fills `words` with a field over a grid without gaps between rows.
///
/// # Panics
/// When the grid is wider than 129 samples.
pub(crate) fn field(
    level: SimdLevel,
    program: &Program,
    column: FieldColumn,
    grid: &Grid,
    words: &mut [u32],
    scratch: &mut Scratch,
) {
    assert!(grid.width <= SIDE_MAX, "{} samples a row", grid.width);
    let values = grid.width * grid.height;
    match column.format {
        FieldFormat::F32 => {
            let out: &mut [f32] = cast_slice_mut(words);
            let strides = [grid.width, 0];
            program.fill_output(level, column.field, &Volume::from(*grid), out, strides, scratch);
        }
        FieldFormat::Unorm8 => {
            let out: &mut [u8] = &mut cast_slice_mut(words)[..values];
            encode(level, program, column.field, grid, out, |share| (share * 255.0 + 0.5) as u8, scratch);
        }
        FieldFormat::Unorm16 => {
            let out: &mut [u16] = &mut cast_slice_mut(words)[..values];
            encode(level, program, column.field, grid, out, |share| (share * 65_535.0 + 0.5) as u16, scratch);
        }
    }
}

/// Band by band: the field, then each value's share of its bounds, as `code` writes it.
fn encode<T>(
    level: SimdLevel,
    program: &Program,
    field: usize,
    grid: &Grid,
    out: &mut [T],
    code: impl Fn(f32) -> T,
    scratch: &mut Scratch,
) {
    let Bounds { low, high } = program.bounds(field);
    let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
    let mut band = [0.0; BAND * SIDE_MAX];
    for (first, out) in out.chunks_mut(BAND * grid.width).enumerate() {
        let values = &mut band[..out.len()];
        let z = grid.z + (first * BAND) as i64 * i64::from(grid.stride);
        let rows = Grid { z, height: out.len() / grid.width, ..*grid };
        program.fill_output(level, field, &Volume::from(rows), values, [grid.width, 0], scratch);
        for (out, value) in out.iter_mut().zip(values) {
            *out = code((*value - low) * scale);
        }
    }
}
