//! Named fields of world files: what a table says is what the program gives, in tiles and at points, and the world's hash
//! counts all of it.
#![cfg(feature = "config")]

mod kit;
mod malformed;

use malformed::{FIELDS, edit};
use terrane::config::{
    FieldConfig, FieldSource, HeightConfig, Operand, Operands, OperationConfig, OperationInfo, WarpConfig,
    WarpFields, WorldConfig, hash_text,
};
use terrane::noise::{
    Cellular, Curve, CurveKey, Distance, Fractal, FractalShape, Grid, Kind, NoiseParams, Period,
    ProgramBuilder, Returns, Scratch, Setting, SettingRule, SettingValue, SimdLevel, WarpBy, WarpNoise,
    WarpOrder, hash,
};
use terrane::{Position, World};

fn read(text: &str) -> WorldConfig {
    match WorldConfig::from_toml_str("w.toml", text) {
        Ok((world, _)) => world,
        Err(error) => panic!("{error}"),
    }
}

fn field(world: &World, name: &str) -> usize {
    world.field_names().position(|known| known == name).expect(name)
}

/// Fills a grid with a field.
fn tile(world: &World, name: &str, grid: &Grid) -> Vec<f32> {
    let mut out = vec![f32::NAN; grid.samples()];
    world.fill_field(field(world, name), grid, &mut out, grid.width, &mut Scratch::new());
    out
}

/// A tile far from the origin, in the midst of everything that the test file has.
const GRID: Grid = Grid { x: -150, z: 210, width: 83, height: 67, stride: 1 };

/// Every field of the test file, made by hand from the noise library alone.
#[test]
fn a_file_gives_what_its_words_say() {
    let world = kit::open(read(FIELDS));
    let mut by_hand = ProgramBuilder::new();
    let seed = |name: &str| hash::field_seed(5, hash_text(name));
    let fbm = |octaves| Fractal { octaves, ..Fractal::default() };
    let params = |name: &str, kind: Kind, feature_m: f64, octaves| NoiseParams {
        kind,
        seed: seed(name),
        frequency: 2.0 / feature_m,
        fractal: fbm(octaves),
        ..NoiseParams::default()
    };
    let cells = Cellular { distance: Distance::Manhattan, returns: Returns::F2MinusF1, jitter: 0.75 };
    let cracks = by_hand.noise(&params("cracks", cells.into(), 80.0, 1)).unwrap();
    let classic = Kind::from_name("perlin_classic", &[]).unwrap().unwrap();
    let hills = NoiseParams {
        fractal: Fractal { shape: FractalShape::Ridged, weighted_strength: 0.5, ..fbm(4) },
        ..params("hills", classic, 300.0, 4)
    };
    let hills = by_hand.noise(&hills).unwrap();
    let period = |cells, samples| Some(Period { cells, samples });
    let waves = NoiseParams {
        periods: [period(8, 256), None, period(16, 512)],
        ..params("waves", terrane::noise::Perlin.into(), 64.0, 3)
    };
    let waves = by_hand.noise(&waves).unwrap();
    let wind = params("wind", terrane::noise::Value.into(), 120.0, 2);
    let windy = by_hand.noise(&wind).unwrap();
    let sway = |axis| NoiseParams { seed: hash::field_seed(wind.seed, axis), ..wind.clone() };
    let by = WarpNoise { x: sway(1), y: None, z: sway(3) };
    let bent = by_hand.warp_by_noise(hills, &by, WarpOrder::Progressive, 12.5).unwrap();
    let moved = by_hand.warp(cracks, WarpBy { x: hills, y: None, z: waves }, -4.0).unwrap();
    let keys = [(-1.0, 0.2), (0.0, 0.3), (1.0, 0.9)].map(|(at, to)| CurveKey { at, to });
    let shaped =
        by_hand.curve(hills, &Curve::new(&keys, [(-1.0f32).next_down(), 1.0f32.next_up()]).unwrap()).unwrap();
    let shore = by_hand.falloff([50, -25], 200.0, 450.0).unwrap();
    let steepness = by_hand.slope(hills, 2.0).unwrap();
    let gentle = by_hand.clamp(steepness, 0.0, 0.01).unwrap();
    let steps = by_hand.terrace(bent, 6.0, 0.7).unwrap();
    let (low, quarter) = (by_hand.constant(-0.5).unwrap(), by_hand.constant(0.25).unwrap());
    let ground = by_hand.mix(steps, low, shore).unwrap();
    let stretched = by_hand.remap(waves, [-0.5, 0.5], [0.0, 1.0]).unwrap();
    let sum = by_hand.add(hills, waves).unwrap();
    let sum = by_hand.add(sum, quarter).unwrap();
    let twice = by_hand.power(waves, 2).unwrap();
    let fields = [
        ("bent", bent),
        ("cracks", cracks),
        ("gentle", gentle),
        ("ground", ground),
        ("hills", hills),
        ("moved", moved),
        ("shaped", shaped),
        ("shore", shore),
        ("steepness", steepness),
        ("steps", steps),
        ("stretched", stretched),
        ("sum", sum),
        ("twice", twice),
        ("waves", waves),
        ("wind", windy),
    ];
    assert!(world.field_names().eq(fields.map(|(name, _)| name)));
    for (name, node) in fields {
        by_hand.output(name, node).unwrap();
    }
    let by_hand = by_hand.build().unwrap();
    let mut scratch = Scratch::new();
    for (index, (name, _)) in fields.iter().enumerate() {
        let mut want = vec![0.0; GRID.samples()];
        let volume = GRID.into();
        by_hand.fill_output(SimdLevel::SCALAR, index, &volume, &mut want, [GRID.width, 0], &mut scratch);
        let found = tile(&world, name, &GRID);
        assert!(found.iter().zip(&want).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}");
        let varied = want.iter().any(|value| *value != want[0]);
        assert!(varied, "{name} is the same everywhere: it proves nothing");
        assert_eq!(world.field_bounds(index), by_hand.bounds(index));
    }
}

/// The settings of a kind, away from their defaults.
fn unusual(settings: &'static [Setting]) -> Vec<(&'static str, SettingValue, String)> {
    let setting = |setting: &'static Setting| match setting.rule {
        SettingRule::Number { min, max, .. } => {
            let value = min + 0.375 * (max - min);
            (setting.name, SettingValue::Number(value), format!("{value:?}"))
        }
        SettingRule::Choice(words) => {
            let last = words.len() - 1;
            (setting.name, SettingValue::Choice(last), format!("{:?}", words[last]))
        }
    };
    settings.iter().map(setting).collect()
}

#[test]
fn every_kind_of_noise_stands_in_world_files_with_all_its_settings() {
    for info in Kind::ALL {
        let settings = unusual(info.settings);
        let lines: String = settings.iter().map(|(name, _, text)| format!("{name} = {text}\n")).collect();
        let from = "noise = \"value\"\n";
        let text = edit(FIELDS, from, &format!("noise = {:?}\n{lines}", info.name));
        // Not every kind may move others by itself.
        let text = text
            .replace("order = \"progressive\"\n", "")
            .replace("by = \"wind\"", "by = [\"wind\", \"hills\"]");
        let config = read(&text);
        let given: Vec<_> = settings.iter().map(|(name, value, _)| (*name, *value)).collect();
        let wind = config.fields.iter().find(|field| field.name == "wind").unwrap();
        let want = Kind::from_name(info.name, &given).unwrap().unwrap();
        assert_eq!(wind.noise().unwrap().kind, want, "{}", info.name);
        let world = kit::open(config);
        let values = tile(&world, "wind", &GRID);
        let at = Position::from_samples([GRID.x, GRID.z]).unwrap();
        assert_eq!(values[0], world.field_at(field(&world, "wind"), at), "{}", info.name);
    }
}

/// One operation of every sort, on two noises of the test file.
fn with_operation(info: &'static OperationInfo, settings: Vec<Vec<f64>>) -> WorldConfig {
    let mut config = read(FIELDS);
    let index = |name: &str| config.fields.iter().position(|field| field.name == name).unwrap();
    let [hills, waves] = ["hills", "waves"].map(|name| Operand::Field(index(name)));
    let of = match info.operands {
        Operands::None => Vec::new(),
        Operands::One => vec![hills],
        Operands::Two => vec![hills, waves],
        Operands::Many => vec![hills, waves, Operand::Number(0.125)],
        Operands::TwoAndMask => vec![hills, waves, Operand::Number(0.5)],
    };
    let source = OperationConfig { info, of, settings }.into();
    config.fields.push(FieldConfig { name: "zz".into(), source });
    config
}

fn settings(info: &OperationInfo) -> Vec<Vec<f64>> {
    let value = |name: &str| match name {
        "keys" => vec![-1.0, 0.0, 0.1, 0.7, 1.0, 0.5],
        "from" | "to" => vec![-0.5, 0.75],
        "center_m" => vec![10.0, 400.0],
        "low" => vec![-0.25],
        "inner_m" => vec![20.0],
        "outer_m" => vec![300.0],
        "exponent" => vec![3.0],
        _ => vec![0.5],
    };
    info.settings.iter().map(|setting| value(setting.name)).collect()
}

#[test]
fn every_operation_makes_a_field_the_same_in_tiles_and_at_points() {
    for info in OperationInfo::ALL {
        let world = kit::open(with_operation(info, settings(info)));
        let index = field(&world, "zz");
        let values = tile(&world, "zz", &GRID);
        let bounds = world.field_bounds(index);
        assert!(values.iter().any(|value| *value != values[0]), "{} gives one number", info.name);
        for (i, value) in values.iter().enumerate().step_by(97) {
            let sample = [GRID.x + (i % GRID.width) as i64, GRID.z + (i / GRID.width) as i64];
            let at = world.field_at(index, Position::from_samples(sample).unwrap());
            assert_eq!(value.to_bits(), at.to_bits(), "{} at {sample:?}", info.name);
            assert!(bounds.contains(*value), "{}", info.name);
        }
    }
}

#[test]
fn operations_made_in_code_follow_the_rules() {
    let refused = |info: &'static OperationInfo, settings| {
        with_operation(info, settings).validate().expect_err(info.name).to_string()
    };
    let find = |name: &str| OperationInfo::find(name).unwrap();
    for (message, expected) in [
        (refused(find("clamp"), vec![]), "fields.zz.op: found 0, expected 2 settings, those of \"clamp\""),
        (
            refused(find("clamp"), vec![vec![0.5], vec![]]),
            "fields.zz.high: found a list of 0, expected a number from -1e30 to 1e30",
        ),
        (
            refused(find("power"), vec![vec![1.5]]),
            "fields.zz.exponent: found 1.5, expected a whole number from 1 to 8",
        ),
        (
            refused(find("curve"), vec![vec![0.0, 1.0, 2.0]]),
            "fields.zz.keys: found a list of 3, expected a list of at least 2 keys [value, what it becomes]",
        ),
    ] {
        assert_eq!(message, expected);
    }
    let changed = |change: fn(&mut WorldConfig)| {
        let mut config = read(FIELDS);
        change(&mut config);
        config.validate().unwrap_err().to_string()
    };
    let operation = |config: &mut WorldConfig, operands: Vec<Operand>| {
        let FieldSource::Operation(sum) = &mut config.fields[11].source else { panic!("the sum") };
        sum.of = operands;
    };
    // One past the last, and far beyond.
    for index in [15, usize::MAX] {
        let mut config = read(FIELDS);
        operation(&mut config, vec![Operand::Number(0.0), Operand::Field(index)]);
        let message = config.validate().unwrap_err().to_string();
        assert_eq!(
            message,
            format!("fields.sum.of[1]: found field {index}, expected a field's number from 0 to 14")
        );
        // No rule holds, but nothing panics either.
        let _ = (config.world_hash(), config.normalized());
    }
    let mut config = read(FIELDS);
    operation(&mut config, vec![Operand::Field(4)]);
    let message = config.validate().unwrap_err().to_string();
    assert_eq!(
        message,
        "fields.sum.of: found 1 of them, expected a list of two to 64 fields or numbers for \"add\""
    );
    assert_eq!(
        changed(|config| {
            let hills = config.fields[4].noise_mut().expect("hills");
            hills.tile_m = Some([f64::NAN, 600.0]);
        }),
        "fields.hills.tile_m[0]: found NaN, expected a number above 0"
    );
    assert_eq!(
        changed(|config| config.fields = vec![config.fields[4].clone(); 257]),
        "fields: found 257, expected at most 256 fields"
    );
}

#[test]
fn a_circle_of_fields_is_named() {
    let mut config = read(FIELDS);
    let index = config.fields.len();
    let warp = |of, by| WarpConfig { of, by, order: WarpOrder::Independent, strength_m: 1.0 }.into();
    let [a, b] = ["za", "zb"].map(String::from);
    config.fields.push(FieldConfig { name: a, source: warp(index + 1, WarpFields::Noise(13)) });
    config.fields.push(FieldConfig { name: b, source: warp(4, WarpFields::Pair([4, index])) });
    assert_eq!(
        config.validate().unwrap_err().to_string(),
        "fields.za.of: found \"zb\", expected a field that is not made of za: za <- zb <- za"
    );
    let _ = config.world_hash();
}

/// Chunks of a world whose height is the end of a chain of fields.
#[test]
fn heights_are_those_of_the_field_through_the_curve() {
    let config = read(FIELDS);
    let world = kit::open(config.clone());
    let index = field(&world, "ground");
    assert_eq!(config.height.curve, HeightConfig::straight_curve());
    for [x, z] in [[0, 0], [13, -700], [1 << 40, -(1 << 41)]] {
        let at = Position::from_samples([x, z]).unwrap();
        let share = (f64::from(world.field_at(index, at)) + 1.0) / 2.0;
        let want = -60.0 + 300.0 * share;
        assert!((f64::from(world.height_at(at)) - want).abs() < 1e-4, "{x} {z}");
    }
    let region = kit::Region::build(&world, [-192, 128], 256, 2, &kit::shuffled(16, 3));
    for (i, bits) in region.bits.iter().enumerate().step_by(331) {
        let sample = [-192 + (i % 257) as i64, 128 + (i / 257) as i64];
        let at = world.height_at(Position::from_samples(sample).unwrap());
        assert_eq!(*bits, at.to_bits(), "{sample:?}");
    }
}

#[test]
fn the_hash_counts_every_setting_of_a_field_and_no_name() {
    let hash = |text: &str| read(text).world_hash();
    let mut hashes = vec![hash(FIELDS)];
    for (from, to) in [
        ("strength_m = 25.0", "strength_m = 24.0"),
        ("order = \"progressive\"\n", ""),
        ("by = \"wind\"", "by = [\"wind\", \"wind\"]"),
        ("by = [\"hills\", \"waves\"]", "by = [\"waves\", \"hills\"]"),
        ("noise = \"value\"", "noise = \"perlin\""),
        ("distance = \"manhattan\"\n", ""),
        ("jitter = 0.75", "jitter = 0.7"),
        ("fractal = \"ridged\"", "fractal = \"billow\""),
        ("weighted_strength = 0.5", "weighted_strength = 0.25"),
        ("tile_m = [512.0, 1024.0]", "tile_m = [1024.0, 512.0]"),
        ("tile_m = [512.0, 1024.0]\n", ""),
        ("low = 0\n", "low = -1\n"),
        ("mask = \"shore\"", "mask = \"sum\""),
        ("of = [\"steps\", -0.5]", "of = [-0.5, \"steps\"]"),
        ("[\"hills\", \"waves\", 0.25]", "[\"hills\", \"waves\"]"),
        ("op = \"add\"", "op = \"max\""),
        ("[0.0, 0.3], ", ""),
        ("center_m = [100, -50]", "center_m = [100, -51]"),
        ("exponent = 2", "exponent = 3"),
        ("from = [-0.5, 0.5]", "from = [-0.5, 0.25]"),
    ] {
        let hash = hash(&edit(FIELDS, from, to));
        assert!(!hashes.contains(&hash), "{to:?} must count");
        hashes.push(hash);
    }
    // An operation has no id of its own: its name counts for nothing, whatever it does to the order.
    assert_eq!(hash(&FIELDS.replace("gentle", "zebra")), hashes[0]);
    assert_eq!(
        hash(
            &FIELDS.replace("bent", "zebra").replace("steps", "alpha").replace("\nalpha = 6", "\nsteps = 6")
        ),
        hashes[0]
    );
    assert_eq!(hash(&edit(FIELDS, "strength_m = 25.0", "strength_m = 25")), hashes[0]);
    assert_eq!(hash(&edit(FIELDS, "of = \"bent\"", "of = [\"bent\"]")), hashes[0]);
    assert_eq!(hash(&edit(FIELDS, "low = 0\n", "low = -0.0\n")), hashes[0]);
}

#[test]
fn all_fields_together_are_each_alone() {
    // The second file asks for more values at once than a program holds: each field is then computed alone.
    let many: String = (0..70)
        .map(|i| format!("[fields.layer{i:02}]\nnoise = \"perlin\"\nfeature_m = {}\n", 20 + i))
        .collect();
    let halves = [0..35, 35..70].map(|part| {
        let names: Vec<_> = part.map(|i| format!("\"layer{i:02}\"")).collect();
        names.join(", ")
    });
    let sums = format!(
        "[fields.left]\nop = \"add\"\nof = [{}]\n[fields.right]\nop = \"max\"\nof = [{}]\n",
        halves[0], halves[1]
    );
    for text in [FIELDS.to_owned(), edit(FIELDS, "[height]", &format!("{many}{sums}[height]"))] {
        let world = kit::open(read(&text));
        let names: Vec<String> = world.field_names().map(str::to_owned).collect();
        let mut all = vec![vec![f32::NAN; GRID.samples()]; names.len()];
        let mut outs: Vec<&mut [f32]> = all.iter_mut().map(|out| &mut out[..]).collect();
        world.fill_fields(&GRID, &mut outs, GRID.width, &mut Scratch::new());
        for (name, out) in names.iter().zip(&all) {
            let alone = tile(&world, name, &GRID);
            assert!(out.iter().zip(&alone).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}");
        }
        assert!(names.iter().all(|name| world.describe_fields().contains(&format!("{name:?} = "))));
    }
}

/// The value of the test file's `shaped` where its operand is `at`.
fn shaped(keys: &str, at: f64) -> f32 {
    let text = edit(FIELDS, "keys = [[-1.0, 0.2], [0.0, 0.3], [1.0, 0.9]]", &format!("keys = {keys}"));
    let text = edit(&text, "op = \"curve\"\nof = \"hills\"", &format!("op = \"curve\"\nof = {at:?}"));
    let world = kit::open(read(&text));
    world.field_at(field(&world, "shaped"), Position::from_samples([3, 4]).unwrap())
}

#[test]
fn a_curve_has_one_shape_whatever_its_keys() {
    // 0.5 is an f32, 0.6 is none; both curves are flat at their ends.
    for (k, keys) in [(0.5, "[[-0.5, 0], [0.5, 1]]"), (0.6, "[[-0.6, 0], [0.6, 1]]")] {
        for (share, want) in [(-1.0, 0.0), (0.0, 0.5), (0.5, 0.84375), (1.0, 1.0), (2.0, 1.0)] {
            assert!((shaped(keys, k * share) - want).abs() < 1e-5, "{keys} at {share}");
        }
    }
}

/// Equal hashes mean equal bits: the sign of a zero changes neither.
#[test]
fn the_sign_of_zero_changes_no_bit() {
    let [minus, plus] = ["[[0, -0.0], [1, 1]]", "[[0, 0.0], [1, 1]]"].map(|keys| shaped(keys, -5.0));
    assert_eq!((minus.to_bits(), plus.to_bits()), (0, 0));
    for (from, to) in [("low = 0\n", "low = -0.0\n"), ("of = [\"steps\", -0.5]", "of = [\"steps\", -0.0]")] {
        let [a, b] =
            [to.to_owned(), to.replace("-0.0", "0.0")].map(|to| kit::open(read(&edit(FIELDS, from, &to))));
        assert_eq!(a.world_hash(), b.world_hash());
        for name in ["gentle", "ground"] {
            let [a, b] = [&a, &b].map(|world| tile(world, name, &GRID));
            assert!(a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits()), "{to} {name}");
        }
    }
}

#[test]
fn the_docs_name_every_kind_operation_and_key() {
    let docs = include_str!("../../docs/WORLD_FILE.md");
    let has = |word: &str| assert!(docs.contains(word), "docs/WORLD_FILE.md lacks {word}");
    for info in Kind::ALL {
        has(&format!("`{:?}`", info.name));
        for setting in info.settings {
            has(&format!("| `{}` |", setting.name));
            if let SettingRule::Choice(words) = setting.rule {
                words.iter().for_each(|word| has(&format!("`{word:?}`")));
            }
        }
    }
    for info in OperationInfo::ALL {
        has(&format!("`{:?}`", info.name));
        info.settings.iter().for_each(|setting| has(&format!("`{}", setting.name)));
    }
    let from = docs.find("```toml\n").expect("a world") + "```toml\n".len();
    let text = &docs[from..from + docs[from..].find("```").expect("its end")];
    kit::open(read(text));
}
