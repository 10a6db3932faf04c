//! Programs: fields made of noise, rasters and one another, evaluated block by block.
//!
//! In: nodes of a [`ProgramBuilder`]. Out: a [`Program`] that fills grids, volumes and points with named outputs.
//! The way there: `graph` (what was asked for) -> `lower` (where each node is evaluated, and slopes) -> `exprs` (each value
//! once, with its bounds) -> `tape` (instructions and registers) -> `run`, by `fill` over blocks or by `point` at one
//! position. What is evaluated at positions is a `leaf`, what is made of values an operation of `ops`.
//!
//! docs/PROGRAMS.md defines every operation to the bit. Deliberately not here: metres, world files, chunks.

mod builder;
mod curve;
mod describe;
mod deviation;
mod error;
mod exprs;
mod fill;
mod graph;
mod interval;
mod leaf;
mod lower;
mod ops;
mod point;
mod run;
mod tape;

pub use builder::{ProgramBuilder, WarpBy, WarpNoise, WarpOrder};
pub use curve::{CURVE_INTERVALS, CURVE_KEYS_MAX, Curve, CurveKey};
pub use deviation::Deviation;
pub use error::ProgramError;
pub use graph::Node;
pub use interval::Bounds;
pub(crate) use run::LeafMemory;

use exprs::{Entry, ExprId};
use graph::Graph;
use leaf::Leaf;
use lower::Lowered;
use tape::Tape;

/// Named fields, compiled: a flat list of operations over blocks.
///
/// ```
/// use terrane_noise::{Fractal, Grid, NoiseParams, ProgramBuilder, Scratch, SimdLevel};
///
/// let mut builder = ProgramBuilder::new();
/// let fractal = Fractal { octaves: 5, ..Fractal::default() };
/// let hills = builder.noise(&NoiseParams { seed: 1, frequency: 1.0 / 200.0, fractal, ..NoiseParams::default() })?;
/// let plains = builder.noise(&NoiseParams { seed: 2, frequency: 1.0 / 900.0, ..NoiseParams::default() })?;
/// let low = builder.constant(-0.4)?;
/// let ground = builder.mix(low, hills, plains)?;
/// let steepness = builder.slope(ground, 1.0)?;
/// builder.output("height", ground)?;
/// builder.output("steepness", steepness)?;
/// let program = builder.build()?;
///
/// let grid = Grid { x: -64, z: 1_000_000_000_000, width: 65, height: 65, stride: 1 };
/// let (mut height, mut steepness) = (vec![0.0; 65 * 65], vec![0.0; 65 * 65]);
/// let mut outs = [&mut height[..], &mut steepness[..]];
/// program.fill(SimdLevel::detect(), &grid, &mut outs, 65, &mut Scratch::new());
/// let output = program.output("height").unwrap();
/// assert!(height.iter().all(|v| program.bounds(output).contains(*v)));
/// assert_eq!(height[0], program.at(output, (-64).into(), 1_000_000_000_000.into()));
/// # Ok::<(), terrane_noise::ProgramError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    leaves: Vec<Leaf>,
    outputs: Vec<Output>,
    /// All outputs; none where they need too many registers at once.
    values: Option<Tape>,
    /// Something varies along y.
    three: bool,
    listing: String,
    /// What was computed with, for [`Program::deviation`].
    entries: Vec<Entry>,
}

/// One output.
#[derive(Clone, Debug)]
struct Output {
    name: String,
    value: ExprId,
    bounds: Bounds,
    slope_bounds: Option<[Bounds; 3]>,
    /// Its value alone.
    tape: Tape,
    /// Value and slopes, to outputs 0, 1, 2, 3.
    gradient: Option<Tape>,
}

impl Program {
    /// Compiles a graph whose nodes are checked.
    fn compile(graph: &Graph) -> Result<Self, ProgramError> {
        let lowered = lower::lower(graph)?;
        let Lowered { exprs, values, slopes } = &lowered;
        let roots: Vec<_> = values.iter().enumerate().map(|(i, value)| (*value, i as u16)).collect();
        let three = values.iter().any(|value| exprs.get(*value).three);
        let mut outputs = Vec::new();
        for ((node, value), slopes) in graph.outputs.iter().zip(values).zip(slopes) {
            let gradient = slopes.map(|[x, y, z]| {
                let mut roots = vec![(*value, 0), (x, 1), (z, 3)];
                if three {
                    roots.push((y, 2));
                }
                Tape::new(exprs, &roots)
            });
            outputs.push(Output {
                name: node.name.clone(),
                value: *value,
                bounds: exprs.get(*value).interval,
                slope_bounds: slopes.map(|slopes| slopes.map(|slope| exprs.get(slope).interval)),
                tape: Tape::new(exprs, &[(*value, 0)])?,
                gradient: gradient.transpose()?,
            });
        }
        let names: Vec<_> = graph.outputs.iter().map(|output| output.name.as_str()).collect();
        // Each output alone has a tape already; what they share is then computed for each.
        let values = Tape::new(exprs, &roots).ok();
        let listing = match &values {
            Some(values) => describe::listing(values, exprs, &names),
            None => {
                (0..outputs.len()).map(|i| describe::listing(&outputs[i].tape, exprs, &names[i..])).collect()
            }
        };
        let entries = lowered.exprs.entries;
        Ok(Self { leaves: graph.leaves.clone(), outputs, values, three, listing, entries })
    }

    /// The outputs' names, in order.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &str> {
        self.outputs.iter().map(|output| output.name.as_str())
    }

    /// The number of the output of that name.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|output| output.name == name)
    }

    /// Guaranteed bounds of an output, f32 rounding included.
    ///
    /// # Panics
    /// When there is no such output.
    #[must_use]
    pub fn bounds(&self, output: usize) -> Bounds {
        self.outputs[output].bounds
    }

    /// Guaranteed bounds of an output's slopes a sample along x, y, z; none where it was made without.
    ///
    /// # Panics
    /// When there is no such output.
    #[must_use]
    pub fn slope_bounds(&self, output: usize) -> Option<[Bounds; 3]> {
        self.outputs[output].slope_bounds
    }

    /// How far an output can be from a coarse triangulation of it, anywhere: that of every `stride`-th sample along x
    /// and z at y 0, whose cells are cut from (x0, z1) to (x1, z0) or the other way. Guaranteed, f32 rounding
    /// included, from the program alone: nothing is sampled. Costs about a microsecond an instruction, and the first
    /// time some nanoseconds for each pixel of its rasters; allocates.
    ///
    /// # Panics
    /// When there is no such output.
    ///
    /// ```
    /// use terrane_noise::{NoiseParams, ProgramBuilder};
    /// let mut builder = ProgramBuilder::new();
    /// let noise = builder.noise(&NoiseParams { frequency: 0.01, ..NoiseParams::default() })?;
    /// let metres = builder.remap(noise, [-1.0, 1.0], [0.0, 300.0])?;
    /// builder.output("height", metres)?;
    /// let program = builder.build()?;
    /// let bound = program.deviation(0, 4).bend;
    /// let height = |x: i64| f64::from(program.at(0, x.into(), 0.into()));
    /// let middle = (height(-2) + height(2)) / 2.0;
    /// assert!((height(0) - middle).abs() <= bound && bound < 1.6);
    /// # Ok::<(), terrane_noise::ProgramError>(())
    /// ```
    #[must_use]
    pub fn deviation(&self, output: usize, stride: u32) -> Deviation {
        deviation::deviation(&self.entries, &self.leaves, self.outputs[output].value, stride)
    }

    /// True where an output varies along y.
    #[must_use]
    pub fn varies_along_y(&self) -> bool {
        self.three
    }

    /// The instructions that give all outputs, one a line, with registers, parameters and bounds.
    ///
    /// ```
    /// use terrane_noise::{NoiseParams, ProgramBuilder};
    /// let mut builder = ProgramBuilder::new();
    /// let noise = builder.noise(&NoiseParams { frequency: 0.02, ..NoiseParams::default() })?;
    /// let above = builder.abs(noise)?;
    /// builder.output("above", above)?;
    /// assert_eq!(builder.build()?.describe(), "\
    /// r0 = noise perlin, 0.02 cells a sample, seed 0  [-1, 1]
    /// r1 = abs r0  [0, 1]
    /// \"above\" = r1
    /// ");
    /// # Ok::<(), terrane_noise::ProgramError>(())
    /// ```
    #[must_use]
    pub fn describe(&self) -> &str {
        &self.listing
    }

    /// How many instructions give all outputs, without those that copy to them: what is shared counts once, unless all
    /// outputs together would need more than 64 registers, so that each is computed alone.
    #[must_use]
    pub fn instruction_count(&self) -> usize {
        let count = |tape: &Tape| {
            tape.instructions.iter().filter(|i| !matches!(i.step, tape::Step::Copy { .. })).count()
        };
        self.tapes().map(|(tape, _)| count(tape)).sum()
    }

    /// Registers that give all outputs; each is a block of at most 80 by 64 values.
    #[must_use]
    pub fn register_count(&self) -> usize {
        self.tapes().map(|(tape, _)| tape.registers).max().unwrap_or(0)
    }

    /// What gives all outputs: one tape, or one an output; with the outputs it gives.
    fn tapes(&self) -> impl Iterator<Item = (&Tape, std::ops::Range<usize>)> {
        let count = self.outputs.len();
        let all = self.values.iter().map(move |tape| (tape, 0..count));
        let alone = self.outputs.iter().enumerate().map(|(i, output)| (&output.tape, i..i + 1));
        all.chain(alone).take(if self.values.is_some() { 1 } else { count })
    }

    fn gradient_tape(&self, output: usize) -> &Tape {
        let of = &self.outputs[output];
        let Some(tape) = &of.gradient else { panic!("output {:?} was made without slopes", of.name) };
        tape
    }
}
