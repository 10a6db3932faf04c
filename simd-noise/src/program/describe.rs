//! A tape as text: one instruction a line, with registers, parameters and bounds.

use std::fmt::Write as _;

use super::exprs::{Expr, ExprId, Exprs};
use super::interval::Interval;
use super::tape::{Instruction, LeafCall, Operand, Operands, Step, Tape};

/// The listing of a tape whose outputs have `names`.
pub(crate) fn listing(tape: &Tape, exprs: &Exprs<'_>, names: &[&str]) -> String {
    let mut text = String::new();
    for Instruction { step, expr } in &tape.instructions {
        let line = match step {
            Step::Leaf(call) => leaf(call, *expr, exprs, names),
            Step::Spread { value, to } => format!("r{to} = {value}"),
            Step::Apply { op, from, slopes, to } => {
                let (name, parameters) = (op.info().name, op.parameters());
                let of = if slopes.as_slice().is_empty() {
                    format!("{name} {}", operands(tape, from))
                } else {
                    format!("{name}' {} by {}", operands(tape, from), operands(tape, slopes))
                };
                let parameters = if parameters.is_empty() { parameters } else { format!(", {parameters}") };
                format!("r{to} = {of}{parameters}  {}", bounds(exprs.get(*expr).interval))
            }
            Step::Copy { from, output } => {
                format!("{:?} = {}", names[usize::from(*output)], operand(tape, *from))
            }
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text
}

fn leaf(call: &LeafCall, expr: ExprId, exprs: &Exprs<'_>, names: &[&str]) -> String {
    let leaf = &exprs.leaves[call.leaf];
    let target = |part: usize| match (call.out[part], call.to[part]) {
        (Some(output), _) => Some(format!("{:?}", names[usize::from(output)])),
        (None, to) => to.map(|to| format!("r{to}")),
    };
    let mut targets = target(0).unwrap_or_default();
    for (axis, name) in [(1, "x"), (2, "y"), (3, "z")] {
        if let Some(target) = target(axis) {
            let _ = write!(targets, ", d/d{name} {target}");
        }
    }
    let moved = call.by.map_or(String::new(), |[x, y, z]| {
        if leaf.three() { format!(", moved by r{x} r{y} r{z}") } else { format!(", moved by r{x} r{z}") }
    });
    let value = matches!(exprs.get(expr).expr, Expr::Leaf { .. }).then(|| exprs.get(expr).interval);
    format!("{targets} = {}{moved}  {}", leaf.text(), value.map_or(String::new(), bounds))
}

fn operands(tape: &Tape, operands: &Operands) -> String {
    operands.as_slice().iter().map(|of| operand(tape, *of)).collect::<Vec<_>>().join(" ")
}

fn operand(tape: &Tape, operand: Operand) -> String {
    match operand {
        Operand::Register(register) => format!("r{register}"),
        Operand::Uniform(uniform) => tape.uniforms[usize::from(uniform)][0].to_string(),
    }
}

fn bounds(Interval { low, high }: Interval) -> String {
    format!("[{low}, {high}]")
}
