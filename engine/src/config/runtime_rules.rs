//! What settings of a stream may be, and how they go together: for `[runtime]` of world files and for settings made in code.
//!
//! In: settings, and how many fields the world has. Out: nothing, or the first setting that breaks a rule, named as world files
//! name it. Ranges of single numbers are those of `rules.rs`.

use super::rules::{check_number, plain, refuse};
use super::{ConfigError, FieldPath};
use crate::buffers::{ColumnKind, FIELD_COLUMNS_MAX};
use crate::stream::{Levels, ScreenError, StreamSettings};

/// The table of the settings in a world file.
pub(crate) const TABLE: &str = "runtime";

fn path(key: &'static str) -> FieldPath {
    FieldPath::of(TABLE).key(key)
}

pub(crate) fn check_stream(settings: &StreamSettings, fields: usize) -> Result<(), ConfigError> {
    // By name, so that a new setting does not compile until it has its rule.
    let StreamSettings {
        levels,
        split_factor,
        hysteresis,
        screen,
        threads,
        viewers_max,
        swaps_max,
        held_max,
        prefetch_max,
        prefetch_s,
        edited_max,
        outputs: _,
        bytes_max,
    } = *settings;
    for (key, count) in [
        ("levels", usize::from(levels)),
        ("threads", threads.unwrap_or(0)),
        ("viewers_max", viewers_max),
        ("swaps_max", swaps_max),
        ("held_max", held_max),
        ("prefetch_max", prefetch_max),
        ("edited_max", edited_max),
    ] {
        check_number(&path(key), count as f64)?;
    }
    check_number(&path("split_factor"), split_factor)?;
    // What keeps neighbours within a level of each other, so that changes need no more than their neighbours.
    // Written so that 0.2 goes with 1.25: 1 - 1 / 1.25 comes out below it.
    let most = (split_factor - 1.0) / split_factor;
    if !(0.0..=most).contains(&hysteresis) {
        let expected = format!(
            "a number from 0 to {}, so that split_factor * (1 - hysteresis) is at least 1",
            plain(most)
        );
        return Err(ConfigError::new(path("hysteresis"), plain(hysteresis), expected));
    }
    if let Some(ScreenError { error_px, height_px, fov_y_deg }) = screen {
        for (key, value) in [("error_px", error_px), ("height_px", height_px), ("fov_y_deg", fov_y_deg)] {
            check_number(&path("screen").key(key), value)?;
        }
    }
    check_number(&path("prefetch_s"), prefetch_s)?;
    if bytes_max == Some(0) {
        return Err(refuse(path("bytes_max"), "0"));
    }
    check_outputs(settings, fields)
}

fn check_outputs(settings: &StreamSettings, fields: usize) -> Result<(), ConfigError> {
    let outputs = &settings.outputs;
    let path = || path("outputs");
    for (kind, name, _) in ColumnKind::ALL {
        outputs.levels(kind).map_or(Ok(()), |levels| check_levels(&path().key(name), levels))?;
    }
    check_number(&path().key("walkable_slope_max_deg"), outputs.walkable_slope_max_deg)?;
    let (columns, path_of_fields) = (outputs.fields.len(), path().key("fields"));
    if columns > FIELD_COLUMNS_MAX {
        return Err(refuse(path_of_fields, columns.to_string()));
    }
    for (index, output) in outputs.fields.iter().enumerate() {
        let field = output.column.field;
        if field >= fields {
            let expected = format!("a number below {fields}, the world's fields");
            return Err(ConfigError::new(path_of_fields, format!("field {field}"), expected));
        }
        check_levels(&path_of_fields.clone().index(index).key("levels"), output.levels)?;
    }
    match (0..settings.levels).find(|&lod| outputs.pools().all(|pool| !pool.serves(lod))) {
        Some(lod) => {
            let found = format!("no column at level {lod}");
            let expected = format!("at least one column at each of the {} levels", settings.levels);
            Err(ConfigError::new(path(), found, expected))
        }
        None => Ok(()),
    }
}

fn check_levels(path: &FieldPath, levels: Levels) -> Result<(), ConfigError> {
    let Levels { from, to } = levels;
    for (index, level) in [from, to].into_iter().enumerate() {
        check_number(&path.clone().index(index), level)?;
    }
    if from > to {
        let expected = "the first level before the last, or one level twice";
        return Err(ConfigError::new(path.clone(), format!("[{from}, {to}]"), expected));
    }
    Ok(())
}
