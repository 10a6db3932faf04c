//! The memory that kernels work in: made once, passed in, never grown.

use terrane_lanes::Aligned;

/// Lanes of a strip. Strips and bands keep an octave's tables in L1.
pub(crate) const STRIP: usize = 80;
/// Rows of a band.
pub(crate) const BAND: usize = 64;
/// Strips whose columns are prepared at once.
pub(crate) const STRIPS: usize = 8;
/// Octaves of a fractal at most.
pub(crate) const OCTAVES: usize = 16;
/// Lattice rows that a band touches at one cell a sample.
pub(crate) const LATTICE_ROWS: usize = BAND + 2;
/// Lattice columns kept: a strip's 82, and what full vectors read beyond them.
pub(crate) const LATTICE_COLUMNS: usize = 160;

/// One f32 a lane of a strip (or a row of a band).
pub(crate) type Row = Aligned<[f32; STRIP]>;
/// One word a lane of a strip (or a row of a band).
pub(crate) type WordRow = Aligned<[u32; STRIP]>;
/// One gradient part of each lattice column.
pub(crate) type LatticeRow = Aligned<[f32; LATTICE_COLUMNS]>;

/// One octave along one axis: the cell of each sample and what its two lattice lines weigh.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    pub(crate) cell: WordRow,
    pub(crate) p0: Row,
    pub(crate) p1: Row,
    pub(crate) q0: Row,
    pub(crate) q1: Row,
}

impl Axis {
    const EMPTY: Self = Self {
        cell: Aligned([0; STRIP]),
        p0: Aligned([0.0; STRIP]),
        p1: Aligned([0.0; STRIP]),
        q0: Aligned([0.0; STRIP]),
        q1: Aligned([0.0; STRIP]),
    };
}

/// Gradients at the lattice points under a strip and a band.
pub(crate) struct Lattice {
    pub(crate) x: Box<[LatticeRow; LATTICE_ROWS]>,
    pub(crate) z: Box<[LatticeRow; LATTICE_ROWS]>,
}

/// Working memory of one thread, about 450 KiB. Its contents mean nothing between calls.
///
/// ```
/// use terrane_noise::{Fbm, FbmParams, Grid, Scratch, SimdLevel};
///
/// // One scratch serves any noise and any grid, one after the other.
/// let mut scratch = Scratch::new();
/// let mut row = [0.0; 100];
/// for octaves in 1..=4 {
///     let fbm = Fbm::new(&FbmParams { seed: 1, frequency: 0.02, octaves, lacunarity: 2.0, persistence: 0.5 })?;
///     let grid = Grid { x: 0, z: 7, width: 100, height: 1, stride: 1 };
///     fbm.fill(SimdLevel::detect(), &grid, &mut row, 100, &mut scratch);
///     assert_eq!(row[42], fbm.at(42.into(), 7.into()));
/// }
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
pub struct Scratch {
    /// Column axes per strip and octave.
    pub(crate) columns: Box<[[Axis; OCTAVES]; STRIPS]>,
    /// Row axes per octave.
    pub(crate) rows: Box<[Axis; OCTAVES]>,
    pub(crate) lattice: Lattice,
    /// E of each lattice row and lane: the gradient part along x, blended along x.
    pub(crate) along: Box<[Row; LATTICE_ROWS]>,
    /// G of each lattice row and lane: the gradient part along z, blended along x.
    pub(crate) across: Box<[Row; LATTICE_ROWS]>,
    /// The sum of the octaves so far.
    pub(crate) sum: Box<[Row; BAND]>,
}

/// An array on the heap that never stood on the stack.
fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(array) = vec![value; N].into_boxed_slice().try_into() else { unreachable!("N values") };
    array
}

impl Scratch {
    /// Allocates; nothing after it does.
    #[must_use]
    pub fn new() -> Self {
        const ROW: Row = Aligned([0.0; STRIP]);
        const LATTICE_ROW: LatticeRow = Aligned([0.0; LATTICE_COLUMNS]);
        Self {
            columns: boxed([Axis::EMPTY; OCTAVES]),
            rows: boxed(Axis::EMPTY),
            lattice: Lattice { x: boxed(LATTICE_ROW), z: boxed(LATTICE_ROW) },
            along: boxed(ROW),
            across: boxed(ROW),
            sum: boxed(ROW),
        }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}
