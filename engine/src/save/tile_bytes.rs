//! A tile as bytes: 1024 heights as little-endian f32, row by row, 0 where there is none; then 32 rows of a bit a sample
//! as little-endian u32, the lowest bit the smallest x; then the edit that changed it last, a little-endian u64. Its key: x,
//! then z, each as big-endian i64 with the sign flipped, so that keys sort as coordinates do.

use crate::edits::{TILE_CELLS, TILE_SAMPLES, TileRef};

pub(super) const KEY_BYTES: usize = 16;
const HEIGHT_BYTES: usize = 4 * TILE_SAMPLES;
const PRESENT_BYTES: usize = 4 * TILE_CELLS;
pub(super) const TILE_BYTES: usize = HEIGHT_BYTES + PRESENT_BYTES + size_of::<u64>();

const SIGN: u64 = 1 << 63;

pub(super) fn key_bytes(key: [i64; 2]) -> [u8; KEY_BYTES] {
    let [x, z] = key.map(|index| (index as u64 ^ SIGN).to_be_bytes());
    std::array::from_fn(|i| if i < 8 { x[i] } else { z[i - 8] })
}

pub(super) fn key_of(bytes: &[u8; KEY_BYTES]) -> [i64; 2] {
    let (words, _) = bytes.as_chunks::<8>();
    [words[0], words[1]].map(|word| (u64::from_be_bytes(word) ^ SIGN) as i64)
}

pub(super) fn encode(tile: TileRef<'_>, bytes: &mut [u8; TILE_BYTES]) {
    let (heights, rest) = bytes.split_at_mut(HEIGHT_BYTES);
    let (present, changed_by) = rest.split_at_mut(PRESENT_BYTES);
    changed_by.copy_from_slice(&tile.changed_by.to_le_bytes());
    for (bytes, height) in heights.as_chunks_mut::<4>().0.iter_mut().zip(tile.heights) {
        *bytes = height.to_le_bytes();
    }
    for (bytes, row) in present.as_chunks_mut::<4>().0.iter_mut().zip(tile.present) {
        *bytes = row.to_le_bytes();
    }
}

/// Appends a tile's heights and presence, and returns the edit that changed it last.
pub(super) fn decode(bytes: &[u8; TILE_BYTES], heights: &mut Vec<f32>, present: &mut Vec<u32>) -> u64 {
    let (height_bytes, rest) = bytes.split_at(HEIGHT_BYTES);
    let (present_bytes, changed_by) = rest.split_at(PRESENT_BYTES);
    heights.extend(height_bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)));
    present.extend(present_bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
    u64::from_le_bytes(changed_by.as_chunks().0[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_come_back_and_keys_sort() {
        let heights: Vec<f32> = (0..TILE_SAMPLES).map(|i| i as f32 * -0.37).collect();
        let present: Vec<u32> = (0..TILE_CELLS).map(|i| 0x8000_0001u32.rotate_left(i as u32)).collect();
        let tile =
            TileRef { key: [0, 0], heights: &heights, present: &present, changed_by: 0x0102_0304_0506_0708 };
        let mut bytes = [0; TILE_BYTES];
        encode(tile, &mut bytes);
        let (mut h, mut p) = (Vec::new(), Vec::new());
        assert_eq!(decode(&bytes, &mut h, &mut p), tile.changed_by);
        assert_eq!((h, p), (heights, present));
        let keys = [[i64::MIN, 5], [-1, -1], [-1, 0], [0, -7], [0, 1 << 40], [1 << 55, 0]];
        for key in keys {
            assert_eq!(key_of(&key_bytes(key)), key);
        }
        assert!(keys.map(key_bytes).is_sorted());
    }
}
