//! Running a tape over one block or some points.
//!
//! In: a tape, positions, memory. Out: the outputs' rows. One dispatch an instruction; no allocation, no virtual call.
//! An instruction never writes a register that it reads, so a register that is written is taken out and put back.
//!
//! Deliberately not here: cutting into blocks (`fill.rs`), where the memory comes from.

use std::mem::take;

use terrane_lanes::SimdLevel;

use super::leaf::{Leaf, Where};
use super::ops::{Call, OPERANDS_MAX, Rows};
use super::tape::{LeafCall, Operand, REGISTERS_MAX, Step, Tape};
use crate::blocks::Cut;
use crate::kernel::job::{Samples, Target, Targets};
use crate::scratch::{OctaveScratch, PlaceRow, Row, Work};
use crate::source::{Aside, Memory};

/// Memory that a tape runs in.
pub(crate) struct Machine<'a> {
    /// Rows of each register; none for those that the tape has not.
    pub(crate) registers: [&'a mut [Row]; REGISTERS_MAX],
    pub(crate) aside: LeafMemory<'a>,
}

/// Memory that leaves work in.
pub(crate) struct LeafMemory<'a> {
    pub(crate) places: &'a mut PlaceRow,
    /// One entry an octave of the tape's leaves, and what they share; none for points.
    pub(crate) tables: Option<(&'a mut [OctaveScratch], &'a mut Work)>,
    /// Value and slopes of an octave before it joins a sum, and of its weight.
    pub(crate) octave: [&'a mut [Row]; 4],
    pub(crate) weight: [&'a mut [Row]; 4],
}

impl<'a> Machine<'a> {
    /// The registers of a tape, of `rows` rows each. Small tiles would feel it if all 64 were cut out for each.
    pub(crate) fn registers(tape: &Tape, from: &'a mut [Row], rows: usize) -> [&'a mut [Row]; REGISTERS_MAX] {
        let mut registers: [&mut [Row]; REGISTERS_MAX] = std::array::from_fn(|_| Default::default());
        for (register, rows) in registers.iter_mut().take(tape.registers).zip(from.chunks_mut(rows.max(1))) {
            *register = rows;
        }
        registers
    }
}

impl LeafMemory<'_> {
    /// What one leaf works in.
    fn memory(&mut self, call: &LeafCall, octaves: usize) -> Memory<'_> {
        let of_leaf = call.first_octave..call.first_octave + octaves;
        let wanted = call.to.map(|to| to.is_some());
        Memory {
            places: self.places,
            tables: self.tables.as_mut().map(|(octaves, work)| (&mut octaves[of_leaf], &mut **work)),
            aside: Aside { octave: only(&mut self.octave, wanted), weight: only(&mut self.weight, wanted) },
        }
    }
}

/// Empty where not wanted.
fn only<'a>(rows: &'a mut [&mut [Row]; 4], wanted: [bool; 4]) -> [&'a mut [Row]; 4] {
    let mut wanted = wanted.into_iter();
    rows.each_mut().map(|rows| if wanted.next() == Some(true) { &mut **rows } else { &mut [] })
}

/// Where samples are.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) level: SimdLevel,
    pub(crate) samples: Samples<'a>,
    /// The block's place among others; none for points.
    pub(crate) cut: Option<&'a Cut>,
}

/// The outputs, the first value of this block in each of them, and the distance of rows.
pub(crate) struct Outs<'a, 'b> {
    pub(crate) outs: &'a mut [&'b mut [f32]],
    pub(crate) first: usize,
    pub(crate) row_stride: usize,
}

/// Runs a tape.
pub(crate) fn run(
    tape: &Tape,
    leaves: &[Leaf],
    place: Place<'_>,
    machine: &mut Machine<'_>,
    outs: &mut Outs<'_, '_>,
) {
    let (lanes, rows) = place.samples.size();
    for instruction in &tape.instructions {
        match &instruction.step {
            Step::Leaf(call) => run_leaf(call, &leaves[call.leaf], place, machine, outs),
            Step::Spread { value, to } => {
                for row in machine.registers[usize::from(*to)].iter_mut().take(rows) {
                    row[..].fill(*value);
                }
            }
            Step::Apply { op, from, slopes, to } => {
                let target = take(&mut machine.registers[usize::from(*to)]);
                let (from, slopes) = (from.as_slice(), slopes.as_slice());
                let from_rows = views(tape, &machine.registers, from);
                let slope_rows = views(tape, &machine.registers, slopes);
                let call = Call { level: place.level, size: (lanes, rows), to: &mut *target };
                op.run(&from_rows[..from.len()], &slope_rows[..slopes.len()], call);
                machine.registers[usize::from(*to)] = target;
            }
            Step::Copy { from, output } => {
                let from = view(tape, &machine.registers, *from);
                let out = outs.outs[usize::from(*output)][outs.first..].chunks_mut(outs.row_stride);
                for (row, out) in out.enumerate().take(rows) {
                    out[..lanes].copy_from_slice(&from.row(row)[..lanes]);
                }
            }
        }
    }
}

/// Operands' rows. What is beyond their number holds nothing.
fn views<'a>(
    tape: &'a Tape,
    registers: &'a [&mut [Row]; REGISTERS_MAX],
    from: &[Operand],
) -> [Rows<'a>; OPERANDS_MAX] {
    let mut views = [Rows { rows: &[], step: 0 }; OPERANDS_MAX];
    for (to, from) in views.iter_mut().zip(from) {
        *to = view(tape, registers, *from);
    }
    views
}

fn view<'a>(tape: &'a Tape, registers: &'a [&mut [Row]; REGISTERS_MAX], from: Operand) -> Rows<'a> {
    match from {
        Operand::Register(register) => Rows { rows: &*registers[usize::from(register)], step: 1 },
        Operand::Uniform(uniform) => {
            Rows { rows: std::slice::from_ref(&tape.uniforms[usize::from(uniform)]), step: 0 }
        }
    }
}

fn run_leaf(
    call: &LeafCall,
    leaf: &Leaf,
    place: Place<'_>,
    machine: &mut Machine<'_>,
    outs: &mut Outs<'_, '_>,
) {
    let mut rows: [&mut [Row]; 4] = Default::default();
    let mut taken: [&mut [f32]; 4] = Default::default();
    for part in 0..4 {
        if let Some(register) = call.to[part] {
            rows[part] = take(&mut machine.registers[usize::from(register)]);
        }
        if let Some(output) = call.out[part] {
            taken[part] = take(&mut outs.outs[usize::from(output)]);
        }
    }
    {
        let [value, x, y, z] = &mut rows;
        let [out_value, out_x, out_y, out_z] = &mut taken;
        let (first, stride) = (outs.first, outs.row_stride);
        let mut targets = Targets {
            value: Target::new(value, out_value, first, stride),
            slopes: [
                Target::new(x, out_x, first, stride),
                Target::new(y, out_y, first, stride),
                Target::new(z, out_z, first, stride),
            ],
        };
        let Machine { registers, aside } = machine;
        let displacement = call.by.map(|by| by.map(|register| &*registers[usize::from(register)]));
        let Place { level, samples, cut } = place;
        let at = Where { level, samples, cut, displacement };
        leaf.run(at, call.slopes, &mut aside.memory(call, leaf.octaves()), &mut targets);
    }
    for part in 0..4 {
        if let Some(register) = call.to[part] {
            machine.registers[usize::from(register)] = take(&mut rows[part]);
        }
        if let Some(output) = call.out[part] {
            outs.outs[usize::from(output)] = take(&mut taken[part]);
        }
    }
}
