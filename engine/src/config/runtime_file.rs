//! From `[runtime]` of a world file to the settings of a stream.
//!
//! In: the section, and the names of the world's fields. Out: [`StreamSettings`], with the default wherever the file says
//! nothing. Values that do not fit their type become ones that `runtime_rules.rs` refuses.

use super::schema::{FieldOutputSchema, LevelsSchema, OutputsSchema, RuntimeSchema};
use super::suggest::{did_you_mean, nearest};
use super::validate::field_number;
use super::{ConfigError, FieldPath, RUNTIME_TABLE, rules};
use crate::buffers::{ColumnKind, FieldColumn, FieldFormat};
use crate::stream::{FieldOutput, Levels, Outputs, ScreenError, StreamSettings};

pub(crate) fn stream_settings(schema: RuntimeSchema, fields: &[&str]) -> Result<StreamSettings, ConfigError> {
    let RuntimeSchema {
        levels,
        split_factor,
        hysteresis,
        threads,
        viewers_max,
        swaps_max,
        held_max,
        prefetch_max,
        prefetch_s,
        edited_max,
        bytes_max,
        screen,
        outputs,
    } = schema;
    let default = StreamSettings::default();
    Ok(StreamSettings {
        levels: levels.map_or(default.levels, level),
        split_factor: split_factor.unwrap_or(default.split_factor),
        hysteresis: hysteresis.unwrap_or(default.hysteresis),
        screen: screen.map(|screen| ScreenError {
            error_px: screen.error_px,
            height_px: screen.height_px.unwrap_or(ScreenError::HEIGHT_PX),
            fov_y_deg: screen.fov_y_deg.unwrap_or(ScreenError::FOV_Y_DEG),
        }),
        threads: threads.map(count).or(default.threads),
        viewers_max: viewers_max.map_or(default.viewers_max, count),
        swaps_max: swaps_max.map_or(default.swaps_max, count),
        held_max: held_max.map_or(default.held_max, count),
        prefetch_max: prefetch_max.map_or(default.prefetch_max, count),
        prefetch_s: prefetch_s.unwrap_or(default.prefetch_s),
        edited_max: edited_max.map_or(default.edited_max, count),
        bytes_max: bytes_max.map(|bytes| u64::try_from(bytes).unwrap_or(0)).or(default.bytes_max),
        outputs: match outputs {
            Some(outputs) => build_outputs(&outputs, fields, default.outputs)?,
            None => default.outputs,
        },
    })
}

fn build_outputs(schema: &OutputsSchema, names: &[&str], default: Outputs) -> Result<Outputs, ConfigError> {
    let path = |key| FieldPath::of(RUNTIME_TABLE).key("outputs").key(key);
    let mut outputs = default;
    for (kind, name, _) in ColumnKind::ALL {
        outputs = match schema.levels(kind) {
            None => outputs,
            Some(LevelsSchema::All(true)) => outputs.with(kind, Levels::ALL),
            Some(LevelsSchema::All(false)) => outputs.without(kind),
            Some(LevelsSchema::List(levels)) => outputs.with(kind, pair(path(name), levels)?),
        };
    }
    if let Some(degrees) = schema.walkable_slope_max_deg {
        outputs.walkable_slope_max_deg = u8::try_from(degrees).unwrap_or(u8::MAX);
    }
    if let Some(fields) = &schema.fields {
        let field = |(index, schema)| field_output(path("fields").index(index), schema, names);
        outputs.fields = fields.iter().enumerate().map(field).collect::<Result<_, _>>()?;
    }
    Ok(outputs)
}

fn field_output(
    path: FieldPath,
    schema: &FieldOutputSchema,
    names: &[&str],
) -> Result<FieldOutput, ConfigError> {
    let FieldOutputSchema { field, format, levels } = schema;
    let column = FieldColumn {
        field: field_number(path.clone().key("field"), field, names)?,
        format: match format {
            Some(name) => field_format(path.clone().key("format"), name)?,
            None => FieldFormat::F32,
        },
    };
    let levels = match levels {
        Some(levels) => pair(path.key("levels"), levels)?,
        None => Levels::ALL,
    };
    Ok(FieldOutput { column, levels })
}

fn field_format(path: FieldPath, name: &str) -> Result<FieldFormat, ConfigError> {
    let format = FieldFormat::ALL.iter().find(|(_, known)| *known == name);
    format.map(|(format, _)| *format).ok_or_else(|| {
        let refused = rules::refuse(path.clone(), format!("{name:?}"));
        let near = nearest(name, FieldFormat::ALL.map(|(_, known)| known));
        ConfigError::new(path, refused.found(), did_you_mean(refused.expected().to_owned(), near))
    })
}

fn pair(path: FieldPath, levels: &[i64]) -> Result<Levels, ConfigError> {
    match *levels {
        [from, to] => Ok(Levels { from: level(from), to: level(to) }),
        _ => Err(rules::refuse(path, format!("a list of {}", levels.len()))),
    }
}

fn level(value: i64) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

fn count(value: i64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
