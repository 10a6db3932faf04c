//! The oracle against itself: f32 definition, f64 textbook and Ken Perlin's code must be the same noise.
//!
//! In: random specs and places, from a fixed stream. Each comparison states its tolerance beside what was measured;
//! run with `--nocapture` to see the measurements again. No kernel is involved.

mod reference;

use reference::{Distance, KindSpec, Place, Position, Reference, Returns, Shape, Spec, ken_perlin};
use terrane_noise::hash::mix64;

/// `share_0` of a single octave.
const ONE_SHARE: f64 = 1.0 - 1.0 / 262_144.0;

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix64(self.0)
    }
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }
    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }
    fn below(&mut self, count: u64) -> u64 {
        self.bits() % count
    }
    /// Near the origin, near 2^40 or near -2^40, with a fraction half of the time.
    fn place(&mut self) -> Place {
        let mut index =
            || [0, 0, 1 << 40, -(1 << 40)][self.below(4) as usize] + (self.bits() >> 44) as i64 - (1 << 19);
        let index = [index(), index(), index()];
        let between = self.below(2) == 1;
        let mut fraction = || if between { self.bits() as u16 } else { 0 };
        Place { index, fraction: [fraction(), fraction(), fraction()], displacement: None }
    }
    /// A place displaced by up to `cells` cells of the last octave.
    fn displaced_place(&mut self, spec: &Spec, cells: f64) -> Place {
        let last = last_frequency(spec);
        let mut displacement = || (self.within(-cells, cells) / last) as f32;
        let displacement = Some([displacement(), displacement(), displacement()]);
        Place { displacement, ..self.place() }
    }
}

/// Cells a sample of the last octave, the largest of the axes.
fn last_frequency(spec: &Spec) -> f64 {
    let tiled = spec.periods.iter().flatten().map(|&(cells, samples)| f64::from(cells) / f64::from(samples));
    let mut frequency = tiled.fold(spec.frequency, f64::max);
    for _ in 1..spec.octaves {
        frequency *= spec.lacunarity;
    }
    frequency
}

fn spec(kind: KindSpec, dimensions: u32) -> Spec {
    Spec {
        kind,
        dimensions,
        seed: 1,
        frequency: 0.03,
        shape: Shape::Fbm,
        octaves: 1,
        lacunarity: 2.0,
        persistence: 0.5,
        weighted_strength: 0.0,
        periods: [None; 3],
        bound: rough_bound(kind, dimensions),
    }
}

/// Near enough to the true bounds to keep values near -1..1; no test here depends on them.
fn rough_bound(kind: KindSpec, dimensions: u32) -> f64 {
    match (kind, dimensions) {
        (KindSpec::Perlin, 2) => 0.6936,
        (KindSpec::Perlin, _) => 0.75,
        (KindSpec::PerlinClassic { .. }, _) => 1.04,
        (KindSpec::Simplex, 2) => 0.0101,
        (KindSpec::Simplex, _) => 0.0412,
        (KindSpec::Cellular { .. }, _) => 1.5,
        _ => 1.0,
    }
}

/// Every kind; cellular with every distance and return.
fn kinds() -> Vec<KindSpec> {
    let mut kinds = vec![
        KindSpec::Perlin,
        KindSpec::PerlinClassic { reference: true },
        KindSpec::PerlinClassic { reference: false },
        KindSpec::Value,
        KindSpec::Simplex,
        KindSpec::White,
        KindSpec::Constant { value: 0.625 },
    ];
    for distance in [Distance::Euclidean, Distance::Squared, Distance::Manhattan, Distance::Chebyshev] {
        for returns in [Returns::F1, Returns::F2, Returns::F2MinusF1, Returns::F1PlusF2, Returns::CellValue] {
            for jitter in [1.0, 0.375] {
                kinds.push(KindSpec::Cellular { distance, returns, jitter });
            }
        }
    }
    kinds
}

/// Random parameters for every kind, dimension, shape, and with and without weights.
fn random_specs(random: &mut Random, tiled: bool) -> Vec<Spec> {
    let mut specs = Vec::new();
    for dimensions in [2, 3] {
        for kind in kinds().into_iter().filter(|&kind| !(tiled && kind == KindSpec::Simplex)) {
            for shape in [Shape::Fbm, Shape::Billow, Shape::Ridged] {
                for weighted in [false, true] {
                    let mut period =
                        || Some((4 * (1 + random.below(40) as u32), 256 + random.below(1000) as u32));
                    let mut periods = if tiled { [period(), period(), period()] } else { [None; 3] };
                    if tiled && random.below(3) == 0 {
                        periods[random.below(3) as usize] = None;
                    }
                    specs.push(Spec {
                        seed: random.bits(),
                        frequency: 1.0 / random.within(4.0, 1000.0),
                        shape,
                        octaves: 1 + random.below(if tiled { 3 } else { 5 }) as u32,
                        lacunarity: if tiled {
                            [1.5, 2.0][random.below(2) as usize]
                        } else {
                            random.within(1.6, 2.4)
                        },
                        persistence: random.within(0.3, 0.8),
                        weighted_strength: if weighted { random.within(0.01, 1.0) } else { 0.0 },
                        periods,
                        ..spec(kind, dimensions)
                    });
                }
            }
        }
    }
    specs
}

/// Where the noise itself jumps within the error of a position: no two formulas agree there.
fn jumps_near(noise: &Reference, place: &Place) -> bool {
    let steps_in = matches!(
        noise.spec.kind,
        KindSpec::White | KindSpec::Cellular { .. } // cellular: at a seam of its neighbourhood, and cell values
    );
    let samples = 1e-5 / last_frequency(&noise.spec);
    steps_in
        && (0..6).any(|way| {
            let mut shift = [0.0; 3];
            shift[way / 2] = if way % 2 == 0 { samples } else { -samples };
            (noise.textbook_moved(place, shift) - noise.textbook(place)).abs() > 1e-3
        })
}

fn name(spec: &Spec) -> &'static str {
    match spec.kind {
        KindSpec::Perlin => "perlin",
        KindSpec::PerlinClassic { .. } => "perlin classic",
        KindSpec::Value => "value",
        KindSpec::Simplex => "simplex",
        KindSpec::Cellular { .. } => "cellular",
        KindSpec::White => "white",
        KindSpec::Constant { .. } => "constant",
    }
}

/// The worst error of each kind.
#[derive(Default)]
struct Worst(Vec<(&'static str, u32, f64, String)>);

impl Worst {
    fn note(&mut self, spec: &Spec, place: &Place, error: f64) {
        let (name, dimensions) = (name(spec), spec.dimensions);
        let at =
            self.0.iter().position(|entry| (entry.0, entry.1) == (name, dimensions)).unwrap_or_else(|| {
                self.0.push((name, dimensions, -1.0, String::new()));
                self.0.len() - 1
            });
        if error.is_nan() || error > self.0[at].2 {
            self.0[at] = (name, dimensions, error, format!("{spec:?} {place:?}"));
        }
    }
    fn check(&self, what: &str, tolerance: f64) {
        for (name, dimensions, error, _) in &self.0 {
            eprintln!("{what}: {name} {dimensions}D {error:.2e}, tolerance {tolerance:.1e}");
        }
        for (name, dimensions, error, at) in &self.0 {
            assert!(*error <= tolerance, "{what}: {name} {dimensions}D {error:e} at {at}");
        }
    }
}

#[test]
#[expect(clippy::approx_constant, reason = "a coordinate that is not meant as pi")]
fn ken_perlins_code_gives_the_known_value() {
    assert!((ken_perlin::noise(3.14, 42.0, 7.0) - 0.136_919_958_784).abs() < 1e-12);
}

/// The table and the gradients, by his code: with step and positions such that f32 holds every fraction whole.
/// Bound 1 leaves the factor 1 - 2^-18 of the share; bound 1 - 2^-18 leaves nothing. Measured 9.9e-7
/// (the quintic cancels near the upper lattice line) and 4e-16.
#[test]
fn classic_reference_is_ken_perlins_noise() {
    let mut random = Random(1);
    let (mut exact, mut textbook) = (Worst::default(), Worst::default());
    for dimensions in [2, 3] {
        for round in 0..20_000 {
            let (bound, factor) = if round % 2 == 0 { (1.0, ONE_SHARE) } else { (ONE_SHARE, 1.0) };
            let step = 1.0 / f64::from(1 << (round % 8));
            let spec = Spec {
                seed: random.bits(),
                frequency: step,
                bound,
                ..spec(KindSpec::PerlinClassic { reference: true }, dimensions)
            };
            let mut place = random.place();
            place.index = place.index.map(|i| i % (1 << 20)); // f64 must hold the position too
            let at =
                |axis: usize| (place.index[axis] as f64 + f64::from(place.fraction[axis]) / 65_536.0) * step;
            let perlin = match dimensions {
                2 => ken_perlin::noise(at(0), at(2), 0.0),
                _ => ken_perlin::noise(at(0), at(1), at(2)),
            };
            let noise = Reference::new(&spec);
            exact.note(&spec, &place, (f64::from(noise.exact(&place)) - factor * perlin).abs());
            textbook.note(&spec, &place, (noise.textbook(&place) - factor * perlin).abs());
        }
    }
    exact.check("exact against Ken Perlin", 1e-6);
    textbook.check("textbook against Ken Perlin", 1e-12);
}

/// Values lie in about -1..1: the tolerances are absolute.
fn compare_values(what: &str, tiled: bool, displaced_cells: f64, tolerance: f64) {
    let mut random = Random(2);
    let (mut worst, mut compared, mut skipped) = (Worst::default(), 0, 0);
    for spec in random_specs(&mut random, tiled) {
        let noise = Reference::new(&spec);
        for _ in 0..300 {
            let mut place = random.displaced_place(&spec, displaced_cells);
            if displaced_cells == 0.0 {
                place.displacement = None;
            }
            if jumps_near(&noise, &place) {
                skipped += 1;
                continue;
            }
            compared += 1;
            worst.note(&spec, &place, (f64::from(noise.exact(&place)) - noise.textbook(&place)).abs());
        }
    }
    eprintln!("{what}: {compared} compared, {skipped} at a jump");
    assert!(skipped * 100 < compared, "{skipped} of {compared} places skipped");
    worst.check(what, tolerance);
}

/// Measured 2.5e-6 for the lattice kinds, 1.6e-6 for cellular, 0.9e-6 for simplex.
#[test]
fn exact_is_the_textbook() {
    compare_values("values", false, 0.0, 4e-6);
}

/// Measured 2.6e-6.
#[test]
fn exact_is_the_textbook_on_tiled_axes() {
    compare_values("tiled values", true, 0.0, 4e-6);
}

/// A displacement is added in f32: its error in cells is 2^-24 of its size. Measured 3.3e-6, by simplex.
#[test]
fn exact_is_the_textbook_where_displaced() {
    compare_values("displaced values", false, 3.0, 1e-5);
    compare_values("displaced tiled values", true, 3.0, 1e-5);
}

/// Slopes are compared in units of `sum of p^k / total * w_k / B`, about the steepest the noise can be.
fn compare_slopes(what: &str, tiled: bool, displaced_cells: f64, tolerance: f64) {
    let mut random = Random(3);
    let (mut worst, mut compared, mut skipped) = (Worst::default(), 0, 0);
    for spec in random_specs(&mut random, tiled) {
        let noise = Reference::new(&spec);
        let (mut scale, mut power, mut total) = (0.0, 1.0, 0.0);
        let mut cells_a_sample = last_frequency(&Spec { octaves: 1, ..spec });
        for _ in 0..spec.octaves {
            scale += power * cells_a_sample;
            total += power;
            power *= spec.persistence;
            cells_a_sample *= spec.lacunarity;
        }
        scale /= total;
        for _ in 0..200 {
            let mut place = random.displaced_place(&spec, displaced_cells);
            if displaced_cells == 0.0 {
                place.displacement = None;
            }
            let Some([value, slope @ ..]) = noise.exact_gradient(&place) else {
                assert!(matches!(spec.kind, KindSpec::Cellular { .. }));
                continue;
            };
            assert_eq!(value.to_bits(), noise.exact(&place).to_bits());
            assert!(spec.dimensions == 3 || slope[1] == 0.0);
            let kink = spec.shape != Shape::Fbm
                && noise.textbook_octaves(&place, [0.0; 3]).iter().any(|n| n.abs() < 1e-4);
            if kink || jumps_near(&noise, &place) {
                skipped += 1;
                continue;
            }
            compared += 1;
            let expected = noise.textbook_slope(&place);
            for (slope, expected) in slope.iter().zip(expected) {
                worst.note(&spec, &place, (f64::from(*slope) - expected).abs() / scale);
            }
        }
    }
    eprintln!("{what}: {compared} compared, {skipped} at a kink or jump");
    assert!(skipped * 100 < compared, "{skipped} of {compared} places skipped");
    worst.check(what, tolerance);
}

/// Measured 6.9e-6.
#[test]
fn exact_gradient_is_the_slope_of_the_textbook() {
    compare_slopes("slopes", false, 0.0, 1.5e-5);
}

/// Measured 6.3e-6.
#[test]
fn exact_gradient_is_the_slope_of_the_textbook_on_tiled_axes() {
    compare_slopes("tiled slopes", true, 0.0, 1.5e-5);
}

/// Measured 1.6e-5, by simplex; 6e-6 otherwise.
#[test]
fn exact_gradient_is_the_slope_of_the_textbook_where_displaced() {
    compare_slopes("displaced slopes", false, 3.0, 4e-5);
    compare_slopes("displaced tiled slopes", true, 3.0, 4e-5);
}

#[test]
fn tiles_repeat_to_the_bit() {
    let mut random = Random(4);
    let mut moved_elsewhere = 0;
    for spec in random_specs(&mut random, true) {
        let noise = Reference::new(&spec);
        let bits = |place: &Place| noise.exact_gradient(place).map(|g| g.map(f32::to_bits));
        for round in 0..20 {
            let mut place = random.displaced_place(&spec, 3.0);
            if round % 2 == 0 {
                place.displacement = None;
            }
            for &axis in spec.axes() {
                let Some((_, samples)) = spec.periods[axis] else { continue };
                for tiles in [1, -3] {
                    let mut other = place;
                    other.index[axis] += tiles * i64::from(samples);
                    assert_eq!(
                        noise.exact(&place).to_bits(),
                        noise.exact(&other).to_bits(),
                        "{spec:?} {place:?}"
                    );
                    assert_eq!(bits(&place), bits(&other), "{spec:?} {place:?}");
                    assert_eq!(noise.textbook(&place).to_bits(), noise.textbook(&other).to_bits());
                    other.index[axis] += 1;
                    moved_elsewhere += usize::from(noise.exact(&place) != noise.exact(&other));
                }
            }
        }
    }
    assert!(moved_elsewhere > 1000, "a noise that is the same everywhere repeats too");
}

/// A displacement of whole samples is the displaced index: to the bit where f32 holds `f + d w` whole, which it does
/// within the cell and one cell back, and for any distance where fractions are short (Perlin's reference: offset 0).
/// Elsewhere measured 9.8e-6 by simplex, 3.8e-6 otherwise, at up to ten cells.
#[test]
fn displacement_of_whole_samples_is_the_displaced_index() {
    let mut random = Random(5);
    let mut worst = Worst::default();
    for dimensions in [2, 3] {
        for kind in kinds() {
            let short = kind == (KindSpec::PerlinClassic { reference: true });
            for round in 0..500 {
                let exponent = 3 + random.below(5) as i32;
                let spec = Spec {
                    seed: random.bits(),
                    frequency: 1.0 / f64::from(1 << exponent),
                    shape: [Shape::Fbm, Shape::Billow, Shape::Ridged][random.below(3) as usize],
                    octaves: 1 + random.below(3) as u32,
                    weighted_strength: [0.0, 0.5][random.below(2) as usize],
                    ..spec(kind, dimensions)
                };
                let spec = match random.below(2) {
                    0 if kind != KindSpec::Simplex => {
                        Spec { periods: [Some((64, 64 << exponent)); 3], ..spec }
                    }
                    _ => spec,
                };
                let noise = Reference::new(&spec);
                let last_samples = (1.0 / last_frequency(&spec)) as u64; // a cell of the last octave
                let mut samples = || match round % 2 {
                    0 => -(random.below(last_samples + 1) as i64),
                    _ => random.below(20 * last_samples) as i64 - 10 * last_samples as i64,
                };
                let moves = [samples(), samples(), samples()];
                let mut place = random.place();
                if short {
                    place.fraction = [0; 3];
                }
                let displaced = Place { displacement: Some(moves.map(|d| d as f32)), ..place };
                let moved = Place { index: std::array::from_fn(|i| place.index[i] + moves[i]), ..place };
                if kind != KindSpec::Simplex && (short || round % 2 == 0) {
                    let bits = |place: &Place| noise.exact_gradient(place).map(|g| g.map(f32::to_bits));
                    assert_eq!(
                        noise.exact(&displaced).to_bits(),
                        noise.exact(&moved).to_bits(),
                        "{spec:?} {displaced:?}"
                    );
                    assert_eq!(bits(&displaced), bits(&moved), "{spec:?} {displaced:?}");
                } else if !jumps_near(&noise, &moved) {
                    worst.note(
                        &spec,
                        &displaced,
                        f64::from((noise.exact(&displaced) - noise.exact(&moved)).abs()),
                    );
                }
                let differ = (noise.textbook(&displaced) - noise.textbook(&moved)).abs();
                assert!(differ < 1e-9 || jumps_near(&noise, &moved), "{differ} {spec:?} {displaced:?}");
            }
        }
    }
    worst.check("displaced against index", 2e-5);
}

/// The largest difference of the textbook across lattice lines, from 1e-9 cells on one side to the other. For simplex
/// the lines are those of its skewed lattice and the diagonals of its cells.
fn jump_at_lattice_lines(kind: KindSpec, dimensions: u32, rounds: u32) -> f64 {
    const TINY: f64 = 1e-9;
    let mut random = Random(6);
    let noise = Reference::new(&spec(kind, dimensions));
    let mut jump = 0.0f64;
    for _ in 0..rounds {
        let mut at = [Position::default(); 3];
        for &axis in noise.spec.axes() {
            at[axis] = Position {
                cell: i128::from(random.bits() as i64),
                fraction: random.unit(),
                period_cells: None,
            };
        }
        let across = noise.spec.axes()[random.below(u64::from(dimensions)) as usize];
        at[across].fraction =
            if kind == KindSpec::Simplex && random.below(2) == 0 { at[2 - across].fraction } else { 0.0 };
        let value = |fraction: f64| {
            let mut at = at;
            at[across].fraction += fraction;
            noise.textbook_octave(&noise.octaves[0], at)
        };
        jump = jump.max((value(TINY) - value(-TINY)).abs());
    }
    jump
}

/// Whether the 3 x 3 (x 3) cells around a point always hold the two nearest. A point left out is at least
/// `3/2 - jitter/2` away along one axis; the nearest two are at most the diagonal of `(1 + jitter) / 2` away.
fn neighbourhood_suffices(distance: Distance, dimensions: u32, jitter: f64) -> bool {
    let diagonal = match distance {
        Distance::Euclidean | Distance::Squared => f64::from(dimensions).sqrt(),
        Distance::Manhattan => f64::from(dimensions),
        Distance::Chebyshev => 1.0,
    };
    diagonal * (1.0 + jitter) / 2.0 <= (3.0 - jitter) / 2.0
}

/// Measured: at most 1e-8, which is the slope times the 2e-9 cells between the two sides.
#[test]
fn textbook_is_continuous_over_lattice_lines() {
    for dimensions in [2, 3] {
        for kind in kinds() {
            let jump = jump_at_lattice_lines(kind, dimensions, 2_000);
            match kind {
                // what jumps is seen to jump: the check can fail
                KindSpec::White => assert!(jump > 1.0, "{jump} {kind:?} {dimensions}D"),
                KindSpec::Cellular { returns: Returns::CellValue, .. } => {}
                KindSpec::Cellular { distance: Distance::Manhattan, jitter: 1.0, .. } => {
                    assert!(jump > 0.05, "{jump} {kind:?} {dimensions}D");
                }
                KindSpec::Cellular { distance, jitter, .. }
                    if !neighbourhood_suffices(distance, dimensions, jitter) =>
                {
                    eprintln!("jump {jump:.2e} {kind:?} {dimensions}D");
                }
                _ => assert!(jump < 1e-7, "{jump} {kind:?} {dimensions}D"),
            }
        }
    }
}

/// What both definitions read, held against numbers worked out by hand.
#[test]
fn octaves_are_as_defined() {
    let classic = KindSpec::PerlinClassic { reference: false };
    let spec = Spec { octaves: 3, periods: [Some((6, 100)), None, None], ..spec(classic, 3) };
    let plain = Reference::new(&spec);
    let weighted = Reference::new(&Spec { weighted_strength: 0.5, ..spec });
    for (k, octave) in plain.octaves.iter().enumerate() {
        let half_k = 1.0 / f64::from(1 << k);
        assert!((octave.share - ONE_SHARE * half_k / 1.75).abs() < 1e-15);
        assert_eq!(weighted.octaves[k].share, ONE_SHARE);
        assert_eq!(octave.frequency, 0.03 / half_k);
        assert_eq!(octave.step(), [128_849_019, 257_698_038, 515_396_076][k]);
        assert_eq!(octave.periods, [Some(([6, 12, 24][k], 100)), None, None]);
        let mut sorted = octave.table.as_ref().expect("classic has a table").to_vec();
        assert_ne!(sorted, ken_perlin::PERMUTATION, "shuffled");
        assert!(k == 0 || octave.table != plain.octaves[0].table, "a table for each octave");
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..=255), "every entry once");
    }
    // F = (sqrt 3 - 1) / 2: 1.36602540378 and 0.36602540378 times 0.03 2^32
    let simplex = Reference::new(&Spec {
        octaves: 1,
        periods: [None; 3],
        kind: KindSpec::Simplex,
        dimensions: 2,
        ..spec
    });
    assert_eq!(simplex.octaves[0].simplex_steps(), [176_011_033, 47_162_014]);
}
