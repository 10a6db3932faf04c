//! `terrane fields`: the named fields of a world; what they are made of, where their values can lie, and pictures.

use std::path::Path;

use terrane::config::{FieldConfig, FieldSource, Operand, Operands, OperationInfo, WarpFields};
use terrane::export::Region;
use terrane::noise::{Grid, WarpOrder};
use terrane::{SAMPLE_LIMIT, World, WorldConfig};

use crate::args::FieldsArgs;
use crate::error::Failure;
use crate::generate::default_region;
use crate::picture::{self, Picture};
use crate::{source, whole_file};

/// Most pixels along a side of a picture.
const SIDE_MAX: i64 = 1024;

pub(crate) fn run(args: &FieldsArgs) -> Result<(), Failure> {
    if args.list {
        operations();
        return Ok(());
    }
    let world = source::open(&args.source)?.world;
    if let Some(folder) = &args.pictures {
        return pictures(&world, folder, args);
    }
    if args.program {
        say!("{}", world.describe_fields().trim_end());
    } else if args.json {
        say!("{}", json(&world));
    } else {
        list(&world);
    }
    Ok(())
}

/// Operations of world files; `terrane noise --list` has the kinds of noise.
fn operations() {
    for info in OperationInfo::ALL {
        let of = match info.operands {
            Operands::None => "",
            Operands::One => "of = \"a\"",
            Operands::Two => "of = [\"a\", \"b\"]",
            Operands::Many => "of = [\"a\", \"b\", ..]",
            Operands::TwoAndMask => "of = [\"a\", \"b\"], mask = \"c\"",
        };
        say!("{:<12} {of:<30} {}", info.name, info.about);
        for setting in info.settings {
            say!("{:<12}   {:<28} {}", "", setting.name, setting.about);
        }
    }
    say!("{:<12} {:<30} a field at places that others move", "warp", "of = \"a\", by = \"b\"");
    say!("{:<12}   {:<28} by how many metres a value of 1 moves", "", "strength_m");
    say!("{:<12}   {:<28} independent, or progressive: octave by octave", "", "order");
}

fn list(world: &World) {
    let config = world.config();
    say!("{:<16} {:>12} {:>12}  made of", "field", "at least", "at most");
    for (index, field) in config.fields.iter().enumerate() {
        let bounds = world.field_bounds(index);
        let height = if index == config.height.field { "  (the height)" } else { "" };
        say!("{:<16} {:>12} {:>12}  {}{height}", field.name, bounds.low, bounds.high, made_of(config, field));
    }
}

fn json(world: &World) -> serde_json::Value {
    let config = world.config();
    let field = |(index, field): (usize, &FieldConfig)| {
        let bounds = world.field_bounds(index);
        serde_json::json!({
            "name": field.name,
            "min": bounds.low,
            "max": bounds.high,
            "made_of": made_of(config, field),
            "height": index == config.height.field,
        })
    };
    config.fields.iter().enumerate().map(field).collect()
}

/// A field in a line.
fn made_of(config: &WorldConfig, field: &FieldConfig) -> String {
    let name = |index: usize| config.fields[index].name.as_str();
    match &field.source {
        FieldSource::Noise(noise) => {
            let octaves = match noise.fractal.octaves {
                1 => "1 octave".to_owned(),
                n => format!("{n} octaves"),
            };
            format!("{} noise, {octaves} from {} m", noise.kind.info().name, noise.feature_m)
        }
        FieldSource::Raster(raster) => {
            let image = &raster.image;
            let [x, z] = raster.pixel_m;
            let pixel = if x == z { format!("{x} m") } else { format!("{x} by {z} m") };
            format!("{:?}, {} x {} pixels of {pixel}", image.file, image.width, image.height)
        }
        FieldSource::Operation(operation) => {
            let operand = |operand: &Operand| match operand {
                Operand::Field(index) => name(*index).to_owned(),
                Operand::Number(value) => value.to_string(),
            };
            let of: Vec<_> = operation.of.iter().map(operand).collect();
            match of.as_slice() {
                [] => operation.info.name.to_owned(),
                of => format!("{} of {}", operation.info.name, of.join(", ")),
            }
        }
        FieldSource::Warp(warp) => {
            let by = match warp.by {
                WarpFields::Noise(by) => name(by).to_owned(),
                WarpFields::Pair([x, z]) => format!("{} and {}", name(x), name(z)),
            };
            let order = if warp.order == WarpOrder::Progressive { ", octave by octave" } else { "" };
            format!("{} moved by {by} times {} m{order}", name(warp.of), warp.strength_m)
        }
    }
}

/// A picture of every field. All that can be wrong is looked at before the first is written.
fn pictures(world: &World, folder: &Path, args: &FieldsArgs) -> Result<(), Failure> {
    let region = args.region.unwrap_or_else(|| default_region(world));
    let grid = grid_of(region, world.chunk_cells())?;
    let names: Vec<_> = world.field_names().map(|name| folder.join(format!("{name}.png"))).collect();
    names.iter().try_for_each(|path| whole_file::check(path, args.force))?;
    picture::make_folder(folder)?;
    let (mut values, mut scratch) = (vec![0.0; grid.samples()], world.scratch());
    for (index, path) in names.iter().enumerate() {
        world.fill_field(index, &grid, &mut values, grid.width, &mut scratch);
        let picture = Picture { width: grid.width, height: grid.height, pixels: picture::stretched(&values) };
        picture::write(path, &picture, args.force)?;
    }
    Ok(())
}

/// The samples of a region, so many apart that a picture of them is not too large.
fn grid_of(region: Region, chunk_cells: u32) -> Result<Grid, Failure> {
    let Region { x0, z0, x1, z1 } = region;
    let refuse = |why: &str| Failure::Region(format!("{x0},{z0},{x1},{z1}: {why}"));
    let cells = i64::from(chunk_cells);
    let samples = [x0, z0, x1, z1].map(|chunk| chunk.checked_mul(cells).filter(|at| at.abs() < SAMPLE_LIMIT));
    let [Some(x0), Some(z0), Some(x1), Some(z1)] = samples else {
        return Err(refuse("it lies beyond 2^60 samples"));
    };
    if x0 >= x1 || z0 >= z1 {
        return Err(refuse("it holds no chunk; X1 and Z1 must be above X0 and Z0"));
    }
    let longer = (x1 - x0).max(z1 - z0);
    let mut stride = 1u32;
    while (longer + i64::from(stride) - 1) / i64::from(stride) > SIDE_MAX {
        stride = stride.checked_mul(2).ok_or_else(|| refuse("it is too large for a picture"))?;
    }
    let side = |from: i64, to: i64| ((to - from + i64::from(stride) - 1) / i64::from(stride)) as usize;
    Ok(Grid { x: x0, z: z0, width: side(x0, x1), height: side(z0, z1), stride })
}
