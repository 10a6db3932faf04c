//! What the tests of programs share: programs as plain data, random ones, and a naive evaluator.
//!
//! A [`Recipe`] is a list of items, each made of earlier ones; the last is the output. [`Recipe::build`] makes a program of
//! it. `naive` evaluates it one position at a time, by recursion, from docs/PROGRAMS.md.
#![allow(dead_code)] // each test uses its part

pub(crate) mod naive;

use proptest::prelude::*;
use terrane_noise::{
    Cellular, Coord, Curve, CurveKey, Dimensions, Filter, Fractal, FractalShape, Kind, Node, NoiseParams,
    Outside, Perlin, PerlinClassic, Program, ProgramBuilder, ProgramError, Raster, RasterParams, Simplex,
    Value, WarpBy, WarpNoise, WarpOrder, White,
};

/// One node. Numbers are those of earlier items.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Noise(NoiseParams),
    Constant(f64),
    Falloff { center: [i64; 2], inner: f64, outer: f64 },
    Raster(Raster),
    Add(usize, usize),
    Subtract(usize, usize),
    Multiply(usize, usize),
    Min(usize, usize),
    Max(usize, usize),
    SmoothMin(usize, usize, f64),
    SmoothMax(usize, usize, f64),
    Mix(usize, usize, usize),
    Curve(usize, Curve),
    Terrace(usize, f64, f64),
    Remap(usize, [f64; 2], [f64; 2]),
    Clamp(usize, f64, f64),
    Abs(usize),
    Power(usize, u32),
    Slope(usize, f64),
    Warp { source: usize, x: usize, y: Option<usize>, z: usize, strength: f64 },
    Progressive { source: usize, by: Box<WarpNoise>, strength: f64 },
}

#[derive(Clone, Debug)]
pub(crate) struct Recipe(pub(crate) Vec<Item>);

impl Recipe {
    pub(crate) fn nodes(&self, builder: &mut ProgramBuilder) -> Result<Vec<Node>, ProgramError> {
        let mut nodes: Vec<Node> = Vec::new();
        for item in &self.0 {
            let n = |i: &usize| nodes[*i];
            let node = match item {
                Item::Noise(params) => builder.noise(params),
                Item::Constant(value) => builder.constant(*value),
                Item::Falloff { center, inner, outer } => builder.falloff(*center, *inner, *outer),
                Item::Raster(raster) => builder.raster(raster),
                Item::Add(a, b) => builder.add(n(a), n(b)),
                Item::Subtract(a, b) => builder.subtract(n(a), n(b)),
                Item::Multiply(a, b) => builder.multiply(n(a), n(b)),
                Item::Min(a, b) => builder.min(n(a), n(b)),
                Item::Max(a, b) => builder.max(n(a), n(b)),
                Item::SmoothMin(a, b, k) => builder.smooth_min(n(a), n(b), *k),
                Item::SmoothMax(a, b, k) => builder.smooth_max(n(a), n(b), *k),
                Item::Mix(a, b, t) => builder.mix(n(a), n(b), n(t)),
                Item::Curve(a, curve) => builder.curve(n(a), curve),
                Item::Terrace(a, steps, sharpness) => builder.terrace(n(a), *steps, *sharpness),
                Item::Remap(a, from, to) => builder.remap(n(a), *from, *to),
                Item::Clamp(a, low, high) => builder.clamp(n(a), *low, *high),
                Item::Abs(a) => builder.abs(n(a)),
                Item::Power(a, exponent) => builder.power(n(a), *exponent),
                Item::Slope(a, spacing) => builder.slope(n(a), *spacing),
                Item::Warp { source, x, y, z, strength } => {
                    let by = WarpBy { x: n(x), y: y.as_ref().map(n), z: n(z) };
                    builder.warp(n(source), by, *strength)
                }
                Item::Progressive { source, by, strength } => {
                    builder.warp_by_noise(n(source), by, WarpOrder::Progressive, *strength)
                }
            }?;
            nodes.push(node);
        }
        Ok(nodes)
    }

    /// A program whose outputs are some of the items.
    pub(crate) fn build(&self, outputs: &[usize], slopes: bool) -> Result<Program, ProgramError> {
        let mut builder = ProgramBuilder::new();
        let nodes = self.nodes(&mut builder)?;
        for (i, output) in outputs.iter().enumerate() {
            let (name, node) = (format!("output {i}"), nodes[*output]);
            if slopes {
                builder.output_with_slopes(&name, node)?;
            } else {
                builder.output(&name, node)?;
            }
        }
        builder.build()
    }

    pub(crate) fn last(&self) -> usize {
        self.0.len() - 1
    }
}

/// What a random recipe may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mixture {
    Everything,
    /// Operations and kinds whose slopes are continuous.
    Smooth,
}

/// A random recipe of a few leaves and operations.
pub(crate) fn recipes(mixture: Mixture, most: usize) -> impl Strategy<Value = Recipe> {
    let leaf = (any::<u32>(), any::<u64>(), 0.0..1.0f64, 0.0..1.0f64);
    let operation = (any::<u32>(), any::<[u32; 3]>(), 0.0..1.0f64, 0.0..1.0f64);
    (prop::collection::vec(leaf, 2..4), prop::collection::vec(operation, 1..most)).prop_map(
        move |(leaves, operations)| {
            let mut items: Vec<_> = leaves.into_iter().map(|leaf| random_leaf(mixture, leaf)).collect();
            for (choice, picks, u, v) in operations {
                // New items are picked more often than old ones, so that programs become deep.
                let last = items.len() - 1;
                let pick =
                    |i: usize| last - (picks[i] as usize % (last + 1)).min(picks[i] as usize / 65_536 % 4);
                let abc = [pick(0), pick(1), pick(2)];
                let item = random_operation(mixture, choice, last + 1, abc, picks, u, v);
                items.extend(item);
            }
            Recipe(items)
        },
    )
}

fn random_noise(mixture: Mixture, choice: u32, seed: u64, u: f64, v: f64) -> NoiseParams {
    let kinds: &[Kind] = &[
        Perlin.into(),
        Simplex.into(),
        Value.into(),
        PerlinClassic::default().into(),
        White.into(),
        Cellular::default().into(),
    ];
    let everything = mixture == Mixture::Everything;
    let shapes = [FractalShape::Fbm, FractalShape::Billow, FractalShape::Ridged];
    let fractal = Fractal {
        shape: if everything { shapes[choice as usize / 64 % 3] } else { FractalShape::Fbm },
        octaves: 1 + choice / 256 % 3,
        persistence: 0.3 + 0.5 * u,
        weighted_strength: if everything && (choice / 1024).is_multiple_of(5) { v } else { 0.0 },
        ..Fractal::default()
    };
    // Up to a cell a sample and more, or, where slopes are compared, cells of 12 samples and more.
    let frequency = if everything { 0.01 + 0.5 * v * v } else { 0.01 + 0.07 * v };
    NoiseParams {
        kind: kinds[choice as usize % if everything { 6 } else { 4 }],
        dimensions: if (choice / 8192).is_multiple_of(3) { Dimensions::Three } else { Dimensions::Two },
        seed,
        frequency,
        fractal,
        ..NoiseParams::default()
    }
}

fn random_leaf(mixture: Mixture, (choice, seed, u, v): (u32, u64, f64, f64)) -> Item {
    match choice / 65_536 % 8 {
        0 => Item::Constant(4.0 * u - 2.0),
        1 => Item::Falloff {
            center: [(seed % 100) as i64 - 50, (seed / 100 % 100) as i64 - 50],
            inner: 20.0 * u,
            outer: 21.0 + 60.0 * v,
        },
        2 => Item::Raster(random_raster(mixture, choice, seed, u, v)),
        _ => Item::Noise(random_noise(mixture, choice, seed, u, v)),
    }
}

/// Pixels without any pattern.
pub(crate) fn pixels(seed: u64, count: u32) -> std::sync::Arc<[u16]> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 48) as u16
    };
    (0..count).map(|_| next()).collect()
}

/// Of 1 to 13 pixels a side; where slopes are compared, those of a pixel of 5 samples and more.
fn random_raster(mixture: Mixture, choice: u32, seed: u64, u: f64, v: f64) -> Raster {
    let everything = mixture == Mixture::Everything;
    let filter = if everything { Filter::ALL[choice as usize % 3].0 } else { Filter::Bicubic };
    let outsides = [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Constant(v as f32 - 0.5)];
    let (width, height) = (1 + choice / 16 % 13, 1 + choice / 256 % 13);
    let place = |bits: u64| Coord { index: (bits % 100) as i64 - 70, fraction: (bits >> 8) as u16 };
    let pixels_per_sample =
        if everything { [0.02 + 2.0 * u * u, 0.02 + 1.5 * v] } else { [0.02 + 0.18 * u, 0.02 + 0.18 * v] };
    let params = RasterParams {
        origin: [place(seed), place(seed >> 32)],
        pixels_per_sample,
        filter,
        outside: outsides[choice as usize / 4 % 4],
        low: if seed.is_multiple_of(3) { 1.0 } else { -1.0 },
        high: u as f32,
    };
    Raster::new(pixels(seed, width * height), width, height, &params).expect("valid parameters")
}

fn curve(picks: [u32; 3], u: f64, v: f64) -> Curve {
    let key = |at, to| CurveKey { at, to };
    let keys = [key(-1.0, 2.0 * u - 1.0), key(u - 0.5, v), key(0.6 + 0.2 * v, f64::from(picks[0] % 5) - 2.0)];
    Curve::new(&keys, [-1.0, 1.0]).expect("keys in order")
}

/// An operation on items `a`, `b`, `c`, to be item `next`.
fn random_operation(
    mixture: Mixture,
    choice: u32,
    next: usize,
    [a, b, c]: [usize; 3],
    picks: [u32; 3],
    u: f64,
    v: f64,
) -> Vec<Item> {
    let strength = if mixture == Mixture::Smooth { 1.0 + 4.0 * u } else { 30.0 * u };
    let seed = u64::from(picks[1]) << 20 | u64::from(picks[2]);
    let smooth = [0, 1, 2, 5, 6, 7, 8, 9, 10, 11];
    let which = match mixture {
        Mixture::Everything => choice as usize % 21,
        Mixture::Smooth => smooth[choice as usize % smooth.len()],
    };
    let one = match which {
        0 => Item::Add(a, b),
        1 => Item::Subtract(a, b),
        2 => Item::Multiply(a, b),
        3 => Item::Min(a, b),
        4 => Item::Max(a, b),
        5 => Item::SmoothMin(a, b, 0.05 + u),
        6 => Item::SmoothMax(a, b, 0.05 + u),
        7 => Item::Remap(a, [-1.0 - u, 1.5], [2.0 * v - 1.0, 1.0 - 3.0 * u]),
        8 => Item::Power(a, 1 + picks[0] % if mixture == Mixture::Smooth { 3 } else { 8 }),
        9 => Item::Warp { source: a, x: b, y: picks[0].is_multiple_of(2).then_some(a), z: c, strength },
        10 => {
            let mut by = random_noise(Mixture::Smooth, picks[0], seed, u, v);
            (by.fractal.octaves, by.frequency) = (1 + picks[0] % 3, 0.02);
            let along_z = NoiseParams { seed: seed + 1, ..by.clone() };
            let along_y = picks[0].is_multiple_of(3).then(|| NoiseParams { seed: seed + 2, ..by.clone() });
            let by = Box::new(WarpNoise { x: by, y: along_y, z: along_z });
            Item::Progressive { source: a, by, strength }
        }
        11 => return vec![random_leaf(mixture, (choice / 32, seed, u, v))],
        12 => Item::Mix(a, b, c),
        13 => Item::Curve(a, curve(picks, u, v)),
        14 => Item::Terrace(a, 0.5 + 8.0 * u, v),
        15 => Item::Clamp(a, u - 0.7, v + 0.3),
        16 => Item::Abs(a),
        17 => Item::Slope(a, 0.5 + u),
        18 => Item::Constant(2.0 * u - 1.0),
        _ => {
            // Mostly at the ends of its bounds, where what is made of it is likely to leave its own.
            let steep = Item::Remap(a, [-1.0, 1.0], [-90.0, 90.0]);
            return vec![steep, Item::Clamp(next, u - 0.7, v + 0.3)];
        }
    };
    vec![one]
}
