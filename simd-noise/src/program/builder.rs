//! How programs are made: nodes, one after the other, then named outputs.
//!
//! In: parameters, checked at once. Out: a [`Program`]; what depends on operands (bounds, slopes, displacements) is checked
//! when it is built.

use super::Program;
use super::curve::Curve;
use super::error::{ProgramError, number};
use super::graph::{Graph, Node, NodeKind, OutputNode};
use super::leaf::{Falloff, Leaf, NoiseLeaf, RasterLeaf};
use super::ops::{
    Abs, Add, Clamp, CurveOf, Max, Min, Mix, Multiply, Op, Power, Remap, Slope, SmoothMax, SmoothMin,
    Subtract, Terrace,
};
use crate::params::NoiseParams;
use crate::raster::Raster;

/// Most nodes of a builder.
const NODES_MAX: usize = 4096;
/// Deepest nesting of nodes.
const DEPTH_MAX: u32 = 256;
/// Most outputs.
const OUTPUTS_MAX: usize = 256;

/// Collects nodes and makes a [`Program`] of them.
///
/// ```
/// use terrane_noise::{NoiseParams, ProgramBuilder, WarpNoise, WarpOrder};
///
/// let mut builder = ProgramBuilder::new();
/// let ridges = builder.noise(&NoiseParams { seed: 1, frequency: 0.01, ..NoiseParams::default() })?;
/// let sway = |seed| NoiseParams { seed, frequency: 0.004, ..NoiseParams::default() };
/// let by = WarpNoise { x: sway(2), y: None, z: sway(3) };
/// let bent = builder.warp_by_noise(ridges, &by, WarpOrder::Progressive, 40.0)?;
/// let island = builder.falloff([0, 0], 500.0, 900.0)?;
/// let height = builder.multiply(bent, island)?;
/// builder.output_with_slopes("height", height)?;
/// let program = builder.build()?;
/// assert_eq!(program.at(0, 5000.into(), 0.into()), 0.0);
/// # Ok::<(), terrane_noise::ProgramError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProgramBuilder {
    graph: Graph,
    depths: Vec<u32>,
}

/// Fields that move positions along x, z and, if there is one, y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpBy {
    /// Along x.
    pub x: Node,
    /// Along y (up): counts for three-dimensional noise.
    pub y: Option<Node>,
    /// Along z.
    pub z: Node,
}

/// Noise that moves positions along x, z and, if there is one, y.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpNoise {
    /// Along x.
    pub x: NoiseParams,
    /// Along y (up): counts for three-dimensional noise.
    pub y: Option<NoiseParams>,
    /// Along z.
    pub z: NoiseParams,
}

/// How the octaves of a warp follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpOrder {
    /// All octaves are evaluated at the same position, and move together: a warp by two plain fields.
    Independent,
    /// Each octave is evaluated where those before it have moved the position: finer swirls follow coarser ones.
    Progressive,
}

impl ProgramBuilder {
    /// No nodes yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A noise: -1..=1.
    ///
    /// # Errors
    /// When the parameters make none.
    pub fn noise(&mut self, params: &NoiseParams) -> Result<Node, ProgramError> {
        self.leaf(Leaf::Noise(Box::new(NoiseLeaf::new(params)?)))
    }

    /// The same number everywhere, -1e30 ..= 1e30.
    ///
    /// # Errors
    /// When it is not a number or too large.
    pub fn constant(&mut self, value: f64) -> Result<Node, ProgramError> {
        let value = number("constant", "value", value, -1e30..=1e30, "from -1e30 to 1e30")?;
        self.node(NodeKind::Constant(value as f32), 0)
    }

    /// 1 within `inner` samples of `center` (x, z), 0 beyond `outer`, a smoothstep between. The same at every y.
    ///
    /// # Errors
    /// When a radius is none, negative, above 2^30, or they are less than 1/65536 of a sample apart.
    pub fn falloff(&mut self, center: [i64; 2], inner: f64, outer: f64) -> Result<Node, ProgramError> {
        self.leaf(Leaf::Falloff(Falloff::new(center, inner, outer)?))
    }

    /// A raster, within [`Raster::bounds`]. The same at every y. The program shares its pixels; equal rasters are one.
    ///
    /// ```
    /// use terrane_noise::{NoiseParams, ProgramBuilder, Raster, RasterParams};
    ///
    /// // Measured heights of 0 to 900 m, 30 samples a pixel, roughened by noise.
    /// let params = RasterParams { pixels_per_sample: [1.0 / 30.0; 2], high: 900.0, ..RasterParams::default() };
    /// let valley = Raster::new([9_000u16, 700, 800, 12_000].into(), 2, 2, &params).expect("valid");
    /// let mut builder = ProgramBuilder::new();
    /// let measured = builder.raster(&valley)?;
    /// let rough = builder.noise(&NoiseParams { frequency: 0.2, ..NoiseParams::default() })?;
    /// let height = builder.add(measured, rough)?;
    /// builder.output("measured", measured)?;
    /// builder.output("height", height)?;
    /// let program = builder.build()?;
    /// assert_eq!(program.at(0, 15.into(), 7.into()), valley.at(15.into(), 7.into()));
    /// # Ok::<(), terrane_noise::ProgramError>(())
    /// ```
    ///
    /// # Errors
    /// When a value or a slope could leave -1e30..1e30.
    pub fn raster(&mut self, raster: &Raster) -> Result<Node, ProgramError> {
        self.leaf(Leaf::Raster(Box::new(RasterLeaf::new(raster)?)))
    }

    /// `a + b`.
    ///
    /// # Errors
    /// When a node is not of this builder, or there are too many. So it is with all that follow.
    pub fn add(&mut self, a: Node, b: Node) -> Result<Node, ProgramError> {
        self.apply(Add, &[a, b])
    }

    /// `a - b`.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn subtract(&mut self, a: Node, b: Node) -> Result<Node, ProgramError> {
        self.apply(Subtract, &[a, b])
    }

    /// `a b`.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn multiply(&mut self, a: Node, b: Node) -> Result<Node, ProgramError> {
        self.apply(Multiply, &[a, b])
    }

    /// The smaller of two.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn min(&mut self, a: Node, b: Node) -> Result<Node, ProgramError> {
        self.apply(Min, &[a, b])
    }

    /// The larger of two.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn max(&mut self, a: Node, b: Node) -> Result<Node, ProgramError> {
        self.apply(Max, &[a, b])
    }

    /// The smaller of two, blended where they are within `k` of one another; by at most k / 4 smaller than both.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when `k` is not above 0.
    pub fn smooth_min(&mut self, a: Node, b: Node, k: f64) -> Result<Node, ProgramError> {
        self.apply(SmoothMin::new(k)?, &[a, b])
    }

    /// The larger of two, blended where they are within `k` of one another; by at most k / 4 larger than both.
    ///
    /// # Errors
    /// As [`smooth_min`](Self::smooth_min).
    pub fn smooth_max(&mut self, a: Node, b: Node, k: f64) -> Result<Node, ProgramError> {
        self.apply(SmoothMax::new(k)?, &[a, b])
    }

    /// `a` where the mask is 0 or less, `b` where it is 1 or more, a straight mix between.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn mix(&mut self, a: Node, b: Node, mask: Node) -> Result<Node, ProgramError> {
        self.apply(Mix, &[a, b, mask])
    }

    /// A value through a curve.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn curve(&mut self, a: Node, curve: &Curve) -> Result<Node, ProgramError> {
        self.apply(CurveOf::new(curve), &[a])
    }

    /// Terraces, `steps` of them a unit of the value: level treads and steep risers at sharpness 1, unchanged at 0.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when `steps` is not above 0 or `sharpness` not in 0..=1.
    pub fn terrace(&mut self, a: Node, steps: f64, sharpness: f64) -> Result<Node, ProgramError> {
        self.apply(Terrace::new(steps, sharpness)?, &[a])
    }

    /// The straight line that takes `from[0]` to `to[0]` and `from[1]` to `to[1]`, beyond them too.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when `from` is empty or a number is none.
    pub fn remap(&mut self, a: Node, from: [f64; 2], to: [f64; 2]) -> Result<Node, ProgramError> {
        self.apply(Remap::new(from, to)?, &[a])
    }

    /// A value held within `low ..= high`.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when the ends are not in order.
    pub fn clamp(&mut self, a: Node, low: f64, high: f64) -> Result<Node, ProgramError> {
        self.apply(Clamp::new(low, high)?, &[a])
    }

    /// A value without its sign.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn abs(&mut self, a: Node) -> Result<Node, ProgramError> {
        self.apply(Abs, &[a])
    }

    /// A value to the power of 1 ..= 8.
    ///
    /// # Errors
    /// As [`add`](Self::add), and for other exponents.
    pub fn power(&mut self, a: Node, exponent: u32) -> Result<Node, ProgramError> {
        self.apply(Power::new(exponent)?, &[a])
    }

    /// How steep a field of metres is, in metres a metre, with samples `sample_spacing_m` apart: the length of its
    /// horizontal slope.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when the spacing is not above 0. When built: an error if the field is made of what has
    /// no slopes.
    pub fn slope(&mut self, of: Node, sample_spacing_m: f64) -> Result<Node, ProgramError> {
        let op = Op::from(Slope::new(sample_spacing_m)?);
        let depth = self.depth("slope", &[of])?;
        self.node(NodeKind::OfSlopes { op, of }, depth)
    }

    /// `source` at positions moved by fields times `strength` samples. Inner warps add to outer ones: their fields are
    /// evaluated where the outer ones have moved the position.
    ///
    /// # Errors
    /// As [`add`](Self::add), and when the strength is none or above 2^32. When built: an error if an octave could be
    /// moved by more than 65536 of its cells, or a raster by more than 65536 of its pixels.
    pub fn warp(&mut self, source: Node, by: WarpBy, strength: f64) -> Result<Node, ProgramError> {
        let right = -4_294_967_296.0..=4_294_967_296.0;
        let strength = number("warp", "strength", strength, right, "from -2^32 to 2^32 samples")?;
        let depth = self.depth("warp", &[source, by.x, by.y.unwrap_or(by.x), by.z])?;
        let by = [Some(by.x), by.y, Some(by.z)];
        self.node(NodeKind::Warp { source, by, strength: strength as f32 }, depth)
    }

    /// `source` at positions moved by noise times `strength` samples.
    ///
    /// # Errors
    /// As [`warp`](Self::warp), and when the noises of a progressive warp differ in their number of octaves or are
    /// weighted.
    pub fn warp_by_noise(
        &mut self,
        source: Node,
        by: &WarpNoise,
        order: WarpOrder,
        strength: f64,
    ) -> Result<Node, ProgramError> {
        if order == WarpOrder::Independent {
            let (x, z) = (self.noise(&by.x)?, self.noise(&by.z)?);
            let y = by.y.as_ref().map(|y| self.noise(y)).transpose()?;
            return self.warp(source, WarpBy { x, y, z }, strength);
        }
        let octaves = by.x.fractal.octaves;
        for other in by.y.iter().chain([&by.z]) {
            if other.fractal.octaves != octaves {
                let (operation, name, value) =
                    ("progressive warp", "octaves", f64::from(other.fractal.octaves));
                return Err(ProgramError::Value {
                    operation,
                    name,
                    value,
                    expected: "the same along all axes",
                });
            }
        }
        // Checks the number of octaves too.
        NoiseLeaf::new(&by.x)?;
        // The outermost warp is that of octave 0; the fields of octave k are evaluated under those before it.
        let mut node = source;
        for k in (0..octaves).rev() {
            let (x, z) = (self.octave(&by.x, k)?, self.octave(&by.z, k)?);
            let y = by.y.as_ref().map(|y| self.octave(y, k)).transpose()?;
            node = self.warp(node, WarpBy { x, y, z }, strength)?;
        }
        Ok(node)
    }

    /// Octave `k` of a noise, alone.
    fn octave(&mut self, params: &NoiseParams, k: u32) -> Result<Node, ProgramError> {
        self.leaf(Leaf::Noise(Box::new(NoiseLeaf::octave(params, k)?)))
    }

    /// Names a field that the program gives.
    ///
    /// # Errors
    /// When the node is not of this builder, the name is empty or taken, or there are 256 outputs.
    pub fn output(&mut self, name: &str, node: Node) -> Result<(), ProgramError> {
        self.add_output(name, node, false)
    }

    /// Names a field that the program gives, with its slopes where they are asked for.
    ///
    /// # Errors
    /// As [`output`](Self::output). When built: an error if the field is made of what has no slopes.
    pub fn output_with_slopes(&mut self, name: &str, node: Node) -> Result<(), ProgramError> {
        self.add_output(name, node, true)
    }

    fn add_output(&mut self, name: &str, node: Node, slopes: bool) -> Result<(), ProgramError> {
        self.depth("output", &[node])?;
        let outputs = &mut self.graph.outputs;
        if name.is_empty() || outputs.iter().any(|output| output.name == name) {
            return Err(ProgramError::Name { name: name.to_owned() });
        }
        if outputs.len() == OUTPUTS_MAX {
            return Err(ProgramError::Outputs);
        }
        outputs.push(OutputNode { name: name.to_owned(), node, slopes });
        Ok(())
    }

    /// Compiles the outputs. Allocates.
    ///
    /// # Errors
    /// When there is no output; a value could leave -1e30..1e30; slopes are asked of what has none; a warp could move an
    /// octave by more than 65536 of its cells or a raster by more than 65536 of its pixels; or the program is too large.
    pub fn build(&self) -> Result<Program, ProgramError> {
        if self.graph.outputs.is_empty() {
            return Err(ProgramError::Outputs);
        }
        Program::compile(&self.graph)
    }

    fn apply(&mut self, op: impl Into<Op>, from: &[Node]) -> Result<Node, ProgramError> {
        let op = op.into();
        let depth = self.depth(op.info().name, from)?;
        debug_assert_eq!(op.info().operands, from.len());
        self.node(NodeKind::Apply { op, from: from.to_vec() }, depth)
    }

    /// How deep a node with these operands is nested.
    fn depth(&self, operation: &'static str, from: &[Node]) -> Result<u32, ProgramError> {
        let count = self.graph.nodes.len();
        let mut deepest = 0;
        for node in from {
            let Some(depth) = self.depths.get(node.index()) else {
                return Err(ProgramError::Unknown { operation, node: node.index(), count });
            };
            deepest = deepest.max(*depth + 1);
        }
        Ok(deepest)
    }

    fn leaf(&mut self, leaf: Leaf) -> Result<Node, ProgramError> {
        let leaves = &mut self.graph.leaves;
        let index = leaves.iter().position(|known| *known == leaf).unwrap_or_else(|| {
            leaves.push(leaf);
            leaves.len() - 1
        });
        self.node(NodeKind::Leaf(index as u16), 0)
    }

    fn node(&mut self, kind: NodeKind, depth: u32) -> Result<Node, ProgramError> {
        let count = self.graph.nodes.len();
        if count == NODES_MAX {
            let instead = "Use nodes again instead of making equal ones";
            return Err(ProgramError::TooLarge {
                what: "nodes",
                count: count + 1,
                limit: NODES_MAX,
                instead,
            });
        }
        if depth > DEPTH_MAX {
            let (count, limit) = (depth as usize, DEPTH_MAX as usize);
            let instead = "Combine long chains two by two";
            return Err(ProgramError::TooLarge { what: "nodes within one another", count, limit, instead });
        }
        self.graph.nodes.push(kind);
        self.depths.push(depth);
        Ok(Node(count as u32))
    }
}
