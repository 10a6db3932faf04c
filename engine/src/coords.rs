//! Where things are: chunk keys, exact positions, metres.
//!
//! Right-handed, y up; rows run along x, row 0 has the smallest z. A *sample* is one grid position of the full
//! resolution, an i64 an axis. Deliberately not here: f32 world coordinates. A float holds distances inside a
//! chunk, never a place in the world.

use terrane_noise::Coord;

/// |sample index| stays below this: then an index times a stride, and a chunk's far edge, fit an i64.
pub const SAMPLE_LIMIT: i64 = 1 << 60;

/// A chunk: its level of detail and its place on that level's grid of chunks.
///
/// At level `lod` a chunk covers `chunk_cells * 2^lod` samples a side.
///
/// ```
/// use terrane::ChunkKey;
/// assert_eq!(ChunkKey { lod: 1, x: -2, z: 3 }.origin(64), [-256, 384]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkKey {
    /// Level of detail; 0 is full resolution, each level doubles the spacing.
    pub lod: u8,
    /// Column on the level's grid.
    pub x: i64,
    /// Row on the level's grid.
    pub z: i64,
}

impl ChunkKey {
    /// The coarsest level of detail.
    pub const LOD_MAX: u8 = 24;

    /// Samples between neighbouring vertices. Levels beyond [`LOD_MAX`](Self::LOD_MAX) count as that level.
    #[must_use]
    pub fn stride(self) -> u32 {
        1 << self.lod.min(Self::LOD_MAX)
    }

    /// The first sample of the chunk, x then z; saturates far beyond [`SAMPLE_LIMIT`].
    #[must_use]
    pub fn origin(self, chunk_cells: u32) -> [i64; 2] {
        let side = i64::from(chunk_cells) * i64::from(self.stride());
        [self.x.saturating_mul(side), self.z.saturating_mul(side)]
    }

    /// True when the chunk and the samples around it have indices below [`SAMPLE_LIMIT`], and the level exists.
    ///
    /// ```
    /// use terrane::ChunkKey;
    /// assert!(ChunkKey { lod: 0, x: 1 << 53, z: 0 }.is_addressable(64));
    /// assert!(!ChunkKey { lod: 0, x: 1 << 54, z: 0 }.is_addressable(64));
    /// ```
    #[must_use]
    pub fn is_addressable(self, chunk_cells: u32) -> bool {
        let side = i64::from(chunk_cells) * i64::from(self.stride());
        let inside = |first: i64| first > -SAMPLE_LIMIT + side && first < SAMPLE_LIMIT - 2 * side;
        self.lod <= Self::LOD_MAX && self.origin(chunk_cells).into_iter().all(inside)
    }
}

/// A position on the ground plane, exact to 1/65536 of a sample.
///
/// ```
/// use terrane::Position;
/// let position = Position::from_metres([-1.5, 3.25], 0.5)?;
/// assert_eq!((position.x.index, position.x.fraction), (-3, 0));
/// assert_eq!((position.z.index, position.z.fraction), (6, 0x8000));
/// assert_eq!(position.metres(0.5), [-1.5, 3.25]);
/// # Ok::<(), terrane::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Along x.
    pub x: Coord,
    /// Along z.
    pub z: Coord,
}

/// Why metres, or samples, are no position.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PositionError {
    /// Not finite, or 2^60 samples or more from the origin.
    #[error(
        "{axis} is {value} m; it must be a finite number less than 2^60 samples ({limit_m} m) from the origin"
    )]
    Metres {
        /// `x` or `z`.
        axis: char,
        /// The metres that were given.
        value: f64,
        /// The limit at this world's spacing.
        limit_m: f64,
    },
    /// A sample index of 2^60 or more.
    #[error("sample {axis} is {index}; it must be less than 2^60 from the origin")]
    Sample {
        /// `x` or `z`.
        axis: char,
        /// The index that was given.
        index: i64,
    },
}

impl Position {
    /// The sample at or below the position, x then z.
    #[must_use]
    pub fn sample(self) -> [i64; 2] {
        [self.x.index, self.z.index]
    }

    /// The position of a sample.
    ///
    /// # Errors
    /// When an index is 2^60 or more from the origin.
    pub fn from_samples([x, z]: [i64; 2]) -> Result<Self, PositionError> {
        for (axis, index) in [('x', x), ('z', z)] {
            if !(-SAMPLE_LIMIT < index && index < SAMPLE_LIMIT) {
                return Err(PositionError::Sample { axis, index });
            }
        }
        Ok(Self { x: x.into(), z: z.into() })
    }

    /// The position that is nearest to `[x, z]` metres: metres / spacing in f64, rounded to 1/65536 of a sample,
    /// halves up. `index * spacing` gives that sample up to 2^34 samples; beyond, use samples.
    ///
    /// # Errors
    /// When a number is not finite or too far out.
    pub fn from_metres(metres: [f64; 2], spacing_m: f64) -> Result<Self, PositionError> {
        let axis = |axis: char, value: f64| {
            let samples = value / spacing_m;
            if samples.is_nan() || samples.abs() >= SAMPLE_LIMIT as f64 {
                return Err(PositionError::Metres { axis, value, limit_m: SAMPLE_LIMIT as f64 * spacing_m });
            }
            let whole = samples.floor();
            let fraction = ((samples - whole) * 65_536.0).round() as u32;
            let index = whole as i64 + i64::from(fraction >> 16);
            Ok(Coord { index, fraction: fraction as u16 })
        };
        Ok(Self { x: axis('x', metres[0])?, z: axis('z', metres[1])? })
    }

    /// The position in metres, rounded to f64.
    #[must_use]
    pub fn metres(self, spacing_m: f64) -> [f64; 2] {
        [self.x.samples() * spacing_m, self.z.samples() * spacing_m]
    }

    /// True on a sample.
    #[must_use]
    pub fn is_sample(self) -> bool {
        self.x.fraction == 0 && self.z.fraction == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metres_of_a_sample_are_that_sample() {
        for spacing_m in [crate::config::round_spacing_m(0.3), 0.5, 1.0, 7.0, 0.02] {
            let spacing_m = crate::config::round_spacing_m(spacing_m);
            for index in (-70_000..70_000).chain([1 << 33, -(1 << 33) - 1, (1 << 34) - 1]) {
                let position = Position::from_metres([index as f64 * spacing_m, 0.0], spacing_m);
                assert_eq!(position, Position::from_samples([index, 0]), "{index} at {spacing_m} m");
            }
        }
    }

    #[test]
    fn halves_round_up_on_both_sides_of_zero() {
        let half = 1.0 / 131_072.0;
        for (x, index, fraction) in [(half, 0, 1), (-half, 0, 0), (1.0 - half, 1, 0), (-1.0 + half, -1, 1)] {
            let at = Position::from_metres([x, 0.0], 1.0).expect("near the origin");
            assert_eq!((at.x.index, at.x.fraction), (index, fraction), "{x}");
        }
    }

    #[test]
    fn fractions_round_up_into_the_next_sample() {
        let position = Position::from_metres([-0.000_001, 0.999_999], 1.0).expect("near the origin");
        assert_eq!(position, Position::from_samples([0, 1]).expect("near the origin"));
    }

    #[test]
    fn places_that_do_not_exist_are_errors() {
        for x in [f64::NAN, f64::INFINITY, -1e300, (1u64 << 60) as f64] {
            assert!(Position::from_metres([x, 0.0], 1.0).is_err());
        }
        assert!(Position::from_samples([0, -SAMPLE_LIMIT]).is_err());
        assert!(!ChunkKey { lod: 25, x: 0, z: 0 }.is_addressable(16));
        assert!(!ChunkKey { lod: 0, x: i64::MIN, z: 0 }.is_addressable(16));
    }
}
