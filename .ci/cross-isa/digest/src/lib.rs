//! Hashes of everything a runtime-only build makes, one line a case and level: `case | level | hash`.
use std::fmt::Write;

use terrane::config::*;
use terrane::{ChunkBuffers, ChunkKey, Position, World};
use terrane_noise::{Coord, Dimensions, Fractal, Grid, Kind, Noise, NoiseParams, Scratch, SimdLevel, Volume};

pub struct Fnv(pub u64);
impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
    pub fn bytes(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    pub fn f32s(&mut self, v: &[f32]) {
        for v in v {
            self.bytes(&v.to_bits().to_le_bytes());
        }
    }
}

pub fn report() -> String {
    let mut out = String::new();
    let names: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
    writeln!(
        out,
        "# levels {} detect {} pointer bits {} from_env {:?}",
        names.join(","),
        SimdLevel::detect(),
        usize::BITS,
        SimdLevel::from_env()
    )
    .unwrap();
    noise(&mut out);
    kinds(&mut out);
    points(&mut out);
    engine(&mut out);
    out
}

const SIZES: [(usize, usize); 6] = [(1, 1), (3, 5), (17, 64), (67, 67), (81, 66), (700, 3)];
const ORIGINS: [(i64, i64); 5] = [
    (0, 0),
    (-1_000_000_000, 1_000_000_007),
    (1 << 40, -(1 << 40) + 13),
    (-70, 1 << 52),
    (i64::MAX - 100, 100 - i64::MAX),
];
const STRIDES: [u32; 5] = [1, 3, 64, 1 << 24, u32::MAX];
const FREQUENCIES: [f64; 5] = [1.0 / 50.0, 1.0 / 220.0, 0.4, 3.7, 1.0 / 16_777_216.0];

fn perlin(seed: u64, frequency: f64, octaves: u32, lacunarity: f64, persistence: f64) -> Noise {
    let fractal = Fractal { octaves, lacunarity, persistence, ..Fractal::default() };
    Noise::new(&NoiseParams { seed, frequency, fractal, ..NoiseParams::default() }).expect("valid")
}

fn noise(out: &mut String) {
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
                        writeln!(
                            out,
                            "fbm o{octaves} f{frequency} s{stride} x{x} z{z} | {level} | {:016x}",
                            hash.0
                        )
                        .unwrap();
                    }
                }
            }
        }
    }
}

/// Every kind with its default settings, in the plane and in space, with slopes where it has them.
fn kinds(out: &mut String) {
    let scratch = &mut Scratch::new();
    for info in Kind::ALL {
        let kind = Kind::from_name(info.name, &[]).expect("listed").expect("defaults are right");
        for (dimensions, depth) in [(Dimensions::Two, 1), (Dimensions::Three, 3)] {
            for frequency in FREQUENCIES {
                let fractal = Fractal { octaves: 3, weighted_strength: 0.4, ..Fractal::default() };
                let params = NoiseParams { kind, dimensions, seed: 99, frequency, fractal, periods: [None; 3] };
                let noise = Noise::new(&params).expect("valid");
                let volume = Volume { x: -70, y: 5, z: 1 << 40, width: 67, height: 33, depth, stride: 1 };
                let strides = [67, 67 * 33];
                for level in SimdLevel::available() {
                    let (mut hash, mut columns) = (Fnv::new(), [0; 4].map(|_| vec![0f32; volume.samples()]));
                    let [value, x, y, z] = &mut columns;
                    if noise.has_slopes() {
                        noise.fill_gradient(level, &volume, value, [x, y, z], strides, scratch);
                    } else {
                        noise.fill_volume(level, &volume, value, strides, scratch);
                    }
                    // The sign of a slope that is 0 is not defined.
                    for column in &columns {
                        let column: Vec<f32> = column.iter().map(|v| v + 0.0).collect();
                        hash.f32s(&column);
                    }
                    writeln!(out, "{} {dimensions:?} f{frequency} | {level} | {:016x}", info.name, hash.0).unwrap();
                }
            }
        }
    }
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
        writeln!(out, "points o{octaves} | scalar | {:016x}", hash.0).unwrap();
    }
}

fn config(cells: u32, spacing_m: f64, finite: bool) -> WorldConfig {
    let field = |name: &str, feature_m, octaves, lacunarity, persistence| FieldConfig {
        name: name.into(),
        seed: hash_text(name),
        noise: NoiseKind::Perlin,
        feature_m,
        octaves,
        lacunarity,
        persistence,
    };
    WorldConfig {
        seed: parse_seed("north pole"),
        generator_version: GENERATOR_VERSION,
        sample_spacing_m: spacing_m,
        chunk_cells: cells,
        fields: vec![field("ground", 220.0, 6, 2.0, 0.5), field("caves", 31.7, 3, 2.17, 0.43)],
        height: HeightConfig {
            field: 0,
            min_m: -60.0,
            max_m: 240.0,
            sea_level_m: 0.0,
            curve: vec![
                CurveKey { at: -0.9, to: 0.0 },
                CurveKey { at: -0.2, to: 0.21 },
                CurveKey { at: 0.05, to: 0.3 },
                CurveKey { at: 0.55, to: 0.77 },
                CurveKey { at: 1.0, to: 1.0 },
            ],
        },
        extent: finite.then_some(ExtentConfig {
            min: [-1000, -700],
            max: [900, 1100],
            falloff_m: 170.0,
            floor_m: -20.0,
        }),
        ramp: vec![
            RampKey { height_m: -30.0, color: [12, 40, 90] },
            RampKey { height_m: 1.0, color: [200, 190, 140] },
            RampKey { height_m: 80.0, color: [60, 110, 50] },
            RampKey { height_m: 200.0, color: [250, 250, 255] },
        ],
    }
}

fn engine(out: &mut String) {
    let scratch = &mut Scratch::new();
    for (cells, spacing_m, finite) in
        [(64, 1.0, false), (16, 0.3, false), (128, 7.0, false), (64, 0.5, true), (32, 1.0, true)]
    {
        for level in SimdLevel::available() {
            let world = match World::open_at(config(cells, spacing_m, finite), level) {
                Ok(world) => world,
                Err(error) => {
                    writeln!(out, "engine c{cells} | {level} | ERROR {error}").unwrap();
                    continue;
                }
            };
            let mut chunk = ChunkBuffers::new(cells);
            let mut hash = Fnv::new();
            hash.bytes(&world.world_hash().to_le_bytes());
            hash.bytes(&world.curve_error_m().to_bits().to_le_bytes());
            hash.bytes(&(ChunkBuffers::bytes_for(cells, true) as u64).to_le_bytes());
            for i in world.indices() {
                hash.bytes(&i.to_le_bytes());
            }
            for uv in world.uvs() {
                hash.f32s(uv);
            }
            let (mut built, mut refused) = (0, 0);
            for lod in [0u8, 1, 2, 5, 12, 24, 25] {
                let keys: Vec<(i64, i64)> = if finite {
                    (-4..4).flat_map(|z| (-4..4).map(move |x| (x, z))).collect()
                } else {
                    vec![
                        (0, 0),
                        (-1, 2),
                        (-15_625_000, 15_625_001),
                        (1 << 32, -(1 << 31)),
                        ((1 << 46) - 7, 3),
                        (1 << 54, 0),
                        (i64::MAX, i64::MIN),
                    ]
                };
                for (x, z) in keys {
                    let key = ChunkKey { lod, x, z };
                    match world.build(key, &mut chunk, scratch) {
                        Ok(()) => {
                            built += 1;
                            let view = chunk.view();
                            for z in 0..view.side() {
                                hash.f32s(view.heights(z));
                            }
                            for v in view.positions() {
                                hash.f32s(v);
                            }
                            for v in view.normals() {
                                hash.f32s(v);
                            }
                            for v in view.colors() {
                                hash.bytes(v);
                            }
                            for v in view.origin_sample() {
                                hash.bytes(&v.to_le_bytes());
                            }
                        }
                        Err(error) => {
                            refused += 1;
                            hash.bytes(error.to_string().as_bytes());
                        }
                    }
                }
            }
            for i in 0..2000 {
                let metres = [i as f64 * 13.37 - 9000.0, i as f64 * -0.731 + 1e9];
                for at in [
                    Position::from_metres(metres, world.sample_spacing_m()).expect("in range"),
                    Position::from_samples([i * i * i * 1001 - 7, -i]).expect("in range"),
                ] {
                    hash.f32s(&[world.height_at(at), world.field_at(0, at), world.field_at(1, at)]);
                    hash.f32s(&world.normal_at(at));
                    for m in at.metres(world.sample_spacing_m()) {
                        hash.bytes(&m.to_bits().to_le_bytes());
                    }
                }
            }
            writeln!(out, "engine c{cells} m{spacing_m} finite {finite} built {built} refused {refused} world {:016x} | {level} | {:016x}", world.world_hash(), hash.0).unwrap();
        }
    }
}

/// For hosts without a console: the report's address; its length by `report_len`.
static REPORT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
#[unsafe(no_mangle)]
pub extern "C" fn report_at() -> *const u8 {
    REPORT.get_or_init(report).as_ptr()
}
#[unsafe(no_mangle)]
pub extern "C" fn report_len() -> usize {
    REPORT.get_or_init(report).len()
}

/// Fills a 67 x 67 tile of six octaves `count` times at level number `level`.
#[unsafe(no_mangle)]
pub extern "C" fn speed(level: usize, count: u32) -> f32 {
    let Some(level) = SimdLevel::available().nth(level) else { return f32::NAN };
    let fbm = perlin(7, 1.0 / 200.0, 6, 2.0, 0.5);
    let (mut tile, mut scratch, mut sum) = (vec![0.0; 67 * 80], Scratch::new(), 0.0);
    for i in 0..count {
        fbm.fill(
            level,
            &Grid { x: i64::from(i) * 64, z: 0, width: 67, height: 67, stride: 1 },
            &mut tile,
            80,
            &mut scratch,
        );
        sum += tile[17];
    }
    sum
}

/// Must panic (trap): the samples of this grid do not fit a 32-bit usize, and there is no room for them.
#[unsafe(no_mangle)]
pub extern "C" fn too_large() {
    let fbm = perlin(7, 1.0 / 200.0, 6, 2.0, 0.5);
    let grid = Grid { x: 0, z: 0, width: 65_536, height: 65_536, stride: 1 };
    fbm.fill(SimdLevel::detect(), &grid, &mut [], grid.width, &mut Scratch::new());
}
