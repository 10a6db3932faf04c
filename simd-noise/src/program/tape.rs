//! From expressions to a tape: instructions in order, and the registers they read and write.
//!
//! In: the expressions that are wanted. Out: a flat list in which each of them is computed once, in as few registers as a
//! greedy order needs: of an operation's operands the one that needs most registers comes first (R. Sethi and J. D.
//! Ullman, 1970). The order decides no bit. A register is free again after its last reader.
//!
//! Deliberately not here: running it (`run.rs`).

use terrane_lanes::Aligned;

use super::error::ProgramError;
use super::exprs::{Expr, ExprId, Exprs};
use super::leaf::Leaf;
use super::ops::{OPERANDS_MAX, Op};
use crate::scratch::{Row, STRIP};

/// Most registers: a point's are on the stack.
pub(crate) const REGISTERS_MAX: usize = 64;

/// Where an operand is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Register(u8),
    /// One of the tape's constants.
    Uniform(u16),
}

/// A list of operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operands {
    all: [Operand; OPERANDS_MAX],
    count: usize,
}

impl Operands {
    pub(crate) fn as_slice(&self) -> &[Operand] {
        &self.all[..self.count]
    }
}

/// A leaf: which, its tables and registers.
#[derive(Clone, Debug)]
pub(crate) struct LeafCall {
    pub(crate) leaf: usize,
    /// The first of its tables, one an octave.
    pub(crate) first_octave: usize,
    /// Registers of the displacement along x, y, z. That along y is not read where the leaf does not vary along y.
    pub(crate) by: Option<[u8; 3]>,
    /// Registers of the value and of the slopes along x, y, z; none where there is no such slope.
    pub(crate) to: [Option<u8>; 4],
    /// Outputs that values and slopes go straight to: all of them or none. Their registers then hold anything.
    pub(crate) out: [Option<u16>; 4],
    pub(crate) slopes: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Leaf(LeafCall),
    /// A constant in all rows of a register.
    Spread {
        value: f32,
        to: u8,
    },
    Apply {
        op: Op,
        from: Operands,
        slopes: Operands,
        to: u8,
    },
    Copy {
        from: Operand,
        output: u16,
    },
}

/// One step and the expression it makes.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) step: Step,
    pub(crate) expr: ExprId,
}

/// What runs over a block.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) registers: usize,
    /// Rows of constants.
    pub(crate) uniforms: Vec<Row>,
    /// Some leaf needs memory aside.
    pub(crate) aside: bool,
}

impl Tape {
    /// Compiles what makes `roots`: expressions and the outputs they go to.
    pub(crate) fn new(exprs: &Exprs<'_>, roots: &[(ExprId, u16)]) -> Result<Self, ProgramError> {
        let plan = Plan::new(exprs, roots);
        let order = plan.order(roots);
        Allocation::new(&plan, &order).run(&order)
    }

    /// The leaves that it calls.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &LeafCall> {
        self.instructions.iter().filter_map(|instruction| match &instruction.step {
            Step::Leaf(leaf) => Some(leaf),
            _ => None,
        })
    }
}

/// A value that an instruction makes: part 0 of it, or a leaf's slope along x, y, z: 1, 2, 3.
type Part = (ExprId, usize);

/// Which instructions there are and what each of their parts is for.
struct Plan<'a> {
    exprs: &'a Exprs<'a>,
    /// Per instruction (the expression of its value) the parts that somebody reads.
    readers: Vec<[usize; 4]>,
    outputs: Vec<(Part, u16)>,
    reached: Vec<bool>,
}

impl<'a> Plan<'a> {
    fn new(exprs: &'a Exprs<'a>, roots: &[(ExprId, u16)]) -> Self {
        let count = exprs.entries.len();
        let (readers, reached) = (vec![[0; 4]; count], vec![false; count]);
        let mut plan = Self { exprs, readers, outputs: Vec::new(), reached };
        for (root, output) in roots {
            let part = plan.part(*root);
            plan.reached[usize::from(part.0.0)] = true;
            plan.readers[usize::from(part.0.0)][part.1] += 1;
            plan.outputs.push((part, *output));
        }
        for id in exprs.ids().rev() {
            if plan.reached[usize::from(id.0)] {
                for (unit, part) in plan.reads(id) {
                    plan.reached[usize::from(unit.0)] = true;
                    plan.readers[usize::from(unit.0)][part] += 1;
                }
            }
        }
        plan
    }

    /// Where an expression is made.
    fn part(&self, id: ExprId) -> Part {
        match self.exprs.get(id).expr {
            Expr::LeafSlope { of, axis } => (of, 1 + usize::from(axis)),
            _ => (id, 0),
        }
    }

    fn leaf(&self, id: ExprId) -> Option<&'a Leaf> {
        match self.exprs.get(id).expr {
            Expr::Leaf { leaf, .. } => Some(&self.exprs.leaves[usize::from(leaf)]),
            _ => None,
        }
    }

    /// What an instruction reads from registers. Displacements are whole blocks, constants too.
    fn reads(&self, id: ExprId) -> Vec<Part> {
        match &self.exprs.get(id).expr {
            Expr::Leaf { position: Some([x, y, z]), .. } => {
                let three = self.leaf(id).is_some_and(Leaf::three);
                let by = if three { vec![*x, *y, *z] } else { vec![*x, *z] };
                by.into_iter().map(|by| self.part(by)).collect()
            }
            Expr::Apply { from, slopes, .. } => {
                let all = from.iter().chain(slopes).filter(|id| !self.is_constant(**id));
                all.map(|id| self.part(*id)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_constant(&self, id: ExprId) -> bool {
        matches!(self.exprs.get(id).expr, Expr::Constant(_))
    }

    /// True where a leaf's slopes are wanted.
    fn with_slopes(&self, id: ExprId) -> bool {
        self.readers[usize::from(id.0)][1..].iter().any(|readers| *readers > 0)
    }

    /// Instructions, operands before what reads them.
    fn order(&self, roots: &[(ExprId, u16)]) -> Vec<ExprId> {
        let needs = self.needs();
        let mut order = Vec::new();
        let mut done = vec![false; self.exprs.entries.len()];
        for (root, _) in roots {
            let root = self.part(*root).0;
            // A constant goes to its output without an instruction of its own.
            if self.is_constant(root) {
                continue;
            }
            let mut stack = vec![(root, false)];
            while let Some((id, ready)) = stack.pop() {
                if done[usize::from(id.0)] {
                    continue;
                }
                if ready {
                    done[usize::from(id.0)] = true;
                    order.push(id);
                    continue;
                }
                stack.push((id, true));
                let mut reads: Vec<_> = self.reads(id).into_iter().map(|(unit, _)| unit).collect();
                // The stack turns the order round: what needs most is to be popped first.
                reads.reverse();
                reads.sort_by_key(|unit| needs[usize::from(unit.0)]);
                stack.extend(reads.into_iter().map(|unit| (unit, false)));
            }
        }
        order
    }

    /// How many registers each instruction needs, itself included, if nothing is shared.
    fn needs(&self) -> Vec<usize> {
        let mut needs = vec![0; self.exprs.entries.len()];
        for id in self.exprs.ids() {
            let mut operands: Vec<usize> =
                self.reads(id).into_iter().map(|(unit, _)| needs[usize::from(unit.0)]).collect();
            operands.sort_by_key(|need| std::cmp::Reverse(*need));
            let held = operands.iter().enumerate().map(|(i, need)| need + i).max().unwrap_or(0);
            needs[usize::from(id.0)] = held.max(operands.len() + 1);
        }
        needs
    }
}

/// Registers while instructions go by.
struct Allocation<'a> {
    plan: &'a Plan<'a>,
    /// The last instruction that reads a part.
    last_reader: Vec<[usize; 4]>,
    register: Vec<[Option<u8>; 4]>,
    free: Vec<bool>,
    uniforms: Vec<f32>,
    octaves: usize,
    aside: bool,
}

impl<'a> Allocation<'a> {
    fn new(plan: &'a Plan<'a>, order: &[ExprId]) -> Self {
        let count = plan.exprs.entries.len();
        let mut last_reader = vec![[0; 4]; count];
        for (i, id) in order.iter().enumerate() {
            for (unit, part) in plan.reads(*id) {
                last_reader[usize::from(unit.0)][part] = i;
            }
        }
        Self {
            plan,
            last_reader,
            register: vec![[None; 4]; count],
            free: Vec::new(),
            uniforms: Vec::new(),
            octaves: 0,
            aside: false,
        }
    }

    fn run(mut self, order: &[ExprId]) -> Result<Tape, ProgramError> {
        let mut instructions = Vec::new();
        for (i, id) in order.iter().enumerate() {
            let step = self.step(*id);
            let straight = if let Step::Leaf(leaf) = &step { leaf.out } else { [None; 4] };
            instructions.push(Instruction { step, expr: *id });
            let outputs = self.plan.outputs.iter().filter(|((unit, _), _)| unit == id);
            for ((_, part), output) in outputs.filter(|(_, output)| !straight.contains(&Some(*output))) {
                let from = Operand::Register(self.register[usize::from(id.0)][*part].expect("made just now"));
                instructions.push(Instruction { step: Step::Copy { from, output: *output }, expr: *id });
            }
            self.release(i, *id);
        }
        for ((unit, _), output) in &self.plan.outputs {
            if self.plan.is_constant(*unit) {
                let from = self.operand(*unit);
                instructions.push(Instruction { step: Step::Copy { from, output: *output }, expr: *unit });
            }
        }
        let registers = self.free.len();
        if registers > REGISTERS_MAX {
            let (what, instead) =
                ("fields held at once", "Combine them two by two instead of all at the end");
            return Err(ProgramError::TooLarge { what, count: registers, limit: REGISTERS_MAX, instead });
        }
        let uniforms = self.uniforms.iter().map(|value| Aligned([*value; STRIP])).collect();
        Ok(Tape { instructions, registers, uniforms, aside: self.aside })
    }

    fn step(&mut self, id: ExprId) -> Step {
        match self.plan.exprs.get(id).expr.clone() {
            Expr::Constant(value) => Step::Spread { value, to: self.take((id, 0)) },
            Expr::Leaf { leaf, position } => self.leaf(id, usize::from(leaf), position),
            Expr::Apply { op, from, slopes } => {
                let (from, slopes) = (self.operands(&from), self.operands(&slopes));
                Step::Apply { op, from, slopes, to: self.take((id, 0)) }
            }
            Expr::LeafSlope { .. } => unreachable!("made with its leaf"),
        }
    }

    fn leaf(&mut self, id: ExprId, index: usize, position: Option<[ExprId; 3]>) -> Step {
        let leaf = &self.plan.exprs.leaves[index];
        let by = position.map(|[x, y, z]| {
            let y = if leaf.three() { y } else { x };
            [x, y, z].map(|by| self.held(by))
        });
        let slopes = self.plan.with_slopes(id);
        let wanted = [true, slopes, slopes && leaf.three(), slopes];
        let (mut to, mut out) = ([None; 4], [None; 4]);
        for part in (0..4).filter(|part| wanted[*part]) {
            to[part] = Some(self.take((id, part)));
            let outputs = self.plan.outputs.iter().find(|(of, _)| *of == (id, part));
            if self.plan.readers[usize::from(id.0)][part] == 1 {
                out[part] = outputs.map(|(_, output)| *output);
            }
        }
        // Kernels write either all parts to outputs or none.
        if (0..4).any(|part| wanted[part] && out[part].is_none()) {
            out = [None; 4];
        }
        let first_octave = self.octaves;
        self.octaves += leaf.octaves();
        self.aside |= leaf.needs_aside();
        Step::Leaf(LeafCall { leaf: index, first_octave, by, to, out, slopes })
    }

    fn operands(&mut self, ids: &[ExprId]) -> Operands {
        let mut all = [Operand::Register(0); OPERANDS_MAX];
        for (to, id) in all.iter_mut().zip(ids) {
            *to = self.operand(*id);
        }
        Operands { all, count: ids.len() }
    }

    fn operand(&mut self, id: ExprId) -> Operand {
        let Expr::Constant(value) = self.plan.exprs.get(id).expr else {
            return Operand::Register(self.held(id));
        };
        let same = self.uniforms.iter().position(|uniform| uniform.to_bits() == value.to_bits());
        let index = same.unwrap_or_else(|| {
            self.uniforms.push(value);
            self.uniforms.len() - 1
        });
        Operand::Uniform(index as u16)
    }

    /// The register of an expression that is there already.
    fn held(&self, id: ExprId) -> u8 {
        let (unit, part) = self.plan.part(id);
        self.register[usize::from(unit.0)][part].expect("operands come first")
    }

    /// The first free register. Beyond what a byte holds they are counted, and refused at the end.
    fn take(&mut self, (id, part): Part) -> u8 {
        let index = self.free.iter().position(|free| *free).unwrap_or_else(|| {
            self.free.push(true);
            self.free.len() - 1
        });
        self.free[index] = false;
        self.register[usize::from(id.0)][part] = Some(index as u8);
        index as u8
    }

    /// Frees what instruction `i` was the last to read, and what it made for nobody.
    fn release(&mut self, i: usize, id: ExprId) {
        let mut parts = self.plan.reads(id);
        parts.retain(|(unit, part)| self.last_reader[usize::from(unit.0)][*part] == i);
        let own = |part: &usize| self.last_reader[usize::from(id.0)][*part] <= i;
        parts.extend((0..4).filter(own).map(|part| (id, part)));
        for (unit, part) in parts {
            if let Some(register) = self.register[usize::from(unit.0)][part].take() {
                self.free[usize::from(register)] = true;
            }
        }
    }
}
