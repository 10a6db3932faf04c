//! Packed vertices as they lie in memory, byte by byte, and what they say.

/// A vertex of 8 bytes: height and normal, and those of the next coarser level.
///
/// | bytes | what | vertex attribute |
/// |---|---|---|
/// | 0, 1 | code of the height, little-endian | one `uint16` |
/// | 2, 3 | code of the coarse height | one `uint16` |
/// | 4, 5 | octahedral normal, x then z | two `snorm8` |
/// | 6, 7 | coarse octahedral normal, x then z | two `snorm8` |
///
/// Heights are codes of the world's [`HeightLattice`](crate::mesh::HeightLattice), normals decode as
/// [`decode_octahedral`](crate::mesh::decode_octahedral) says. In a shader, vertex `i` of a chunk stands at
/// (i mod side, i / side) times the spacing of its level, without having it stored.
///
/// ```
/// use terrane::buffers::Packed8;
/// let vertex = Packed8::from_bytes([0x34, 0x12, 0x35, 0x12, 0, 127, 3, 0x80]);
/// assert_eq!((vertex.height, vertex.coarse_height), (0x1234, 0x1235));
/// assert_eq!((vertex.normal, vertex.coarse_normal), ([0, 127], [3, -128]));
/// assert_eq!(vertex.to_bytes(), [0x34, 0x12, 0x35, 0x12, 0, 127, 3, 0x80]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Packed8 {
    /// Code of the height.
    pub height: u16,
    /// Code of the height on the mesh of the next coarser level.
    pub coarse_height: u16,
    /// Normal, x then z.
    pub normal: [i8; 2],
    /// Normal of the mesh of the next coarser level.
    pub coarse_normal: [i8; 2],
}

/// A vertex of 4 bytes: height and normal, as in [`Packed8`].
///
/// | bytes | what | vertex attribute |
/// |---|---|---|
/// | 0, 1 | code of the height, little-endian | one `uint16` |
/// | 2, 3 | octahedral normal, x then z | two `snorm8` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Packed4 {
    /// Code of the height.
    pub height: u16,
    /// Normal, x then z.
    pub normal: [i8; 2],
}

impl Packed8 {
    /// Reads a vertex.
    #[must_use]
    pub fn from_bytes([h0, h1, c0, c1, x, z, coarse_x, coarse_z]: [u8; 8]) -> Self {
        Self {
            height: u16::from_le_bytes([h0, h1]),
            coarse_height: u16::from_le_bytes([c0, c1]),
            normal: [x as i8, z as i8],
            coarse_normal: [coarse_x as i8, coarse_z as i8],
        }
    }

    /// Its bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 8] {
        let ([h0, h1], [c0, c1]) = (self.height.to_le_bytes(), self.coarse_height.to_le_bytes());
        let [x, z, coarse_x, coarse_z] =
            [self.normal[0], self.normal[1], self.coarse_normal[0], self.coarse_normal[1]]
                .map(|code| code as u8);
        [h0, h1, c0, c1, x, z, coarse_x, coarse_z]
    }
}

impl Packed4 {
    /// Reads a vertex.
    #[must_use]
    pub fn from_bytes([h0, h1, x, z]: [u8; 4]) -> Self {
        Self { height: u16::from_le_bytes([h0, h1]), normal: [x as i8, z as i8] }
    }

    /// Its bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 4] {
        let [h0, h1] = self.height.to_le_bytes();
        [h0, h1, self.normal[0] as u8, self.normal[1] as u8]
    }
}
