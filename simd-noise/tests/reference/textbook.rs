//! The same noises as textbooks write them, in f64.
//!
//! A position is a cell and a fraction, cut from an exact rational: `i128` products, nothing wraps before a cell is
//! hashed, and no bit of a fraction is dropped. Lattice kinds blend products of weights over the corners; simplex sums
//! its radial kernel over every lattice point around, and so does not choose triangles; cellular sorts distances.

use super::octave::{Octave, SKEW, TWO_POW_32};
use super::{Distance, KindSpec, Place, Reference, Returns, Shape, Spec, ken_perlin};
use terrane_noise::hash;

/// How far central differences move, in cells of the last octave.
const MOVE_CELLS: f64 = 1e-5;

/// A position along one lattice axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Position {
    pub(crate) cell: i128,
    /// Any size; [`Position::settled`] brings it to 0..1.
    pub(crate) fraction: f64,
    pub(crate) period_cells: Option<i128>,
}

impl Position {
    /// `numerator / denominator` cells.
    fn new(numerator: i128, denominator: i128) -> Self {
        let fraction = numerator.rem_euclid(denominator) as f64 / denominator as f64;
        Self { cell: numerator.div_euclid(denominator), fraction, period_cells: None }
    }

    fn moved(self, cells: f64) -> Self {
        Self { fraction: self.fraction + cells, ..self }
    }

    fn settled(self) -> Self {
        let whole = self.fraction.floor();
        Self { cell: self.cell + whole as i128, fraction: self.fraction - whole, ..self }
    }

    fn hashed(&self, offset: i32) -> u32 {
        let cell = self.cell + i128::from(offset);
        cell.rem_euclid(self.period_cells.unwrap_or(1 << 32)) as u32
    }
}

impl Reference {
    /// See [`super::textbook`].
    pub(crate) fn textbook(&self, place: &Place) -> f64 {
        self.textbook_moved(place, [0.0; 3])
    }

    /// See [`super::textbook_slope`].
    pub(crate) fn textbook_slope(&self, place: &Place) -> [f64; 3] {
        let mut slope = [0.0; 3];
        let last = self.octaves.last().expect("at least one octave");
        for &axis in self.spec.axes() {
            let samples = MOVE_CELLS / last.cells_a_sample(axis);
            let at = |samples: f64| {
                let mut shift = [0.0; 3];
                shift[axis] = samples;
                self.textbook_moved(place, shift)
            };
            slope[axis] = (at(samples) - at(-samples)) / (2.0 * samples);
        }
        slope
    }

    /// The value `shift` samples from a place.
    pub(crate) fn textbook_moved(&self, place: &Place, shift: [f64; 3]) -> f64 {
        let (p, s) = (self.spec.persistence, self.spec.weighted_strength);
        let (mut sum, mut weight, mut total, mut power) = (0.0, 1.0, 0.0, 1.0);
        for (octave, n) in self.octaves.iter().zip(self.textbook_octaves(place, shift)) {
            let c = match self.spec.shape {
                Shape::Fbm => n,
                Shape::Billow => 2.0 * n.abs() - octave.share,
                Shape::Ridged => octave.share - 2.0 * n.abs(),
            };
            sum += weight * c;
            if s > 0.0 {
                weight *= p * lerp(s, 1.0, (c + 1.0) / 2.0);
            }
            total += power;
            power *= p;
        }
        if s > 0.0 { sum / total } else { sum }
    }

    /// The octaves n before they are shaped and summed.
    pub(crate) fn textbook_octaves(&self, place: &Place, shift: [f64; 3]) -> Vec<f64> {
        let octave =
            |octave: &Octave| self.textbook_octave(octave, octave.positions(&self.spec, place, shift));
        self.octaves.iter().map(octave).collect()
    }

    /// One octave at a position per lattice axis: x, y, z, or for simplex u, unused, v.
    pub(crate) fn textbook_octave(&self, octave: &Octave, positions: [Position; 3]) -> f64 {
        let (spec, at) = (&self.spec, positions.map(Position::settled));
        let cell = |offset: [i32; 3]| std::array::from_fn(|axis| at[axis].hashed(offset[axis]));
        let lattice_hash = |offset: [i32; 3]| octave.hash(spec.dimensions, cell(offset));
        let to_corner =
            |offset: [i32; 3]| -> [f64; 3] { std::array::from_fn(|i| at[i].fraction - f64::from(offset[i])) };
        let n = match spec.kind {
            KindSpec::Perlin => blend(spec, &at, |offset| {
                let (h, [x, y, z]) = (lattice_hash(offset), to_corner(offset));
                if spec.dimensions == 2 {
                    let [gx, gz] = direction(h >> 29);
                    return (gx * x + gz * z) / spec.bound;
                }
                let g = super::exact_kinds::SPACE[(h >> 29) as usize].map(f64::from);
                (g[0] * x + g[1] * y + g[2] * z) / spec.bound
            }),
            KindSpec::PerlinClassic { .. } => blend(spec, &at, |offset| {
                let table = octave.table.as_ref().expect("made with the octave");
                let p = |i: u32| u32::from(table[(i & 255) as usize]);
                let ([cx, cy, cz], [x, y, z]) = (cell(offset), to_corner(offset));
                // wrapping: cells are u32 here, and only their low 8 bits count
                let corner = |a: u32, b: u32, c: u32| p(p(p(a).wrapping_add(b)).wrapping_add(c)) as usize;
                let n = match spec.dimensions {
                    2 => ken_perlin::grad(corner(cx, cz, 0), x, z, 0.0),
                    _ => ken_perlin::grad(corner(cx, cy, cz), x, y, z),
                };
                n / spec.bound
            }),
            KindSpec::Value => blend(spec, &at, |offset| unit_value(lattice_hash(offset))),
            KindSpec::Simplex if spec.dimensions == 3 => {
                let hash = |lattice: usize, offset: [i32; 3]| {
                    let [x, y, z] = cell(offset);
                    let word = [octave.words[0], octave.second_word][lattice];
                    let row = hash::half_yz(y, z, octave.words[1], octave.words[2]);
                    hash::corner(hash::half_x(x, word), row)
                };
                turned_simplex(at.map(|at| at.fraction), hash) / spec.bound
            }
            KindSpec::Simplex => simplex([at[0].fraction, at[2].fraction], lattice_hash) / spec.bound,
            KindSpec::Cellular { distance, returns, jitter } => {
                cellular(spec, distance, returns, jitter, lattice_hash, to_corner)
            }
            KindSpec::White => unit_value(lattice_hash([0; 3])),
            KindSpec::Constant { value } => value,
        };
        octave.share * n
    }
}

impl Octave {
    fn cells_a_sample(&self, axis: usize) -> f64 {
        self.periods[axis].map_or(self.frequency, |(cells, samples)| cells as f64 / samples as f64)
    }

    /// The position per lattice axis, `shift` samples from a place.
    pub(crate) fn positions(&self, spec: &Spec, place: &Place, shift: [f64; 3]) -> [Position; 3] {
        let samples_65536 =
            |axis: usize| i128::from(place.index[axis]) * 65_536 + i128::from(place.fraction[axis]);
        let offset = |axis: usize| i128::from(self.offsets[axis]) << 16;
        let moves: [f64; 3] =
            std::array::from_fn(|i| place.displacement.map_or(0.0, |d| f64::from(d[i])) + shift[i]);
        let mut positions = [Position::default(); 3];
        if spec.kind == KindSpec::Simplex && spec.dimensions == 3 {
            for (lattice, steps) in self.turned_steps().into_iter().enumerate() {
                let way: i128 = (0..3).map(|i| samples_65536(i) * i128::from(steps[i])).sum();
                let cells: f64 = (0..3).map(|i| moves[i] * steps[i] as f64 / TWO_POW_32).sum();
                positions[lattice] = Position::new(way + offset(lattice), 1 << 48).moved(cells);
            }
            return positions;
        }
        if spec.kind == KindSpec::Simplex {
            let steps = self.simplex_steps();
            for (axis, [step_x, step_z]) in [(0, steps), (2, [steps[1], steps[0]])] {
                let way = samples_65536(0) * i128::from(step_x) + samples_65536(2) * i128::from(step_z);
                let cells = (moves[0] * step_x as f64 + moves[2] * step_z as f64) / TWO_POW_32;
                positions[axis] = Position::new(way + offset(axis), 1 << 48).moved(cells);
            }
            return positions;
        }
        for &axis in spec.axes() {
            positions[axis] = match self.periods[axis] {
                None => {
                    let step = self.step();
                    let way = samples_65536(axis) * i128::from(step);
                    let cells = moves[axis] * step as f64 / TWO_POW_32;
                    Position::new(way + offset(axis), 1 << 48).moved(cells)
                }
                Some((cells, samples)) => {
                    let way =
                        Position::new(samples_65536(axis) * i128::from(cells), i128::from(samples) * 65_536);
                    let start = Position::new(offset(axis), 1 << 48);
                    Position {
                        cell: way.cell + start.cell,
                        fraction: way.fraction + start.fraction,
                        period_cells: Some(i128::from(cells)),
                    }
                    .moved(moves[axis] * cells as f64 / samples as f64)
                }
            };
        }
        positions
    }
}

fn lerp(t: f64, a: f64, b: f64) -> f64 {
    a + t * (b - a)
}

/// The corners of the cell, each with the product of its weights along the axes.
fn blend(spec: &Spec, at: &[Position; 3], corner: impl Fn([i32; 3]) -> f64) -> f64 {
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let mut sum = 0.0;
    for bits in 0..8 {
        let offset = [bits & 1, bits >> 1 & 1, bits >> 2];
        if spec.dimensions == 2 && offset[1] == 1 {
            continue;
        }
        let weight = |&axis: &usize| {
            let u = fade(at[axis].fraction);
            if offset[axis] == 1 { u } else { 1.0 - u }
        };
        sum += spec.axes().iter().map(weight).product::<f64>() * corner(offset);
    }
    sum
}

/// 24 bits of the hash as -1..1.
fn unit_value(h: u32) -> f64 {
    f64::from(h >> 8) / 8_388_608.0 - 1.0
}

/// (k + 1/4) 45 degrees as cosine and sine. Square roots are exact on every platform, cosines are not.
fn direction(k: u32) -> [f64; 2] {
    let half = |inner: f64| (2.0 + inner).sqrt() / 2.0; // cos(a / 2) of inner = 2 cos(a)
    let root = 2.0f64.sqrt(); // 2 cos 45
    let (a, b) = (half(2.0 * half(root)), half(-2.0 * half(root))); // cos, sin 11.25
    let (c, d) = (half(2.0 * half(-root)), half(-2.0 * half(-root))); // cos, sin 33.75
    let quarter = if k.is_multiple_of(2) { [a, b] } else { [d, c] }; // 11.25 or 56.25
    match k / 2 {
        0 => quarter,
        1 => [-quarter[1], quarter[0]],
        2 => [-quarter[0], -quarter[1]],
        _ => [quarter[1], -quarter[0]],
    }
}

/// The kernel `max(1/2 - r^2, 0)^4` times the gradient's ramp, summed over all lattice points that can be near.
fn simplex(fractions: [f64; 2], lattice_hash: impl Fn([i32; 3]) -> u32) -> f64 {
    let unskew = SKEW / (1.0 + 2.0 * SKEW);
    let mut sum = 0.0;
    for i in -1..=2 {
        for j in -1..=2 {
            let (u, v) = (fractions[0] - f64::from(i), fractions[1] - f64::from(j));
            let (x, z) = (u - (u + v) * unskew, v - (u + v) * unskew);
            let t = (0.5 - (x * x + z * z)).max(0.0);
            let [gx, gz] = direction(lattice_hash([i, 0, j]) >> 29);
            sum += t * t * t * t * (gx * x + gz * z);
        }
    }
    sum
}

/// The kernel `max(2/3 - r^2, 0)^4` times the gradient's ramp, summed over all points of both cubic lattices that can be
/// near: whether the eight of the definition suffice is not assumed.
fn turned_simplex(fractions: [f64; 3], lattice_hash: impl Fn(usize, [i32; 3]) -> u32) -> f64 {
    let mut sum = 0.0;
    for (lattice, middle) in [(0, 0.0), (1, 0.5)] {
        for bits in 0..64 {
            let offset = [bits % 4 - 1, bits / 4 % 4 - 1, bits / 16 - 1];
            let way: [f64; 3] = std::array::from_fn(|i| fractions[i] - (f64::from(offset[i]) + middle));
            let t = (2.0 / 3.0 - way.iter().map(|d| d * d).sum::<f64>()).max(0.0);
            let g = super::exact_kinds::TURNED[(lattice_hash(lattice, offset) >> 29) as usize];
            let ramp: f64 = way.iter().zip(g).map(|(d, g)| d * f64::from(g)).sum();
            sum += t * t * t * t * ramp;
        }
    }
    sum
}

fn cellular(
    spec: &Spec,
    distance: Distance,
    returns: Returns,
    jitter: f64,
    lattice_hash: impl Fn([i32; 3]) -> u32,
    to_corner: impl Fn([i32; 3]) -> [f64; 3],
) -> f64 {
    let mut points = Vec::new();
    for bits in 0..27 {
        let offset = [bits % 3 - 1, bits / 3 % 3 - 1, bits / 9 - 1]; // the order decides ties
        if spec.dimensions == 2 && offset[1] != 0 {
            continue;
        }
        let h1 = lattice_hash(offset);
        let h2 = hash::again(h1);
        let h3 = hash::again(h2);
        let place = [h1, h3, h2].map(|h| 0.5 + jitter * (f64::from(h >> 16) / 65_536.0 - 0.5));
        let from_corner = to_corner(offset);
        let way = spec.axes().iter().map(|&axis| (place[axis] - from_corner[axis]).abs());
        let length = match distance {
            Distance::Euclidean => way.map(|d| d * d).sum::<f64>().sqrt(),
            Distance::Squared => way.map(|d| d * d).sum(),
            Distance::Manhattan => way.sum(),
            Distance::Chebyshev => way.fold(0.0, f64::max),
        };
        points.push((length, hash::again(if spec.dimensions == 2 { h2 } else { h3 })));
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0)); // stable
    let (f1, f2) = (points[0].0, points[1].0);
    let r = match returns {
        Returns::F1 => f1,
        Returns::F2 => f2,
        Returns::F2MinusF1 => f2 - f1,
        Returns::F1PlusF2 => f1 + f2,
        Returns::CellValue => return unit_value(points[0].1),
    };
    2.0 * r / spec.bound - 1.0
}
