//! No seams: tiles that share samples give them the same bits, wherever they lie and however fine the spacing.

mod kit;
mod reference;

use terrane_noise::{Fractal, Grid, Noise, NoiseParams, Scratch, SimdLevel};

/// Numbers from a counter: the pairs are the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = terrane_noise::hash::mix64(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15));
        self.0 % n
    }
}

/// Samples that a chunk of `cells` cells and its eastern neighbour (or its southern one) share, from both.
fn shared(noise: &Noise, chunk: [i64; 2], cells: usize, south: bool, scratch: &mut Scratch) -> [Vec<f32>; 2] {
    let n = cells + 1;
    let fill = |chunk: [i64; 2], scratch: &mut Scratch| {
        let [x, z] = chunk.map(|c| c.wrapping_mul(cells as i64));
        let mut out = vec![f32::NAN; n * n];
        noise.fill(SimdLevel::detect(), &Grid { x, z, width: n, height: n, stride: 1 }, &mut out, n, scratch);
        out
    };
    let here = fill(chunk, scratch);
    let other = fill([chunk[0] + i64::from(!south), chunk[1] + i64::from(south)], scratch);
    if south {
        [here[cells * n..].to_vec(), other[..n].to_vec()]
    } else {
        [0, 1].map(|side| {
            let (tile, column) = if side == 0 { (&here, cells) } else { (&other, 0) };
            tile.iter().skip(column).step_by(n).copied().collect()
        })
    }
}

#[test]
fn a_thousand_pairs_of_chunks_share_their_border_to_the_bit() {
    let (mut random, scratch) = (Random(7), &mut Scratch::new());
    let kinds = kit::kinds();
    let mut differing = 0;
    for pair in 0..1000usize {
        let spacing_m = [0.02, 0.3, 1.0, 7.0][pair % 4];
        let fractal = Fractal { shape: kit::SHAPES[pair % 3], octaves: 5, ..Fractal::default() };
        let params = NoiseParams {
            kind: kinds[pair % kinds.len()],
            seed: random.below(u64::MAX),
            frequency: spacing_m / 55.0,
            fractal,
            ..NoiseParams::default()
        };
        let noise = Noise::new(&params).expect("valid");
        let reach = [1 << 10, 1 << 24, 1 << 50][pair % 3];
        let chunk = [0, 1].map(|_| random.below(2 * reach) as i64 - reach as i64);
        let cells = [16, 32, 64, 128][random.below(4) as usize];
        let [a, b] = shared(&noise, chunk, cells, pair % 2 == 0, scratch);
        differing += a.iter().zip(&b).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    }
    assert_eq!(differing, 0);
}

#[test]
fn the_same_check_finds_an_origin_that_is_a_float_product() {
    // What tears borders elsewhere: a chunk's origin times a float spacing, so that neighbours round differently.
    let noise = Noise::new(&NoiseParams { frequency: 0.02, ..NoiseParams::default() }).expect("valid");
    let scratch = &mut Scratch::new();
    let [a, _] = shared(&noise, [40_000, 3], 64, false, scratch);
    let [_, torn] = shared(&noise, [40_000, 3 + 1], 64, false, scratch);
    assert!(a.iter().zip(&torn).any(|(a, b)| a.to_bits() != b.to_bits()));
}
