//! What is to be computed: values at positions, each of them once.
//!
//! In: constants, leaves and operations. Out: numbers for them, equal ones for what is equal in structure and position, and
//! their bounds. Operands have smaller numbers than what is made of them.
//!
//! Deliberately not here: what a node means (`lower.rs`), in which order and registers it runs (`tape.rs`).

use super::error::ProgramError;
use super::interval::Interval;
use super::leaf::{Leaf, LeafSlopes};
use super::ops::Op;

/// Most expressions of a program, all of its outputs and slopes together.
pub(crate) const EXPRS_MAX: usize = 8192;
/// No position is moved by more samples.
const MOVE_MAX: f64 = 4_294_967_296.0;

/// The number of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ExprId(pub(crate) u16);

/// 0 everywhere: the slope of what does not vary, the displacement of what is not moved.
pub(crate) const ZERO: ExprId = ExprId(0);

/// Displacement along x, y, z in samples; none where positions are the samples' own.
pub(crate) type Position = Option<[ExprId; 3]>;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    Constant(f32),
    /// A leaf's value at some position.
    Leaf {
        leaf: u16,
        position: Position,
    },
    /// Slope of the leaf `of` along an axis, with respect to the moved position.
    LeafSlope {
        of: ExprId,
        axis: u8,
    },
    /// An operation; with slopes of its operands, its own slope along their axis.
    /// Operands first: comparisons end there where they differ, before they come to the tables of curves.
    Apply {
        from: Vec<ExprId>,
        slopes: Vec<ExprId>,
        op: Op,
    },
}

/// An expression and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) expr: Expr,
    pub(crate) interval: Interval,
    /// It varies along y.
    pub(crate) three: bool,
    /// The node that asked for it first.
    pub(crate) node: usize,
}

/// All expressions of a program.
#[derive(Clone, Debug)]
pub(crate) struct Exprs<'a> {
    pub(crate) entries: Vec<Entry>,
    pub(crate) leaves: &'a [Leaf],
}

impl<'a> Exprs<'a> {
    pub(crate) fn new(leaves: &'a [Leaf]) -> Self {
        let zero = Entry { expr: Expr::Constant(0.0), interval: Interval::point(0.0), three: false, node: 0 };
        Self { entries: vec![zero], leaves }
    }

    pub(crate) fn get(&self, id: ExprId) -> &Entry {
        &self.entries[usize::from(id.0)]
    }

    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        (0..self.entries.len() as u16).map(ExprId)
    }

    pub(crate) fn constant(&mut self, node: usize, value: f32) -> Result<ExprId, ProgramError> {
        self.add(node, Expr::Constant(value))
    }

    /// A leaf at a position. Its own displacement along y counts only where it varies along y.
    pub(crate) fn leaf(
        &mut self,
        node: usize,
        leaf: u16,
        position: Position,
    ) -> Result<ExprId, ProgramError> {
        let three = self.leaves[usize::from(leaf)].three();
        let position = position.map(|[x, y, z]| [x, if three { y } else { ZERO }, z]);
        self.add(node, Expr::Leaf { leaf, position: position.filter(|by| *by != [ZERO; 3]) })
    }

    /// Slope of a leaf along an axis, with respect to the moved position.
    pub(crate) fn leaf_slope(
        &mut self,
        node: usize,
        of: ExprId,
        axis: usize,
    ) -> Result<ExprId, ProgramError> {
        let Expr::Leaf { leaf, .. } = self.get(of).expr else { unreachable!("slopes of a leaf") };
        let leaf = &self.leaves[usize::from(leaf)];
        if leaf.slopes() == LeafSlopes::Zero || (axis == 1 && !leaf.three()) {
            return Ok(ZERO);
        }
        self.add(node, Expr::LeafSlope { of, axis: axis as u8 })
    }

    pub(crate) fn apply(&mut self, node: usize, op: Op, from: Vec<ExprId>) -> Result<ExprId, ProgramError> {
        self.add(node, Expr::Apply { op, from, slopes: Vec::new() })
    }

    /// The expression, or the equal one that is there already.
    pub(crate) fn add(&mut self, node: usize, expr: Expr) -> Result<ExprId, ProgramError> {
        if let Some(id) = self.entries.iter().position(|entry| entry.expr == expr) {
            return Ok(ExprId(id as u16));
        }
        let count = self.entries.len();
        if count == EXPRS_MAX {
            let (what, instead) =
                ("values and slopes to compute", "Ask for fewer slopes, or nest fewer warps");
            return Err(ProgramError::TooLarge { what, count: count + 1, limit: EXPRS_MAX, instead });
        }
        let interval = self.interval(node, &expr)?;
        let three = self.varies_along_y(&expr);
        self.entries.push(Entry { expr, interval, three, node });
        Ok(ExprId(count as u16))
    }

    fn intervals(&self, ids: &[ExprId]) -> Vec<Interval> {
        ids.iter().map(|id| self.get(*id).interval).collect()
    }

    fn interval(&self, node: usize, expr: &Expr) -> Result<Interval, ProgramError> {
        match expr {
            Expr::Constant(value) => Ok(Interval::point(*value)),
            Expr::Leaf { leaf, position } => {
                let leaf = &self.leaves[usize::from(*leaf)];
                if let Some(position) = position {
                    let by = position.map(|by| self.get(by).interval);
                    for (by, axis) in by.iter().zip(['x', 'y', 'z']) {
                        if by.size() > MOVE_MAX {
                            return Err(ProgramError::Moved { node, axis, samples: by.size() });
                        }
                    }
                    leaf.check_move(node, by)?;
                }
                Ok(leaf.interval())
            }
            Expr::LeafSlope { of, axis } => {
                let Expr::Leaf { leaf, .. } = self.get(*of).expr else { unreachable!("slopes of a leaf") };
                Ok(self.leaves[usize::from(leaf)].slope_interval(usize::from(*axis)))
            }
            Expr::Apply { op, from, slopes } => {
                let interval = op.bounds(&self.intervals(from), &self.intervals(slopes));
                if interval.is_possible() {
                    return Ok(interval);
                }
                let operation = op.info().name;
                Err(ProgramError::Overflow { operation, node, operands: self.operand_text(from, slopes) })
            }
        }
    }

    fn operand_text(&self, from: &[ExprId], slopes: &[ExprId]) -> String {
        let list = |ids: &[ExprId]| {
            let texts = ids.iter().map(|id| {
                let Interval { low, high } = self.get(*id).interval;
                format!("{low:?}..{high:?}")
            });
            texts.collect::<Vec<_>>().join(", ")
        };
        if slopes.is_empty() {
            list(from)
        } else {
            format!("{} and their slopes in {}", list(from), list(slopes))
        }
    }

    fn varies_along_y(&self, expr: &Expr) -> bool {
        let any = |ids: &[ExprId]| ids.iter().any(|id| self.get(*id).three);
        match expr {
            Expr::Constant(_) => false,
            Expr::Leaf { leaf, position } => {
                self.leaves[usize::from(*leaf)].three() || position.is_some_and(|by| any(&by))
            }
            Expr::LeafSlope { of, .. } => self.get(*of).three,
            Expr::Apply { from, slopes, .. } => any(from) || any(slopes),
        }
    }
}
