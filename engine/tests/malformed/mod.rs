//! Malformed world files with the exact message of each; shared with the tests of the command line.
#![allow(dead_code)] // each test uses its part

mod fields;

pub(crate) use fields::{FIELDS, MALFORMED_FIELDS};

use terrane::config::WorldFileErrorKind as Kind;

/// A file that is right, with every key; the malformed ones are one edit away from it.
pub(crate) const GOOD: &str = r##"# A world
seed = 2026
generator_version = 1
sample_spacing_m = 1.0
chunk_cells = 64

[fields.ground]
noise = "perlin"
feature_m = 220.0
octaves = 6
lacunarity = 2.0
persistence = 0.5
seed = "rock"

[fields.mask]
noise = "perlin"
feature_m = 900.0
octaves = 1

[height]
field = "ground"
min_m = -60.0
max_m = 240.0
sea_level_m = 0.0
curve = [[-1.0, 0.0], [0.0, 0.35], [1.0, 1.0]]

[extent]
min_m = [-512.0, -512.0]
max_m = [512.0, 512.0]
falloff_m = 380.0
floor_m = -50.0

[colors]
ramp = [
    { height_m = -60, color = "#0b2545" },
    { height_m = 0, color = "#3a6b35" },
    { height_m = 240.0, color = "#ffffff" },
]

[runtime]
threads = 2
levels = 5
split_factor = 2.5
hysteresis = 0.25
viewers_max = 3
swaps_max = 8
held_max = 24
prefetch_max = 12
prefetch_s = 0.75
edited_max = 48
bytes_max = 536870912
screen = { error_px = 400, fov_y_deg = 70.0 }

[runtime.outputs]
heights = [0, 1]
positions = true
normals = [1, 3]
colors = false
packed8 = [0, 2]
walkable = [0, 0]
walkable_slope_max_deg = 35

[[runtime.outputs.fields]]
field = "mask"
format = "unorm16"
levels = [0, 2]
"##;

/// The good file with one piece replaced.
pub(crate) fn edited(from: &str, to: &str) -> String {
    edit(GOOD, from, to)
}

/// A file with one piece replaced; the piece must stand in it exactly once.
pub(crate) fn edit(file: &str, from: &str, to: &str) -> String {
    assert_eq!(file.matches(from).count(), 1, "{from:?} must stand once");
    file.replacen(from, to, 1)
}

/// Every malformed file, with what is wrong.
pub(crate) fn all_malformed() -> impl Iterator<Item = (String, &'static Malformed)> {
    let files = [(GOOD, MALFORMED), (FIELDS, MALFORMED_FIELDS)];
    files
        .into_iter()
        .flat_map(|(file, cases)| cases.iter().map(move |case| (edit(file, case.from, case.to), case)))
}

/// One edit of a good file and the message it must give, after the file's name.
pub(crate) struct Malformed {
    pub(crate) kind: Kind,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    pub(crate) message: &'static str,
}

#[rustfmt::skip]
pub(crate) const MALFORMED: &[Malformed] = &[
    // The file as TOML.
    Malformed { kind: Kind::Syntax, from: "seed = 2026", to: "seed = ",
        message: "2:8: found nothing, expected a value (text stands in quotes)" },
    Malformed { kind: Kind::Syntax, from: "seed = 2026", to: "seed = north",
        message: "2:8: found north, expected a number, true, false, a list, or text in quotes" },
    Malformed { kind: Kind::Syntax, from: "seed = 2026", to: "seed 2026",
        message: "2:6: found a syntax error (key with no value), expected `=`" },
    Malformed { kind: Kind::Syntax, from: "[fields.ground]", to: "[fields.ground",
        message: "7:15: found a syntax error (unclosed table), expected `]`" },
    Malformed { kind: Kind::Syntax, from: "\"rock\"", to: "\"rock",
        message: "13:13: found a syntax error (invalid basic string), expected `\"`" },
    Malformed { kind: Kind::Syntax, from: "octaves = 6", to: "octaves = 6\noctaves = 7",
        message: "11:1: found octaves a second time, expected every key once" },
    Malformed { kind: Kind::Syntax, from: "[fields.mask]", to: "[fields.ground]",
        message: "15:9: found ground a second time, expected every key once" },
    Malformed { kind: Kind::Syntax, from: "octaves = 6", to: "octaves = 06",
        message: "10:11: found 0 (unexpected leading zero), expected valid TOML" },
    Malformed { kind: Kind::Syntax, from: "0.35], [1.0", to: "0.35],, [1.0",
        message: "25:35: found , (extra comma in array), expected value" },
    // Another generator.
    Malformed { kind: Kind::GeneratorVersion, from: "generator_version = 1", to: "generator_version = 2",
        message: "3:21: generator_version: found 2, expected 1 (this release reads version 1 only; version 2 needs a newer release)" },
    Malformed { kind: Kind::GeneratorVersion, from: "generator_version = 1", to: "generator_version = 0",
        message: "3:21: generator_version: found 0, expected 1 (this release reads version 1 only; there is no earlier version)" },
    Malformed { kind: Kind::GeneratorVersion, from: "generator_version = 1", to: "generator_version = 3\nerosion = true",
        message: "3:21: generator_version: found 3, expected 1 (this release reads version 1 only; version 3 needs a newer release)" },
    // Keys.
    Malformed { kind: Kind::UnknownKey, from: "octaves = 6", to: "octave = 6",
        message: "10:1: fields.ground.octave: found an unknown key, expected one of noise, feature_m, octaves, fractal, lacunarity, persistence, weighted_strength, tile_m, seed; did you mean octaves?" },
    Malformed { kind: Kind::UnknownKey, from: "chunk_cells = 64", to: "chunk_cell = 64",
        message: "5:1: chunk_cell: found an unknown key, expected one of seed, generator_version, sample_spacing_m, chunk_cells, fields, height, extent, colors, runtime; did you mean chunk_cells?" },
    Malformed { kind: Kind::UnknownKey, from: "[height]", to: "[heights]",
        message: "20:2: heights: found an unknown key, expected one of seed, generator_version, sample_spacing_m, chunk_cells, fields, height, extent, colors, runtime; did you mean height?" },
    Malformed { kind: Kind::UnknownKey, from: "threads = 2", to: "threads = 2\nchunk_cells = 32",
        message: "42:1: runtime.chunk_cells: found an unknown key, expected one of levels, split_factor, hysteresis, threads, viewers_max, swaps_max, held_max, prefetch_max, prefetch_s, edited_max, bytes_max, screen, outputs; chunk_cells belongs to the top of the file, above all tables" },
    Malformed { kind: Kind::UnknownKey, from: "chunk_cells = 64", to: "sea_level_m = 3.0",
        message: "5:1: sea_level_m: found an unknown key, expected one of seed, generator_version, sample_spacing_m, chunk_cells, fields, height, extent, colors, runtime; sea_level_m belongs into [height]" },
    Malformed { kind: Kind::UnknownKey, from: "octaves = 6", to: "octaves = 6\nwobble = 3",
        message: "11:1: fields.ground.wobble: found an unknown key, expected one of noise, feature_m, octaves, fractal, lacunarity, persistence, weighted_strength, tile_m, seed" },
    Malformed { kind: Kind::UnknownKey, from: "{ height_m = 0,", to: "{ height = 0,",
        message: "36:7: colors.ramp[1].height: found an unknown key, expected one of height_m, color; did you mean height_m?" },
    Malformed { kind: Kind::UnknownKey, from: "chunk_cells = 64", to: "\"a.b\\u001b\" = 1",
        message: "5:1: \"a.b\\u{1b}\": found an unknown key, expected one of seed, generator_version, sample_spacing_m, chunk_cells, fields, height, extent, colors, runtime" },
    Malformed { kind: Kind::UnknownKey, from: "split_factor = 2.5", to: "split_distance = 2.5",
        message: "43:1: runtime.split_distance: found an unknown key, expected one of levels, split_factor, hysteresis, threads, viewers_max, swaps_max, held_max, prefetch_max, prefetch_s, edited_max, bytes_max, screen, outputs" },
    Malformed { kind: Kind::UnknownKey, from: "prefetch_s = 0.75", to: "prefetch_ms = 750",
        message: "49:1: runtime.prefetch_ms: found an unknown key, expected one of levels, split_factor, hysteresis, threads, viewers_max, swaps_max, held_max, prefetch_max, prefetch_s, edited_max, bytes_max, screen, outputs; did you mean prefetch_s?" },
    Malformed { kind: Kind::UnknownKey, from: "colors = false", to: "colours = false",
        message: "58:1: runtime.outputs.colours: found an unknown key, expected one of heights, positions, normals, colors, coarse, packed8, packed4, slopes, walkable, walkable_slope_max_deg, fields; did you mean colors?" },
    Malformed { kind: Kind::UnknownKey, from: "colors = false", to: "levels = 3",
        message: "58:1: runtime.outputs.levels: found an unknown key, expected one of heights, positions, normals, colors, coarse, packed8, packed4, slopes, walkable, walkable_slope_max_deg, fields; levels belongs into [runtime]" },
    Malformed { kind: Kind::UnknownKey, from: "format = \"unorm16\"", to: "range = [0, 1]",
        message: "65:1: runtime.outputs.fields[0].range: found an unknown key, expected one of field, format, levels" },
    Malformed { kind: Kind::UnknownKey, from: "levels = 5", to: "format = \"unorm8\"",
        message: "42:1: runtime.format: found an unknown key, expected one of levels, split_factor, hysteresis, threads, viewers_max, swaps_max, held_max, prefetch_max, prefetch_s, edited_max, bytes_max, screen, outputs; format belongs into [[runtime.outputs.fields]]" },
    Malformed { kind: Kind::UnknownKey, from: "levels = 5", to: "normals = true",
        message: "42:1: runtime.normals: found an unknown key, expected one of levels, split_factor, hysteresis, threads, viewers_max, swaps_max, held_max, prefetch_max, prefetch_s, edited_max, bytes_max, screen, outputs; normals belongs into [runtime.outputs]" },
    Malformed { kind: Kind::MissingKey, from: "field = \"mask\"\n", to: "",
        message: "63:1: runtime.outputs.fields[0].field: found nothing, expected the name of a field" },
    Malformed { kind: Kind::MissingKey, from: "seed = 2026\n", to: "",
        message: "1:1: seed: found nothing, expected a whole number or a text" },
    Malformed { kind: Kind::MissingKey, from: "generator_version = 1\n", to: "",
        message: "1:1: generator_version: found nothing, expected 1, the version that this release reads" },
    Malformed { kind: Kind::MissingKey, from: "feature_m = 220.0\n", to: "",
        message: "7:1: fields.ground.feature_m: found nothing, expected a number above 0" },
    Malformed { kind: Kind::MissingKey, from: "field = \"ground\"\n", to: "",
        message: "20:1: height.field: found nothing, expected the name of a field" },
    Malformed { kind: Kind::MissingKey, from: "max_m = [512.0, 512.0]\n", to: "",
        message: "27:1: extent.max_m: found nothing, expected a pair of numbers [x, z]" },
    Malformed { kind: Kind::MissingKey, from: "{ height_m = 0, color = \"#3a6b35\" }", to: "{ height_m = 0 }",
        message: "36:5: colors.ramp[1].color: found nothing, expected a color like \"#3a6b35\"" },
    // Types.
    Malformed { kind: Kind::WrongType, from: "seed = 2026", to: "seed = 20.26",
        message: "2:8: seed: found 20.26, expected a whole number or a text" },
    Malformed { kind: Kind::WrongType, from: "seed = 2026", to: "seed = 123456789012345678901234567890",
        message: "2:8: seed: found 123456789012345678901234567890, expected a whole number or a text" },
    Malformed { kind: Kind::WrongType, from: "generator_version = 1", to: "generator_version = \"1\"",
        message: "3:21: generator_version: found \"1\", expected 1, the version that this release reads" },
    Malformed { kind: Kind::WrongType, from: "sample_spacing_m = 1.0", to: "sample_spacing_m = \"1 m\"",
        message: "4:20: sample_spacing_m: found \"1 m\", expected a number from 0.0009765625 to 65536" },
    Malformed { kind: Kind::WrongType, from: "chunk_cells = 64", to: "chunk_cells = 64.0",
        message: "5:15: chunk_cells: found 64.0, expected 16, 32, 64 or 128" },
    Malformed { kind: Kind::WrongType, from: "octaves = 6", to: "octaves = true",
        message: "10:11: fields.ground.octaves: found true, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::WrongType, from: "octaves = 6", to: "octaves = { a = 1 }",
        message: "10:11: fields.ground.octaves: found a table, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::WrongType, from: "[runtime]\nthreads = 2", to: "[[runtime]]\nthreads = 2",
        message: "40:1: runtime: found [[runtime]], expected a table [runtime]" },
    Malformed { kind: Kind::WrongType, from: "[0.0, 0.35]", to: "0.35",
        message: "25:23: height.curve[1]: found 0.35, expected a pair [field value, share of the height range]" },
    Malformed { kind: Kind::WrongType, from: "[0.0, 0.35]", to: "[0.0, \"a, expected b\"]",
        message: "25:29: height.curve[1][1]: found \"a, expected b\", expected a number from 0 to 1" },
    Malformed { kind: Kind::WrongType, from: "{ height_m = 0, color = \"#3a6b35\" }", to: "[0, \"#3a6b35\"]",
        message: "36:5: colors.ramp[1]: found [0, \"#3a6b35\"], expected a key { height_m = 0, color = \"#3a6b35\" }" },
    Malformed { kind: Kind::WrongType, from: "threads = 2", to: "threads = 1979-05-27",
        message: "41:11: runtime.threads: found 1979-05-27, expected a whole number from 0 to 1024" },
    Malformed { kind: Kind::WrongType, from: "levels = 5", to: "levels = [0, 4]",
        message: "42:10: runtime.levels: found [0, 4], expected a whole number from 1 to 16" },
    Malformed { kind: Kind::WrongType, from: "levels = 5", to: "levels = true",
        message: "42:10: runtime.levels: found true, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::WrongType, from: "hysteresis = 0.25", to: "hysteresis = \"20 %\"",
        message: "44:14: runtime.hysteresis: found \"20 %\", expected a number from 0 to 1 - 1 / split_factor" },
    Malformed { kind: Kind::WrongType, from: "prefetch_s = 0.75", to: "prefetch_s = 00:00:01",
        message: "49:14: runtime.prefetch_s: found 00:00:01, expected a number of seconds from 0 to 60" },
    Malformed { kind: Kind::WrongType, from: "bytes_max = 536870912", to: "bytes_max = \"256 MiB\"",
        message: "51:13: runtime.bytes_max: found \"256 MiB\", expected a whole number of bytes, 1 or more" },
    Malformed { kind: Kind::WrongType, from: "heights = [0, 1]", to: "heights = 0",
        message: "55:11: runtime.outputs.heights: found 0, expected true (every level), false (none), or a pair of levels of detail [first, last]" },
    Malformed { kind: Kind::WrongType, from: "heights = [0, 1]", to: "heights = [0, 1.5]",
        message: "55:15: runtime.outputs.heights[1]: found 1.5, expected a whole number from 0 to 24" },
    Malformed { kind: Kind::WrongType, from: "heights = [0, 1]", to: "heights = { from = 0, to = 1 }",
        message: "55:11: runtime.outputs.heights: found a table, expected true (every level), false (none), or a pair of levels of detail [first, last]" },
    Malformed { kind: Kind::WrongType, from: "[runtime.outputs]\nheights", to: "[[runtime.outputs]]\nheights",
        message: "54:1: runtime.outputs: found [[runtime.outputs]], expected a table [runtime.outputs]" },
    Malformed { kind: Kind::WrongType, from: "[[runtime.outputs.fields]]", to: "[runtime.outputs.fields]",
        message: "63:1: runtime.outputs.fields: found a table, expected tables [[runtime.outputs.fields]], at most 8" },
    Malformed { kind: Kind::WrongType, from: "field = \"mask\"", to: "field = 1",
        message: "64:9: runtime.outputs.fields[0].field: found 1, expected the name of a field" },
    Malformed { kind: Kind::WrongType, from: "format = \"unorm16\"", to: "format = 16",
        message: "65:10: runtime.outputs.fields[0].format: found 16, expected one of \"f32\", \"unorm8\", \"unorm16\"" },
    Malformed { kind: Kind::WrongType, from: "levels = [0, 2]", to: "levels = true",
        message: "66:10: runtime.outputs.fields[0].levels: found true, expected a pair of levels of detail [first, last]" },
    Malformed { kind: Kind::WrongType, from: "levels = [0, 2]", to: "levels = [0, \"all\"]",
        message: "66:14: runtime.outputs.fields[0].levels[1]: found \"all\", expected a whole number from 0 to 24" },
    // Values.
    Malformed { kind: Kind::Value, from: "seed = 2026", to: "seed = \"\"",
        message: "2:8: seed: found \"\", expected a whole number or a text that is not empty" },
    Malformed { kind: Kind::Value, from: "sample_spacing_m = 1.0", to: "sample_spacing_m = 0",
        message: "4:20: sample_spacing_m: found 0, expected a number from 0.0009765625 to 65536" },
    Malformed { kind: Kind::Value, from: "sample_spacing_m = 1.0", to: "sample_spacing_m = nan",
        message: "4:20: sample_spacing_m: found nan, expected a number from 0.0009765625 to 65536" },
    Malformed { kind: Kind::Value, from: "sample_spacing_m = 1.0", to: "sample_spacing_m = 70000",
        message: "4:20: sample_spacing_m: found 70000, expected a number from 0.0009765625 to 65536" },
    Malformed { kind: Kind::Value, from: "chunk_cells = 64", to: "chunk_cells = 63",
        message: "5:15: chunk_cells: found 63, expected 16, 32, 64 or 128" },
    Malformed { kind: Kind::Value, from: "chunk_cells = 64", to: "chunk_cells = 256",
        message: "5:15: chunk_cells: found 256, expected 16, 32, 64 or 128" },
    Malformed { kind: Kind::Value, from: "chunk_cells = 64", to: "chunk_cells = -64",
        message: "5:15: chunk_cells: found -64, expected 16, 32, 64 or 128" },
    Malformed { kind: Kind::Value, from: "[fields.mask]", to: "[fields.Mask]",
        message: "15:9: fields.Mask: found \"Mask\", expected a name that starts with a letter a-z and goes on with a-z, 0-9 and _, up to 64 in all" },
    Malformed { kind: Kind::Value, from: "[fields.mask]", to: "[fields.\"rock mask\"]",
        message: "15:9: fields.\"rock mask\": found \"rock mask\", expected a name that starts with a letter a-z and goes on with a-z, 0-9 and _, up to 64 in all" },
    Malformed { kind: Kind::Value, from: "octaves = 6", to: "octaves = 0",
        message: "10:11: fields.ground.octaves: found 0, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::Value, from: "octaves = 6", to: "octaves = 17",
        message: "10:11: fields.ground.octaves: found 17, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::Value, from: "octaves = 6", to: "octaves = 4294967297",
        message: "10:11: fields.ground.octaves: found 4294967297, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::Value, from: "lacunarity = 2.0", to: "lacunarity = nan",
        message: "11:14: fields.ground.lacunarity: found nan, expected a number from 1 to 8" },
    Malformed { kind: Kind::Value, from: "lacunarity = 2.0", to: "lacunarity = 0.5",
        message: "11:14: fields.ground.lacunarity: found 0.5, expected a number from 1 to 8" },
    Malformed { kind: Kind::Value, from: "persistence = 0.5", to: "persistence = 0.0",
        message: "12:15: fields.ground.persistence: found 0.0, expected a number above 0 and at most 1" },
    Malformed { kind: Kind::Value, from: "persistence = 0.5", to: "persistence = 1.5",
        message: "12:15: fields.ground.persistence: found 1.5, expected a number above 0 and at most 1" },
    Malformed { kind: Kind::Value, from: "feature_m = 220.0", to: "feature_m = -220",
        message: "9:13: fields.ground.feature_m: found -220, expected a number above 0" },
    Malformed { kind: Kind::Value, from: "feature_m = 220.0", to: "feature_m = inf",
        message: "9:13: fields.ground.feature_m: found inf, expected a number above 0" },
    Malformed { kind: Kind::Value, from: "feature_m = 220.0", to: "feature_m = 1e8",
        message: "9:13: fields.ground.feature_m: found 1e8, expected at most 16777216: octave 1 would have fewer than 2^-24 lattice cells a sample" },
    Malformed { kind: Kind::Value, from: "feature_m = 220.0", to: "feature_m = 1e-6",
        message: "9:13: fields.ground.feature_m: found 1e-6, expected at least 1.52587890625e-5: octave 1 would have more than 65536 lattice cells a sample" },
    Malformed { kind: Kind::Value, from: "feature_m = 220.0", to: "feature_m = 0.0001",
        message: "10:11: fields.ground.octaves: found 6, expected at most 3: octave 4 would have more than 65536 lattice cells a sample" },
    Malformed { kind: Kind::Value, from: "octaves = 6\nlacunarity = 2.0", to: "octaves = 16\nlacunarity = 8.0",
        message: "10:11: fields.ground.octaves: found 16, expected at most 8: octave 9 would have more than 65536 lattice cells a sample" },
    Malformed { kind: Kind::Value, from: "seed = \"rock\"", to: "seed = ''",
        message: "13:8: fields.ground.seed: found '', expected a whole number or a text that is not empty" },
    Malformed { kind: Kind::Value, from: "noise = \"perlin\"\nfeature_m = 220.0", to: "noise = \"perlim\"\nfeature_m = 220.0",
        message: "8:9: fields.ground.noise: found \"perlim\", expected a kind of noise: \"perlin\", \"perlin_classic\", \"value\", \"simplex\", \"cellular\", \"white\", \"constant\"; did you mean perlin?" },
    Malformed { kind: Kind::Value, from: "field = \"ground\"", to: "field = \"grond\"",
        message: "21:9: height.field: found \"grond\", expected the name of a field: ground, mask; did you mean ground?" },
    Malformed { kind: Kind::Value, from: "min_m = -60.0", to: "min_m = nan",
        message: "22:9: height.min_m: found nan, expected a number from -1000000 to 1000000" },
    Malformed { kind: Kind::Value, from: "max_m = 240.0", to: "max_m = 1e7",
        message: "23:9: height.max_m: found 1e7, expected a number from -1000000 to 1000000" },
    Malformed { kind: Kind::Value, from: "max_m = 240.0", to: "max_m = -60.0",
        message: "23:9: height.max_m: found -60.0, expected at least 0.001 above height.min_m, which is -60" },
    Malformed { kind: Kind::Value, from: "sea_level_m = 0.0", to: "sea_level_m = inf",
        message: "24:15: height.sea_level_m: found inf, expected a number from -1000000 to 1000000" },
    Malformed { kind: Kind::Value, from: "[[-1.0, 0.0], [0.0, 0.35], [1.0, 1.0]]", to: "[]",
        message: "25:9: height.curve: found [], expected a list of at least 2 keys [field value, share of the height range]" },
    Malformed { kind: Kind::Value, from: "[[-1.0, 0.0], [0.0, 0.35], [1.0, 1.0]]", to: "[[0.0, 0.5]]",
        message: "25:9: height.curve: found [[0.0, 0.5]], expected a list of at least 2 keys [field value, share of the height range]" },
    Malformed { kind: Kind::Value, from: "[0.0, 0.35]", to: "[0.0]",
        message: "25:23: height.curve[1]: found [0.0], expected a pair [field value, share of the height range]" },
    Malformed { kind: Kind::Value, from: "[0.0, 0.35]", to: "[0.0, 0.35, 0.5]",
        message: "25:23: height.curve[1]: found [0.0, 0.35, 0.5], expected a pair [field value, share of the height range]" },
    Malformed { kind: Kind::Value, from: "[0.0, 0.35]", to: "[-1.0, 0.35]",
        message: "25:24: height.curve[1][0]: found -1.0, expected keys in rising order, each at least 1/128 above the one before, which is -1" },
    Malformed { kind: Kind::Value, from: "[0.0, 0.35]", to: "[-1.5, 0.35]",
        message: "25:24: height.curve[1][0]: found -1.5, expected a number from -1 to 1" },
    Malformed { kind: Kind::Value, from: "[0.0, 0.35]", to: "[0.0, nan]",
        message: "25:29: height.curve[1][1]: found nan, expected a number from 0 to 1" },
    Malformed { kind: Kind::Value, from: "[0.0, 0.35]", to: "[0.0, 35]",
        message: "25:29: height.curve[1][1]: found 35, expected a number from 0 to 1" },
    Malformed { kind: Kind::Value, from: "min_m = [-512.0, -512.0]", to: "min_m = [-512.0]",
        message: "28:9: extent.min_m: found [-512.0], expected a pair of numbers [x, z]" },
    Malformed { kind: Kind::Value, from: "min_m = [-512.0, -512.0]", to: "min_m = [nan, 0]",
        message: "28:10: extent.min_m[0]: found nan, expected a number of metres that lies within 2^60 samples of the origin" },
    Malformed { kind: Kind::Value, from: "min_m = [-512.0, -512.0]", to: "min_m = [-512, -1.2e18]",
        message: "28:16: extent.min_m[1]: found -1.2e18, expected a number of metres that lies within 2^60 samples of the origin" },
    Malformed { kind: Kind::Value, from: "min_m = [-512.0, -512.0]", to: "min_m = [-512.0, 511.8]",
        message: "29:17: extent.max_m[1]: found 512.0, expected at least one sample spacing above extent.min_m[1]" },
    Malformed { kind: Kind::Value, from: "falloff_m = 380.0", to: "falloff_m = -1",
        message: "30:13: extent.falloff_m: found -1, expected 0 or a number from 1 to 512, from one sample to half the shorter side" },
    Malformed { kind: Kind::Value, from: "falloff_m = 380.0", to: "falloff_m = 600.0",
        message: "30:13: extent.falloff_m: found 600.0, expected 0 or a number from 1 to 512, from one sample to half the shorter side" },
    Malformed { kind: Kind::Value, from: "floor_m = -50.0", to: "floor_m = -70.0",
        message: "31:11: extent.floor_m: found -70.0, expected a number from -60 to 240, within the height range" },
    Malformed { kind: Kind::Value, from: "\"#3a6b35\"", to: "\"3a6b35\"",
        message: "36:29: colors.ramp[1].color: found \"3a6b35\", expected a color like \"#3a6b35\"" },
    Malformed { kind: Kind::Value, from: "\"#3a6b35\"", to: "\"#3a6b3g\"",
        message: "36:29: colors.ramp[1].color: found \"#3a6b3g\", expected a color like \"#3a6b35\"" },
    Malformed { kind: Kind::Value, from: "\"#3a6b35\"", to: "\"#3\\u001b[2Jé\"",
        message: "36:29: colors.ramp[1].color: found \"#3\\u001b[2Jé\", expected a color like \"#3a6b35\"" },
    Malformed { kind: Kind::Value, from: "height_m = 0,", to: "height_m = -60.0,",
        message: "36:18: colors.ramp[1].height_m: found -60.0, expected heights in rising order, above the one before, which is -60" },
    Malformed { kind: Kind::Value, from: "    { height_m = 0, color = \"#3a6b35\" },\n    { height_m = 240.0, color = \"#ffffff\" },\n", to: "",
        message: "34:8: colors.ramp: found a list of 1, expected a list of at least 2 keys { height_m = 0, color = \"#3a6b35\" }" },
    Malformed { kind: Kind::Value, from: "threads = 2", to: "threads = 1025",
        message: "41:11: runtime.threads: found 1025, expected a whole number from 0 to 1024" },
    Malformed { kind: Kind::Value, from: "threads = 2", to: "threads = -1",
        message: "41:11: runtime.threads: found -1, expected a whole number from 0 to 1024" },
    Malformed { kind: Kind::Value, from: "threads = 2", to: "threads = -9223372036854775808",
        message: "41:11: runtime.threads: found -9223372036854775808, expected a whole number from 0 to 1024" },
    Malformed { kind: Kind::Value, from: "levels = 5", to: "levels = 0",
        message: "42:10: runtime.levels: found 0, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::Value, from: "levels = 5", to: "levels = 17",
        message: "42:10: runtime.levels: found 17, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::Value, from: "levels = 5", to: "levels = 257",
        message: "42:10: runtime.levels: found 257, expected a whole number from 1 to 16" },
    Malformed { kind: Kind::Value, from: "split_factor = 2.5", to: "split_factor = 0.9",
        message: "43:16: runtime.split_factor: found 0.9, expected a number from 1 to 1000" },
    Malformed { kind: Kind::Value, from: "split_factor = 2.5", to: "split_factor = nan",
        message: "43:16: runtime.split_factor: found nan, expected a number from 1 to 1000" },
    Malformed { kind: Kind::Value, from: "split_factor = 2.5", to: "split_factor = 1.25",
        message: "44:14: runtime.hysteresis: found 0.25, expected a number from 0 to 0.2, so that split_factor * (1 - hysteresis) is at least 1" },
    Malformed { kind: Kind::Value, from: "split_factor = 2.5\nhysteresis = 0.25\n", to: "split_factor = 1.0\n",
        message: "40:1: runtime.hysteresis: found 0.2 by default, expected a number from 0 to 0, so that split_factor * (1 - hysteresis) is at least 1" },
    Malformed { kind: Kind::Value, from: "hysteresis = 0.25", to: "hysteresis = 0.75",
        message: "44:14: runtime.hysteresis: found 0.75, expected a number from 0 to 0.6, so that split_factor * (1 - hysteresis) is at least 1" },
    Malformed { kind: Kind::Value, from: "viewers_max = 3", to: "viewers_max = 0",
        message: "45:15: runtime.viewers_max: found 0, expected a whole number from 1 to 64" },
    Malformed { kind: Kind::Value, from: "viewers_max = 3", to: "viewers_max = 65",
        message: "45:15: runtime.viewers_max: found 65, expected a whole number from 1 to 64" },
    Malformed { kind: Kind::Value, from: "swaps_max = 8", to: "swaps_max = 1",
        message: "46:13: runtime.swaps_max: found 1, expected a whole number from 2 to 1024" },
    Malformed { kind: Kind::Value, from: "held_max = 24", to: "held_max = -1",
        message: "47:12: runtime.held_max: found -1, expected a whole number from 0 to 1048576" },
    Malformed { kind: Kind::Value, from: "prefetch_max = 12", to: "prefetch_max = 65537",
        message: "48:16: runtime.prefetch_max: found 65537, expected a whole number from 0 to 65536" },
    Malformed { kind: Kind::Value, from: "prefetch_s = 0.75", to: "prefetch_s = 61",
        message: "49:14: runtime.prefetch_s: found 61, expected a number of seconds from 0 to 60" },
    Malformed { kind: Kind::Value, from: "edited_max = 48", to: "edited_max = -48",
        message: "50:14: runtime.edited_max: found -48, expected a whole number from 1 to 65536" },
    Malformed { kind: Kind::Value, from: "error_px = 400", to: "error_px = 0",
        message: "52:23: runtime.screen.error_px: found 0, expected a number from 0.1 to 1000" },
    Malformed { kind: Kind::Value, from: "fov_y_deg = 70.0", to: "fov_y_deg = 180",
        message: "52:40: runtime.screen.fov_y_deg: found 180, expected a number from 1 to 170" },
    Malformed { kind: Kind::MissingKey, from: "error_px = 400, ", to: "",
        message: "52:10: runtime.screen.error_px: found nothing, expected a number from 0.1 to 1000" },
    Malformed { kind: Kind::Value, from: "walkable_slope_max_deg = 35", to: "walkable_slope_max_deg = 91",
        message: "61:26: runtime.outputs.walkable_slope_max_deg: found 91, expected a whole number from 0 to 90" },
    Malformed { kind: Kind::Value, from: "bytes_max = 536870912", to: "bytes_max = 0",
        message: "51:13: runtime.bytes_max: found 0, expected a whole number of bytes, 1 or more" },
    Malformed { kind: Kind::Value, from: "bytes_max = 536870912", to: "bytes_max = -1",
        message: "51:13: runtime.bytes_max: found -1, expected a whole number of bytes, 1 or more" },
    Malformed { kind: Kind::Value, from: "heights = [0, 1]", to: "heights = [0]",
        message: "55:11: runtime.outputs.heights: found [0], expected true (every level), false (none), or a pair of levels of detail [first, last]" },
    Malformed { kind: Kind::Value, from: "heights = [0, 1]", to: "heights = [1, 0]",
        message: "55:11: runtime.outputs.heights: found [1, 0], expected the first level before the last, or one level twice" },
    Malformed { kind: Kind::Value, from: "heights = [0, 1]", to: "heights = [0, 25]",
        message: "55:15: runtime.outputs.heights[1]: found 25, expected a whole number from 0 to 24" },
    Malformed { kind: Kind::Value, from: "heights = [0, 1]", to: "heights = [-1, 1]",
        message: "55:12: runtime.outputs.heights[0]: found -1, expected a whole number from 0 to 24" },
    Malformed { kind: Kind::Value, from: "positions = true", to: "positions = false",
        message: "54:10: runtime.outputs: found no column at level 4, expected at least one column at each of the 5 levels" },
    Malformed { kind: Kind::Value, from: "field = \"mask\"", to: "field = \"masks\"",
        message: "64:9: runtime.outputs.fields[0].field: found \"masks\", expected the name of a field: ground, mask; did you mean mask?" },
    Malformed { kind: Kind::Value, from: "format = \"unorm16\"", to: "format = \"unorm32\"",
        message: "65:10: runtime.outputs.fields[0].format: found \"unorm32\", expected one of \"f32\", \"unorm8\", \"unorm16\"; did you mean unorm8?" },
    Malformed { kind: Kind::Value, from: "format = \"unorm16\"", to: "format = \"u8\"",
        message: "65:10: runtime.outputs.fields[0].format: found \"u8\", expected one of \"f32\", \"unorm8\", \"unorm16\"" },
    Malformed { kind: Kind::Value, from: "levels = [0, 2]", to: "levels = []",
        message: "66:10: runtime.outputs.fields[0].levels: found [], expected a pair of levels of detail [first, last]" },
    Malformed { kind: Kind::Value, from: "levels = [0, 2]", to: "levels = [2, 0]",
        message: "66:10: runtime.outputs.fields[0].levels: found [2, 0], expected the first level before the last, or one level twice" },
    Malformed { kind: Kind::Value, from: "levels = [0, 2]", to: "levels = [0, 300]",
        message: "66:14: runtime.outputs.fields[0].levels[1]: found 300, expected a whole number from 0 to 24" },
];
