//! The definition in f32: places and fractals. The formulas of the kinds are in `exact_kinds`.

use super::octave::{Octave, TWO_POW_32};
use super::{KindSpec, Place, Reference, Shape, Spec, exact_kinds};

const TWO_POW_MINUS_32: f32 = (1.0 / TWO_POW_32) as f32;

/// A place along one lattice axis of one octave.
#[derive(Clone, Copy, Default)]
pub(super) struct Axis {
    cell: i64,
    pub(super) fraction: f32,
    /// w: cells a sample.
    pub(super) step: f32,
    period_cells: Option<i64>,
}

impl Axis {
    /// The cell `offset` cells on, as it is hashed: mod the period on a tiled axis, mod 2^32 otherwise.
    pub(super) fn cell(&self, offset: i64) -> u32 {
        let cell = self.cell + offset;
        self.period_cells.map_or(cell, |period| cell.rem_euclid(period)) as u32
    }

    fn new(phase: u64) -> Self {
        let fraction = ((phase as u32) >> 8) as f32 / 16_777_216.0;
        Self { cell: (phase >> 32) as i64, fraction, step: 0.0, period_cells: None }
    }

    fn displaced(self, cells: f32) -> Self {
        let t = self.fraction + cells;
        let c = t.floor();
        Self { cell: self.cell + c as i64, fraction: t - c, ..self }
    }
}

/// The place per axis x, y, z of a kind on the square lattice; y is zero in 2D.
pub(super) fn square_lattice(spec: &Spec, octave: &Octave, place: &Place) -> [Axis; 3] {
    let mut axes = [Axis::default(); 3];
    for &axis in spec.axes() {
        let (index, fraction, offset) = (place.index[axis], place.fraction[axis], octave.offsets[axis]);
        let mut at = match octave.periods[axis] {
            None => {
                let step = octave.step();
                let phase = way(index, fraction, step).wrapping_add(offset);
                Axis { step: step as f32 * TWO_POW_MINUS_32, ..Axis::new(phase) }
            }
            Some((cells, samples)) => {
                let phase = tiled_way(index, fraction, cells, samples);
                let offset = ((offset >> 32) % cells as u64) << 32 | (offset & 0xffff_ffff);
                let step = (cells as f64 / samples as f64) as f32;
                Axis { step, period_cells: Some(cells), ..Axis::new(phase + offset) }
            }
        };
        if let Some(displacement) = place.displacement {
            at = at.displaced(displacement[axis] * at.step);
        }
        axes[axis] = at;
    }
    axes
}

/// The place along the two axes of the simplex lattice.
pub(super) fn simplex_lattice(octave: &Octave, place: &Place) -> [Axis; 2] {
    let ([ix, _, iz], [rx, _, rz]) = (place.index, place.fraction);
    let [s0, s1] = octave.simplex_steps();
    let phase = |step_x, step_z, offset: u64| {
        way(ix, rx, step_x).wrapping_add(way(iz, rz, step_z)).wrapping_add(offset)
    };
    let u = Axis::new(phase(s0, s1, octave.offsets[0]));
    let v = Axis::new(phase(s1, s0, octave.offsets[2]));
    let Some([dx, _, dz]) = place.displacement else { return [u, v] };
    let [w0, w1] = [s0, s1].map(|step| step as f32 * TWO_POW_MINUS_32);
    [u.displaced(dx * w0 + dz * w1), v.displaced(dx * w1 + dz * w0)]
}

/// The place along the three axes of the simplex lattice of space, and w of each step.
pub(super) fn turned_lattice(octave: &Octave, place: &Place) -> ([Axis; 3], [[f32; 3]; 3]) {
    let steps = octave.turned_steps();
    let cells = steps.map(|row| row.map(|step| step as f32 * TWO_POW_MINUS_32));
    let axes = std::array::from_fn(|lattice| {
        let mut phase = octave.offsets[lattice];
        for (axis, step) in steps[lattice].into_iter().enumerate() {
            let between = (i128::from(step) * i128::from(place.fraction[axis])) >> 16;
            let whole = (place.index[axis] as u64).wrapping_mul(step as u64);
            phase = phase.wrapping_add(whole).wrapping_add(between as u64);
        }
        let [a, b, c] = cells[lattice];
        match place.displacement {
            Some([dx, dy, dz]) => Axis::new(phase).displaced((dx * a + dy * b) + dz * c),
            None => Axis::new(phase),
        }
    });
    (axes, cells)
}

/// `i step`, and `(step r) >> 16` for a position between samples.
fn way(index: i64, fraction: u16, step: u64) -> u64 {
    let between = (u128::from(step) * u128::from(fraction)) >> 16;
    (index as u64).wrapping_mul(step).wrapping_add(between as u64)
}

/// `floor(r P 2^32 / T)`. Between samples r has a fraction, and the floor is taken once.
fn tiled_way(index: i64, fraction: u16, cells: i64, samples: i64) -> u64 {
    let r = index.rem_euclid(samples) as u128;
    let r_65536 = (r << 16) + u128::from(fraction);
    (((r_65536 * cells as u128) << 16) / samples as u128) as u64
}

/// Value and slopes of one octave.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) value: f32,
    /// d/dx, d/dy, d/dz a sample.
    pub(super) slope: [f32; 3],
}

impl Sample {
    pub(super) fn flat(value: f32) -> Self {
        Self { value, slope: [0.0; 3] }
    }
}

impl Reference {
    /// See [`super::exact`].
    pub(crate) fn exact(&self, place: &Place) -> f32 {
        self.exact_sum(place).value
    }

    /// See [`super::exact_gradient`].
    pub(crate) fn exact_gradient(&self, place: &Place) -> Option<[f32; 4]> {
        if matches!(self.spec.kind, KindSpec::Cellular { .. }) {
            return None;
        }
        let Sample { value, slope: [dx, dy, dz] } = self.exact_sum(place);
        Some([value, dx, if self.spec.dimensions == 2 { 0.0 } else { dy }, dz])
    }

    fn exact_sum(&self, place: &Place) -> Sample {
        let octaves = self.octaves.iter().map(|octave| {
            let n = exact_kinds::octave(&self.spec, octave, place);
            shaped(self.spec.shape, n, octave.share as f32)
        });
        if self.spec.weighted_strength > 0.0 { self.weighted_sum(octaves) } else { plain_sum(octaves) }
    }

    fn weighted_sum(&self, octaves: impl Iterator<Item = Sample>) -> Sample {
        let (p, s) = (self.spec.persistence, self.spec.weighted_strength);
        let (mut total, mut power) = (0.0, 1.0);
        for _ in 0..self.spec.octaves {
            total += power;
            power *= p;
        }
        let (base, by_value) = ((p * (1.0 - s / 2.0)) as f32, (p * s / 2.0) as f32);
        let mut weight = Sample::flat((1.0 / total) as f32);
        let mut sum: Option<Sample> = None;
        for c in octaves {
            sum = Some(match sum {
                None => Sample { value: c.value * weight.value, slope: c.slope.map(|d| d * weight.value) },
                Some(sum) => Sample {
                    value: sum.value + c.value * weight.value,
                    slope: std::array::from_fn(|i| {
                        sum.slope[i] + (c.slope[i] * weight.value + c.value * weight.slope[i])
                    }),
                },
            });
            let factor = base + by_value * c.value;
            weight = Sample {
                value: weight.value * factor,
                slope: std::array::from_fn(|i| {
                    weight.slope[i] * factor + weight.value * (by_value * c.slope[i])
                }),
            };
        }
        sum.expect("at least one octave")
    }
}

/// c of an octave n with e its share.
fn shaped(shape: Shape, n: Sample, e: f32) -> Sample {
    let twice = n.value.abs() + n.value.abs();
    let slope_twice = |negate: bool| n.slope.map(|d| if negate { 0.0 - (d + d) } else { d + d });
    match shape {
        Shape::Fbm => n,
        Shape::Billow => Sample { value: twice - e, slope: slope_twice(n.value < 0.0) },
        Shape::Ridged => Sample { value: e - twice, slope: slope_twice(n.value >= 0.0) },
    }
}

fn plain_sum(octaves: impl Iterator<Item = Sample>) -> Sample {
    octaves
        .reduce(|sum, c| Sample {
            value: sum.value + c.value,
            slope: std::array::from_fn(|i| sum.slope[i] + c.slope[i]),
        })
        .expect("at least one octave")
}
