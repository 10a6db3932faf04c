//! The one list of workloads: tables, JSON, chart, tests and `--peer` programs all go by its names.
//!
//! In: nothing. Out: [`WORKLOADS`] and the parameters they share. Who can do a workload, and how, is not here.

/// Samples across the largest feature.
pub const FEATURE_SAMPLES: f64 = 50.0;
/// Cells a sample of the first octave.
pub const FREQUENCY: f64 = 1.0 / FEATURE_SAMPLES;
/// How much the frequency grows from octave to octave.
pub const LACUNARITY: f64 = 2.0;
/// How much the amplitude shrinks from octave to octave.
pub const PERSISTENCE: f64 = 0.5;
/// How far warp moves a sample, in samples. Its own features are as large as the noise's.
pub const WARP_AMPLITUDE_SAMPLES: f64 = 30.0;
/// Of the noise; warp of the position has the next ones.
pub const SEED: i32 = 1337;
/// First sample along x, z and (in 3D) y. Multiples of every stride, near enough to the origin for f32 peers.
pub const ORIGIN: [i32; 3] = [-1984, 4544, 832];

/// What is computed for a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Octaves of Perlin gradient noise; one octave is Perlin noise itself.
    Fbm {
        /// How many.
        octaves: u32,
    },
    /// One octave of simplex noise.
    Simplex,
    /// One octave of value noise.
    Value,
    /// Euclidean distance to the closest feature point, jitter 1.
    Cellular,
    /// fBm at positions that one octave of gradient noise has moved.
    WarpedFbm {
        /// Of the fBm.
        octaves: u32,
    },
    /// fBm with its derivatives along x and z.
    FbmGradient {
        /// How many.
        octaves: u32,
    },
}

/// A plane or a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// x and z.
    Two,
    /// x, z and y.
    Three,
}

/// One piece of work: a square or cube of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// What a sample is.
    pub kind: Kind,
    /// A plane or a volume.
    pub dimensions: Dimensions,
    /// Samples along each side.
    pub size: usize,
    /// Distance of neighbours in samples of the full resolution.
    pub stride: u32,
}

impl Work {
    /// How many samples.
    #[must_use]
    pub fn samples(&self) -> usize {
        match self.dimensions {
            Dimensions::Two => self.size * self.size,
            Dimensions::Three => self.size * self.size * self.size,
        }
    }

    /// Values a sample: each is a column of [`samples`](Self::samples) values, one column after the other.
    #[must_use]
    pub fn columns(&self) -> usize {
        match self.kind {
            Kind::FbmGradient { .. } => 3,
            _ => 1,
        }
    }
}

/// A named piece of work.
#[derive(Debug, PartialEq, Eq)]
pub struct Workload {
    /// Stable: recorded baselines and `--peer` programs go by it.
    pub name: &'static str,
    /// For people.
    pub about: &'static str,
    /// What to do.
    pub work: Work,
}

const fn plane(name: &'static str, about: &'static str, kind: Kind, size: usize, stride: u32) -> Workload {
    Workload { name, about, work: Work { kind, dimensions: Dimensions::Two, size, stride } }
}

const fn volume(name: &'static str, about: &'static str, kind: Kind, size: usize) -> Workload {
    Workload { name, about, work: Work { kind, dimensions: Dimensions::Three, size, stride: 1 } }
}

const PERLIN: Kind = Kind::Fbm { octaves: 1 };
const FBM4: Kind = Kind::Fbm { octaves: 4 };
const FBM6: Kind = Kind::Fbm { octaves: 6 };
const WARP_FBM5: Kind = Kind::WarpedFbm { octaves: 5 };
const FBM6_GRADIENT: Kind = Kind::FbmGradient { octaves: 6 };

/// All workloads, in the order in which they are shown.
pub const WORKLOADS: &[Workload] = &[
    plane("perlin_2d_256", "Perlin noise, 256 x 256", PERLIN, 256, 1),
    plane("fbm4_2d_256", "fBm, 4 octaves, 256 x 256", FBM4, 256, 1),
    plane("fbm6_2d_67", "fBm, 6 octaves, 67 x 67 (a chunk with its apron)", FBM6, 67, 1),
    plane("fbm6_2d_256", "fBm, 6 octaves, 256 x 256", FBM6, 256, 1),
    plane("fbm6_2d_1024", "fBm, 6 octaves, 1024 x 1024", FBM6, 1024, 1),
    plane("simplex_2d_256", "simplex noise, 256 x 256", Kind::Simplex, 256, 1),
    plane("value_2d_256", "value noise, 256 x 256", Kind::Value, 256, 1),
    plane("cellular_2d_256", "cellular F1, euclidean, jitter 1, 256 x 256", Kind::Cellular, 256, 1),
    plane("warp_fbm5_2d_256", "warped fBm, 5 octaves, 256 x 256", WARP_FBM5, 256, 1),
    volume("perlin_3d_64", "Perlin noise, 64 x 64 x 64", PERLIN, 64),
    volume("fbm4_3d_64", "fBm, 4 octaves, 64 x 64 x 64", FBM4, 64),
    plane("fbm6_2d_67_stride2", "fBm, 6 octaves, 67 x 67, every 2nd sample", FBM6, 67, 2),
    plane("fbm6_2d_67_stride8", "fBm, 6 octaves, 67 x 67, every 8th sample", FBM6, 67, 8),
    plane("fbm6_2d_67_stride64", "fBm, 6 octaves, 67 x 67, every 64th sample", FBM6, 67, 64),
    plane("fbm6_grad_2d_256", "fBm with d/dx and d/dz, 6 octaves, 256 x 256", FBM6_GRADIENT, 256, 1),
];

/// The workload called `name`.
///
/// ```
/// let chunk = terrane_bench::workload::find("fbm6_2d_67").expect("listed");
/// assert_eq!(chunk.work.samples(), 67 * 67);
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Workload> {
    WORKLOADS.iter().find(|workload| workload.name == name)
}
