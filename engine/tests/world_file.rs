//! World files: every malformed one gives its exact message, good ones give the same world on every machine, and
//! no text at all makes the reader panic.
#![cfg(feature = "config")]

mod malformed;

use malformed::{FIELDS, GOOD, all_malformed, edited};
use proptest::prelude::*;
use terrane::buffers::{ColumnKind, FieldColumn, FieldFormat};
use terrane::config::{
    DEFAULT_PRESET, FieldConfig, GENERATOR_VERSION, MAX_FILE_BYTES, NoiseConfig, PRESETS, Preset,
    RuntimeConfig, WorldConfig, WorldFileError, WorldFileErrorKind as Kind, hash_text, parse_seed,
    round_spacing_m,
};
use terrane::noise::{Fractal, Perlin};
use terrane::{FieldOutput, Levels, Outputs, ScreenError, StreamSettings, Streamer, World};

fn read(text: &str) -> Result<(WorldConfig, RuntimeConfig), WorldFileError> {
    WorldConfig::from_toml_str("w.toml", text)
}

fn good() -> WorldConfig {
    read(GOOD).expect("the good file").0
}

/// The noise of the good file's first field.
fn noise_of(world: &mut WorldConfig) -> &mut NoiseConfig {
    world.fields[0].noise_mut().expect("a noise")
}

#[test]
fn every_malformed_file_gives_its_message() {
    let mut wrong = Vec::new();
    for (text, case) in all_malformed() {
        let error = read(&text).expect_err(case.to);
        if error.to_string() != format!("w.toml:{}", case.message) {
            wrong.push(format!("{}\n  {error}\n  w.toml:{}", case.to, case.message));
            continue;
        }
        assert_eq!(error.kind(), case.kind, "{error}");
        // The accessors hold the parts of the same message, and the place in the same text.
        let (line, column) = (error.line().unwrap(), error.column().unwrap());
        let path = error.field().to_string();
        let field = if path.is_empty() { path } else { format!("{path}: ") };
        let (found, expected) = (error.found(), error.expected());
        let parts = format!("{line}:{column}: {field}found {found}, expected {expected}");
        assert_eq!(parts, case.message);
        assert_eq!(error.source_text(), text);
        let start = error.span().unwrap().start;
        assert_eq!(text[..start].matches('\n').count() + 1, line);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[rustfmt::skip]
fn files_without_a_world_are_refused_whole() {
    for (text, kind, message) in [
        ("", Kind::Empty,
            "w.toml: found an empty file, expected a world file (`terrane new` writes one)"),
        ("\u{feff} \r\n\t\n", Kind::Empty,
            "w.toml: found an empty file, expected a world file (`terrane new` writes one)"),
        ("# nothing\n", Kind::MissingKey,
            "w.toml:1:1: seed: found nothing, expected a whole number or a text"),
        ("seed = 1\ngenerator_version = 1\nsample_spacing_m = 1\n[fields]\n[height]\nfield = \"a\"\nmin_m = 0\nmax_m = 1\n", Kind::Value,
            "w.toml:4:2: fields: found no table, expected at least one table [fields.NAME]"),
        ("fields = 3", Kind::WrongType,
            "w.toml:1:10: fields: found 3, expected at least one table [fields.NAME]"),
        ("height = [\"ground\", 0, 1, 0, []]", Kind::WrongType,
            "w.toml:1:10: height: found [\"ground\", 0, 1, 0, []], expected a table [height]"),
        // Lines end in CRLF, columns count characters, and a byte-order mark has no width.
        ("\u{feff}sed = 1\r\n", Kind::UnknownKey,
            "w.toml:1:1: sed: found an unknown key, expected one of seed, generator_version, sample_spacing_m, chunk_cells, fields, height, extent, colors, runtime; did you mean seed?"),
        ("seed = 'é'\r\n\r\nheight = { 'ä' = 1 }", Kind::UnknownKey,
            "w.toml:3:12: height.\"ä\": found an unknown key, expected one of field, min_m, max_m, sea_level_m, curve"),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.to_string(), message);
        assert_eq!(error.kind(), kind);
    }
    let error = read(&"#".repeat(MAX_FILE_BYTES + 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "w.toml: found 1048577 bytes, expected at most 1048576 bytes"
    );
    assert_eq!((error.kind(), error.span()), (Kind::TooLarge, None));
    // Deep nesting must end in an error, not in a stack overflow.
    let error = read(&format!("seed = {}", "[".repeat(100_000))).unwrap_err();
    assert_eq!(error.kind(), Kind::Syntax);
    // A long value is shortened in the message.
    let error = read(&edited(
        "chunk_cells = 64",
        &format!("chunk_cells = \"{}\"", "x".repeat(500)),
    ))
    .unwrap_err();
    assert_eq!(error.found().chars().count(), 61);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };

    let path = write("good.toml", GOOD.as_bytes());
    let (world, runtime) = WorldConfig::from_file(&path).unwrap();
    assert_eq!((world, runtime), read(GOOD).unwrap());

    let error = WorldConfig::from_file(folder.path()).unwrap_err();
    assert_eq!((error.kind(), error.found()), (Kind::Unreadable, "a directory"));
    let error = WorldConfig::from_file(folder.path().join("none.toml")).unwrap_err();
    assert_eq!((error.kind(), error.found()), (Kind::Unreadable, "no such file"));
    assert!(error.system_error().is_some());

    let mut bytes = GOOD.as_bytes().to_vec();
    let at = GOOD.find("2026").unwrap();
    bytes[at] = 0xff;
    let path = write("latin.toml", &bytes);
    let error = WorldConfig::from_file(&path).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{}:2:8: found the byte 0xff, expected text in UTF-8", path.display())
    );

    let path = write("large.toml", &vec![b'#'; MAX_FILE_BYTES + 5]);
    let error = WorldConfig::from_file(path).unwrap_err();
    assert_eq!((error.kind(), error.found()), (Kind::TooLarge, "1048581 bytes"));
    let path = write("just.toml", &vec![b'#'; MAX_FILE_BYTES]);
    assert_eq!(WorldConfig::from_file(path).unwrap_err().kind(), Kind::MissingKey);
}

#[test]
fn a_good_file_becomes_these_numbers() {
    let (world, runtime) = read(GOOD).unwrap();
    assert_eq!((world.seed, world.generator_version), (2026, GENERATOR_VERSION));
    assert_eq!((world.sample_spacing_m, world.chunk_cells), (1.0, 64));
    assert_eq!(world.fields.len(), 2);
    assert_eq!(
        world.fields[0],
        FieldConfig {
            name: "ground".into(),
            source: NoiseConfig {
                seed: hash_text("rock"),
                kind: Perlin.into(),
                feature_m: 220.0,
                fractal: Fractal { octaves: 6, ..Fractal::default() },
                tile_m: None,
            }
            .into(),
        }
    );
    assert_eq!(world.fields[1].noise().unwrap().seed, hash_text("mask"));
    assert_eq!(world.height.field, 0);
    assert_eq!(world.height.curve.len(), 3);
    let extent = world.extent.unwrap();
    assert_eq!((extent.min, extent.max), ([-512, -512], [512, 512]));
    assert_eq!((extent.falloff_m, extent.floor_m), (380.0, -50.0));
    assert_eq!(world.ramp[1].color, [0x3a, 0x6b, 0x35]);
    let levels = |from, to| Levels { from, to };
    let column = FieldColumn { field: 1, format: FieldFormat::Unorm16 };
    let stream = StreamSettings {
        levels: 5,
        split_factor: 2.5,
        hysteresis: 0.25,
        screen: Some(ScreenError { error_px: 400.0, height_px: 1080.0, fov_y_deg: 70.0 }),
        threads: Some(2),
        viewers_max: 3,
        swaps_max: 8,
        held_max: 24,
        prefetch_max: 12,
        prefetch_s: 0.75,
        edited_max: 48,
        outputs: {
            let mut outputs = Outputs::none()
                .with(ColumnKind::Heights, levels(0, 1))
                .with(ColumnKind::Positions, Levels::ALL)
                .with(ColumnKind::Normals, levels(1, 3))
                .with(ColumnKind::Packed8, levels(0, 2))
                .with(ColumnKind::Walkable, levels(0, 0))
                .with_field(FieldOutput { column, levels: levels(0, 2) });
            outputs.walkable_slope_max_deg = 35;
            outputs
        },
        bytes_max: Some(1 << 29),
    };
    assert_eq!(runtime, RuntimeConfig { stream });

    // Metres become the nearest sample of the rounded spacing; the floor defaults to the lowest height.
    let text = edited("sample_spacing_m = 1.0", "sample_spacing_m = 0.3").replace("floor_m = -50.0\n", "");
    let extent = read(&text).unwrap().0.extent.unwrap();
    assert_eq!((extent.max, extent.floor_m), ([1707, 1707], -60.0));
}

/// The good file's world with another section of settings.
fn with_runtime(section: &str) -> String {
    format!("{}{section}", &GOOD[..GOOD.find("[runtime]").expect("one")])
}

#[test]
fn settings_that_a_file_leaves_out_are_the_defaults() {
    for section in ["", "[runtime]", "[runtime.outputs]", "[runtime]\noutputs = { fields = [] }"] {
        assert_eq!(read(&with_runtime(section)).unwrap().1, RuntimeConfig::default(), "{section}");
    }
    let stream = |section: &str| read(&with_runtime(section)).unwrap().1.stream;
    let field = "[[runtime.outputs.fields]]\nfield = \"ground\"\n";
    let outputs = stream(&[field, field].concat()).outputs;
    let column = FieldColumn { field: 0, format: FieldFormat::F32 };
    let output = FieldOutput { column, levels: Levels::ALL };
    assert_eq!(outputs, Outputs::default().with_field(output).with_field(output));
    // A whole number is a number, and the edges of ranges are in them.
    let edges = stream(
        "[runtime]\nlevels = 16\nsplit_factor = 1\nhysteresis = 0\nthreads = 0\nprefetch_s = 0\nheld_max = 0\noutputs.heights = [0, 24]",
    );
    assert_eq!((edges.levels, edges.split_factor, edges.threads), (16, 1.0, Some(0)));
    assert_eq!(edges.outputs.levels(ColumnKind::Heights), Some(Levels::ALL));
    let error = read(&with_runtime(&field.repeat(9))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "w.toml:40:1: runtime.outputs.fields: found 9 tables [[runtime.outputs.fields]], expected tables [[runtime.outputs.fields]], at most 8"
    );
    // The limit of hysteresis is 0.2 here, not what is left of it after a division.
    assert_eq!(stream("[runtime]\nsplit_factor = 1.25\nhysteresis = 0.2").hysteresis, 0.2);
}

/// Whatever `[runtime]` lets through opens a stream: its rules are the stream's.
#[test]
fn settings_of_a_file_are_those_of_a_stream() {
    let (config, runtime) = read(GOOD).unwrap();
    let world = World::open(config).expect("valid");
    let plan = Streamer::plan_memory(&world, &runtime.stream).expect("valid");
    let pools = ColumnKind::ALL.map(|(_, name, _)| name).into_iter().chain(["field mask"]);
    let is_wanted = |name: &str| !["colors", "coarse", "packed4", "slopes"].contains(&name);
    for (row, name) in plan.rows.iter().zip(pools) {
        assert_eq!((row.name.as_str(), row.count > 0), (name, is_wanted(name)));
    }
    assert_eq!(plan.threads, 2);
    // The same words for a setting that is wrong in code, without the file's table.
    let stream = StreamSettings { hysteresis: 0.75, ..runtime.stream };
    let in_code = Streamer::plan_memory(&world, &stream).expect_err("too much").to_string();
    let in_file = read(&edited("hysteresis = 0.25", "hysteresis = 0.75")).expect_err("too much").to_string();
    assert!(in_file.ends_with(&format!(": runtime.{in_code}")), "{in_file}\n{in_code}");
}

/// The section of the docs, with the defaults of its tables instead of its example, is what no section is.
#[test]
fn the_docs_of_runtime_settings_are_true() {
    let docs = include_str!("../../docs/WORLD_FILE.md");
    let part = &docs[docs.find("## `[runtime]`").expect("its heading")..];
    let from = part.find("```toml\n").expect("an example") + "```toml\n".len();
    let example = &part[from..from + part[from..].find("```").expect("its end")];
    let stream = read(&with_runtime(&example.replace("humidity", "mask"))).expect("valid").1.stream;
    assert_eq!((stream.levels, stream.bytes_max), (8, Some(1_000_000_000)));

    let (mut section, mut keys) = (String::new(), 0);
    for line in part[from..].lines() {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if line.contains("`[[runtime.outputs.fields]]`") {
            section += "[[runtime.outputs.fields]]\nfield = \"mask\"\n";
        } else if line.contains("`[runtime.outputs]`") {
            section += "[runtime.outputs]\n";
        } else if let [key, _, default] = *cells
            && let Some(default) = default.strip_prefix('`')
        {
            section += &format!("{} = {}\n", key.trim_matches('`'), default.trim_end_matches('`'));
            keys += 1;
        }
    }
    assert_eq!(keys, 20, "{section}");
    let mut stream = read(&with_runtime(&format!("[runtime]\n{section}"))).expect("valid").1.stream;
    let field = stream.outputs.fields.pop().expect("one");
    assert_eq!((field.column.format, field.levels), (FieldFormat::F32, Levels::ALL));
    assert_eq!(stream, StreamSettings::default());
}

#[test]
fn the_world_file_of_the_readme_is_one_and_its_error_is_real() {
    let readme = include_str!("../../README.md");
    let block = |start: &str| {
        let from = readme.find(start).expect("the block") + start.len();
        &readme[from..from + readme[from..].find("```").expect("its end")]
    };
    let text = block("```toml\n");
    assert!(WorldConfig::from_toml_str("my.toml", text).is_ok());
    let broken = text.replace("octaves = 6", "octaves = 0");
    let error = WorldConfig::from_toml_str("my.toml", &broken).unwrap_err();
    assert_eq!(error.to_string(), block("```text\n").trim());
}

#[test]
fn seeds_of_files_are_integers_or_texts() {
    let seed = |value: &str| read(&edited("seed = 2026", &format!("seed = {value}"))).unwrap().0.seed;
    assert_eq!(seed("-1"), u64::MAX);
    assert_eq!(seed("'-1'"), u64::MAX);
    assert_eq!(seed("0xff"), 255);
    assert_eq!(seed("18446744073709551615"), u64::MAX);
    assert_eq!(seed("\"north pole\""), parse_seed("north pole"));
}

/// What the rules let through must make a world: the noise has limits of its own, and they must not be narrower.
#[test]
fn worlds_along_the_edges_of_the_rules_open() {
    let mut opened = 0;
    for octaves in [1, 2, 15, 16] {
        for lacunarity in [1.0, 2.0, 8.0] {
            for persistence in [f64::MIN_POSITIVE, 1e-9, 1.0] {
                for exponent in -30..30 {
                    for nudge in [1.0 - f64::EPSILON, 1.0, 1.0 + f64::EPSILON] {
                        let mut world = good();
                        let cells =
                            f64::from_bits(u64::try_from(1023 + exponent).expect("small") << 52) * nudge;
                        let feature_m = world.sample_spacing_m / cells;
                        let noise = noise_of(&mut world);
                        noise.feature_m = feature_m;
                        noise.fractal = Fractal { octaves, lacunarity, persistence, ..noise.fractal };
                        if world.validate().is_ok() {
                            assert!(terrane::World::open(world).is_ok());
                            opened += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(opened > 1000, "{opened}");
}

#[test]
fn presets_are_valid_and_differ() {
    let ids: Vec<&str> = PRESETS.iter().map(|preset| preset.id).collect();
    assert_eq!(ids, ["dunes", "hills", "weathered", "alien", "frost", "woods", "island"]);
    assert!(ids.contains(&DEFAULT_PRESET));
    for (index, preset) in PRESETS.iter().enumerate() {
        let world = preset.world();
        assert_eq!(world.validate(), Ok(()), "{}", preset.id);
        assert_eq!(Preset::find(preset.id), Ok(preset));
        for other in &PRESETS[index + 1..] {
            assert_ne!(preset.id, other.id);
            assert_ne!(world.world_hash(), other.world().world_hash());
        }
    }
    let octaves = |id: &str| {
        let world = WorldConfig::preset(id).unwrap();
        let ground = world.fields.iter().find(|field| field.name == "ground").expect("one of that name");
        let fractal = ground.noise().expect("a noise").fractal;
        (fractal.octaves, fractal.persistence, fractal.lacunarity)
    };
    assert_eq!(octaves("dunes").0, 1);
    assert_eq!(octaves("hills"), (4, 0.5, 2.0));
    assert_eq!(octaves("weathered"), (6, 0.3, 2.5));
    assert_eq!(octaves("alien"), (8, 0.7, 1.8));
    assert_eq!(octaves("frost").0, 5);
    let woods = WorldConfig::preset("woods").unwrap();
    for name in ["temperature", "humidity", "wind_east", "wind_south", "forest"] {
        assert!(woods.fields.iter().any(|field| field.name == name), "{name}");
    }
    assert!(WorldConfig::preset("island").unwrap().extent.is_some());
    assert!(WorldConfig::preset("Hills").is_err());
}

#[test]
fn the_hash_counts_what_makes_the_ground_and_nothing_else() {
    // Pinned: a change of the layout, of a default id or of the hash is a change of every saved world's identity.
    assert_eq!(good().world_hash(), PINNED_HASH);

    type Change = fn(&mut WorldConfig);
    let counted: [(&str, Change); 20] = [
        ("generator_version", |w| w.generator_version += 1),
        ("seed", |w| w.seed ^= 1 << 63),
        ("spacing", |w| w.sample_spacing_m = 2.0),
        ("field id", |w| noise_of(w).seed += 1),
        ("feature", |w| noise_of(w).feature_m += 1.0),
        ("octaves", |w| noise_of(w).fractal.octaves += 1),
        ("lacunarity", |w| noise_of(w).fractal.lacunarity += 0.5),
        ("persistence", |w| noise_of(w).fractal.persistence += 0.25),
        ("number of fields", |w| w.fields.truncate(1)),
        ("which field", |w| w.height.field = 1),
        ("min", |w| w.height.min_m -= 1.0),
        ("max", |w| w.height.max_m += 1.0),
        ("sea", |w| w.height.sea_level_m += 1.0),
        ("curve at", |w| w.height.curve[1].at += 0.25),
        ("curve to", |w| w.height.curve[1].to += 0.25),
        ("curve length", |w| w.height.curve.truncate(2)),
        ("no extent", |w| w.extent = None),
        ("extent", |w| w.extent.as_mut().unwrap().max[1] += 1),
        ("falloff", |w| w.extent.as_mut().unwrap().falloff_m += 1.0),
        ("floor", |w| w.extent.as_mut().unwrap().floor_m += 1.0),
    ];
    let mut hashes = vec![good().world_hash()];
    for (what, change) in counted {
        let mut world = good();
        change(&mut world);
        assert!(!hashes.contains(&world.world_hash()), "{what} must count");
        hashes.push(world.world_hash());
    }

    let ignored: [(&str, Change); 5] = [
        ("chunk size", |w| w.chunk_cells = 16),
        ("colors", |w| w.ramp[1].color = [1, 2, 3]),
        ("ramp length", |w| w.ramp.truncate(2)),
        ("a name", |w| w.fields[0].name = "zebra".into()),
        ("the sign of zero", |w| w.height.sea_level_m = -0.0),
    ];
    for (what, change) in ignored {
        let mut world = good();
        change(&mut world);
        assert_eq!(world.world_hash(), PINNED_HASH, "{what} must not count");
        assert_eq!(world.normalized().world_hash(), PINNED_HASH, "{what}");
    }
}

const PINNED_HASH: u64 = 0xbd84e099dcf2b39d;

#[test]
fn the_hash_ignores_how_the_file_is_written() {
    let hash = |text: &str| read(text).unwrap().0.world_hash();
    for (from, to) in [
        ("# A world", "# Another comment\n\n"),
        ("threads = 2", "threads = 7"),
        (&GOOD[GOOD.find("[runtime]").expect("one")..], ""),
        ("levels = 5\n", ""),
        ("format = \"unorm16\"", "format = \"f32\""),
        ("seed = 2026\ngenerator_version = 1", "generator_version = 1\nseed = 2_026"),
        ("seed = 2026", "seed = \"0x7EA\""),
        ("sample_spacing_m = 1.0", "sample_spacing_m = 1"),
        ("lacunarity = 2.0\n", ""),
        ("persistence = 0.5\n", ""),
        ("chunk_cells = 64\n", ""),
        ("sea_level_m = 0.0\n", ""),
        ("sea_level_m = 0.0", "sea_level_m = -0.0"),
        ("falloff_m = 380.0\nfloor_m = -50.0", "floor_m = -50\nfalloff_m = 3.8e2"),
    ] {
        assert_eq!(hash(&edited(from, to)), PINNED_HASH, "{to:?}");
    }
    // A field that is renamed, and thereby sorted elsewhere, is the same field as long as its id stays.
    let renamed = GOOD.replace("ground", "zebra");
    assert_eq!(hash(&renamed), PINNED_HASH);
    let renamed = GOOD.replace("mask", "zebra");
    assert_ne!(hash(&renamed), PINNED_HASH);
}

/// Whatever the text, the reader returns; what it returns is consistent.
fn check_any(text: &str) -> Result<(), TestCaseError> {
    match read(text) {
        Ok((world, runtime)) => {
            prop_assert_eq!(world.validate(), Ok(()));
            prop_assert_eq!(runtime.validate(&world), Ok(()));
            prop_assert_eq!(&world, &world.clone().normalized());
            prop_assert_eq!(world.world_hash(), read(text).unwrap().0.world_hash());
        }
        Err(error) => {
            let message = error.to_string();
            prop_assert!(message.starts_with("w.toml"), "{}", message);
            prop_assert!(!message.chars().any(char::is_control), "{:?}", message);
            prop_assert!(!error.found().is_empty() && !error.expected().is_empty());
            // Errors that serde or the parser word on their own would show up here.
            prop_assert!(!message.contains("something else"), "{}", message);
            prop_assert!(!message.contains("another value"), "{}", message);
            if let Some(span) = error.span() {
                prop_assert!(error.source_text().get(span).is_some(), "{}", message);
            }
        }
    }
    Ok(())
}

/// What a slip of the hand, or a spiteful one, puts into a world file.
const PIECES: &[&str] = &[
    "",
    "\n",
    " ",
    "\"",
    "'",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    ",",
    "=",
    ".",
    "#",
    "-",
    "0",
    "9",
    "e",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1",
    "1e-300",
    "true",
    "0x",
    "99999999999999999999",
    "\"\"",
    "[]",
    "{}",
    "[height]",
    "[fields.a]",
    "[extent]",
    "[runtime.outputs]",
    "[[runtime.outputs.fields]]",
    "levels = [3, 1]",
    "\nseed = 1\n",
    "octaves",
    "noise",
    "min_m",
    "é",
    "\u{feff}",
    "\0",
    "\u{1b}",
    "1979-05-27",
    "\r",
];

/// How many times the usual number of cases: `TERRANE_LONG`, set by .ci/long.
fn long_run() -> u32 {
    std::env::var("TERRANE_LONG").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000 * long_run()))]

    #[test]
    fn no_mutation_of_a_world_file_panics(
        preset in 0..PRESETS.len() + 2,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, 0..PIECES.len()), 1..6),
    ) {
        let others = [GOOD, FIELDS];
        let mut text = PRESETS.get(preset).map_or_else(|| others[preset - PRESETS.len()], |preset| preset.toml).to_owned();
        for (at, length, piece) in edits {
            let mut start = at.index(text.len() + 1);
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(start) { start -= 1; }
            while !text.is_char_boundary(end) { end += 1; }
            text.replace_range(start..end, PIECES[piece]);
        }
        check_any(&text)?;
    }

    #[test]
    fn no_value_in_any_place_panics(fields in any::<bool>(), line in 0..100usize, piece in 0..PIECES.len()) {
        let lines: Vec<String> = if fields { FIELDS } else { GOOD }.lines().enumerate().map(|(index, text)| match text.split_once(" = ") {
            Some((key, _)) if index == line => format!("{key} = {}", PIECES[piece]),
            _ => text.to_owned(),
        }).collect();
        check_any(&lines.join("\n"))?;
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        check_any(&text)?;
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_any(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn spacing_keeps_16_bits_and_its_value(metres in 0.0009765625f64..65536.0) {
        let rounded = round_spacing_m(metres);
        prop_assert_eq!(rounded, round_spacing_m(rounded));
        prop_assert!((rounded - metres).abs() <= metres / 65536.0);
        // 16 bits and less times the 8 bits of a column fit the 24 of an f32.
        for column in [1, 127, 128, 255] {
            let product = rounded * f64::from(column);
            prop_assert_eq!(f64::from(product as f32), product);
        }
    }
}
