//! What the oracle is asked: a noise as plain data, and a place. Nothing is checked here.

/// A noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spec {
    pub(crate) kind: KindSpec,
    /// 2 or 3. Two-dimensional noise lies in the x, z plane: the y entries of places and periods are ignored.
    pub(crate) dimensions: u32,
    pub(crate) seed: u64,
    /// Cells a sample of the first octave.
    pub(crate) frequency: f64,
    pub(crate) shape: Shape,
    pub(crate) octaves: u32,
    pub(crate) lacunarity: f64,
    pub(crate) persistence: f64,
    /// 0: plain sum.
    pub(crate) weighted_strength: f64,
    /// Per axis x, y, z: the period as (cells, samples) of the first octave.
    pub(crate) periods: [Option<(u32, u32)>; 3],
    /// B for Perlin, Perlin classic and simplex; M of the return for cellular. Value, white, constant and cell value
    /// do not read it.
    pub(crate) bound: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KindSpec {
    Perlin,
    /// `reference`: Perlin's own table and no offsets.
    PerlinClassic {
        reference: bool,
    },
    Value,
    Simplex,
    Cellular {
        distance: Distance,
        returns: Returns,
        jitter: f64,
    },
    White,
    Constant {
        value: f64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Distance {
    Euclidean,
    Squared,
    Manhattan,
    Chebyshev,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Returns {
    F1,
    F2,
    F2MinusF1,
    F1PlusF2,
    CellValue,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Fbm,
    Billow,
    Ridged,
}

/// Where: sample `index + fraction / 65536` per axis x, y, z, then moved by `displacement` samples where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) index: [i64; 3],
    pub(crate) fraction: [u16; 3],
    pub(crate) displacement: Option<[f32; 3]>,
}

impl Place {
    /// At a sample.
    pub(crate) fn at(x: i64, y: i64, z: i64) -> Self {
        Self { index: [x, y, z], fraction: [0; 3], displacement: None }
    }
}

impl Spec {
    /// The axes the noise has, as indices of x, y, z.
    pub(crate) fn axes(&self) -> &'static [usize] {
        match self.dimensions {
            2 => &[0, 2],
            3 => &[0, 1, 2],
            other => panic!("{other} dimensions: 2 or 3"),
        }
    }
}
