//! Ken Perlin's improved noise as he published it: gradients chosen by a permutation table, and, for the reference,
//! his own table.
//!
//! For those who must match other programs, at table speed. It repeats every 256 cells. [`Perlin`](super::Perlin) is
//! faster, does not repeat, and has no gradients along the axes' diagonals only.
//!
//! Source: K. Perlin, *Improving Noise* (2002) and its reference implementation.

use terrane_lanes::Lanes;

use super::{KindInfo, KindParams, Octave, Setting, SettingRule, SettingValue, Smoothness};
use crate::gradient::{self, Corners};
use crate::hash::mix64;
use crate::kernel::coherent::{LatticeKind, on_shared_cells};
use crate::kernel::hashing::next;
use crate::kernel::pointwise::{At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::phase::AxisMap;
use crate::scratch::Lattice;

/// Ken Perlin's improved noise with a permutation table.
///
/// ```
/// use terrane_noise::{Noise, NoiseParams, PermutationTable, PerlinClassic};
/// let kind = PerlinClassic { table: PermutationTable::Seeded }.into();
/// let noise = Noise::new(&NoiseParams { kind, ..NoiseParams::default() })?;
/// assert_eq!(noise.at(3.into(), 4.into()), noise.at((3 + 256 * 64).into(), 4.into()));
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerlinClassic {
    /// Which table.
    pub table: PermutationTable,
}

/// Which permutation table [`PerlinClassic`] takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PermutationTable {
    /// Ken Perlin's, shuffled by the seed, another for each octave.
    #[default]
    Seeded,
    /// Ken Perlin's own for all octaves, and cell 0 at sample 0: the seed does not count.
    Reference,
}

/// Ken Perlin's permutation of 0..256.
#[rustfmt::skip]
const TABLE: [u8; 256] = [
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30, 69, 142, 8, 99, 37, 240,
    21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62, 94, 252, 219, 203, 117, 35, 11, 32, 57, 177, 33, 88,
    237, 149, 56, 87, 174, 20, 125, 136, 171, 168, 68, 175, 74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83,
    111, 229, 122, 60, 211, 133, 230, 220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161, 1, 216,
    80, 73, 209, 76, 132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86, 164, 100, 109, 198, 173, 186,
    3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126, 255, 82, 85, 212, 207, 206, 59, 227, 47, 16, 58, 17,
    182, 189, 28, 42, 223, 183, 170, 213, 119, 248, 152, 2, 44, 154, 163, 70, 221, 153, 101, 155, 167, 43, 172, 9, 129,
    22, 39, 253, 19, 98, 108, 110, 79, 113, 224, 232, 178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193, 238,
    210, 144, 12, 191, 179, 162, 241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31, 181, 199, 106, 157, 184,
    84, 204, 176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93, 222, 114, 67, 29, 24, 72, 243, 141, 128, 195,
    78, 66, 215, 61, 156, 180,
];

/// Perlin's gradients by the low four bits of the hash: x, y and z parts.
const GRADIENTS: [[f32; 16]; 3] = [
    [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0],
    [1.0, 1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
    [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 0.0, 1.0, 0.0, -1.0],
];

/// Largest value in the plane and in space, rounded up.
const BOUNDS: [f64; 2] = [1.000_1, 1.036_46];

/// One octave: a table, and gradients times the octave's amplitude.
#[derive(Clone, Debug)]
pub(crate) struct ClassicOctave {
    square: Square,
    table: Box<[u8; 256]>,
    /// Parts along our x, y, z.
    gradients: [[f32; 16]; 3],
}

impl KindParams for PerlinClassic {
    const INFO: KindInfo = KindInfo {
        id: 2,
        name: "perlin_classic",
        about: "Ken Perlin's improved noise with a permutation table; repeats after 256 cells",
        settings: &[Setting {
            name: "table",
            about: "the permutation table: shuffled by the seed, or Ken Perlin's own",
            rule: SettingRule::Choice(&["seeded", "reference"]),
        }],
        slope_max: Some([4.75, 6.625]),
        tiles: true,
        has_features: true,
    };
    type Octave = ClassicOctave;

    fn from_settings(settings: &[SettingValue]) -> Self {
        let reference = settings[0] == SettingValue::Choice(1);
        Self { table: if reference { PermutationTable::Reference } else { PermutationTable::Seeded } }
    }

    fn settings(&self) -> Vec<SettingValue> {
        vec![SettingValue::Choice(usize::from(self.table == PermutationTable::Reference))]
    }

    fn has_seed(&self) -> bool {
        self.table == PermutationTable::Seeded
    }

    fn smoothness(&self, three: bool) -> Smoothness {
        if three { Smoothness::of_slopes(&Self::INFO) } else { Smoothness::new(2.81, 12.81) }
    }

    fn octave(&self, plan: &OctavePlan) -> ClassicOctave {
        let mut square = Square::new(plan);
        let mut table = Box::new(TABLE);
        match self.table {
            PermutationTable::Seeded => shuffle(&mut table, plan.seed, plan.index),
            PermutationTable::Reference => square.maps.iter_mut().for_each(clear_offset),
        }
        let amplitude = (plan.share / BOUNDS[usize::from(plan.three)]) as f32;
        let [x, y, z] = GRADIENTS.map(|part| part.map(|v| v * amplitude));
        // In the plane Perlin's x and y are our x and z.
        let gradients = if plan.three { [x, y, z] } else { [x, [0.0; 16], y] };
        ClassicOctave { square, table, gradients }
    }
}

/// Fisher and Yates, from numbers that belong to the seed and the octave.
fn shuffle(table: &mut [u8; 256], seed: u64, octave: u32) {
    let stream = mix64(seed).wrapping_add((u64::from(octave) + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
    for i in (1..256u64).rev() {
        let random = mix64(stream.wrapping_add((256 - i).wrapping_mul(0x9e37_79b9_7f4a_7c15))) >> 32;
        table.swap(i as usize, ((random * (i + 1)) >> 32) as usize);
    }
}

fn clear_offset(map: &mut AxisMap) {
    match map {
        AxisMap::Free { offset, .. } | AxisMap::Tiled { offset, .. } => *offset = 0,
    }
}

impl ClassicOctave {
    /// Which gradient a lattice point has.
    #[inline(always)]
    fn gradient_index(&self, x: u32, y: Option<u32>, z: u32) -> usize {
        let t = &*self.table;
        let after_x = u32::from(t[(x & 255) as usize]);
        let after_two = match y {
            Some(y) => {
                let after_y = u32::from(t[(after_x.wrapping_add(y) & 255) as usize]);
                u32::from(t[(after_y.wrapping_add(z) & 255) as usize])
            }
            // The plane through 0 of Perlin's z.
            None => u32::from(t[usize::from(t[(after_x.wrapping_add(z) & 255) as usize])]),
        };
        (after_two & 15) as usize
    }

    /// Gradients of one corner of each lane, by scalar table look-ups: no level has a safe gather.
    #[inline(always)]
    fn gradient<L: Lanes, const THREE: bool>(&self, l: L, cells: [L::U; 3]) -> [L::F; 3] {
        let mut cell = [[0u32; 16]; 3];
        for (cell, of) in cell.iter_mut().zip(cells) {
            l.store_u(of, cell);
        }
        let parts = self.gradients_of(&cell, L::N, THREE);
        [l.load(&parts[0]), l.load(&parts[1]), l.load(&parts[2])]
    }

    /// Plain scalar code, the same for all levels and not inlined into any.
    #[inline(never)]
    fn gradients_of(&self, [x, y, z]: &[[u32; 16]; 3], lanes: usize, three: bool) -> [[f32; 16]; 3] {
        let mut parts = [[0.0f32; 16]; 3];
        for i in 0..lanes.min(16) {
            let index = self.gradient_index(x[i], three.then_some(y[i]), z[i]);
            for (part, gradients) in parts.iter_mut().zip(&self.gradients) {
                part[i] = gradients[index];
            }
        }
        parts
    }

    #[inline(always)]
    fn corners_at<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> Corners<L::F> {
        let lines = [self.lines(l, at, 0), self.lines(l, at, 1), self.lines(l, at, 2)];
        let mut corners = [[[[l.splat(0.0); 3]; 2]; 2]; 2];
        for (rows, z) in corners.iter_mut().zip(lines[2]) {
            for (row, y) in rows.iter_mut().zip(lines[1]).take(if THREE { 2 } else { 1 }) {
                for (corner, x) in row.iter_mut().zip(lines[0]) {
                    *corner = self.gradient::<L, THREE>(l, [x, y, z]);
                }
            }
        }
        corners
    }

    /// The cells of both lattice lines around a sample.
    #[inline(always)]
    fn lines<L: Lanes>(&self, l: L, at: &At<L>, axis: usize) -> [L::U; 2] {
        [at[axis].cell, next(l, at[axis].cell, self.square.maps[axis].period())]
    }
}

impl Octave for ClassicOctave {
    on_shared_cells!();
}

impl LatticeKind for ClassicOctave {
    const GRADIENT: bool = true;

    #[inline(always)]
    fn corners<L: Lanes>(
        &self,
        _: L,
        columns: (u32, usize),
        rows: (u32, usize),
        plane: Option<u32>,
        to: &mut Lattice,
    ) {
        let y = plane.map(|plane| self.square.cell(1, plane, 0));
        for row in 0..rows.1 {
            let z = self.square.cell(2, rows.0, row as u32);
            for column in 0..columns.1 {
                let index = self.gradient_index(self.square.cell(0, columns.0, column as u32), y, z);
                for (part, gradients) in to.parts.iter_mut().zip(&self.gradients) {
                    part[row][column] = gradients[index];
                }
            }
        }
    }
}

impl Sample for ClassicOctave {
    on_the_square_lattice!();

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> L::F {
        gradient::value::<L, THREE>(l, &self.corners_at::<L, THREE>(l, at), at)
    }

    #[inline(always)]
    fn value_and_slopes<L: Lanes, const THREE: bool>(&self, l: L, at: &At<L>) -> [L::F; 4] {
        let corners = self.corners_at::<L, THREE>(l, at);
        gradient::value_and_slopes::<L, THREE>(l, &corners, &gradient::axes(l, at, &self.square))
    }
}
