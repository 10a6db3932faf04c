//! Rasters of world files: pictures become fields, by path from the file's folder; every mistake has its message.
#![cfg(all(feature = "config", feature = "images"))]

use std::path::Path;
use terrane::config::{FieldSource, RasterConfig, WorldConfig, WorldFileErrorKind as Kind};
use terrane::noise::{Filter, Grid, Outside, Raster, RasterParams, Scratch};
use terrane::{Position, World};

const WIDTH: u32 = 19;
const HEIGHT: u32 = 13;

/// Pixels that differ in all directions.
fn pixels() -> Vec<u16> {
    (0..WIDTH * HEIGHT).map(|i| (i.wrapping_mul(i).wrapping_mul(7919) >> 3) as u16).collect()
}

const FILE: &str = r#"seed = 5
generator_version = 1
sample_spacing_m = 0.5

[fields.ground]
raster = "maps/place.png"
pixel_m = [1.5, 2.25]
offset_m = [-3.0, 4.125]
range = [-0.75, 0.5]
filter = "bicubic"
outside = "constant"
outside_value = -0.25

[height]
field = "ground"
min_m = -60.0
max_m = 240.0
"#;

/// A folder with the world file and its pictures.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        std::fs::create_dir(place.path("maps")).expect("a folder");
        place.write("maps/place.png", &png(&pixels()));
        place
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("written");
    }

    fn read(&self, from: &str, to: &str) -> Result<WorldConfig, terrane::config::WorldFileError> {
        assert!(from.is_empty() || FILE.matches(from).count() == 1, "{from:?} must stand once");
        self.write(
            "w.toml",
            if from.is_empty() { FILE.to_owned() } else { FILE.replacen(from, to, 1) }.as_bytes(),
        );
        WorldConfig::from_file(self.path("w.toml")).map(|(world, _)| world)
    }
}

fn png(pixels: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let data: Vec<u8> = pixels.iter().flat_map(|pixel| pixel.to_be_bytes()).collect();
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&data).expect("pixels");
    writer.finish().expect("the end");
    bytes
}

fn raster(world: &WorldConfig) -> &RasterConfig {
    match &world.fields[0].source {
        FieldSource::Raster(raster) => raster,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_picture_becomes_a_field() {
    let place = Place::new();
    let config = place.read("", "").unwrap();
    let world = World::open(config.clone()).unwrap();
    let params = RasterParams {
        origin: [
            Position::from_samples([-6, 0]).unwrap().x,
            Position::from_metres([0.0, 4.125], 0.5).unwrap().z,
        ],
        pixels_per_sample: [0.5 / 1.5, 0.5 / 2.25],
        filter: Filter::Bicubic,
        outside: Outside::Constant(-0.25),
        low: -0.75,
        high: 0.5,
    };
    let by_hand = Raster::new(pixels().into(), WIDTH, HEIGHT, &params).unwrap();
    for (x, z) in [(-30, -20), (100, 100), (1 << 40, 0)] {
        let grid = Grid { x, z, width: 67, height: 51, stride: 1 };
        let [mut found, mut want] = [vec![0.0; grid.samples()], vec![1.0; grid.samples()]];
        world.fill_field(0, &grid, &mut found, grid.width, &mut Scratch::new());
        by_hand.fill(&grid, &mut want, grid.width);
        assert!(found.iter().zip(&want).all(|(a, b)| a.to_bits() == b.to_bits()), "{x} {z}");
        let at = Position::from_samples([x, z]).unwrap();
        assert_eq!(found[0], world.field_at(0, at));
    }
    // A pixel's centre has the pixel's value: 19 pixels on, a row is up.
    let at = Position::from_metres([-3.0 + 1.5 * 4.0, 4.125 + 2.25 * 2.0], 0.5).unwrap();
    let pixel = f64::from(pixels()[2 * WIDTH as usize + 4]);
    assert!((f64::from(world.field_at(0, at)) - (-0.75 + 1.25 * pixel / 65_535.0)).abs() < 1e-6);
    assert_eq!(world.field_at(0, Position::from_samples([-1000, 0]).unwrap()), -0.25);
}

#[test]
fn defaults_are_those_of_the_docs_and_raw_rows_serve_as_well() {
    let place = Place::new();
    let bytes: Vec<u8> = pixels().iter().flat_map(|pixel| pixel.to_le_bytes()).collect();
    place.write("maps/rows.R16", &bytes);
    let plain = "pixel_m = [1.5, 2.25]\noffset_m = [-3.0, 4.125]\nrange = [-0.75, 0.5]\nfilter = \"bicubic\"\noutside = \"constant\"\noutside_value = -0.25\n";
    let from = format!("raster = \"maps/place.png\"\n{plain}");
    let config = place.read(&from, "raster = \"maps/rows.R16\"\nwidth = 19\npixel_m = 2\n").unwrap();
    let raster = raster(&config);
    assert_eq!((raster.image.width, raster.image.height), (WIDTH, HEIGHT));
    assert_eq!(&raster.image.samples[..], pixels());
    assert_eq!((raster.pixel_m, raster.offset_m, raster.range), ([2.0; 2], [0.0; 2], [-1.0, 1.0]));
    assert_eq!((raster.filter, raster.outside), (Filter::Bilinear, Outside::Clamp));
}

#[test]
fn the_hash_counts_pixels_and_not_names() {
    let place = Place::new();
    let hash = place.read("", "").unwrap().world_hash();
    place.write("maps/other.png", &png(&pixels()));
    assert_eq!(place.read("maps/place.png", "maps/other.png").unwrap().world_hash(), hash);
    let mut changed = pixels();
    changed[200] ^= 1;
    place.write("maps/other.png", &png(&changed));
    let mut hashes = vec![hash, place.read("maps/place.png", "maps/other.png").unwrap().world_hash()];
    assert_ne!(hashes[0], hashes[1]);
    for (from, to) in [
        ("[1.5, 2.25]", "[1.5, 2.5]"),
        ("[-3.0, 4.125]", "[-3.0, 4.25]"),
        ("[-0.75, 0.5]", "[-0.75, 0.75]"),
        ("\"bicubic\"", "\"bilinear\""),
        ("outside_value = -0.25", "outside_value = 0.25"),
        ("outside = \"constant\"\noutside_value = -0.25", "outside = \"mirror\""),
    ] {
        let hash = place.read(from, to).unwrap().world_hash();
        assert!(!hashes.contains(&hash), "{to} must count");
        hashes.push(hash);
    }
}

/// A picture that fields share is read once.
#[test]
fn fields_share_a_picture() {
    let place = Place::new();
    let second = "[fields.mask]\nraster = \"maps/place.png\"\npixel_m = 3\n\n[height]";
    let config = place.read("[height]", second).unwrap();
    let [a, b] = [0, 1].map(|field| match &config.fields[field].source {
        FieldSource::Raster(raster) => raster.image.samples.clone(),
        other => panic!("{other:?}"),
    });
    assert!(std::sync::Arc::ptr_eq(&a, &b));
}

#[test]
fn what_is_wrong_is_named() {
    let place = Place::new();
    place.write("maps/text.png", b"not a picture");
    place.write("maps/odd.r16", &[0; 39]);
    let missing = place.path("maps/none.png");
    let read_at = |name: &str| format!("{}", Path::new(place.0.path()).join(name).display());
    for (from, to, kind, message) in [
        ("place.png", "none.png", Kind::Value, format!("6:10: fields.ground.raster: found \"maps/none.png\", expected a gray picture; {}: ", missing.display())),
        ("place.png", "text.png", Kind::Value, format!("6:10: fields.ground.raster: found \"maps/text.png\", expected a gray picture; {}: ", read_at("maps/text.png"))),
        ("place.png", "place.tif", Kind::Value, "6:10: fields.ground.raster: found \"maps/place.tif\", expected a file that ends in .png or .r16".into()),
        ("place.png\"", "odd.r16\"", Kind::MissingKey, "5:1: fields.ground.width: found nothing, expected a whole number from 1 to 32768".into()),
        ("place.png\"", "odd.r16\"\nwidth = 19", Kind::Value, format!("6:10: fields.ground.raster: found \"maps/odd.r16\", expected a gray picture; {}: ", read_at("maps/odd.r16"))),
        ("pixel_m", "width = 19\npixel_m", Kind::Value, "7:9: fields.ground.width: found 19, expected none: a .png has its width".into()),
        ("place.png\"", "odd.r16\"\nwidth = 0", Kind::Value, "7:9: fields.ground.width: found 0, expected a whole number from 1 to 32768".into()),
        ("[-0.75, 0.5]", "[100, 900]", Kind::Value, String::new()),
        ("pixel_m = [1.5, 2.25]\n", "", Kind::MissingKey, "5:1: fields.ground.pixel_m: found nothing, expected a number of metres a pixel, or a pair [x, z]".into()),
        ("[1.5, 2.25]", "[1.5, 0]", Kind::Value, "7:17: fields.ground.pixel_m[1]: found 0, expected a number above 0".into()),
        ("[1.5, 2.25]", "-2", Kind::Value, "7:11: fields.ground.pixel_m[0]: found -2, expected a number above 0".into()),
        ("[1.5, 2.25]", "1e9", Kind::Value, "7:11: fields.ground.pixel_m[0]: found 1e9, expected from 7.62939453125e-6 to 8388608 metres at this sample spacing".into()),
        ("[-3.0, 4.125]", "[-3.0, 1e15]", Kind::Value, String::new()),
        ("[-3.0, 4.125]", "[-3.0, nan]", Kind::Value, "8:19: fields.ground.offset_m[1]: found nan, expected a number from -1e16 to 1e16".into()),
        ("[-0.75, 0.5]", "[-0.75, inf]", Kind::Value, "9:17: fields.ground.range[1]: found inf, expected a number from -1e29 to 1e29".into()),
        ("\"bicubic\"", "\"cubic\"", Kind::Value, "10:10: fields.ground.filter: found \"cubic\", expected one of \"nearest\", \"bilinear\", \"bicubic\"".into()),
        ("outside_value = -0.25\n", "", Kind::MissingKey, "5:1: fields.ground.outside_value: found nothing, expected a number from -1e29 to 1e29".into()),
        ("outside = \"constant\"", "outside = \"wrap\"", Kind::Value, "12:17: fields.ground.outside_value: found -0.25, expected none, unless outside is \"constant\"".into()),
        ("outside = \"constant\"", "octaves = 3", Kind::UnknownKey, "11:1: fields.ground.octaves: found an unknown key, expected one of raster, width, pixel_m, offset_m, range, filter, outside, outside_value; octaves belongs to a field with noise = \"perlin\"".into()),
    ] {
        if message.is_empty() {
            // Within 2^59 samples: allowed.
            assert!(place.read(from, to).is_ok(), "{to}");
            continue;
        }
        let error = place.read(from, to).expect_err(to);
        let text = error.to_string();
        let message = format!("{}:{message}", place.path("w.toml").display());
        assert!(text.starts_with(&message), "{text}\n{message}");
        assert_eq!(error.kind(), kind, "{text}");
    }
}

/// The worlds of the docs open.
#[test]
fn the_real_place_of_the_docs_is_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/dem");
    for (file, [low, high]) in [("fault.toml", [236.0, 1076.0]), ("wild.toml", [236.0, 1076.0])] {
        let (config, _) = WorldConfig::from_file(folder.join(file)).unwrap();
        let world = World::open(config).unwrap();
        // The highest ridge lies in the north-west, the valley in the south-east.
        let at =
            |x_m, z_m| world.height_at(Position::from_metres([x_m, z_m], world.sample_spacing_m()).unwrap());
        for (x, z) in [(0, 0), (10, 20), (200, 150), (402, 343)] {
            assert!((low..=high).contains(&at(f64::from(x) * 74.4, f64::from(z) * 92.7)), "{file}");
        }
    }
}
