//! Goldens: one hash per kind, fractal, dimension, seed and region, whatever the level, the stride and the cut into tiles.
//!
//! `golden.txt` holds them. It is part of `generator_version` 1: a line that changes is a change of worlds that people
//! have saved. Write it anew with `TERRANE_BLESS=1 cargo test -p terrane-noise --test golden`, and raise the version.

mod kit;
mod reference;

use std::fmt::Write;

use terrane_noise::{
    Cellular, Dimensions, Fractal, Kind, Noise, NoiseParams, Period, Scratch, SimdLevel, Volume,
};

const SEEDS: [u64; 2] = [1, 0xdead_beef_0bad_cafe];

struct Case {
    name: String,
    params: NoiseParams,
    region: Volume,
}

fn regions(three: bool) -> [(&'static str, Volume); 3] {
    let (width, height, depth) = if three { (24, 16, 8) } else { (96, 72, 1) };
    let at = |x, y, z| Volume { x, y, z, width, height, depth, stride: 1 };
    [("origin", at(-8, -3, -8)), ("far", at(1 << 40, 999, -(1 << 52))), ("odd", at(1_000_003, -77, 7))]
}

fn setting_name(kind: &Kind) -> String {
    let words = kind.info().settings.iter().zip(kind.settings()).map(|(setting, value)| {
        match (setting.rule, value) {
            (terrane_noise::SettingRule::Choice(words), terrane_noise::SettingValue::Choice(i)) => {
                words[i].to_owned()
            }
            (_, terrane_noise::SettingValue::Number(number)) => number.to_string(),
            _ => unreachable!("a choice has a choice"),
        }
    });
    let words: Vec<String> = std::iter::once(kind.info().name.to_owned()).chain(words).collect();
    words.join(" ")
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in kit::kinds() {
        let main =
            !matches!(kind, Kind::Cellular(cellular) if cellular.distance != Cellular::default().distance);
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            for (shape_name, shape, weighted_strength) in [
                ("fbm", kit::SHAPES[0], 0.0),
                ("billow", kit::SHAPES[1], 0.0),
                ("ridged", kit::SHAPES[2], 0.0),
                ("fbm weighted", kit::SHAPES[0], 0.6),
                ("ridged weighted", kit::SHAPES[2], 0.9),
            ] {
                let fractal =
                    Fractal { shape, octaves: 4, lacunarity: 2.1, persistence: 0.55, weighted_strength };
                for seed in SEEDS {
                    for (region_name, region) in regions(dimensions == Dimensions::Three) {
                        if !main && (shape_name != "fbm" || region_name != "far") {
                            continue;
                        }
                        let axes = if dimensions == Dimensions::Two { 2 } else { 3 };
                        let name = format!(
                            "{} | {axes}D | {shape_name} | seed {seed:x} | {region_name}",
                            setting_name(&kind)
                        );
                        let (frequency, periods) = (1.0 / 23.0, [None; 3]);
                        let params = NoiseParams { kind, dimensions, seed, frequency, fractal, periods };
                        cases.push(Case { name, params, region });
                    }
                }
            }
            if kind.info().tiles && main {
                let period = |cells, samples| Some(Period { cells, samples });
                let fractal = Fractal { octaves: 3, ..Fractal::default() };
                let periods = [period(3, 40), period(1, 6), period(5, 61)];
                let params = NoiseParams { kind, dimensions, seed: 5, frequency: 0.1, fractal, periods };
                let region = regions(dimensions == Dimensions::Three)[0].1;
                let axes = if dimensions == Dimensions::Two { 2 } else { 3 };
                cases.push(Case {
                    name: format!("{} | {axes}D | tiled", setting_name(&kind)),
                    params,
                    region,
                });
            }
        }
    }
    cases
}

/// FNV-1a, 64 bits, of the bits of the samples, x fastest, then z, then y.
fn hash(samples: &[f32]) -> u64 {
    let bytes = samples.iter().flat_map(|v| v.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Fills the samples of `part` of a region, which starts at `from` (in samples, x, y, z) and has its own stride.
fn fill_part(
    noise: &Noise,
    level: SimdLevel,
    region: &Volume,
    from: [usize; 3],
    size: [usize; 3],
    stride: usize,
    out: &mut [f32],
    scratch: &mut Scratch,
) {
    let part = Volume {
        x: region.x + from[0] as i64,
        y: region.y + from[1] as i64,
        z: region.z + from[2] as i64,
        width: size[0],
        depth: size[1],
        height: size[2],
        stride: stride as u32,
    };
    let mut samples = vec![f32::NAN; part.samples()];
    noise.fill_volume(level, &part, &mut samples, [size[0], size[0] * size[2]], scratch);
    for (i, v) in samples.iter().enumerate() {
        let (x, z, y) = (i % size[0], i / size[0] % size[2], i / (size[0] * size[2]));
        let [x, y, z] = [from[0] + x * stride, from[1] + y * stride, from[2] + z * stride];
        out[(y * region.height + z) * region.width + x] = *v;
    }
}

/// The region, cut into tiles of that size.
fn cut(
    noise: &Noise,
    level: SimdLevel,
    region: &Volume,
    tile: [usize; 3],
    scratch: &mut Scratch,
) -> Vec<f32> {
    let mut out = vec![f32::NAN; region.samples()];
    let whole = [region.width, region.depth, region.height];
    for y in (0..whole[1]).step_by(tile[1]) {
        for z in (0..whole[2]).step_by(tile[2]) {
            for x in (0..whole[0]).step_by(tile[0]) {
                let from = [x, y, z];
                let size = [0, 1, 2].map(|i| tile[i].min(whole[i] - from[i]));
                fill_part(noise, level, region, from, size, 1, &mut out, scratch);
            }
        }
    }
    out
}

/// The region, put together from grids of every `stride`-th sample.
fn interleaved(
    noise: &Noise,
    level: SimdLevel,
    region: &Volume,
    stride: usize,
    scratch: &mut Scratch,
) -> Vec<f32> {
    let mut out = vec![f32::NAN; region.samples()];
    let whole = [region.width, region.depth, region.height];
    for y in 0..stride.min(whole[1]) {
        for z in 0..stride {
            for x in 0..stride {
                let from = [x, y, z];
                let size = [0, 1, 2].map(|i| (whole[i] - from[i]).div_ceil(stride));
                fill_part(noise, level, region, from, size, stride, &mut out, scratch);
            }
        }
    }
    out
}

fn hash_of(case: &Case, scratch: &mut Scratch) -> u64 {
    let noise = Noise::new(&case.params).expect("valid");
    let region = &case.region;
    let want = cut(&noise, SimdLevel::SCALAR, region, [region.width, region.depth, region.height], scratch);
    let check = |got: &[f32], how: &str| {
        assert_eq!(kit::difference(got, &want), None, "{how}: {}", case.name);
    };
    for level in SimdLevel::available() {
        let whole = [region.width, region.depth, region.height];
        check(&cut(&noise, level, region, whole, scratch), &format!("{level}"));
    }
    let level = SimdLevel::detect();
    for tile in [[1, 8, 1000], [1000, 1, 1], [7, 3, 5], [17, 8, 33], [64, 1, 64]] {
        check(&cut(&noise, level, region, tile, scratch), &format!("tiles of {tile:?}"));
    }
    for stride in [2, 4, 8] {
        check(&interleaved(&noise, level, region, stride, scratch), &format!("stride {stride}"));
    }
    hash(&want)
}

#[test]
fn hashes_are_those_of_the_committed_file() {
    let scratch = &mut Scratch::new();
    let mut text = String::new();
    for case in cases() {
        writeln!(text, "{} | {:016x}", case.name, hash_of(&case, scratch)).expect("a string");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
    if std::env::var_os("TERRANE_BLESS").is_some() {
        std::fs::write(path, &text).expect("the golden file");
    }
    let committed = std::fs::read_to_string(path).expect("the golden file").replace('\r', "");
    for (got, want) in text.lines().zip(committed.lines()) {
        assert_eq!(got, want);
    }
    assert_eq!(text.lines().count(), committed.lines().count());
    println!("{} hashes", text.lines().count());
}

#[test]
fn the_hash_notices_one_bit() {
    let samples = vec![0.25f32; 1000];
    let mut other = samples.clone();
    other[617] = f32::from_bits(other[617].to_bits() ^ 1);
    assert_ne!(hash(&samples), hash(&other));
}
