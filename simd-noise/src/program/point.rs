//! Programs at one position, with registers on the stack.

use terrane_lanes::SimdLevel;

use super::Program;
use super::run::{LeafMemory, Machine, Outs, Place, run};
use super::tape::Tape;
use crate::kernel::job::Samples;
use crate::noise::Gradient;
use crate::phase::Coord;
use crate::scratch::{PlaceRow, ROW};

impl Program {
    /// One output at one position of the ground plane (y = 0); at a sample it has the bits that
    /// [`fill`](Self::fill) gives. Allocates nothing and needs no scratch. For many positions use `fill` or
    /// [`fill_points`](Self::fill_points).
    ///
    /// # Panics
    /// When there is no such output.
    #[must_use]
    pub fn at(&self, output: usize, x: Coord, z: Coord) -> f32 {
        self.at_3d(output, [x, Coord::default(), z])
    }

    /// One output at one position in space.
    ///
    /// # Panics
    /// When there is no such output.
    #[must_use]
    pub fn at_3d(&self, output: usize, at: [Coord; 3]) -> f32 {
        let mut value = [0.0];
        self.run_at(&self.outputs[output].tape, at, &mut [&mut value]);
        value[0]
    }

    /// Value and slopes a sample of one output at one position in space.
    ///
    /// # Panics
    /// When there is no such output, or it was made without slopes.
    #[must_use]
    pub fn gradient_at(&self, output: usize, at: [Coord; 3]) -> Gradient {
        let [mut value, mut x, mut y, mut z] = [[0.0]; 4];
        self.run_at(self.gradient_tape(output), at, &mut [&mut value, &mut x, &mut y, &mut z]);
        Gradient { value: value[0], slope: [x[0], y[0], z[0]] }
    }

    /// Picks how much stack the registers take, and whether octaves need memory aside.
    fn run_at(&self, tape: &Tape, at: [Coord; 3], outs: &mut [&mut [f32]]) {
        match (tape.registers, tape.aside) {
            (0..=4, false) => self.run_with::<4, 0>(tape, at, outs),
            (0..=16, false) => self.run_with::<16, 0>(tape, at, outs),
            (0..=16, true) => self.run_with::<16, 1>(tape, at, outs),
            _ => self.run_with::<64, 1>(tape, at, outs),
        }
    }

    fn run_with<const N: usize, const ASIDE: usize>(
        &self,
        tape: &Tape,
        at: [Coord; 3],
        outs: &mut [&mut [f32]],
    ) {
        let (mut registers, mut places) = ([ROW; N], PlaceRow::new());
        let [mut octave, mut weight] = [[[ROW; ASIDE]; 4]; 2];
        let mut machine = Machine {
            registers: Machine::registers(tape, &mut registers, 1),
            aside: LeafMemory {
                places: &mut places,
                tables: None,
                octave: octave.each_mut().map(|rows| &mut rows[..]),
                weight: weight.each_mut().map(|rows| &mut rows[..]),
            },
        };
        let place = Place { level: SimdLevel::SCALAR, samples: Samples::Points(&[at]), cut: None };
        let mut outs = Outs { outs, first: 0, row_stride: 1 };
        run(tape, &self.leaves, place, &mut machine, &mut outs);
    }
}
