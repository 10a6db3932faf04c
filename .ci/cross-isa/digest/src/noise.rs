//! Noise alone: Perlin fBm over many places, then every kind with every setting.
use terrane_noise::{
    Coord, Dimensions, Fractal, FractalShape, Grid, Kind, Noise, NoiseParams, Period, Scratch, SettingRule,
    SettingValue, SimdLevel, Volume,
};

use crate::Fnv;

pub fn report(out: &mut String) {
    fbm(out);
    kinds(out);
    settings(out);
    fractals(out);
    points(out);
}

const SIZES: [(usize, usize); 6] = [(1, 1), (3, 5), (17, 64), (67, 67), (81, 66), (700, 3)];
const ORIGINS: [(i64, i64); 5] = [
    (0, 0),
    (-1_000_000_000, 1_000_000_007),
    (1 << 40, -(1 << 40) + 13),
    (-70, 1 << 52),
    (i64::MAX - 100, 100 - i64::MAX),
];
/// Where volumes begin along z.
pub const FAR: i64 = 1 << 40;
const STRIDES: [u32; 5] = [1, 3, 64, 1 << 24, u32::MAX];
const FREQUENCIES: [f64; 5] = [1.0 / 50.0, 1.0 / 220.0, 0.4, 3.7, 1.0 / 16_777_216.0];

pub fn perlin(seed: u64, frequency: f64, octaves: u32, lacunarity: f64, persistence: f64) -> Noise {
    let fractal = Fractal { octaves, lacunarity, persistence, ..Fractal::default() };
    Noise::new(&NoiseParams { seed, frequency, fractal, ..NoiseParams::default() }).expect("valid")
}

fn fbm(out: &mut String) {
    let scratch = &mut Scratch::new();
    for octaves in 1..=8 {
        for frequency in FREQUENCIES {
            let fbm = perlin(0xfeed_5eed_0123_4567, frequency, octaves, 2.03, 0.47);
            for stride in STRIDES {
                for level in SimdLevel::available() {
                    for (x, z) in ORIGINS {
                        let mut hash = Fnv::new();
                        for (width, height) in SIZES {
                            let mut tile = vec![f32::NAN; width * height];
                            fbm.fill(level, &Grid { x, z, width, height, stride }, &mut tile, width, scratch);
                            hash.f32s(&tile);
                        }
                        let case = format_args!("fbm o{octaves} f{frequency} s{stride} x{x} z{z}");
                        hash.line(out, case, level);
                    }
                }
            }
        }
    }
}

/// Every kind with its default settings.
fn kinds(out: &mut String) {
    for info in Kind::ALL {
        let kind = Kind::from_name(info.name, &[]).expect("listed").expect("defaults are right");
        for frequency in FREQUENCIES {
            let fractal = Fractal { octaves: 3, weighted_strength: 0.4, ..Fractal::default() };
            let params = NoiseParams { kind, seed: 99, frequency, fractal, ..NoiseParams::default() };
            volumes(out, &format!("{} f{frequency}", info.name), &params);
        }
    }
}

/// Every kind with every word of its settings, and with numbers at the ends and between.
fn settings(out: &mut String) {
    for info in Kind::ALL {
        let mut all: Vec<(String, Vec<(&str, SettingValue)>)> = vec![(info.name.into(), Vec::new())];
        for setting in info.settings {
            let values: Vec<(String, SettingValue)> = match setting.rule {
                SettingRule::Number { min, max, .. } => [min, min + 0.375 * (max - min), max]
                    .map(|value| (format!("{} {value}", setting.name), SettingValue::Number(value)))
                    .into(),
                SettingRule::Choice(words) => {
                    let word = |(i, word): (usize, &&str)| (String::from(*word), SettingValue::Choice(i));
                    words.iter().enumerate().map(word).collect()
                }
            };
            let with = |(case, given): &(String, Vec<_>)| {
                let with = |(name, value): &(String, SettingValue)| {
                    (format!("{case} {name}"), [&given[..], &[(setting.name, *value)]].concat())
                };
                values.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        if info.settings.is_empty() {
            continue;
        }
        for (case, given) in all {
            let kind = Kind::from_name(info.name, &given).expect("listed").expect("within the rules");
            let fractal = Fractal { octaves: 2, lacunarity: 2.17, ..Fractal::default() };
            let params = NoiseParams { kind, seed: 7, frequency: 0.09, fractal, ..NoiseParams::default() };
            volumes(out, &format!("settings {case}"), &params);
        }
    }
}

/// Every kind in every shape of fractal, weighted, and tiled where it can be.
fn fractals(out: &mut String) {
    for info in Kind::ALL {
        let kind = Kind::from_name(info.name, &[]).expect("listed").expect("defaults are right");
        for (shape, name, _) in FractalShape::ALL {
            for weighted_strength in [0.0, 1.0] {
                for period in [None, Some(Period { cells: 24, samples: 1000 })] {
                    if period.is_some() && !info.tiles {
                        continue;
                    }
                    let fractal = Fractal { shape, octaves: 4, weighted_strength, ..Fractal::default() };
                    let params = NoiseParams {
                        kind,
                        seed: 3,
                        frequency: 0.024,
                        fractal,
                        periods: [period; 3],
                        ..NoiseParams::default()
                    };
                    let tiled = if period.is_some() { " tiled" } else { "" };
                    volumes(
                        out,
                        &format!("{name} {} weighted {weighted_strength}{tiled}", info.name),
                        &params,
                    );
                }
            }
        }
    }
}

/// In the plane and in space, neighbours and every eighth sample, with slopes where there are any, at every level.
fn volumes(out: &mut String, case: &str, params: &NoiseParams) {
    let scratch = &mut Scratch::new();
    for (dimensions, depth) in [(Dimensions::Two, 1), (Dimensions::Three, 3)] {
        let noise = Noise::new(&NoiseParams { dimensions, ..params.clone() }).expect("valid");
        for stride in [1, 8] {
            let volume = Volume { x: -70, y: 5, z: FAR, width: 67, height: 33, depth, stride };
            let strides = [67, 67 * 33];
            for level in SimdLevel::available() {
                let (mut hash, mut columns) = (Fnv::new(), [0; 4].map(|_| vec![0f32; volume.samples()]));
                let [value, x, y, z] = &mut columns;
                noise.fill_volume(level, &volume, value, strides, scratch);
                hash.f32s(value);
                if noise.has_slopes() {
                    noise.fill_gradient(level, &volume, value, [x, y, z], strides, scratch);
                    hash.f32s(value);
                    for slope in [x, y, z] {
                        hash.slopes(slope);
                    }
                }
                hash.line(out, format_args!("{case} {dimensions:?} s{stride}"), level);
            }
        }
    }
}

/// Positions between samples, near and far.
pub fn positions() -> Vec<[Coord; 3]> {
    let at = |i: i64| {
        let (scale, z) = [(1, 0), (0x1_0001, 0), (0x12_3456_789a, 0), (1, FAR)][i as usize % 4];
        let coord = |k: i64, q: i64| Coord { index: (i - 150) * k * scale, fraction: (i * q) as u16 };
        let [x, y, mut at_z] = [coord(7, 0x3333), coord(-3, 991), coord(-11, 0x8000)];
        at_z.index += z;
        [x, y, at_z]
    };
    (0..301).map(at).collect()
}

fn points(out: &mut String) {
    for octaves in [1, 8, 16] {
        let fbm = perlin(u64::MAX, 1.0 / 4096.0, octaves, 1.9, 0.6);
        let mut hash = Fnv::new();
        for i in 0..20_000i64 {
            let (x, z) = (i.wrapping_mul(0x1234_5678_9abc), i.wrapping_mul(-0x7654_3210_1));
            let at = |index: i64, k: i64| Coord { index, fraction: (i * k) as u16 };
            hash.f32s(&[fbm.at(at(x, 77), at(z, 991))]);
        }
        hash.line(out, format_args!("points o{octaves}"), "scalar");
    }
    let (scratch, positions) = (&mut Scratch::new(), positions());
    for info in Kind::ALL {
        let kind = Kind::from_name(info.name, &[]).expect("listed").expect("defaults are right");
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let fractal = Fractal { octaves: 3, ..Fractal::default() };
            let params = NoiseParams { kind, dimensions, seed: 5, fractal, ..NoiseParams::default() };
            let noise = Noise::new(&params).expect("valid");
            for level in SimdLevel::available() {
                let (mut hash, mut values) = (Fnv::new(), vec![f32::NAN; positions.len()]);
                noise.fill_points(level, &positions, &mut values, scratch);
                hash.f32s(&values);
                hash.line(out, format_args!("points {} {dimensions:?}", info.name), level);
            }
            let mut hash = Fnv::new();
            for at in &positions {
                hash.f32s(&[noise.at_3d(*at)]);
                if noise.has_slopes() {
                    let gradient = noise.gradient_at(*at);
                    hash.f32s(&[gradient.value]);
                    hash.slopes(&gradient.slope);
                }
            }
            hash.line(out, format_args!("one point {} {dimensions:?}", info.name), "scalar");
        }
    }
}
