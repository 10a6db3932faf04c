//! Which samples a tile covers.

/// A rectangle of samples: `(x + i * stride, z + j * stride)` for `i < width`, `j < height`.
///
/// Row 0 has the smallest z, rows run along x. A level of detail `l` has stride 2^l, so its samples are samples of
/// the full resolution and get the same bits.
///
/// ```
/// use terrane_noise::Grid;
/// let chunk = Grid { x: -64, z: 128, width: 65, height: 65, stride: 1 };
/// assert_eq!(chunk.samples(), 65 * 65);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Index of the first column, in samples of the full resolution.
    pub x: i64,
    /// Index of the first row, in samples of the full resolution.
    pub z: i64,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Distance of neighbours in samples of the full resolution; at least 1.
    pub stride: u32,
}

impl Grid {
    /// How many samples the grid has.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.width * self.height
    }
}

/// A box of samples: `depth` grids above one another, the lowest first, each laid out as a [`Grid`] is.
///
/// ```
/// use terrane_noise::{Grid, Volume};
/// let cave = Volume { x: 0, y: -32, z: 0, width: 64, height: 64, depth: 32, stride: 1 };
/// assert_eq!(cave.samples(), 64 * 64 * 32);
/// let plane = Volume::from(Grid { x: 0, z: 0, width: 64, height: 64, stride: 1 });
/// assert_eq!((plane.y, plane.depth), (0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Volume {
    /// Index of the first column, in samples of the full resolution.
    pub x: i64,
    /// Index of the lowest layer.
    pub y: i64,
    /// Index of the first row.
    pub z: i64,
    /// Columns, along x.
    pub width: usize,
    /// Rows, along z.
    pub height: usize,
    /// Layers, along y (up).
    pub depth: usize,
    /// Distance of neighbours in samples of the full resolution, along all axes; at least 1.
    pub stride: u32,
}

impl Volume {
    /// How many samples the volume has.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.width * self.height * self.depth
    }

    /// Panics with numbers when an output of `len` values cannot hold the volume, rows and layers that far apart. An
    /// empty volume fits anything.
    pub(crate) fn check_output(&self, output: &str, len: usize, [row_stride, layer_stride]: [usize; 2]) {
        let Self { width, height, depth, stride, .. } = *self;
        if width == 0 || height == 0 || depth == 0 {
            return;
        }
        assert!(stride > 0, "a grid's stride is at least 1");
        assert!(row_stride >= width, "rows {row_stride} apart cannot hold {width} samples");
        let row_end = (height as u128 - 1) * row_stride as u128 + width as u128;
        assert!(
            depth == 1 || layer_stride as u128 >= row_end,
            "layers {layer_stride} apart cannot hold {height} rows"
        );
        // In u128: in a 32-bit usize a grid of 65536 by 65536 would wrap to nothing.
        let needed = (depth as u128 - 1) * layer_stride as u128 + row_end;
        assert!(len as u128 >= needed, "the grid needs {needed} values, {output} has {len}");
    }
}

impl From<Grid> for Volume {
    fn from(grid: Grid) -> Self {
        let Grid { x, z, width, height, stride } = grid;
        Self { x, y: 0, z, width, height, depth: 1, stride }
    }
}
