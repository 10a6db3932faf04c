//! What the tests of noise share: a list of every kind with every setting, random parameters, and the oracle's view of
//! them.
#![allow(dead_code)] // each test uses its part

use proptest::prelude::*;
use terrane_noise::{
    Cellular, Constant, Coord, Dimensions, Distance, Fractal, FractalShape, Kind, NoiseParams, Period,
    Perlin, PerlinClassic, PermutationTable, Returns, Simplex, Value, White,
};

use crate::reference::{self, KindSpec, Place, Shape, Spec};

pub(crate) const DISTANCES: [Distance; 4] =
    [Distance::Euclidean, Distance::Squared, Distance::Manhattan, Distance::Chebyshev];
pub(crate) const RETURNS: [Returns; 5] =
    [Returns::F1, Returns::F2, Returns::F2MinusF1, Returns::F1PlusF2, Returns::CellValue];

/// Every kind with every choice of its settings; a kind that is missing here is found by `every_kind_is_tested`.
pub(crate) fn kinds() -> Vec<Kind> {
    let mut kinds: Vec<Kind> = vec![
        Perlin.into(),
        PerlinClassic { table: PermutationTable::Seeded }.into(),
        PerlinClassic { table: PermutationTable::Reference }.into(),
        Value.into(),
        Simplex.into(),
        White.into(),
        Constant { value: -0.375 }.into(),
    ];
    for distance in DISTANCES {
        for returns in RETURNS {
            kinds.push(Cellular { distance, returns, jitter: 0.83 }.into());
        }
    }
    kinds
}

pub(crate) const SHAPES: [FractalShape; 3] = [FractalShape::Fbm, FractalShape::Billow, FractalShape::Ridged];

/// Largest values of one octave as the library states them: docs/NOISE.md, "Bounds". `bounds.rs` looks for more.
pub(crate) fn bound(kind: &Kind, three: bool) -> f64 {
    match *kind {
        Kind::Perlin(_) => [0.693_6, 0.742_28][usize::from(three)],
        Kind::PerlinClassic(_) => [1.000_1, 1.036_46][usize::from(three)],
        Kind::Simplex(_) => [0.010_059_8, 0.041_204_2][usize::from(three)],
        Kind::Cellular(cellular) => cellular_bound(cellular, three),
        Kind::Value(_) | Kind::White(_) | Kind::Constant(_) => 1.0,
    }
}

/// The table of docs/NOISE.md, written out again.
fn cellular_bound(Cellular { distance, returns, jitter: j }: Cellular, three: bool) -> f64 {
    let far = 1.0 + j;
    let f1 = match (distance, three) {
        (Distance::Euclidean, false) => far / 2f64.sqrt(),
        (Distance::Euclidean, true) => 3f64.sqrt() * far / 2.0,
        (Distance::Squared, false) => far * far / 2.0,
        (Distance::Squared, true) => 0.75 * far * far,
        (Distance::Manhattan, false) => far,
        (Distance::Manhattan, true) => 1.5 * far,
        (Distance::Chebyshev, _) => far / 2.0,
    };
    let f2 = match (distance, three) {
        (Distance::Euclidean, false) => (far + j * j / 2.0).sqrt(),
        (Distance::Squared, false) => far + j * j / 2.0,
        (Distance::Euclidean, true) => (far + 0.75 * j * j).max(0.75 * far * far).sqrt(),
        (Distance::Squared, true) => (far + 0.75 * j * j).max(0.75 * far * far),
        (Distance::Manhattan, false) => far,
        (Distance::Manhattan, true) => 1.5 * far,
        (Distance::Chebyshev, _) => 1.0 + j / 2.0,
    };
    let difference = match (distance, three) {
        (Distance::Euclidean, true) => (far + 0.75 * j * j).max(1.0 + 2.0 * j * j).sqrt(),
        (Distance::Squared, true) => (far + 0.75 * j * j).max(3.0 * j),
        (Distance::Manhattan, true) => 1.0 + 2.0 * j,
        _ => f2,
    };
    let sum = if distance == Distance::Chebyshev { far } else { 2.0 * f1 };
    let bound = match returns {
        Returns::F1 => f1,
        Returns::F2 => f2,
        Returns::F2MinusF1 => difference,
        Returns::F1PlusF2 => sum,
        Returns::CellValue => 1.0,
    };
    bound * (1.0 + 1e-5)
}

/// The oracle's view of the parameters.
pub(crate) fn spec(params: &NoiseParams) -> Spec {
    let three = params.dimensions == Dimensions::Three;
    let kind = match params.kind {
        Kind::Perlin(_) => KindSpec::Perlin,
        Kind::PerlinClassic(PerlinClassic { table }) => {
            KindSpec::PerlinClassic { reference: table == PermutationTable::Reference }
        }
        Kind::Value(_) => KindSpec::Value,
        Kind::Simplex(_) => KindSpec::Simplex,
        Kind::Cellular(Cellular { distance, returns, jitter }) => KindSpec::Cellular {
            distance: match distance {
                Distance::Euclidean => reference::Distance::Euclidean,
                Distance::Squared => reference::Distance::Squared,
                Distance::Manhattan => reference::Distance::Manhattan,
                Distance::Chebyshev => reference::Distance::Chebyshev,
            },
            returns: match returns {
                Returns::F1 => reference::Returns::F1,
                Returns::F2 => reference::Returns::F2,
                Returns::F2MinusF1 => reference::Returns::F2MinusF1,
                Returns::F1PlusF2 => reference::Returns::F1PlusF2,
                Returns::CellValue => reference::Returns::CellValue,
            },
            jitter,
        },
        Kind::White(_) => KindSpec::White,
        Kind::Constant(Constant { value }) => KindSpec::Constant { value },
    };
    Spec {
        kind,
        dimensions: if three { 3 } else { 2 },
        seed: params.seed,
        frequency: params.frequency,
        shape: match params.fractal.shape {
            FractalShape::Fbm => Shape::Fbm,
            FractalShape::Billow => Shape::Billow,
            FractalShape::Ridged => Shape::Ridged,
        },
        octaves: params.fractal.octaves,
        lacunarity: params.fractal.lacunarity,
        persistence: params.fractal.persistence,
        weighted_strength: params.fractal.weighted_strength,
        periods: params.periods.map(|period| period.map(|Period { cells, samples }| (cells, samples))),
        bound: bound(&params.kind, three),
    }
}

pub(crate) fn place(at: [Coord; 3]) -> Place {
    Place { index: at.map(|c| c.index), fraction: at.map(|c| c.fraction), displacement: None }
}

/// How many times the usual number of cases: `TERRANE_LONG`, set by .ci/long.
pub(crate) fn long_run() -> u32 {
    std::env::var("TERRANE_LONG").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// From the coarsest octave to a little over one cell a sample, each power of two as often as the others.
pub(crate) fn frequencies() -> impl Strategy<Value = f64> {
    (-24i32..0, 1.0..std::f64::consts::SQRT_2).prop_map(|(power, part)| {
        let bits = u64::try_from(1023 + power).expect("a small power") << 52;
        f64::from_bits(bits) * part * if power == -1 { 2.0 } else { 1.0 }
    })
}

fn any_kind() -> impl Strategy<Value = Kind> {
    (0..kinds().len(), 0.0..=1.0f64).prop_map(|(i, part)| match kinds()[i] {
        Kind::Cellular(cellular) => Cellular { jitter: part, ..cellular }.into(),
        Kind::Constant(_) => Constant { value: part * 2.0 - 1.0 }.into(),
        kind => kind,
    })
}

fn any_fractal() -> impl Strategy<Value = Fractal> {
    let weighted = prop_oneof![2 => Just(0.0), 1 => 0.0..=1.0f64];
    (0usize..3, 1u32..=16, 1.0..2.0f64, 0.01..=1.0f64, weighted).prop_map(
        |(shape, octaves, lacunarity, persistence, weighted_strength)| Fractal {
            shape: SHAPES[shape],
            octaves,
            lacunarity,
            persistence,
            weighted_strength,
        },
    )
}

/// Any noise. At most 2^0.5 * 2^15 cells a sample in the last octave. Some tile: then the lacunarity is 2.
pub(crate) fn any_params() -> impl Strategy<Value = NoiseParams> {
    let period = prop_oneof![
        3 => Just(None),
        1 => (1u32..9, 1u32..300).prop_map(|(cells, samples)| Some(Period { cells, samples })),
    ];
    let periods = [period.clone(), period.clone(), period];
    (any_kind(), any::<bool>(), any::<u64>(), frequencies(), any_fractal(), periods).prop_map(
        |(kind, three, seed, frequency, mut fractal, mut periods)| {
            if !kind.info().tiles {
                periods = [None; 3];
            }
            if periods.iter().any(Option::is_some) {
                (fractal.lacunarity, fractal.octaves) = (2.0, fractal.octaves.min(8));
            }
            let dimensions = if three { Dimensions::Three } else { Dimensions::Two };
            NoiseParams { kind, dimensions, seed, frequency, fractal, periods }
        },
    )
}

/// The first sample whose bits differ, with both values.
pub(crate) fn difference(got: &[f32], want: &[f32]) -> Option<(usize, f32, f32)> {
    let pairs = got.iter().zip(want).enumerate();
    pairs.map(|(i, (a, b))| (i, *a, *b)).find(|(_, a, b)| a.to_bits() != b.to_bits())
}
