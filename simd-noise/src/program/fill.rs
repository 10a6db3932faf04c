//! Programs over grids, volumes and points: block by block through the registers.

use terrane_lanes::SimdLevel;

use super::Program;
use super::run::{Machine, Outs, Place, run};
use super::tape::Tape;
use crate::blocks::blocks;
use crate::grid::{Grid, Volume};
use crate::kernel::job::Samples;
use crate::phase::Coord;
use crate::scratch::{BAND, STRIP, Scratch};

impl Program {
    /// Makes room in `scratch` for whatever this program can be asked: all outputs, each of them alone and with its slopes,
    /// over grids and volumes of any size and at points. No call of this program then allocates. Room that is there
    /// already stays, so one scratch can be made ready for several programs.
    ///
    /// ```
    /// use terrane_noise::{Grid, NoiseParams, ProgramBuilder, Scratch, SimdLevel};
    ///
    /// let mut builder = ProgramBuilder::new();
    /// let noise = builder.noise(&NoiseParams::default())?;
    /// builder.output("noise", noise)?;
    /// let program = builder.build()?;
    /// // Once a thread, where time does not matter.
    /// let mut scratch = Scratch::new();
    /// program.reserve(&mut scratch);
    /// // From here on nothing allocates.
    /// let (grid, mut out) = (Grid { x: 0, z: 0, width: 9, height: 9, stride: 1 }, [0.0; 81]);
    /// program.fill(SimdLevel::detect(), &grid, &mut [&mut out[..]], 9, &mut scratch);
    /// assert_eq!(out[80], program.at(0, 8.into(), 8.into()));
    /// # Ok::<(), terrane_noise::ProgramError>(())
    /// ```
    pub fn reserve(&self, scratch: &mut Scratch) {
        let alone =
            self.outputs.iter().flat_map(|output| std::iter::once(&output.tape).chain(&output.gradient));
        for tape in self.values.iter().chain(alone) {
            self.fit(tape, BAND, scratch);
        }
    }

    /// Fills all outputs, in their order, with the samples of `grid`, rows `row_stride` apart. What varies along y gives its
    /// plane y = 0. Allocates nothing once `scratch` has seen a program as large or was [made ready](Self::reserve). The same bits at every `level`, for
    /// every cut into tiles and every stride.
    ///
    /// # Panics
    /// When there are not as many `outs` as outputs, one has no room for the rows, `row_stride` is less than the grid's
    /// width, or the grid's stride is 0.
    pub fn fill(
        &self,
        level: SimdLevel,
        grid: &Grid,
        outs: &mut [&mut [f32]],
        row_stride: usize,
        scratch: &mut Scratch,
    ) {
        self.fill_volume(level, &Volume::from(*grid), outs, [row_stride, row_stride * grid.height], scratch);
    }

    /// The same over a volume: rows `strides[0]` apart, layers `strides[1]`. What does not vary along y is the same in
    /// all layers.
    ///
    /// # Panics
    /// As [`fill`](Self::fill).
    pub fn fill_volume(
        &self,
        level: SimdLevel,
        volume: &Volume,
        outs: &mut [&mut [f32]],
        strides: [usize; 2],
        scratch: &mut Scratch,
    ) {
        self.check_count(outs);
        for (out, output) in outs.iter().zip(&self.outputs) {
            volume.check_output(&output.name, out.len(), strides);
        }
        for (tape, of) in self.tapes() {
            self.fill_tape(tape, level, volume, &mut outs[of], strides, scratch);
        }
    }

    /// One output alone; what only others need is not computed. The bits of [`fill_volume`](Self::fill_volume).
    ///
    /// # Panics
    /// When there is no such output; else as [`fill`](Self::fill).
    pub fn fill_output(
        &self,
        level: SimdLevel,
        output: usize,
        volume: &Volume,
        out: &mut [f32],
        strides: [usize; 2],
        scratch: &mut Scratch,
    ) {
        let of = &self.outputs[output];
        volume.check_output(&of.name, out.len(), strides);
        self.fill_tape(&of.tape, level, volume, &mut [out], strides, scratch);
    }

    /// Value and slopes a sample along x, y, z of one output, into four slices laid out alike. That of y may be empty where
    /// the program is two-dimensional, and is left alone there. Values have the bits of [`fill`](Self::fill).
    ///
    /// # Panics
    /// As [`fill`](Self::fill), and when the output was made without slopes
    /// ([`output_with_slopes`](crate::ProgramBuilder::output_with_slopes)).
    pub fn fill_gradient(
        &self,
        level: SimdLevel,
        output: usize,
        volume: &Volume,
        value: &mut [f32],
        slopes: [&mut [f32]; 3],
        strides: [usize; 2],
        scratch: &mut Scratch,
    ) {
        let tape = self.gradient_tape(output);
        let name = &self.outputs[output].name;
        volume.check_output(name, value.len(), strides);
        for (axis, slope) in slopes.iter().enumerate() {
            if axis != 1 || self.three {
                volume.check_output(name, slope.len(), strides);
            }
        }
        let [x, y, z] = slopes;
        self.fill_tape(tape, level, volume, &mut [value, x, y, z], strides, scratch);
    }

    /// All outputs at any positions. At samples they have the bits of [`fill_volume`](Self::fill_volume).
    ///
    /// # Panics
    /// When there are not as many `outs` as outputs, or one is not as long as `points`.
    pub fn fill_points(
        &self,
        level: SimdLevel,
        points: &[[Coord; 3]],
        outs: &mut [&mut [f32]],
        scratch: &mut Scratch,
    ) {
        self.check_count(outs);
        assert!(outs.iter().all(|out| out.len() == points.len()), "one value a point in each output");
        for (tape, of) in self.tapes() {
            let outs = &mut outs[of];
            self.fit(tape, 1, scratch);
            let (registers, mut aside) = scratch.split_program();
            aside.tables = None;
            let mut machine = Machine { registers: Machine::registers(tape, registers, 1), aside };
            for (i, points) in points.chunks(STRIP).enumerate() {
                let place = Place { level, samples: Samples::Points(points), cut: None };
                let mut outs = Outs { outs: &mut *outs, first: i * STRIP, row_stride: STRIP };
                run(tape, &self.leaves, place, &mut machine, &mut outs);
            }
        }
    }

    fn fill_tape(
        &self,
        tape: &Tape,
        level: SimdLevel,
        volume: &Volume,
        outs: &mut [&mut [f32]],
        strides: [usize; 2],
        scratch: &mut Scratch,
    ) {
        let rows = volume.height.min(BAND);
        self.fit(tape, rows, scratch);
        let (registers, aside) = scratch.split_program();
        let mut machine = Machine { registers: Machine::registers(tape, registers, rows), aside };
        for cut in blocks(volume) {
            let first = cut.layer * strides[1] + cut.row * strides[0] + cut.column;
            let place = Place { level, samples: Samples::Block(&cut.block), cut: Some(&cut) };
            let mut outs = Outs { outs: &mut *outs, first, row_stride: strides[0] };
            run(tape, &self.leaves, place, &mut machine, &mut outs);
        }
    }

    /// Makes room for a tape with registers of `rows` rows.
    fn fit(&self, tape: &Tape, rows: usize, scratch: &mut Scratch) {
        scratch.fit_registers(tape.registers * rows);
        for call in tape.leaves() {
            let leaf = &self.leaves[call.leaf];
            let planes = leaf.three() && call.by.is_none();
            scratch.fit_octaves(call.first_octave..call.first_octave + leaf.octaves(), planes);
            if leaf.needs_aside() {
                scratch.fit_aside(if call.slopes { 4 } else { 1 });
            }
        }
    }

    fn check_count(&self, outs: &[&mut [f32]]) {
        assert_eq!(outs.len(), self.outputs.len(), "one slice an output");
    }
}
