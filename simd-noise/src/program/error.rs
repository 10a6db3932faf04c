//! Why nodes make no program.

use crate::params::NoiseError;

/// Why nodes make no program. Nodes are numbered from 0 in the order in which they were made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProgramError {
    /// A parameter of an operation is not a number, or out of range.
    #[error("{operation}: {name} is {value}; it must be {expected}")]
    Value {
        /// The operation.
        operation: &'static str,
        /// The parameter.
        name: &'static str,
        /// What it was.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// Parameters that make no noise.
    #[error("noise: {0}")]
    Noise(#[from] NoiseError),
    /// The operands of an operation could make it overflow.
    #[error(
        "{operation} (node {node}) could leave -1e30..1e30, since its operands lie in {operands}; remap or clamp them first"
    )]
    Overflow {
        /// The operation.
        operation: &'static str,
        /// The node.
        node: usize,
        /// The bounds of its operands.
        operands: String,
    },
    /// Something asks for the slopes of what has none.
    #[error("node {asked_by} asks for the slopes of {what} (node {node}), which has none; {instead}")]
    NoSlopes {
        /// The node that needs slopes.
        asked_by: usize,
        /// The operation, and the kind of a noise.
        what: String,
        /// The node that has none.
        node: usize,
        /// What would be right.
        instead: &'static str,
    },
    /// A warp that moves an octave too far.
    #[error(
        "noise (node {node}): a warp could move octave {octave} by {samples} samples along {axis}, which is {cells} cells; it \
         must be at most 65536, so choose a smaller strength"
    )]
    MovedTooFar {
        /// The noise.
        node: usize,
        /// Which octave, from 0.
        octave: u32,
        /// x, y or z.
        axis: char,
        /// How far at most, in samples.
        samples: f64,
        /// The same in cells of that octave.
        cells: f64,
    },
    /// A warp that moves a raster too far.
    #[error(
        "raster (node {node}): a warp could move it by {samples} samples along {axis}, which is {pixels} pixels; it must be \
         at most 65536, so choose a smaller strength"
    )]
    RasterMovedTooFar {
        /// The raster.
        node: usize,
        /// x or z.
        axis: char,
        /// How far at most, in samples.
        samples: f64,
        /// The same in pixels.
        pixels: f64,
    },
    /// A warp that moves positions too far for anything.
    #[error("node {node}: a warp could move it by {samples} samples along {axis}; it must be at most 2^32")]
    Moved {
        /// What is moved.
        node: usize,
        /// x, y or z.
        axis: char,
        /// How far at most.
        samples: f64,
    },
    /// A node of another builder.
    #[error("{operation}: node {node} is not one of this builder, which has {count}")]
    Unknown {
        /// The operation that it was given to.
        operation: &'static str,
        /// The node.
        node: usize,
        /// How many nodes there are.
        count: usize,
    },
    /// An output's name that is empty or taken.
    #[error("output {name:?}: a name must not be empty and must not be there already")]
    Name {
        /// The name.
        name: String,
    },
    /// No output was named.
    #[error("a program needs at least one output, and at most 256")]
    Outputs,
    /// Too much of something.
    #[error("{what}: {count}; a program has at most {limit}. {instead}")]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How much there is.
        count: usize,
        /// How much there may be.
        limit: usize,
        /// What would be right.
        instead: &'static str,
    },
}

impl ProgramError {
    /// The number of the node that is wrong, where it is one.
    #[must_use]
    pub fn node(&self) -> Option<usize> {
        match self {
            Self::Overflow { node, .. }
            | Self::NoSlopes { node, .. }
            | Self::MovedTooFar { node, .. }
            | Self::RasterMovedTooFar { node, .. }
            | Self::Moved { node, .. }
            | Self::Unknown { node, .. } => Some(*node),
            Self::Value { .. }
            | Self::Noise(_)
            | Self::Name { .. }
            | Self::Outputs
            | Self::TooLarge { .. } => None,
        }
    }
}

/// A finite f64 that rule `right` accepts, or an error that names it.
pub(crate) fn number(
    operation: &'static str,
    name: &'static str,
    value: f64,
    right: std::ops::RangeInclusive<f64>,
    expected: &'static str,
) -> Result<f64, ProgramError> {
    if right.contains(&value) {
        // Adding 0 makes -0 to 0, so that equal parameters have equal bits.
        Ok(value + 0.0)
    } else {
        Err(ProgramError::Value { operation, name, value, expected })
    }
}
