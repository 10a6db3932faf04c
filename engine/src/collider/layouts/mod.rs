//! Height fields as physics engines read them, one file an engine.
//!
//! In: [`HeightRows`] of any size, whole or decimated, and the metres between their samples. Out: the values that the
//! engine takes, in the caller's memory, and where to put its shape so that the field lies over the chunk: relative to
//! the chunk's first sample, x and z growing, y up. Deliberately not here: the engines themselves; each file names the
//! sources of what it says.
//!
//! | engine | values | order | diagonal of its cells | the layout or the engine moves a height by |
//! |---|---|---|---|---|
//! | [rapier] | f32 | column by column along z | ours | nothing |
//! | [jolt] | f32 | rows along x, the last first | ours in mirrored rows | at most [`jolt::rounding_m`] |
//! | [godot] | f32 | rows along x | ours | nothing; with Jolt as its engine see there |
//! | [physx] | i16 and two bytes | column by column along z | ours while its flag is 0 | half a step of the lattice |
//!
//! **The total error** of a collider is [`error_exact_m`](super::Decimation::error_exact_m), 0 for whole fields, and
//! what the last column says: the largest vertical distance between the engine's surface and the ground. Heights that
//! move by at most so much move a triangle by no more. What an engine then rounds in its own arithmetic (f32) is not in
//! it.
//!
//! A writer is one pass over the heights and one over the output, allocates nothing and wants no memory but the output.

pub mod godot;
pub mod jolt;
pub mod physx;
pub mod rapier;

use crate::collider::HeightRows;

/// Samples along a side of the block that is turned at once: the floats of a cache line.
const BLOCK: usize = 16;

/// What a height becomes.
trait Encode {
    /// One sample of the engine.
    type Sample: Copy + Default;

    /// Must be cheap: it is the inner loop.
    fn encode(&self, height_m: f32) -> Self::Sample;
}

/// Writes samples column by column: value `x * rows + z` is made of the height of sample (x, z).
///
/// Block by block: each cache line is read and written once, and whole. Row by row would touch a line of the output for
/// every value, column by column one of the input.
fn turn<E: Encode>(field: &impl HeightRows, encode: &E, out: &mut [E::Sample]) {
    let [width, rows] = field.size();
    let mut block = [[E::Sample::default(); BLOCK]; BLOCK];
    for z0 in (0..rows).step_by(BLOCK) {
        let high = BLOCK.min(rows - z0);
        for x0 in (0..width).step_by(BLOCK) {
            let wide = BLOCK.min(width - x0);
            for (z, encoded) in block.iter_mut().enumerate().take(high) {
                let row = &field.row(z0 + z)[x0..x0 + wide];
                match row.first_chunk::<BLOCK>() {
                    Some(row) => encode_row(row, encode, encoded),
                    None => encode_part(row, encode, encoded),
                }
            }
            for x in 0..wide {
                let column = &mut out[(x0 + x) * rows + z0..][..high];
                match column.first_chunk_mut::<BLOCK>() {
                    Some(column) => read_column(&block, x, column),
                    None => read_column(&block, x, column),
                }
            }
        }
    }
}

/// A whole row of a block: of fixed length, so that it becomes whole vectors.
#[inline(always)]
fn encode_row<E: Encode>(row: &[f32; BLOCK], encode: &E, encoded: &mut [E::Sample; BLOCK]) {
    for (sample, &height) in encoded.iter_mut().zip(row) {
        *sample = encode.encode(height);
    }
}

#[inline(always)]
fn encode_part<E: Encode>(row: &[f32], encode: &E, encoded: &mut [E::Sample; BLOCK]) {
    for (sample, &height) in encoded.iter_mut().zip(row) {
        *sample = encode.encode(height);
    }
}

#[inline(always)]
fn read_column<T: Copy>(block: &[[T; BLOCK]; BLOCK], x: usize, column: &mut [T]) {
    for (sample, row) in column.iter_mut().zip(block) {
        *sample = row[x];
    }
}
