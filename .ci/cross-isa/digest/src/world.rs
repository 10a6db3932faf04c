//! Worlds: chunks, single positions, and fields of every sort.
use terrane::config::*;
use terrane::{ChunkBuffers, ChunkKey, Position, World};
use terrane_noise::{
    Filter, Fractal, FractalShape, Grid, Kind, Outside, Perlin, Scratch, SimdLevel, Simplex, Value, WarpOrder,
};

use crate::Fnv;
use crate::programs::{ORDERS, pixels};

pub fn report(out: &mut String) {
    for (cells, spacing_m, finite) in
        [(64, 1.0, false), (16, 0.3, false), (128, 7.0, false), (64, 0.5, true), (32, 1.0, true)]
    {
        let case = format!("engine c{cells} m{spacing_m} finite {finite}");
        chunks(out, &case, &config(cells, spacing_m, finite));
    }
    let of_fields = of_fields();
    chunks(out, "engine of fields", &of_fields);
    fields(out, &of_fields);
}

fn config(cells: u32, spacing_m: f64, finite: bool) -> WorldConfig {
    let field = |name: &str, feature_m, octaves, lacunarity, persistence| {
        let fractal = Fractal { octaves, lacunarity, persistence, ..Fractal::default() };
        let noise = NoiseConfig { feature_m, fractal, ..NoiseConfig::new(name) };
        FieldConfig { name: name.into(), source: noise.into() }
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

/// Chunks near and far at several levels of detail, and single positions.
fn chunks(out: &mut String, case: &str, config: &WorldConfig) {
    let scratch = &mut Scratch::new();
    let (cells, finite) = (config.chunk_cells, config.extent.is_some());
    for level in SimdLevel::available() {
        let world = World::open_at(config.clone(), level).expect(case);
        let mut chunk = ChunkBuffers::new(cells);
        let mut hash = Fnv::new();
        hash.bytes(&world.world_hash().to_le_bytes());
        hash.bytes(&world.curve_error_m().to_bits().to_le_bytes());
        hash.bytes(&(chunk.layout().bytes(cells) as u64).to_le_bytes());
        for i in world.templates().indices(0) {
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
        let case = format_args!("{case} built {built} refused {refused} world {:016x}", world.world_hash());
        hash.line(out, case, level);
    }
}
/// Collects fields; names are given in their order, since worlds sort by name.
#[derive(Default)]
struct Fields(Vec<FieldConfig>);

impl Fields {
    fn add(&mut self, name: &str, source: impl Into<FieldSource>) -> usize {
        self.0.push(FieldConfig { name: name.into(), source: source.into() });
        self.0.len() - 1
    }

    fn noise(&mut self, name: &str, kind: impl Into<Kind>, feature_m: f64, octaves: u32) -> usize {
        let fractal = Fractal { octaves, ..Fractal::default() };
        self.add(name, NoiseConfig { kind: kind.into(), feature_m, fractal, ..NoiseConfig::new(name) })
    }

    fn warp(&mut self, name: &str, of: usize, by: WarpFields, order: WarpOrder, strength_m: f64) -> usize {
        self.add(name, WarpConfig { of, by, order, strength_m })
    }

    fn operation(&mut self, name: &str, info: &'static OperationInfo, of: &[Operand]) -> usize {
        self.add(name, OperationConfig { info, of: of.into(), settings: settings(info) })
    }

    fn slope(&mut self, of: usize) {
        let name = format!("{}_slope", self.0[of].name);
        self.operation(&name, OperationInfo::find("slope").expect("listed"), &[Operand::Field(of)]);
    }
}

/// Settings by their names; half where a name is new, which panics when it must be something else.
fn settings(info: &OperationInfo) -> Vec<Vec<f64>> {
    let value = |name: &str| match name {
        "keys" => vec![-1.5, -0.9, -0.4, 0.7, 0.2, -0.3, 1.5, 1.0],
        "steps" => vec![4.3],
        "from" => vec![-0.6, 0.75],
        "to" => vec![1.1, -1.2],
        "low" => vec![-0.3],
        "high" => vec![0.5],
        "exponent" => vec![3.0],
        "center_m" => vec![10.0, 400.0],
        "inner_m" => vec![20.0],
        "outer_m" => vec![300.0],
        _ => vec![0.5],
    };
    info.settings.iter().map(|setting| value(setting.name)).collect()
}

/// A field of every kind of noise, raster, warp and operation. Its height is the end of a chain of all operations.
fn of_fields() -> WorldConfig {
    let mut to = Fields::default();
    let fractal =
        Fractal { shape: FractalShape::Ridged, octaves: 4, weighted_strength: 0.5, ..Fractal::default() };
    let hills = NoiseConfig { feature_m: 300.0, fractal, ..NoiseConfig::new("hills") };
    let hills = to.add("hills", hills);
    let waves = to.noise("waves", Simplex, 120.0, 5);
    let wind = to.noise("wind", Value, 170.0, 3);
    let gusts = to.noise("gusts", Perlin, 95.0, 3);
    let tiled = NoiseConfig { feature_m: 64.0, tile_m: Some([512.0, 1024.0]), ..NoiseConfig::new("tiled") };
    let tiled = to.add("tiled", tiled);
    for info in Kind::ALL {
        let kind = Kind::from_name(info.name, &[]).expect("listed").expect("defaults are right");
        let field = to.noise(&format!("kind_{}", info.name), kind, 77.0, 2);
        if info.slope_max.is_some() {
            to.slope(field);
        }
    }
    for (order, word) in ORDERS {
        for (by, what) in [(WarpFields::Noise(wind), "noise"), (WarpFields::Pair([wind, gusts]), "pair")] {
            let once = to.warp(&format!("warp_{word}_{what}"), hills, by, order, 40.0);
            let twice = to.warp(&format!("warp_{word}_{what}_twice"), once, by, order, -15.0);
            to.slope(twice);
        }
    }
    let image = RasterImage { file: String::new(), width: 37, height: 23, samples: pixels(37, 23).into() };
    for (filter, word, _) in Filter::ALL {
        for outside in [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Constant(-0.25)] {
            let (image, range) = (image.clone(), [-0.75, 0.5]);
            let (pixel_m, offset_m) = ([1.7, 4.25], [-100.3, 171.25]);
            let raster = RasterConfig { image, pixel_m, offset_m, range, filter, outside };
            let name = format!("raster_{word}_{}", outside.name());
            let raster = to.add(&name, raster);
            let by = WarpFields::Pair([waves, hills]);
            let moved = to.warp(&format!("{name}_moved"), raster, by, WarpOrder::Independent, 30.0);
            to.slope(moved);
        }
    }
    // Each of the one before and of another field. What has no operands or no slopes joins at the end.
    let (mut chain, mut aside) = (hills, Vec::new());
    for (i, info) in OperationInfo::ALL.iter().enumerate() {
        let [one, other] = [0, 1].map(|k| Operand::Field([waves, wind, tiled, gusts][(i + k) % 4]));
        let last = Operand::Field(chain);
        let of = match info.operands {
            Operands::None => vec![],
            Operands::One => vec![last],
            Operands::Two => vec![last, one],
            Operands::Many => vec![last, one, Operand::Number(if i % 3 == 1 { -0.6 } else { 0.6 })],
            Operands::TwoAndMask => vec![last, one, other],
        };
        let field = to.operation(&format!("chain_{i:02}_{}", info.name), info, &of);
        if info.name == "slope" {
            aside.push(Operand::Field(field));
            continue;
        }
        to.slope(field);
        if info.operands == Operands::None { aside.push(Operand::Field(field)) } else { chain = field }
    }
    aside.push(Operand::Field(chain));
    let end = to.operation("chain_end", OperationInfo::find("add").expect("listed"), &aside);
    let ground = config(32, 0.75, false);
    WorldConfig { height: HeightConfig { field: end, ..ground.height }, fields: to.0, ..ground }.normalized()
}

/// Tiles of every field, near and far, and single positions.
fn fields(out: &mut String, config: &WorldConfig) {
    let scratch = &mut Scratch::new();
    let names: Vec<_> = config.fields.iter().map(|field| field.name.clone()).collect();
    for level in SimdLevel::available() {
        let world = World::open_at(config.clone(), level).expect("valid");
        for (field, name) in names.iter().enumerate() {
            for stride in [1, 8, 4096] {
                let mut hash = Fnv::new();
                for (x, z) in [(-150, 210), (-1_000_000_000, 1_000_000_007), (1 << 40, -(1 << 52))] {
                    let grid = Grid { x, z, width: 83, height: 67, stride };
                    let mut tile = vec![f32::NAN; grid.samples()];
                    world.fill_field(field, &grid, &mut tile, grid.width, scratch);
                    hash.f32s(&tile);
                }
                let bounds = world.field_bounds(field);
                hash.f32s(&[bounds.low, bounds.high]);
                hash.line(out, format_args!("field {name} s{stride}"), level);
            }
        }
    }
    let world = World::open_at(config.clone(), SimdLevel::SCALAR).expect("valid");
    for (field, name) in names.iter().enumerate() {
        let mut hash = Fnv::new();
        for i in 0..300 {
            let metres = [i as f64 * 3.37 - 500.0, i as f64 * -1.731 + 410.0];
            let far = [i as f64 * 1e6 + 0.1, i as f64 * -1e8 - 0.7];
            let spacing_m = world.sample_spacing_m();
            for at in [
                Position::from_metres(metres, spacing_m).expect("in range"),
                Position::from_metres(far, spacing_m).expect("in range"),
                Position::from_samples([(1 << 50) + i * 1001, i - (1 << 59)]).expect("in range"),
            ] {
                hash.f32s(&[world.field_at(field, at)]);
            }
        }
        hash.line(out, format_args!("field {name} points"), "scalar");
    }
}
