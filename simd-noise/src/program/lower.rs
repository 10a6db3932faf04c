//! From nodes to expressions: where each node is evaluated, and the slopes that are asked for.
//!
//! A node under warps is evaluated at a moved position; the same node under other warps is another expression. Slopes are
//! made by the rule of each operation, forwards, and are expressions like any other: what they share with values and with
//! one another is computed once. A slope that is 0 everywhere is the constant 0, and terms with it are left out of sums.

use std::collections::HashMap;

use super::error::ProgramError;
use super::exprs::{Expr, ExprId, Exprs, Position, ZERO};
use super::graph::{Graph, Node, NodeKind};
use super::leaf::LeafSlopes;
use super::ops::{Add, ChainDeep, ChainFlat, Multiply, Op, Subtract};

/// Most pairs of a node and a position.
const PLACES_MAX: usize = 65_536;

/// What is asked of a program: expressions for each output.
pub(crate) struct Lowered<'a> {
    pub(crate) exprs: Exprs<'a>,
    pub(crate) values: Vec<ExprId>,
    /// Along x, y, z, where asked for.
    pub(crate) slopes: Vec<Option<[ExprId; 3]>>,
}

/// Makes the expressions of a graph's outputs.
pub(crate) fn lower(graph: &Graph) -> Result<Lowered<'_>, ProgramError> {
    let mut lowering =
        Lowering { graph, exprs: Exprs::new(&graph.leaves), places: HashMap::new(), slopes: HashMap::new() };
    let (mut values, mut slopes) = (Vec::new(), Vec::new());
    for output in &graph.outputs {
        let value = lowering.node(output.node, None)?;
        values.push(value);
        slopes.push(if output.slopes {
            let asked_by = output.node.index();
            Some([
                lowering.slope(value, 0, asked_by)?,
                lowering.slope(value, 1, asked_by)?,
                lowering.slope(value, 2, asked_by)?,
            ])
        } else {
            None
        });
    }
    Ok(Lowered { exprs: lowering.exprs, values, slopes })
}

struct Lowering<'a> {
    graph: &'a Graph,
    exprs: Exprs<'a>,
    places: HashMap<(Node, Position), ExprId>,
    slopes: HashMap<(ExprId, usize), ExprId>,
}

impl Lowering<'_> {
    /// A node at a position. Recurses as deep as nodes are nested, which the builder limits.
    fn node(&mut self, node: Node, position: Position) -> Result<ExprId, ProgramError> {
        if let Some(id) = self.places.get(&(node, position)) {
            return Ok(*id);
        }
        let (graph, index) = (self.graph, node.index());
        let id = match &graph.nodes[index] {
            NodeKind::Constant(value) => self.exprs.constant(index, *value)?,
            NodeKind::Leaf(leaf) => self.exprs.leaf(index, *leaf, position)?,
            NodeKind::Apply { op, from } => {
                let mut operands = Vec::with_capacity(from.len());
                for from in from {
                    operands.push(self.node(*from, position)?);
                }
                self.exprs.apply(index, op.clone(), operands)?
            }
            NodeKind::OfSlopes { op, of } => {
                let of = self.node(*of, position)?;
                let operands = vec![self.slope(of, 0, index)?, self.slope(of, 2, index)?];
                self.exprs.apply(index, op.clone(), operands)?
            }
            NodeKind::Warp { source, by, strength } => {
                let moved = self.moved(index, *by, *strength, position)?;
                self.node(*source, Some(moved))?
            }
        };
        if self.places.len() == PLACES_MAX {
            let (what, instead) = ("nodes at different positions", "Nest fewer warps");
            return Err(ProgramError::TooLarge { what, count: PLACES_MAX + 1, limit: PLACES_MAX, instead });
        }
        self.places.insert((node, position), id);
        Ok(id)
    }

    /// The displacement under a warp: what there is already, plus the fields there times the strength.
    fn moved(
        &mut self,
        node: usize,
        by: [Option<Node>; 3],
        strength: f32,
        position: Position,
    ) -> Result<[ExprId; 3], ProgramError> {
        let mut total = position.unwrap_or([ZERO; 3]);
        for (by, total) in by.into_iter().zip(&mut total) {
            let Some(by) = by else { continue };
            let field = self.node(by, position)?;
            let strength = self.exprs.constant(node, strength)?;
            let by = self.exprs.apply(node, Multiply.into(), vec![field, strength])?;
            *total =
                if *total == ZERO { by } else { self.exprs.apply(node, Add.into(), vec![*total, by])? };
        }
        Ok(total)
    }

    /// The slope of an expression along an axis. Not recursive: expressions may be far deeper than nodes.
    fn slope(&mut self, of: ExprId, axis: usize, asked_by: usize) -> Result<ExprId, ProgramError> {
        let mut needed = vec![false; usize::from(of.0) + 1];
        needed[usize::from(of.0)] = true;
        for id in (0..=of.0).rev().map(ExprId) {
            if !needed[usize::from(id.0)] || self.known_slope(id, axis).is_some() {
                needed[usize::from(id.0)] = false;
                continue;
            }
            for operand in self.slope_operands(id) {
                needed[usize::from(operand.0)] = true;
            }
        }
        for id in (0..=of.0).map(ExprId) {
            if needed[usize::from(id.0)] {
                let slope = self.slope_of(id, axis, asked_by)?;
                self.slopes.insert((id, axis), slope);
            }
        }
        Ok(self.known_slope(of, axis).expect("made above"))
    }

    /// The expressions whose slopes the slope of `id` is made of. None of what has no slope: it is refused as a whole.
    fn slope_operands(&self, id: ExprId) -> &[ExprId] {
        match &self.exprs.get(id).expr {
            Expr::Apply { op, from, slopes } if op.info().has_slope && slopes.is_empty() => from,
            Expr::Leaf { leaf, position: Some(by) } => {
                let made = self.graph.leaves[usize::from(*leaf)].slopes() == LeafSlopes::Made;
                if made { by } else { &[] }
            }
            _ => &[],
        }
    }

    fn known_slope(&self, id: ExprId, axis: usize) -> Option<ExprId> {
        let entry = self.exprs.get(id);
        let flat = matches!(entry.expr, Expr::Constant(_)) || (axis == 1 && !entry.three);
        if flat { Some(ZERO) } else { self.slopes.get(&(id, axis)).copied() }
    }

    /// The slope of an expression whose operands' slopes are known.
    fn slope_of(&mut self, id: ExprId, axis: usize, asked_by: usize) -> Result<ExprId, ProgramError> {
        let entry = self.exprs.get(id).clone();
        match entry.expr {
            Expr::Constant(_) => Ok(ZERO),
            Expr::Leaf { leaf, position } => self.leaf_slope(id, leaf, position, axis, asked_by),
            Expr::Apply { op, from, slopes } if slopes.is_empty() && op.info().has_slope => {
                let slopes: Vec<_> = from
                    .iter()
                    .map(|from| self.known_slope(*from, axis).expect("operands come first"))
                    .collect();
                self.apply_slope(entry.node, op, from, slopes)
            }
            Expr::Apply { .. } | Expr::LeafSlope { .. } => Err(ProgramError::NoSlopes {
                asked_by,
                what: "slope".to_owned(),
                node: entry.node,
                instead: "a slope has no slope of its own: use it in values only",
            }),
        }
    }

    /// The chain rule, where a leaf is moved.
    fn leaf_slope(
        &mut self,
        id: ExprId,
        leaf: u16,
        position: Position,
        axis: usize,
        asked_by: usize,
    ) -> Result<ExprId, ProgramError> {
        let (graph, node) = (self.graph, self.exprs.get(id).node);
        let leaf = &graph.leaves[usize::from(leaf)];
        match leaf.slopes() {
            LeafSlopes::Zero => return Ok(ZERO),
            LeafSlopes::Made => {}
            LeafSlopes::Missing => {
                let instead = "use a kind that has derivatives";
                return Err(ProgramError::NoSlopes { asked_by, what: leaf.text(), node, instead });
            }
        }
        let own = self.exprs.leaf_slope(node, id, axis)?;
        let Some(by) = position else { return Ok(own) };
        let by = by.map(|by| self.known_slope(by, axis).expect("displacements come first"));
        if by == [ZERO; 3] {
            return Ok(own);
        }
        let gx = self.exprs.leaf_slope(node, id, 0)?;
        let gz = self.exprs.leaf_slope(node, id, 2)?;
        if leaf.three() {
            let gy = self.exprs.leaf_slope(node, id, 1)?;
            return self.exprs.apply(node, ChainDeep.into(), vec![own, gx, by[0], gy, by[1], gz, by[2]]);
        }
        self.exprs.apply(node, ChainFlat.into(), vec![own, gx, by[0], gz, by[2]])
    }

    fn apply_slope(
        &mut self,
        node: usize,
        op: Op,
        from: Vec<ExprId>,
        slopes: Vec<ExprId>,
    ) -> Result<ExprId, ProgramError> {
        if slopes.iter().all(|slope| *slope == ZERO) {
            return Ok(ZERO);
        }
        match &op {
            Op::Add(Add) if slopes[1] == ZERO => return Ok(slopes[0]),
            Op::Add(Add) if slopes[0] == ZERO => return Ok(slopes[1]),
            Op::Subtract(Subtract) if slopes[1] == ZERO => return Ok(slopes[0]),
            Op::Multiply(Multiply) if slopes[1] == ZERO => {
                return self.exprs.apply(node, op, vec![slopes[0], from[1]]);
            }
            Op::Multiply(Multiply) if slopes[0] == ZERO => {
                return self.exprs.apply(node, op, vec![from[0], slopes[1]]);
            }
            _ => {}
        }
        let from = if op.info().linear { vec![ZERO; from.len()] } else { from };
        self.exprs.add(node, Expr::Apply { op, from, slopes })
    }
}
