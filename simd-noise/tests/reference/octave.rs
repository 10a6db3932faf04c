//! What an octave is before any place is known: frequency, share, offsets, words, periods, table.
//!
//! Both definitions read these numbers; all are f64 or integers, and each rounds them where it needs to.

use super::ken_perlin::PERMUTATION;
use super::{KindSpec, Spec};
use terrane_noise::hash;

pub(crate) const TWO_POW_32: f64 = 4_294_967_296.0;
/// Keeps f32 rounding inside -1..1.
pub(crate) const SHARE: f64 = 1.0 - 1.0 / 262_144.0;
/// (sqrt 3 - 1) / 2, the skew of the simplex lattice.
pub(crate) const SKEW: f64 = 0.366_025_403_784_438_65;

pub(crate) struct Octave {
    pub(crate) frequency: f64,
    pub(crate) share: f64,
    /// Per axis x, y, z.
    pub(crate) offsets: [u64; 3],
    pub(crate) words: [u32; 3],
    /// Word x of the second cubic lattice of simplex in 3D.
    pub(crate) second_word: u32,
    /// Per axis: cells and samples of this octave's period.
    pub(crate) periods: [Option<(i64, i64)>; 3],
    /// Perlin classic only.
    pub(crate) table: Option<Box<[u8; 256]>>,
}

pub(crate) fn octaves(spec: &Spec) -> Vec<Octave> {
    let simplex = matches!(spec.kind, KindSpec::Simplex);
    assert!(!(simplex && spec.periods.iter().any(Option::is_some)), "tiled simplex is not defined");
    let reference = spec.kind == KindSpec::PerlinClassic { reference: true };
    let total = {
        let (mut sum, mut power) = (0.0, 1.0);
        for _ in 0..spec.octaves {
            sum += power;
            power *= spec.persistence;
        }
        sum
    };
    let (mut frequency, mut power) = (spec.frequency, 1.0);
    let mut cells = spec.periods.map(|period| period.map_or(0.0, |(cells, _)| f64::from(cells)));
    let mut octaves = Vec::new();
    for k in 0..spec.octaves {
        let share = if spec.weighted_strength > 0.0 { SHARE } else { SHARE * power / total };
        octaves.push(Octave {
            frequency,
            share,
            offsets: if reference { [0; 3] } else { hash::octave_offsets(spec.seed, k) },
            words: hash::octave_words(spec.seed, k),
            second_word: hash::octave_second_word(spec.seed, k),
            periods: std::array::from_fn(|axis| {
                let (_, samples) = spec.periods[axis]?;
                assert!(
                    cells[axis] >= 1.0 && cells[axis].fract() == 0.0,
                    "octave {k}: {} cells",
                    cells[axis]
                );
                Some((cells[axis] as i64, i64::from(samples)))
            }),
            table: match spec.kind {
                KindSpec::PerlinClassic { reference: true } => Some(Box::new(PERMUTATION)),
                KindSpec::PerlinClassic { reference: false } => Some(Box::new(shuffled(spec.seed, k))),
                _ => None,
            },
        });
        frequency *= spec.lacunarity;
        power *= spec.persistence;
        cells = cells.map(|cells| cells * spec.lacunarity);
    }
    octaves
}

impl Octave {
    /// Cells a sample in 32.32 fixed point, of an axis that is not tiled.
    pub(crate) fn step(&self) -> u64 {
        (self.frequency * TWO_POW_32).round() as u64
    }

    /// What one sample along an axis adds along its own lattice axis and along the other one of the simplex lattice.
    pub(crate) fn simplex_steps(&self) -> [u64; 2] {
        [1.0 + SKEW, SKEW].map(|skew| (self.frequency * skew * TWO_POW_32).round() as u64)
    }

    /// Simplex in 3D: what one sample along x, y, z adds along u, v and w.
    pub(crate) fn turned_steps(&self) -> [[i64; 3]; 3] {
        let [a, b, c] = [0.788_675_134_594_813, 0.211_324_865_405_187, 0.577_350_269_189_626]
            .map(|part: f64| (self.frequency * part * TWO_POW_32).round() as i64);
        [[a, c, -b], [-c, c, -c], [-b, c, a]]
    }

    /// The hash of a lattice point, cells x, y, z.
    pub(crate) fn hash(&self, dimensions: u32, cell: [u32; 3]) -> u32 {
        let ([x, y, z], [word_x, word_y, word_z]) = (cell, self.words);
        let row = if dimensions == 2 { hash::half_z(z, word_z) } else { hash::half_yz(y, z, word_y, word_z) };
        hash::corner(hash::half_x(x, word_x), row)
    }
}

/// Perlin's table, shuffled for one octave.
fn shuffled(seed: u64, k: u32) -> [u8; 256] {
    let start = hash::mix64(seed).wrapping_add((u64::from(k) + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    let mut table = PERMUTATION;
    for i in (1..256u64).rev() {
        let r = hash::mix64(start.wrapping_add((256 - i).wrapping_mul(0x9e37_79b9_7f4a_7c15))) >> 32;
        let j = (r * (i + 1)) >> 32;
        table.swap(i as usize, j as usize);
    }
    table
}
