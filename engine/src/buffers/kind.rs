//! The kinds of columns that chunks of every world can carry. A new one gets its line here, a stage that fills it, and a slice in
//! `view.rs`; settings, world files, pools, memory plans and tests go along this list.

/// What a column holds: one value a vertex, row by row along x, row 0 at the smallest z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// Heights in metres, with an apron of two samples on every side.
    Heights,
    /// Positions in metres relative to the chunk's first sample.
    Positions,
    /// Unit normals.
    Normals,
    /// Colours by height.
    Colors,
    /// Height and unit normal on the mesh of the next coarser level.
    Coarse,
    /// [`Packed8`](super::Packed8): heights, normals and those of the next coarser level in 8 bytes.
    Packed8,
    /// [`Packed4`](super::Packed4): heights and normals in 4 bytes.
    Packed4,
    /// Slopes: angles from level ground in steps of 90 / 255 degrees.
    Slopes,
    /// 1 where one can walk, 0 where it is too steep or below the sea.
    Walkable,
}

impl ColumnKind {
    /// Every kind with its name in world files and the bytes of a value. The order is that of pools and digests.
    pub const ALL: [(Self, &'static str, usize); 9] = [
        (Self::Heights, "heights", 4),
        (Self::Positions, "positions", 12),
        (Self::Normals, "normals", 12),
        (Self::Colors, "colors", 4),
        (Self::Coarse, "coarse", 16),
        (Self::Packed8, "packed8", 8),
        (Self::Packed4, "packed4", 4),
        (Self::Slopes, "slopes", 1),
        (Self::Walkable, "walkable", 1),
    ];

    /// Its place in [`ALL`](Self::ALL).
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// Its name in world files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self.index()].1
    }

    /// Size of a value in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        Self::ALL[self.index()].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_the_kinds() {
        for (index, (kind, ..)) in ColumnKind::ALL.into_iter().enumerate() {
            assert_eq!(kind.index(), index);
        }
    }
}
