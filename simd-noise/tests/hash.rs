//! Is the lattice hash as good as noise? Statistics of `hash::corner` at the 0.1 % limits.
//!
//! Every statistic becomes a standard normal number z (chi-square by Wilson and Hilferty's cube root). Too even is
//! as wrong as too uneven, so both tails count. A family of M statistics passes if none leaves the two-sided 0.1 %
//! limit for M tests (Bonferroni) and no more leave the limit of a single test than such a family does once in a
//! thousand times. All seeds are fixed: a run is either always green or always red. The last tests plant hashes that
//! must fail, so that a green run means something.
//!
//! Bits looked at: the gradient index (top three bits) and the six nibbles of the top 24 bits, pairs of them too.
//! Deliberately not here: the search that led to the constants (docs/decisions/0002-lattice-hash.md).
#![allow(clippy::disallowed_methods, reason = "statistics of a test: no bits of the library come from here")]

use std::f64::consts::{SQRT_2, TAU};

use terrane_noise::hash::{
    KM, KX, KZ, again, corner, corner_top, field_seed, fold, half_x, half_yz, half_z, mix64, octave_offsets,
    octave_words,
};

// ---------------------------------------------------------------- statistics

/// P(|N| > z), Numerical Recipes' rational Chebyshev fit, relative error 1.2e-7.
fn two_sided(z: f64) -> f64 {
    let x = z.abs() / SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * x);
    let c =
        [0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196];
    let p = c.iter().fold(0.0, |p, c| p * t + c);
    t * (-x * x - 1.26551223 + t * (1.00002368 + t * p)).exp()
}

/// The z that a normal number leaves on either side with probability `p`.
fn limit(p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if two_sided(middle) > p { low = middle } else { high = middle }
    }
    low
}

fn chi_square_z(chi: f64, freedom: f64) -> f64 {
    let a = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - a)) / a.sqrt()
}

fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum()
}

#[derive(Default)]
struct Family(Vec<(String, f64)>);

impl Family {
    fn uniform(&mut self, label: String, counts: &[u32]) {
        self.0.push((label, chi_square_z(chi_square(counts), counts.len() as f64 - 1.0)));
    }

    /// The largest of `n` exponential numbers with mean 1.
    fn largest(&mut self, label: String, largest: f64, n: f64) {
        let above = -(-n * (-largest).exp()).exp_m1();
        self.0.push((label, if above < 0.5 { limit(2.0 * above.max(1e-80)) } else { 0.0 }));
    }

    /// Ok, or what was wrong.
    fn verdict(&self) -> Result<(), String> {
        let m = self.0.len() as f64;
        let (single, joint) = (limit(1e-3), limit(1e-3 / m));
        let (label, worst) = self.0.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap();
        let over = self.0.iter().filter(|(_, z)| z.abs() > single).count();
        // the 99.9 % quantile of the number of tests over their own limit (Poisson with mean m / 1000)
        let (mean, mut allowed) = (m * 1e-3, 0);
        let (mut term, mut below) = ((-mean).exp(), (-mean).exp());
        while below < 0.999 {
            allowed += 1;
            term *= mean / f64::from(allowed);
            below += term;
        }
        let line =
            format!("{m} tests, worst {worst:.2} of {joint:.2} at {label}; {over} of {allowed} over 0.1 %");
        println!("{line}");
        if worst.abs() <= joint && over <= allowed as usize { Ok(()) } else { Err(line) }
    }

    fn assert_random(&self) {
        self.verdict().unwrap();
    }

    fn assert_fails(&self) {
        self.verdict().unwrap_err();
    }
}

/// Fixed, unrelated 32-bit numbers for origins and words.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix64(self.0) >> 32) as u32
    }

    /// Near the origin and far from it in turns.
    fn origin(&mut self, round: u32) -> u32 {
        let v = self.next();
        if round & 1 == 0 { v & 0xff } else { v }
    }
}

/// Joint counts of two corner hashes: gradient indices, and nibbles at the given shifts.
const SHIFTS: [(u32, u32); 9] =
    [(28, 28), (24, 24), (20, 20), (16, 16), (12, 12), (8, 8), (28, 24), (28, 16), (12, 28)];

struct Joint {
    gradients: [u32; 64],
    nibbles: [[u32; 256]; 9],
}

impl Joint {
    fn new() -> Self {
        Self { gradients: [0; 64], nibbles: [[0; 256]; 9] }
    }

    #[inline(always)]
    fn add(&mut self, a: u32, b: u32) {
        self.gradients[(((a >> 29) << 3) | (b >> 29)) as usize] += 1;
        for (counts, (s, t)) in self.nibbles.iter_mut().zip(SHIFTS) {
            counts[(((a >> s & 15) << 4) | (b >> t & 15)) as usize] += 1;
        }
    }

    fn report(&self, label: &str, family: &mut Family) {
        family.uniform(format!("{label}, gradients"), &self.gradients);
        for (counts, (s, t)) in self.nibbles.iter().zip(SHIFTS) {
            family.uniform(format!("{label}, nibbles {s} and {t}"), counts);
        }
    }
}

/// Inserts a zero bit: the cells i and i + 2^bit then are disjoint pairs, so their counts are independent.
#[inline(always)]
fn spread(i: u32, bit: u32) -> u32 {
    (i >> bit << (bit + 1)) | (i & ((1 << bit) - 1))
}

// ---------------------------------------------------------------- the families

/// Cells 2^0 to 2^16 apart along both axes and both diagonals.
fn neighbours_2d(hash: impl Fn(u32, u32) -> u32 + Copy) -> Family {
    let (mut family, mut numbers) = (Family::default(), Numbers(1));
    for bit in 0..=16 {
        let d = 1u32 << bit;
        for (dx, dz) in [(d, 0), (0, d), (d, d), (d, d.wrapping_neg())] {
            let mut joint = Joint::new();
            for round in 0..4 {
                let (word_x, word_z) = (numbers.next(), numbers.next());
                let (x0, z0) = (numbers.origin(round), numbers.origin(round));
                for j in 0..256 {
                    let z = z0.wrapping_add(if dx == 0 { spread(j, bit) } else { j });
                    let (row_a, row_b) = (half_z(z, word_z), half_z(z.wrapping_add(dz), word_z));
                    for i in 0..256 {
                        let x = x0.wrapping_add(if dx == 0 { i } else { spread(i, bit) });
                        let a = hash(half_x(x, word_x), row_a);
                        joint.add(a, hash(half_x(x.wrapping_add(dx), word_x), row_b));
                    }
                }
            }
            joint.report(&format!("offset {dx}, {}", dz.cast_signed()), &mut family);
        }
    }
    family
}

/// The same along the 3 axes, 6 face diagonals and 4 space diagonals of three dimensions.
fn neighbours_3d(hash: impl Fn(u32, u32) -> u32 + Copy) -> Family {
    let (mut family, mut numbers) = (Family::default(), Numbers(2));
    for bit in 0..=16 {
        // the 13 directions whose first part that is not zero is positive
        for n in 14..27u32 {
            let [dx, dy, dz] = [n / 9, n / 3 % 3, n % 3].map(|v| v.wrapping_sub(1) << bit);
            let first = [dx, dy, dz].iter().position(|&d| d != 0).unwrap();
            let at = |axis: usize, i: u32| if axis == first { spread(i, bit) } else { i };
            let mut joint = Joint::new();
            for round in 0..4 {
                let [wx, wy, wz] = [numbers.next(), numbers.next(), numbers.next()];
                let [x0, y0, z0] = [0; 3].map(|_: u32| numbers.origin(round));
                for k in 0..16 {
                    let z = z0.wrapping_add(at(2, k));
                    for j in 0..16 {
                        let y = y0.wrapping_add(at(1, j));
                        let row_a = half_yz(y, z, wy, wz);
                        let row_b = half_yz(y.wrapping_add(dy), z.wrapping_add(dz), wy, wz);
                        for i in 0..64 {
                            let x = x0.wrapping_add(at(0, i));
                            let a = hash(half_x(x, wx), row_a);
                            joint.add(a, hash(half_x(x.wrapping_add(dx), wx), row_b));
                        }
                    }
                }
            }
            joint.report(&format!("direction {n} times 2^{bit}"), &mut family);
        }
    }
    family
}

/// Pairs of fields whose seeds differ by one bit, by one, by an octave or a field id, at one cell, at neighbours, and
/// at the cells that lie over each other when the second octave has twice the frequency.
fn fields(words: impl Fn(u64, u32) -> [u32; 3] + Copy) -> Family {
    let (mut family, mut numbers) = (Family::default(), Numbers(3));
    for kind in 0..71 {
        for (scale, shift) in [(1, 0), (1, 1), (2, 0)] {
            if scale == 2 && kind < 66 {
                continue;
            }
            let mut joint = Joint::new();
            for round in 0..8u32 {
                // small seeds are what people type
                let seed = match round & 1 {
                    0 => u64::from(numbers.next() & 0xfff),
                    _ => u64::from(numbers.next()) << 32 | u64::from(numbers.next()),
                };
                let octave = numbers.next() % 8;
                let (a, b) = match kind {
                    0..64 => (words(seed, octave), words(seed ^ 1 << kind, octave)),
                    64 => (words(seed, octave), words(seed.wrapping_add(1), octave)),
                    65 => (words(field_seed(seed, 7), octave), words(field_seed(seed, 8), octave)),
                    66 => (words(seed, octave), words(seed, octave + 1)),
                    67 => (words(seed, octave), words(seed, octave + 2)),
                    68 => (words(field_seed(seed, 3), octave), words(field_seed(seed, 3), octave + 1)),
                    69 => (words(seed, 0), words(seed.wrapping_add(1), 1)),
                    _ => (words(field_seed(seed, 0), 0), words(field_seed(seed, 1), 1)),
                };
                let (x0, z0) = (numbers.origin(round), numbers.origin(round));
                for j in 0..64 {
                    let z = z0.wrapping_add(j);
                    let (row_a, row_b) =
                        (half_z(z, a[2]), half_z(z.wrapping_mul(scale).wrapping_add(shift), b[2]));
                    for i in 0..64 {
                        let x = x0.wrapping_add(i);
                        let other = half_x(x.wrapping_mul(scale).wrapping_add(shift), b[0]);
                        joint.add(corner(half_x(x, a[0]), row_a), corner(other, row_b));
                    }
                }
            }
            joint.report(&format!("seed pair {kind}, scale {scale}, shift {shift}"), &mut family);
        }
    }
    family
}

/// Runs of 512 cells along rows, columns and diagonals: how often each index and each nibble comes, summed over many
/// runs (a low-discrepancy sequence is too even here), and triples of gradients. Then blocks of 2 x 2 gradients.
fn runs_and_blocks(hash: impl Fn(u32, u32) -> u32 + Copy) -> Family {
    let (mut family, mut numbers) = (Family::default(), Numbers(4));
    for (dx, dz) in [(1, 0), (0, 1), (1, 1), (1, u32::MAX)] {
        for stride in [1u32, 16, 256] {
            let (mut index_chi, mut nibble_chi, mut triples) = (0.0, [0.0; 6], vec![0u32; 512]);
            let runs = 256;
            for round in 0..runs {
                let at =
                    |i: u32, d: u32, origin: u32| i.wrapping_mul(stride).wrapping_mul(d).wrapping_add(origin);
                let (wx, wz) = (numbers.next(), numbers.next());
                let (x0, z0) = (numbers.origin(round), numbers.origin(round));
                let run: Vec<u32> =
                    (0..512).map(|i| hash(half_x(at(i, dx, x0), wx), half_z(at(i, dz, z0), wz))).collect();
                let (mut index, mut nibble) = ([0u32; 8], [[0u32; 16]; 6]);
                for &h in &run {
                    index[(h >> 29) as usize] += 1;
                    for (counts, shift) in nibble.iter_mut().zip([28, 24, 20, 16, 12, 8]) {
                        counts[(h >> shift & 15) as usize] += 1;
                    }
                }
                index_chi += chi_square(&index);
                for (chi, counts) in nibble_chi.iter_mut().zip(&nibble) {
                    *chi += chi_square(counts);
                }
                for t in run.chunks_exact(3) {
                    triples[t.iter().fold(0, |at, h| at << 3 | (h >> 29) as usize)] += 1;
                }
            }
            let label = format!("run {dx}, {} stride {stride}", dz.cast_signed());
            family.0.push((format!("{label}, index"), chi_square_z(index_chi, 7.0 * f64::from(runs))));
            for (chi, shift) in nibble_chi.iter().zip([28, 24, 20, 16, 12, 8]) {
                family
                    .0
                    .push((format!("{label}, nibble {shift}"), chi_square_z(*chi, 15.0 * f64::from(runs))));
            }
            family.uniform(format!("{label}, triples"), &triples);
        }
    }
    for bit in [0u32, 1, 4, 8, 12, 16] {
        let mut blocks = vec![0u32; 4096];
        for round in 0..4 {
            let (wx, wz) = (numbers.next(), numbers.next());
            let (x0, z0) = (numbers.origin(round), numbers.origin(round));
            for (i, j) in (0..65_536).map(|n| (n & 255, n >> 8)) {
                let (x, z) = (x0.wrapping_add(spread(i, bit)), z0.wrapping_add(spread(j, bit)));
                let class = [(0, 0), (1, 0), (0, 1), (1, 1)].iter().fold(0, |class, (dx, dz)| {
                    let (x, z) = (x.wrapping_add(dx << bit), z.wrapping_add(dz << bit));
                    class << 3 | (hash(half_x(x, wx), half_z(z, wz)) >> 29) as usize
                });
                blocks[class] += 1;
            }
        }
        family.uniform(format!("2 x 2 blocks, stride 2^{bit}"), &blocks);
    }
    family
}

// ---------------------------------------------------------------- spectra

/// Radix-2 transform in place; `twiddles[k]` is exp(-i TAU k / n).
fn transform(data: &mut [(f64, f64)], twiddles: &[(f64, f64)]) {
    let n = data.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            data.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        let step = n / (2 * half);
        for part in data.chunks_exact_mut(2 * half) {
            let (low, high) = part.split_at_mut(half);
            for ((a, b), &(c, s)) in low.iter_mut().zip(high).zip(twiddles.iter().step_by(step)) {
                let t = (b.0 * c - b.1 * s, b.0 * s + b.1 * c);
                (*a, *b) = ((a.0 + t.0, a.1 + t.1), (a.0 - t.0, a.1 - t.1));
            }
        }
        half *= 2;
    }
}

fn twiddles(n: usize) -> Vec<(f64, f64)> {
    (0..n / 2).map(|k| (-TAU * k as f64 / n as f64).sin_cos()).map(|(s, c)| (c, s)).collect()
}

/// The gradient as a complex number on the unit circle, its angle times `harmonic`.
fn direction(hash: u32, harmonic: u32) -> (f64, f64) {
    let (s, c) = (f64::from((hash >> 29) * harmonic % 8) * (TAU / 8.0)).sin_cos();
    (c, s)
}

/// 512 x 512 transforms of the gradient field: white noise has exponential powers, so no peak and a known spread.
fn spectra(hash: impl Fn(u32, u32) -> u32 + Copy) -> Family {
    let (mut family, mut numbers) = (Family::default(), Numbers(5));
    let (n, twiddles) = (512, twiddles(512));
    for stride in [1u32, 2, 3, 16, 256] {
        for harmonic in [1, 2, 3] {
            let (mut largest, mut squares) = (0f64, 0.0);
            let blocks = 2;
            for round in 0..blocks {
                let (wx, wz) = (numbers.next(), numbers.next());
                let (x0, z0) = (numbers.origin(round), numbers.origin(round));
                let mut data = Vec::with_capacity(n * n);
                for j in 0..n as u32 {
                    let row = half_z(z0.wrapping_add(j * stride), wz);
                    data.extend(
                        (0..n as u32)
                            .map(|i| direction(hash(half_x(x0.wrapping_add(i * stride), wx), row), harmonic)),
                    );
                }
                for _ in 0..2 {
                    data.chunks_exact_mut(n).for_each(|row| transform(row, &twiddles));
                    (0..n).for_each(|j| (0..j).for_each(|i| data.swap(j * n + i, i * n + j)));
                }
                for (re, im) in data {
                    let power = (re * re + im * im) / (n * n) as f64;
                    largest = largest.max(power);
                    squares += power * power;
                }
            }
            let count = (n * n) as f64 * f64::from(blocks);
            family.largest(format!("stride {stride} harmonic {harmonic}, peak"), largest, count);
            // the powers' sum is fixed, which leaves their mean square a variance of 4 / count around 2
            let z = (squares / count - 2.0) / (4.0 / count).sqrt();
            family.0.push((format!("stride {stride} harmonic {harmonic}, spread"), z));
        }
    }
    family
}

/// Is one field, or another, a shifted copy? Correlation at every lag up to 2^16 cells along an axis or a diagonal.
fn lags(pairs: &[([u32; 3], [u32; 3])], hash: impl Fn(u32, u32) -> u32 + Copy) -> Family {
    let (mut family, mut numbers) = (Family::default(), Numbers(6));
    let n = 1usize << 18;
    let twiddles = twiddles(n);
    for (dx, dz) in [(1, 0), (0, 1), (1, 1), (1, u32::MAX)] {
        let mut sum = vec![(0.0, 0.0); n];
        for (a, b) in pairs {
            let (x0, z0) = (numbers.origin(0), numbers.origin(0));
            let run = |words: &[u32; 3]| {
                let mut data = vec![(0.0, 0.0); n];
                for (i, v) in data[..n / 2].iter_mut().enumerate() {
                    let x = x0.wrapping_add((i as u32).wrapping_mul(dx));
                    let z = z0.wrapping_add((i as u32).wrapping_mul(dz));
                    *v = direction(hash(half_x(x, words[0]), half_z(z, words[2])), 1);
                }
                transform(&mut data, &twiddles);
                data
            };
            let first = run(a);
            let second = if a == b { first.clone() } else { run(b) };
            for ((s, p), q) in sum.iter_mut().zip(&first).zip(&second) {
                *s = (s.0 + p.0 * q.0 + p.1 * q.1, s.1 + p.1 * q.0 - p.0 * q.1);
            }
        }
        transform(&mut sum, &twiddles);
        let mut largest = 0f64;
        for lag in 1..=65_536usize {
            let products = ((n / 2 - lag) * pairs.len()) as f64;
            for (re, im) in [sum[lag], sum[n - lag]] {
                largest = largest.max((re * re + im * im) / (n as f64).powi(2) / products);
            }
        }
        family.largest(format!("lags along {dx}, {}", dz.cast_signed()), largest, 131_072.0);
    }
    family
}

/// One field against itself.
fn own_words() -> Vec<([u32; 3], [u32; 3])> {
    (0..4).map(|seed| (octave_words(seed, 0), octave_words(seed, 0))).collect()
}

// ---------------------------------------------------------------- the tests

#[test]
fn neighbours_are_independent_in_two_dimensions() {
    neighbours_2d(corner).assert_random();
}

#[test]
fn neighbours_are_independent_in_three_dimensions() {
    neighbours_3d(corner).assert_random();
}

#[test]
fn seeds_octaves_and_fields_are_independent() {
    fields(octave_words).assert_random();
}

#[test]
fn runs_and_blocks_are_as_uneven_as_chance() {
    runs_and_blocks(corner).assert_random();
}

#[test]
fn gradient_fields_are_white() {
    spectra(corner).assert_random();
}

#[test]
fn no_field_is_a_shifted_copy() {
    lags(&own_words(), corner).assert_random();
    let others: Vec<_> = (0..4).map(|s| (octave_words(s, 0), octave_words(s, 1))).collect();
    lags(&others, corner).assert_random();
}

/// Words that differ by a multiple of KX (always, KX is odd) make x halves shifted copies; z halves likewise. That is
/// harmless while the shifts are far: over many related seeds no pair is within 2^16 cells on both axes, and the
/// shifts along one axis are spread evenly.
#[test]
fn translates_are_out_of_reach() {
    let inverse = |k: u32| (0..5).fold(1u32, |r, _| r.wrapping_mul(2u32.wrapping_sub(k.wrapping_mul(r))));
    assert_eq!(inverse(KX).wrapping_mul(KX), 1);
    let (mut family, mut sixteenths) = (Family::default(), [[0u32; 16]; 2]);
    for base in 0..1024 {
        let a = octave_words(base, 0);
        let related = (0..64).map(|bit| octave_words(base ^ 1 << bit, 0));
        for b in related.chain([octave_words(base, 1), octave_words(base, 2)]) {
            let shift_x = b[0].wrapping_sub(a[0]).wrapping_mul(inverse(KX));
            let shift_z = b[2].wrapping_sub(a[2]).wrapping_mul(inverse(KZ));
            let far = |shift: u32| shift.cast_signed().unsigned_abs() > 65_536;
            assert!(far(shift_x) || far(shift_z), "a copy {shift_x:x}, {shift_z:x} away from seed {base}");
            sixteenths[0][(shift_x >> 28) as usize] += 1;
            sixteenths[1][(shift_z >> 28) as usize] += 1;
        }
    }
    family.uniform("shift along x".into(), &sixteenths[0]);
    family.uniform("shift along z".into(), &sixteenths[1]);
    family.assert_random();
}

#[test]
fn a_second_round_is_independent_of_the_first() {
    let (mut family, mut numbers) = (Family::default(), Numbers(7));
    for (dx, dz) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let mut joint = Joint::new();
        let (wx, wz) = (numbers.next(), numbers.next());
        for (x, z) in (0..1_048_576u32).map(|n| (n & 1023, n >> 10)) {
            let a = corner(half_x(x, wx), half_z(z, wz));
            joint.add(a, again(corner(half_x(x + dx, wx), half_z(z + dz, wz))));
        }
        joint.report(&format!("second round at {dx}, {dz}"), &mut family);
    }
    family.assert_random();
}

/// Kernels fold halves before they join them, or the joined word, whichever is less work.
#[test]
fn folding_commutes_with_joining() {
    let mut numbers = Numbers(25);
    for bit in 0..32 {
        let (a, b, c) = (numbers.next(), numbers.next(), 1 << bit);
        assert_eq!(fold(a) ^ fold(b), fold(a ^ b));
        assert_eq!(fold(a) ^ fold(c), fold(a ^ c));
        assert_eq!((fold(a) ^ fold(b)) ^ fold(c), fold((a ^ b) ^ c));
    }
}

#[test]
fn the_last_fold_leaves_gradients_alone() {
    let mut numbers = Numbers(8);
    for _ in 0..100_000 {
        let (a, b) = (numbers.next(), numbers.next());
        assert_eq!(corner(a, b) >> 17, corner_top(a, b) >> 17);
    }
}

/// Saved worlds depend on these.
#[test]
fn values_are_pinned() {
    assert_eq!(mix64(0x9e37_79b9_7f4a_7c15), 0xe220_a839_7b1d_cdaf); // SplitMix64's first output for seed 0
    assert_eq!(field_seed(1, 2), 0xf1a3_3d3b_b053_ab72);
    assert_eq!(octave_words(42, 3), [0x771b_6650, 0xf3e5_7451, 0x1d23_fbde]);
    assert_eq!(octave_offsets(42, 3), [0xf39c_3280_0a3a_496a, 0x0519_5367_2e4a_cbbc, 0x11d9_4b40_0fa8_8703]);
    let [x, y, z] = octave_words(42, 3);
    assert_eq!(corner(half_x(7, x), half_z(u32::MAX, z)), 0x0407_ab19);
    assert_eq!(corner(half_x(7, x), half_yz(9, u32::MAX, y, z)), 0x8e22_2472);
}

// ---------------------------------------------------------------- planted failures

/// One multiplication by a constant: good top bits nearby, weak lower bits, patterns far off.
fn one_multiply(half_x: u32, half_z: u32) -> u32 {
    (half_x ^ half_z).wrapping_mul(0x27d4_eb2d)
}

/// The same with a fold before it.
fn fold_multiply(half_x: u32, half_z: u32) -> u32 {
    let v = half_x ^ half_z;
    (v ^ (v >> 15)).wrapping_mul(0x27d4_eb2d)
}

/// Halves that meet in a sum, which leaves one long sequence for all fields.
fn sum_of_halves(half_x: u32, half_z: u32) -> u32 {
    corner(half_x.wrapping_add(half_z), 0)
}

/// No finish at all: an additive, low-discrepancy sequence along each row.
fn no_finish(half_x: u32, half_z: u32) -> u32 {
    half_x.wrapping_add(half_z)
}

#[test]
fn planted_weak_hashes_fail() {
    neighbours_2d(one_multiply).assert_fails();
    neighbours_2d(fold_multiply).assert_fails();
    neighbours_2d(corner_top).assert_fails(); // its lower bits
    runs_and_blocks(no_finish).assert_fails();
    spectra(no_finish).assert_fails();
    lags(&own_words(), one_multiply).assert_fails();
    // a row of one field stands in the other, 1000 cells on
    let words = octave_words(1, 0);
    let copy = [words[0].wrapping_add(KX.wrapping_mul(1000)), words[1], words[2]];
    lags(&[(words, copy)], corner).assert_fails();
    // a step that leaves the sum of halves as it was: KX * dx + KZ * dz = 0
    let (dx, dz) = (29621, (-11417i32).cast_unsigned());
    assert_eq!(
        sum_of_halves(half_x(5, 1), half_z(6, 2)),
        sum_of_halves(half_x(5 + dx, 1), half_z(dz.wrapping_add(6), 2))
    );
    assert_ne!(corner(half_x(5, 1), half_z(6, 2)), corner(half_x(5 + dx, 1), half_z(dz.wrapping_add(6), 2)));
}

#[test]
fn planted_raw_seeds_fail() {
    // seeds used as they come: neighbouring seeds give the same field over large areas
    fields(|seed, octave| [seed as u32 ^ octave, 0, (seed >> 32) as u32 ^ KM]).assert_fails();
}
