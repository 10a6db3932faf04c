//! The same for the tables of fields: every source, every operation.

use super::Malformed;
use terrane::config::WorldFileErrorKind as Kind;

/// A world file with fields of many sources; the malformed ones are one edit away from it.
pub(crate) const FIELDS: &str = r#"seed = 5
generator_version = 1
sample_spacing_m = 2.0

[fields.bent]
op = "warp"
of = "hills"
by = "wind"
strength_m = 25.0
order = "progressive"

[fields.cracks]
noise = "cellular"
feature_m = 80
distance = "manhattan"
returns = "f2-f1"
jitter = 0.75

[fields.gentle]
op = "clamp"
of = "steepness"
low = 0
high = 0.01

[fields.ground]
op = "mix"
of = ["steps", -0.5]
mask = "shore"

[fields.hills]
noise = "perlin_classic"
feature_m = 300.0
octaves = 4
fractal = "ridged"
weighted_strength = 0.5

[fields.moved]
op = "warp"
of = "cracks"
by = ["hills", "waves"]
strength_m = -8

[fields.shaped]
op = "curve"
of = "hills"
keys = [[-1.0, 0.2], [0.0, 0.3], [1.0, 0.9]]

[fields.shore]
op = "falloff"
center_m = [100, -50]
inner_m = 400.0
outer_m = 900.0

[fields.steepness]
op = "slope"
of = "hills"

[fields.steps]
op = "terrace"
of = "bent"
steps = 6
sharpness = 0.7

[fields.stretched]
op = "remap"
of = "waves"
from = [-0.5, 0.5]
to = [0.0, 1.0]

[fields.sum]
op = "add"
of = ["hills", "waves", 0.25]

[fields.twice]
op = "power"
of = "waves"
exponent = 2

[fields.waves]
noise = "perlin"
feature_m = 64.0
octaves = 3
tile_m = [512.0, 1024.0]

[fields.wind]
noise = "value"
feature_m = 120.0
octaves = 2

[height]
field = "ground"
min_m = -60.0
max_m = 240.0
"#;

#[rustfmt::skip]
pub(crate) const MALFORMED_FIELDS: &[Malformed] = &[
    // Keys: which there are depends on the source.
    Malformed { kind: Kind::MissingKey, from: "noise = \"value\"\n", to: "",
        message: "85:1: fields.wind.noise: found nothing, expected one of noise, raster, op: where its values come from" },
    Malformed { kind: Kind::UnknownKey, from: "noise = \"value\"", to: "nois = \"value\"",
        message: "86:1: fields.wind.nois: found an unknown key, expected one of noise, raster, op; did you mean noise?" },
    Malformed { kind: Kind::UnknownKey, from: "jitter = 0.75", to: "jiter = 0.75",
        message: "17:1: fields.cracks.jiter: found an unknown key, expected one of noise, feature_m, octaves, fractal, lacunarity, persistence, weighted_strength, tile_m, seed, distance, returns, jitter; did you mean jitter?" },
    Malformed { kind: Kind::UnknownKey, from: "noise = \"value\"", to: "noise = \"value\"\njitter = 0.5",
        message: "87:1: fields.wind.jitter: found an unknown key, expected one of noise, feature_m, octaves, fractal, lacunarity, persistence, weighted_strength, tile_m, seed; jitter belongs to a field with noise = \"cellular\"" },
    Malformed { kind: Kind::UnknownKey, from: "op = \"slope\"", to: "op = \"slope\"\nstrength_m = 3",
        message: "56:1: fields.steepness.strength_m: found an unknown key, expected one of op, of; strength_m belongs to a field with op = \"warp\"" },
    Malformed { kind: Kind::Value, from: "op = \"add\"", to: "op = \"add\"\nnoise = \"perlin\"",
        message: "71:6: fields.sum.op: found \"add\", expected only one of noise, raster, op: noise is there already" },
    Malformed { kind: Kind::MissingKey, from: "sharpness = 0.7\n", to: "",
        message: "58:1: fields.steps.sharpness: found nothing, expected a number from 0 to 1" },
    Malformed { kind: Kind::MissingKey, from: "mask = \"shore\"\n", to: "",
        message: "25:1: fields.ground.mask: found nothing, expected the name of a field, or a number" },
    Malformed { kind: Kind::MissingKey, from: "of = \"steepness\"\n", to: "",
        message: "19:1: fields.gentle.of: found nothing, expected the name of a field, a number, or a list of them" },
    Malformed { kind: Kind::MissingKey, from: "by = \"wind\"\n", to: "",
        message: "5:1: fields.bent.by: found nothing, expected the name of a field of noise, or a pair of names of fields [x, z]" },
    // Words.
    Malformed { kind: Kind::Value, from: "op = \"slope\"", to: "op = \"slop\"",
        message: "55:6: fields.steepness.op: found \"slop\", expected an operation: \"add\", \"subtract\", \"multiply\", \"min\", \"max\", \"smooth_min\", \"smooth_max\", \"mix\", \"curve\", \"terrace\", \"remap\", \"clamp\", \"abs\", \"power\", \"slope\", \"falloff\", \"warp\"; did you mean slope?" },
    Malformed { kind: Kind::Value, from: "\"ridged\"", to: "\"rigid\"",
        message: "34:11: fields.hills.fractal: found \"rigid\", expected one of \"fbm\", \"billow\", \"ridged\"" },
    Malformed { kind: Kind::Value, from: "\"f2-f1\"", to: "\"f2 - f1\"",
        message: "16:11: fields.cracks.returns: found \"f2 - f1\", expected one of \"f1\", \"f2\", \"f2-f1\", \"f1+f2\", \"cell\"; did you mean f2-f1?" },
    Malformed { kind: Kind::Value, from: "\"progressive\"", to: "\"forward\"",
        message: "10:9: fields.bent.order: found \"forward\", expected one of \"independent\", \"progressive\"" },
    // Names of fields.
    Malformed { kind: Kind::Value, from: "of = \"steepness\"", to: "of = \"stepness\"",
        message: "21:6: fields.gentle.of: found \"stepness\", expected the name of a field: bent, cracks, gentle, ground, hills, moved, shaped, shore, steepness, steps, stretched, sum, twice, waves, wind; did you mean steepness?" },
    Malformed { kind: Kind::Value, from: "[\"hills\", \"waves\", 0.25]", to: "[\"hills\", \"waves\", \"sea\"]",
        message: "72:25: fields.sum.of[2]: found \"sea\", expected the name of a field: bent, cracks, gentle, ground, hills, moved, shaped, shore, steepness, steps, stretched, sum, twice, waves, wind" },
    Malformed { kind: Kind::Value, from: "of = [\"hills\", \"waves\", 0.25]", to: "of = \"hills\"",
        message: "72:6: fields.sum.of: found \"hills\", expected a list of two to 64 fields or numbers for \"add\"" },
    Malformed { kind: Kind::Value, from: "of = [\"steps\", -0.5]", to: "of = [\"steps\", -0.5, 1]",
        message: "27:6: fields.ground.of: found [\"steps\", -0.5, 1], expected a list of two fields or numbers for \"mix\"" },
    Malformed { kind: Kind::Value, from: "of = \"bent\"", to: "of = \"ground\"",
        message: "27:7: fields.ground.of[0]: found \"steps\", expected a field that is not made of ground: ground <- steps <- ground" },
    Malformed { kind: Kind::Value, from: "mask = \"shore\"", to: "mask = \"ground\"",
        message: "28:8: fields.ground.mask: found \"ground\", expected a field that is not made of ground: ground <- ground" },
    Malformed { kind: Kind::Value, from: "by = \"wind\"", to: "by = \"shore\"",
        message: "8:6: fields.bent.by: found \"shore\", expected a field of noise (a progressive warp takes it octave by octave)" },
    Malformed { kind: Kind::Value, from: "by = \"wind\"", to: "by = [\"wind\", \"waves\"]",
        message: "8:15: fields.bent.by[1]: found \"waves\", expected a field of noise with as many octaves as the other" },
    Malformed { kind: Kind::Value, from: "by = \"wind\"", to: "by = \"hills\"",
        message: "8:6: fields.bent.by: found \"hills\", expected a field of noise with a weighted_strength of 0: a progressive warp takes its octaves one by one" },
    // Types.
    Malformed { kind: Kind::WrongType, from: "sharpness = 0.7", to: "sharpness = \"0.7\"",
        message: "62:13: fields.steps.sharpness: found \"0.7\", expected a number from 0 to 1" },
    Malformed { kind: Kind::WrongType, from: "exponent = 2", to: "exponent = 2.0",
        message: "77:12: fields.twice.exponent: found 2.0, expected a whole number from 1 to 8" },
    Malformed { kind: Kind::WrongType, from: "of = \"bent\"", to: "of = true",
        message: "60:6: fields.steps.of: found true, expected the name of a field, a number, or a list of them" },
    Malformed { kind: Kind::WrongType, from: "of = [\"steps\", -0.5]", to: "of = [\"steps\", 1979-05-27]",
        message: "27:16: fields.ground.of[1]: found 1979-05-27, expected the name of a field, or a number" },
    Malformed { kind: Kind::WrongType, from: "from = [-0.5, 0.5]", to: "from = -0.5",
        message: "67:8: fields.stretched.from: found -0.5, expected a pair of numbers" },
    Malformed { kind: Kind::WrongType, from: "from = [-0.5, 0.5]", to: "from = [-0.5, \"a\"]",
        message: "67:15: fields.stretched.from[1]: found \"a\", expected a number from -1e30 to 1e30" },
    Malformed { kind: Kind::WrongType, from: "[0.0, 0.3], [1.0, 0.9]", to: "0.3, [1.0, 0.9]",
        message: "46:22: fields.shaped.keys[1]: found 0.3, expected a pair [value, what it becomes]" },
    Malformed { kind: Kind::WrongType, from: "noise = \"value\"", to: "noise = 3",
        message: "86:9: fields.wind.noise: found 3, expected a kind of noise" },
    Malformed { kind: Kind::WrongType, from: "[fields.wind]\nnoise = \"value\"", to: "[[fields.wind]]\nnoise = \"value\"",
        message: "85:1: fields.wind: found [[fields.wind]], expected a table with a noise, a raster or an op" },
    // Values.
    Malformed { kind: Kind::Value, from: "jitter = 0.75", to: "jitter = 1.5",
        message: "17:10: fields.cracks.jitter: found 1.5, expected a number from 0 to 1" },
    Malformed { kind: Kind::Value, from: "weighted_strength = 0.5", to: "weighted_strength = nan",
        message: "35:21: fields.hills.weighted_strength: found nan, expected a number from 0 to 1" },
    Malformed { kind: Kind::Value, from: "sharpness = 0.7", to: "sharpness = 2",
        message: "62:13: fields.steps.sharpness: found 2, expected a number from 0 to 1" },
    Malformed { kind: Kind::Value, from: "steps = 6", to: "steps = 0",
        message: "61:9: fields.steps.steps: found 0, expected a number from 1e-20 to 1e20" },
    Malformed { kind: Kind::Value, from: "exponent = 2", to: "exponent = 9",
        message: "77:12: fields.twice.exponent: found 9, expected a whole number from 1 to 8" },
    Malformed { kind: Kind::Value, from: "high = 0.01", to: "high = -0.01",
        message: "23:8: fields.gentle.high: found -0.01, expected high at least low and at most 1e30" },
    Malformed { kind: Kind::Value, from: "from = [-0.5, 0.5]", to: "from = [0.5, 0.5]",
        message: "67:8: fields.stretched.from: found [0.5, 0.5], expected from high - from low at least 1e-20 in size" },
    Malformed { kind: Kind::Value, from: "inner_m = 400.0", to: "inner_m = 900.0",
        message: "52:11: fields.shore.outer_m: found 900.0, expected outer - inner at least 1/65536 of a sample" },
    Malformed { kind: Kind::Value, from: "center_m = [100, -50]", to: "center_m = [100, -50, 0]",
        message: "50:12: fields.shore.center_m: found [100, -50, 0], expected a pair of numbers of metres [x, z]" },
    Malformed { kind: Kind::Value, from: "center_m = [100, -50]", to: "center_m = [1e17, -50]",
        message: "50:13: fields.shore.center_m[0]: found 1e17, expected a number from -1e16 to 1e16" },
    Malformed { kind: Kind::Value, from: "[0.0, 0.3], [1.0, 0.9]", to: "[-1.0, 0.3], [1.0, 0.9]",
        message: "46:23: fields.shaped.keys[1][0]: found -1.0, expected values in rising order, each at least 1/1000 of the whole range above the one before, which is -1" },
    Malformed { kind: Kind::Value, from: ", [0.0, 0.3], [1.0, 0.9]", to: "",
        message: "46:8: fields.shaped.keys: found [[-1.0, 0.2]], expected a list of at least 2 keys [value, what it becomes]" },
    Malformed { kind: Kind::Value, from: "tile_m = [512.0, 1024.0]", to: "tile_m = [512.0, 1000.0]",
        message: "83:18: fields.waves.tile_m[1]: found 1000.0, expected a whole number of features, such as 1024 (16 of feature_m, which is 64)" },
    Malformed { kind: Kind::Value, from: "tile_m = [512.0, 1024.0]", to: "tile_m = [512.0, 1024.0]\nlacunarity = 2.1",
        message: "83:10: fields.waves.tile_m: found [512.0, 1024.0], expected a period of whole features in every octave: along x octave 2 would have 16.8" },
    Malformed { kind: Kind::Value, from: "noise = \"perlin\"", to: "noise = \"simplex\"",
        message: "83:10: fields.waves.tile_m: found [512.0, 1024.0], expected none: simplex noise cannot repeat" },
    Malformed { kind: Kind::Value, from: "strength_m = 25.0", to: "strength_m = 1e9",
        message: "9:14: fields.bent.strength_m: found 1e9, expected a smaller one: it could move octave 2 of bent by 11111112 of its cells along x, and may by 65536" },
    Malformed { kind: Kind::Value, from: "strength_m = 25.0", to: "strength_m = inf",
        message: "9:14: fields.bent.strength_m: found inf, expected a number from -1e16 to 1e16" },
    Malformed { kind: Kind::Value, from: "of = \"hills\"\n\n[fields.steps]", to: "of = \"cracks\"\n\n[fields.steps]",
        message: "54:9: fields.steepness: found that the slope of cracks is needed, which has none, expected a field that has slopes: neither cellular noise nor a slope has" },
    Malformed { kind: Kind::Value, from: "[\"hills\", \"waves\", 0.25]", to: "[\"hills\", \"waves\", 1e31]",
        message: "72:25: fields.sum.of[2]: found 1e31, expected a number from -1e30 to 1e30" },
    Malformed { kind: Kind::Value, from: "[\"hills\", \"waves\", 0.25]", to: "[1e30, \"waves\", 1e30]",
        message: "70:9: fields.sum: found values that could leave -1e30..1e30, expected what it is made of to be smaller (remap or clamp it): what it computes with lies in 1e30..1e30, 1e30..1e30" },
    Malformed { kind: Kind::Value, from: "noise = \"value\"\nfeature_m = 120.0\noctaves = 2", to: "raster = \"nowhere.tiff\"\npixel_m = 4",
        message: "86:10: fields.wind.raster: found \"nowhere.tiff\", expected a file that ends in .png or .r16" },
    // Kinds whose seed, or whose features, do not count.
    Malformed { kind: Kind::Value, from: "noise = \"value\"", to: "noise = \"perlin_classic\"\ntable = \"reference\"",
        message: "8:6: fields.bent.by: found \"wind\", expected a field of noise that has a seed: this one is the same along x and along z; or a pair of fields" },
    Malformed { kind: Kind::MissingKey, from: "noise = \"value\"\nfeature_m = 120.0", to: "noise = \"white\"",
        message: "85:1: fields.wind.feature_m: found nothing, expected a number above 0" },
    Malformed { kind: Kind::Value, from: "noise = \"value\"", to: "noise = \"ridged\"",
        message: "86:9: fields.wind.noise: found \"ridged\", expected a kind of noise: \"perlin\", \"perlin_classic\", \"value\", \"simplex\", \"cellular\", \"white\", \"constant\"; that is a shape of its octaves: fractal = \"ridged\"" },
    Malformed { kind: Kind::UnknownKey, from: "octaves = 4", to: "octaves = 4\nsea_level_m = 3",
        message: "34:1: fields.hills.sea_level_m: found an unknown key, expected one of noise, feature_m, octaves, fractal, lacunarity, persistence, weighted_strength, tile_m, seed, table; sea_level_m belongs into [height]" },
    Malformed { kind: Kind::Value, from: "tile_m = [512.0, 1024.0]", to: "tile_m = [512.0, 640000000.0]",
        message: "83:18: fields.waves.tile_m[1]: found 640000000.0, expected at most 67108864, 1048576 of feature_m" },
    // A field that is never between the curve's ends.
    Malformed { kind: Kind::Value, from: "[height]\nfield = \"ground\"", to: "[fields.zz]\nop = \"add\"\nof = [5.0, \"hills\"]\n\n[height]\nfield = \"zz\"",
        message: "95:9: height.field: found \"zz\", expected a field whose values come between -1 and 1, the curve's ends: zz lies in 4.0..6.0 (remap it)" },
];
