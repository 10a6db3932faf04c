//! The rules of named fields, each once: for world files and for configs made in code.
//!
//! In: all fields of a world, since they refer to one another. Out: nothing, or the first value that breaks a rule. What
//! only shows when fields are put together (values that could overflow, warps that move too far) is found by compiling
//! them (`fields/`).

use terrane_noise::{
    FREQUENCY_MAX, FREQUENCY_MIN, Outside, PERIOD_CELLS_MAX, PIXELS_PER_SAMPLE_MAX, PIXELS_PER_SAMPLE_MIN,
    RASTER_SIDE_MAX, Setting, SettingRule, SettingValue, WarpOrder,
};

use super::field::{
    FieldConfig, FieldSource, NoiseConfig, Operand, OperationConfig, RasterConfig, WarpConfig, WarpFields,
};
use super::operations::{Operands, OperationInfo, Shape};
use super::rules::{VALUE, check_number, plain, refuse};
use super::{ConfigError, FieldPath};

const NAME_LENGTH_MAX: usize = 64;
/// Most fields of a world: a program has as many outputs.
pub(crate) const FIELDS_MAX: usize = 256;
/// Least distance of the keys of a field's curve, as a share of the range from the first to the last.
const CURVE_GAP: f64 = 1.0 / 1000.0;
/// Most operands of an operation.
pub(crate) const OPERANDS_MAX: usize = 64;
/// Farthest that a raster or a falloff lies from the origin, in samples.
const SAMPLES_MAX: f64 = (1u64 << 59) as f64;

pub(crate) fn check_fields(fields: &[FieldConfig], spacing_m: f64) -> Result<(), ConfigError> {
    if fields.is_empty() {
        return Err(refuse(FieldPath::of("fields"), "none"));
    }
    if fields.len() > FIELDS_MAX {
        let expected = format!("at most {FIELDS_MAX} fields");
        return Err(ConfigError::new(FieldPath::of("fields"), fields.len().to_string(), expected));
    }
    for pair in fields.windows(2) {
        if pair[0].name >= pair[1].name {
            let path = FieldPath::of("fields").key(&pair[1].name);
            let expected = "fields sorted by name, each name once";
            return Err(ConfigError::new(
                path,
                format!("{:?} after {:?}", pair[1].name, pair[0].name),
                expected,
            ));
        }
    }
    for field in fields {
        let path = FieldPath::of("fields").key(&field.name);
        check_name(&path, &field.name)?;
        for (index, key, place) in field.source.operands() {
            if index >= fields.len() {
                let path = path.clone().key(key).place(place);
                let expected = format!("a field's number from 0 to {}", fields.len() - 1);
                return Err(ConfigError::new(path, format!("field {index}"), expected));
            }
        }
        match &field.source {
            FieldSource::Noise(noise) => check_noise(&path, noise, spacing_m)?,
            FieldSource::Raster(raster) => check_raster(&path, raster, spacing_m)?,
            FieldSource::Operation(operation) => check_operation(&path, operation, spacing_m)?,
            FieldSource::Warp(warp) => check_warp(&path, warp, fields)?,
        }
    }
    check_cycles(fields)
}

fn check_name(path: &FieldPath, name: &str) -> Result<(), ConfigError> {
    let mut letters = name.bytes();
    let is_name = letters.next().is_some_and(|b| b.is_ascii_lowercase())
        && letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if is_name && name.len() <= NAME_LENGTH_MAX {
        return Ok(());
    }
    let expected = "a name that starts with a letter a-z and goes on with a-z, 0-9 and _, up to 64 in all";
    Err(ConfigError::new(path.clone(), format!("{name:?}"), expected))
}

fn check_noise(path: &FieldPath, noise: &NoiseConfig, spacing_m: f64) -> Result<(), ConfigError> {
    let fractal = &noise.fractal;
    check_number(&path.clone().key("feature_m"), noise.feature_m)?;
    check_number(&path.clone().key("octaves"), fractal.octaves)?;
    check_number(&path.clone().key("lacunarity"), fractal.lacunarity)?;
    check_number(&path.clone().key("persistence"), fractal.persistence)?;
    check_number(&path.clone().key("weighted_strength"), fractal.weighted_strength)?;
    let kind = noise.kind.info();
    for (setting, value) in kind.settings.iter().zip(noise.kind.settings()) {
        check_setting(&path.clone().key(setting.name), setting, value)?;
    }
    if let Some(tile_m) = noise.tile_m {
        let path = path.clone().key("tile_m");
        if !kind.tiles {
            let expected = format!("none: {} noise cannot repeat", kind.name);
            return Err(ConfigError::new(path, "a period", expected));
        }
        for (axis, tile_m) in tile_m.into_iter().enumerate() {
            check_tile(&path.clone().index(axis), tile_m, noise, spacing_m)?;
        }
    }
    check_frequencies(path, noise, spacing_m)
}

fn check_setting(path: &FieldPath, setting: &Setting, value: SettingValue) -> Result<(), ConfigError> {
    match (setting.rule, value) {
        (SettingRule::Number { .. }, SettingValue::Number(value)) => check_number(path, value),
        (SettingRule::Choice(words), SettingValue::Choice(index)) if index < words.len() => Ok(()),
        _ => Err(refuse(path.clone(), format!("{value:?}"))),
    }
}

/// A period in metres becomes whole samples and whole cells.
fn check_tile(path: &FieldPath, tile_m: f64, noise: &NoiseConfig, spacing_m: f64) -> Result<(), ConfigError> {
    check_number(path, tile_m)?;
    let feature_m = noise.feature_m;
    let cells = (tile_m / feature_m).round().max(1.0);
    let refuse = |expected: String| Err(ConfigError::new(path.clone(), plain(tile_m), expected));
    if (tile_m / feature_m - cells).abs() > 1e-9 * cells {
        return refuse(format!(
            "a whole number of features, such as {} ({} of feature_m, which is {})",
            plain(cells * feature_m),
            plain(cells),
            plain(feature_m)
        ));
    }
    let most = f64::from(PERIOD_CELLS_MAX);
    if cells > most {
        return refuse(format!("at most {}, {} of feature_m", plain(most * feature_m), plain(most)));
    }
    if !(1.0..=f64::from(u32::MAX)).contains(&(tile_m / spacing_m).round()) {
        let (low, high) = (plain(spacing_m), plain(spacing_m * f64::from(u32::MAX)));
        return refuse(format!("from {low} to {high}, 1 to 2^32 - 1 samples"));
    }
    Ok(())
}

fn check_frequencies(path: &FieldPath, noise: &NoiseConfig, spacing_m: f64) -> Result<(), ConfigError> {
    // A period in whole samples makes cells a little larger or smaller.
    let tiled = noise.tile_m.into_iter().flatten().map(|tile_m| {
        let (cells, samples) = ((tile_m / noise.feature_m).round(), (tile_m / spacing_m).round());
        cells / samples * noise.feature_m / spacing_m
    });
    let stretch = tiled.fold(1.0, f64::max);
    for (index, cells) in noise.frequencies(spacing_m).enumerate() {
        let (octave, cells) = (index + 1, cells * stretch);
        let (key, found, expected) = if cells < FREQUENCY_MIN {
            (
                "feature_m",
                plain(noise.feature_m),
                format!(
                    "at most {}: octave {octave} would have fewer than 2^-24 lattice cells a sample",
                    plain(spacing_m / FREQUENCY_MIN)
                ),
            )
        } else if cells <= FREQUENCY_MAX {
            continue;
        } else if index == 0 {
            (
                "feature_m",
                plain(noise.feature_m),
                format!(
                    "at least {}: octave 1 would have more than 65536 lattice cells a sample",
                    plain(spacing_m / FREQUENCY_MAX)
                ),
            )
        } else {
            (
                "octaves",
                noise.fractal.octaves.to_string(),
                format!("at most {index}: octave {octave} would have more than 65536 lattice cells a sample"),
            )
        };
        return Err(ConfigError::new(path.clone().key(key), found, expected));
    }
    Ok(())
}

fn check_raster(path: &FieldPath, raster: &RasterConfig, spacing_m: f64) -> Result<(), ConfigError> {
    let image = &raster.image;
    let sides = [image.width, image.height];
    let pixels = u64::from(image.width) * u64::from(image.height);
    let right = sides.iter().all(|side| (1..=RASTER_SIDE_MAX).contains(side));
    if !right || image.samples.len() as u64 != pixels {
        let found = format!("{} x {} with {} pixels", image.width, image.height, image.samples.len());
        let expected = format!("1 to {RASTER_SIDE_MAX} pixels a side, width times height in all");
        return Err(ConfigError::new(path.clone().key("raster"), found, expected));
    }
    for (axis, pixel_m) in raster.pixel_m.into_iter().enumerate() {
        let path = path.clone().key("pixel_m").index(axis);
        check_number(&path, pixel_m)?;
        if !(PIXELS_PER_SAMPLE_MIN..=PIXELS_PER_SAMPLE_MAX).contains(&(spacing_m / pixel_m)) {
            let (low, high) = (spacing_m / PIXELS_PER_SAMPLE_MAX, spacing_m / PIXELS_PER_SAMPLE_MIN);
            let expected = format!("from {} to {} metres at this sample spacing", plain(low), plain(high));
            return Err(ConfigError::new(path, plain(pixel_m), expected));
        }
    }
    for (axis, offset_m) in raster.offset_m.into_iter().enumerate() {
        let path = path.clone().key("offset_m").index(axis);
        check_number(&path, offset_m)?;
        check_place(path, offset_m, spacing_m)?;
    }
    for (end, value) in raster.range.into_iter().enumerate() {
        check_number(&path.clone().key("range").index(end), value)?;
    }
    match raster.outside {
        Outside::Constant(value) => check_number(&path.clone().key("outside_value"), value),
        _ => Ok(()),
    }
}

fn check_place(path: FieldPath, metres: f64, spacing_m: f64) -> Result<(), ConfigError> {
    if (metres / spacing_m).abs() < SAMPLES_MAX {
        return Ok(());
    }
    let expected = "a number of metres that lies within 2^59 samples of the origin";
    Err(ConfigError::new(path, plain(metres), expected))
}

fn check_operation(path: &FieldPath, operation: &OperationConfig, spacing_m: f64) -> Result<(), ConfigError> {
    let OperationConfig { info, of, settings } = operation;
    let right = match info.operands.count() {
        Some(count) => of.len() == count,
        None => (2..=OPERANDS_MAX).contains(&of.len()),
    };
    if !right {
        let found = format!("{} of them", of.len());
        return Err(ConfigError::new(path.clone().key("of"), found, needs(info)));
    }
    for (place, operand) in of.iter().enumerate() {
        if let Operand::Number(value) = operand {
            let is_mask = info.operands.mask_at() == Some(place);
            let key = if is_mask { path.clone().key("mask") } else { path.clone().key("of").index(place) };
            if !VALUE.admits(*value) {
                return Err(ConfigError::new(key, plain(*value), VALUE.to_string()));
            }
        }
    }
    if settings.len() != info.settings.len() {
        let expected = format!("{} settings, those of {:?}", info.settings.len(), info.name);
        return Err(ConfigError::new(path.clone().key("op"), settings.len().to_string(), expected));
    }
    for (setting, values) in info.settings.iter().zip(settings) {
        check_shape(&path.clone().key(setting.name), setting.shape, values, spacing_m)?;
    }
    Ok(())
}

/// What `of` must be.
pub(crate) fn needs(info: &OperationInfo) -> String {
    let what = match info.operands {
        Operands::None => "none",
        Operands::One => "one field or number",
        Operands::Two | Operands::TwoAndMask => "a list of two fields or numbers",
        Operands::Many => "a list of two to 64 fields or numbers",
    };
    format!("{what} for {:?}", info.name)
}

fn check_shape(path: &FieldPath, shape: Shape, values: &[f64], spacing_m: f64) -> Result<(), ConfigError> {
    match shape {
        Shape::Number(_) if values.len() == 1 => check_number(path, values[0]),
        Shape::Pair(_) if values.len() == 2 => {
            values.iter().enumerate().try_for_each(|(i, value)| check_number(&path.clone().index(i), *value))
        }
        Shape::Place if values.len() == 2 => values.iter().enumerate().try_for_each(|(i, metres)| {
            let path = path.clone().index(i);
            check_number(&path, *metres)?;
            check_place(path, *metres, spacing_m)
        }),
        Shape::Keys(_) if values.len() >= 4 && values.len().is_multiple_of(2) => check_keys(path, values),
        _ => Err(refuse(path.clone(), format!("a list of {}", values.len()))),
    }
}

fn check_keys(path: &FieldPath, values: &[f64]) -> Result<(), ConfigError> {
    for (index, value) in values.iter().enumerate() {
        check_number(&path.clone().index(index / 2).index(index % 2), *value)?;
    }
    // A range too small for any gap is refused by the gap too.
    let gap = (values[values.len() - 2] - values[0]) * CURVE_GAP;
    for (index, pair) in values.chunks_exact(2).collect::<Vec<_>>().windows(2).enumerate() {
        let (before, at) = (pair[0][0], pair[1][0]);
        if !(at - before >= gap && at > before) {
            let expected = format!(
                "values in rising order, each at least 1/1000 of the whole range above the one before, which is {}",
                plain(before)
            );
            return Err(ConfigError::new(path.clone().index(index + 1).index(0), plain(at), expected));
        }
    }
    Ok(())
}

fn check_warp(path: &FieldPath, warp: &WarpConfig, fields: &[FieldConfig]) -> Result<(), ConfigError> {
    check_number(&path.clone().key("strength_m"), warp.strength_m)?;
    let path = path.clone().key("by");
    let by = match warp.by {
        WarpFields::Noise(by) => vec![(&fields[by], path)],
        WarpFields::Pair([x, z]) => vec![(&fields[x], path.clone().index(0)), (&fields[z], path.index(1))],
    };
    if warp.order == WarpOrder::Independent && by.len() == 2 {
        return Ok(());
    }
    let octaves = by[0].0.noise().map(|noise| noise.fractal.octaves);
    for (field, path) in &by {
        let refuse = |expected: &str| {
            Err(ConfigError::new(
                path.clone(),
                format!("{:?}", field.name),
                format!("a field of noise {expected}"),
            ))
        };
        let Some(noise) = field.noise() else {
            return refuse(match warp.order {
                WarpOrder::Independent => "(its settings serve along x and along z), or a pair of fields",
                WarpOrder::Progressive => "(a progressive warp takes it octave by octave)",
            });
        };
        if by.len() == 1 && !noise.kind.has_seed() {
            return refuse("that has a seed: this one is the same along x and along z; or a pair of fields");
        }
        if warp.order == WarpOrder::Progressive {
            if noise.fractal.weighted_strength != 0.0 {
                return refuse(
                    "with a weighted_strength of 0: a progressive warp takes its octaves one by one",
                );
            }
            if Some(noise.fractal.octaves) != octaves {
                return refuse("with as many octaves as the other");
            }
        }
    }
    Ok(())
}

/// The order in which fields can be made, operands first. Nothing where no rule allows them: where fields go round in a circle,
/// or where there are too many of them.
pub(crate) fn creation_order(fields: &[FieldConfig]) -> Vec<usize> {
    if fields.len() > FIELDS_MAX {
        return Vec::new();
    }
    order(fields).unwrap_or_default()
}

/// The same, or the first way round in a circle.
fn order(fields: &[FieldConfig]) -> Result<Vec<usize>, Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    fn visit(
        index: usize,
        fields: &[FieldConfig],
        states: &mut [State],
        way: &mut Vec<usize>,
        order: &mut Vec<usize>,
    ) -> Result<(), Vec<usize>> {
        match states[index] {
            State::Done => return Ok(()),
            State::Open => {
                let start = way.iter().position(|on_way| *on_way == index).unwrap_or(0);
                let mut circle = way[start..].to_vec();
                circle.push(index);
                return Err(circle);
            }
            State::New => {}
        }
        states[index] = State::Open;
        way.push(index);
        // As deep as fields are nested: at most FIELDS_MAX.
        // What is out of range is refused elsewhere.
        for (operand, ..) in fields[index].source.operands().into_iter().filter(|(i, ..)| *i < fields.len()) {
            visit(operand, fields, states, way, order)?;
        }
        way.pop();
        states[index] = State::Done;
        order.push(index);
        Ok(())
    }
    let mut states = vec![State::New; fields.len()];
    let (mut way, mut order) = (Vec::new(), Vec::new());
    for index in 0..fields.len() {
        visit(index, fields, &mut states, &mut way, &mut order)?;
    }
    Ok(order)
}

fn check_cycles(fields: &[FieldConfig]) -> Result<(), ConfigError> {
    match order(fields) {
        Ok(_) => Ok(()),
        Err(circle) => {
            let names: Vec<_> = circle.iter().map(|index| fields[*index].name.as_str()).collect();
            let operands = fields[circle[0]].source.operands();
            let (_, key, place) =
                operands.into_iter().find(|(index, ..)| *index == circle[1]).expect("on the way");
            let path = FieldPath::of("fields").key(names[0]).key(key).place(place);
            let expected = format!("a field that is not made of {}: {}", names[0], names.join(" <- "));
            Err(ConfigError::new(path, format!("{:?}", names[1]), expected))
        }
    }
}
