//! What a builder holds: nodes as they were asked for, without positions, registers or order.

use super::leaf::Leaf;
use super::ops::Op;

/// A node of a [`ProgramBuilder`](crate::ProgramBuilder): a field that varies over the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub(crate) u32);

impl Node {
    /// Its number: nodes count from 0 in the order in which they were made. Errors name it.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is. Operands always come before it.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Constant(f32),
    /// Which of the graph's leaves.
    Leaf(u16),
    Apply {
        op: Op,
        from: Vec<Node>,
    },
    /// An operation on the slopes of a node along x and z.
    OfSlopes {
        op: Op,
        of: Node,
    },
    /// A node at positions moved by others (x, y, z) times a strength in samples.
    Warp {
        source: Node,
        by: [Option<Node>; 3],
        strength: f32,
    },
}

/// A field that a program gives.
#[derive(Clone, Debug)]
pub(crate) struct OutputNode {
    pub(crate) name: String,
    pub(crate) node: Node,
    pub(crate) slopes: bool,
}

/// All that was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<NodeKind>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) outputs: Vec<OutputNode>,
}
