//! The named fields of a world, compiled into one program.
//!
//! In: the fields of a config whose rules hold. Out: a [`Program`] with one output a field, or which field makes what is
//! not possible. Metres become samples here; what is asked for together shares its parts.

mod curve;

pub(crate) use curve::{HeightCurve, INTERVALS};

use terrane_noise::{
    Node, NoiseError, NoiseParams, Period, Program, ProgramBuilder, ProgramError, Raster, RasterParams,
    WarpBy, WarpNoise, WarpOrder, hash,
};

use crate::config::operations::Build;
use crate::config::{
    ConfigError, FieldPath, FieldSource, NoiseConfig, Operand, OperationInfo, RasterConfig, WarpConfig,
    WarpFields, WorldConfig, creation_order,
};
use crate::coords::Position;

/// All fields of a world.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// One output a field, in the order of the config.
    pub(crate) program: Program,
}

/// The seed of a warp's noise: number 1 of its field's along x, number 3 along z.
fn warp_seed(field_seed: u64, axis: u64) -> u64 {
    hash::field_seed(field_seed, axis)
}

impl Fields {
    /// Compiles fields whose own rules hold.
    pub(crate) fn compile(world: &WorldConfig) -> Result<Self, ConfigError> {
        let mut compiler = Compiler {
            world,
            builder: ProgramBuilder::new(),
            nodes: vec![None; world.fields.len()],
            node_ends: Vec::new(),
        };
        for field in creation_order(&world.fields) {
            let path = FieldPath::of("fields").key(&world.fields[field].name);
            let node = compiler.field(field, &path)?;
            compiler.nodes[field] = Some(node);
            compiler.node_ends.push((node.index(), field));
        }
        for (field, node) in world.fields.iter().zip(&compiler.nodes) {
            let node = node.expect("all are made");
            compiler.builder.output(&field.name, node).expect("names differ, and there are not too many");
        }
        match compiler.builder.build() {
            Ok(program) => Ok(Self { program }),
            Err(error) => Err(compiler.refuse_program(&error)),
        }
    }
}

struct Compiler<'a> {
    world: &'a WorldConfig,
    builder: ProgramBuilder,
    /// Of the fields that are made.
    nodes: Vec<Option<Node>>,
    /// The last node of each field, in the order in which they were made.
    node_ends: Vec<(usize, usize)>,
}

impl Compiler<'_> {
    fn field(&mut self, index: usize, path: &FieldPath) -> Result<Node, ConfigError> {
        let world = self.world;
        let spacing_m = world.sample_spacing_m;
        let refuse = |error: ProgramError| refuse(path, &error);
        match &world.fields[index].source {
            FieldSource::Noise(noise) => {
                let params = noise_params(noise, world);
                self.builder.noise(&params).map_err(refuse)
            }
            FieldSource::Raster(config) => {
                let raster = raster(config, spacing_m).map_err(|(key, error)| {
                    ConfigError::new(path.clone().key(key), "what makes no raster", error)
                })?;
                self.builder.raster(&raster).map_err(refuse)
            }
            FieldSource::Operation(operation) => {
                let mut of = Vec::with_capacity(operation.of.len());
                for operand in &operation.of {
                    of.push(match operand {
                        Operand::Field(index) => self.made(*index),
                        Operand::Number(value) => self.builder.constant(*value).map_err(refuse)?,
                    });
                }
                let mut build = Build { builder: &mut self.builder, spacing_m };
                (operation.info.build)(&mut build, &of, &operation.settings).map_err(refuse)
            }
            FieldSource::Warp(warp) => self.warp(warp).map_err(refuse),
        }
    }

    fn warp(&mut self, warp: &WarpConfig) -> Result<Node, ProgramError> {
        let world = self.world;
        let strength = warp.strength_m / world.sample_spacing_m;
        let source = self.made(warp.of);
        let noise = |field: usize, axis: Option<u64>| {
            let noise = world.fields[field].noise().expect("the rules ask for a noise");
            let params = noise_params(noise, world);
            NoiseParams { seed: axis.map_or(params.seed, |axis| warp_seed(params.seed, axis)), ..params }
        };
        let by = match (warp.by, warp.order) {
            (WarpFields::Pair([x, z]), WarpOrder::Independent) => {
                let by = WarpBy { x: self.made(x), y: None, z: self.made(z) };
                return self.builder.warp(source, by, strength);
            }
            (WarpFields::Pair([x, z]), WarpOrder::Progressive) => {
                WarpNoise { x: noise(x, None), y: None, z: noise(z, None) }
            }
            (WarpFields::Noise(by), _) => WarpNoise { x: noise(by, Some(1)), y: None, z: noise(by, Some(3)) },
        };
        self.builder.warp_by_noise(source, &by, warp.order, strength)
    }

    fn made(&self, field: usize) -> Node {
        self.nodes[field].expect("operands are made first")
    }

    /// What only the whole program shows, at the field whose node it is; what is moved too far, at the warp that does.
    fn refuse_program(&self, error: &ProgramError) -> ConfigError {
        let fields = &self.world.fields;
        let path = |field: usize| FieldPath::of("fields").key(&fields[field].name);
        let of_node =
            |node: usize| self.node_ends.iter().find(|(end, _)| node <= *end).map(|(_, field)| *field);
        let Some(field) = error.node().and_then(of_node) else {
            return refuse(&FieldPath::of("fields"), error);
        };
        let name = &fields[field].name;
        let too_far = match error {
            ProgramError::MovedTooFar { octave, axis, cells, .. } => {
                let octave = octave + 1;
                format!("octave {octave} of {name} by {cells:.0} of its cells along {axis}, and may by 65536")
            }
            ProgramError::RasterMovedTooFar { axis, pixels, .. } => {
                format!("{name} by {pixels:.0} pixels along {axis}, and may by 65536")
            }
            ProgramError::Moved { axis, samples, .. } => {
                format!("{name} by {samples:.0} samples along {axis}, and may by 2^32")
            }
            ProgramError::NoSlopes { asked_by, .. } => {
                let found = format!("that the slope of {name} is needed, which has none");
                let expected = "a field that has slopes: neither cellular noise nor a slope has";
                return ConfigError::new(path(of_node(*asked_by).unwrap_or(field)), found, expected);
            }
            _ => return refuse(&path(field), error),
        };
        let Some((warp, strength_m)) = self.strongest_warp(field) else { return refuse(&path(field), error) };
        let expected = format!("a smaller one: it could move {too_far}");
        ConfigError::new(path(warp).key("strength_m"), strength_m.to_string(), expected)
    }

    /// The strongest of the warps that move a field, and its strength.
    fn strongest_warp(&self, moved: usize) -> Option<(usize, f64)> {
        let warps = self.world.fields.iter().enumerate().filter_map(|(index, field)| match &field.source {
            FieldSource::Warp(warp) if self.is_made_of(warp.of, moved) || index == moved => {
                Some((index, warp.strength_m))
            }
            _ => None,
        });
        warps.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }

    /// Whether a field is another one, or made of it.
    fn is_made_of(&self, field: usize, other: usize) -> bool {
        let mut seen = vec![false; self.world.fields.len()];
        let mut open = vec![field];
        while let Some(field) = open.pop() {
            if field == other {
                return true;
            }
            if !std::mem::replace(&mut seen[field], true) {
                let operands = self.world.fields[field].source.operands();
                open.extend(operands.into_iter().map(|(operand, ..)| operand));
            }
        }
        false
    }
}

/// An error of the program in the words of a world file; at a setting, where the error names one.
fn refuse(path: &FieldPath, error: &ProgramError) -> ConfigError {
    let (found, expected) = match error {
        ProgramError::Value { operation, name, value, expected } => {
            let path = match setting_of(operation, name) {
                Some(key) => path.clone().key(key),
                None => path.clone(),
            };
            return ConfigError::new(path, value.to_string(), format!("{name} {expected}"));
        }
        ProgramError::Noise(NoiseError::Period { octave, axis, cells }) => {
            let expected = format!(
                "a period of whole features in every octave: along {axis} octave {} would have {cells}",
                octave + 1
            );
            return ConfigError::new(path.clone().key("tile_m"), "such a period", expected);
        }
        ProgramError::Overflow { operands, .. } => (
            "values that could leave -1e30..1e30".to_owned(),
            format!(
                "what it is made of to be smaller (remap or clamp it): what it computes with lies in {operands}"
            ),
        ),
        ProgramError::TooLarge { what, count, limit, instead } => {
            (format!("{count} {what}"), format!("at most {limit}. {instead}"))
        }
        other => ("what makes no program".to_owned(), other.to_string()),
    };
    ConfigError::new(path.clone(), found, expected)
}

/// The key of a setting: programs name the same without its unit, or a part of it after its name.
fn setting_of(operation: &str, name: &str) -> Option<&'static str> {
    let word = name.split(' ').next().unwrap_or(name);
    if operation.ends_with("warp") {
        return (word == "strength").then_some("strength_m");
    }
    let settings = OperationInfo::find(operation)?.settings;
    settings.iter().map(|setting| setting.name).find(|key| key.strip_suffix("_m").unwrap_or(key) == word)
}

/// A noise with metres as samples.
fn noise_params(noise: &NoiseConfig, world: &WorldConfig) -> NoiseParams {
    let spacing_m = world.sample_spacing_m;
    let period = |tile_m: f64| Period {
        cells: (tile_m / noise.feature_m).round() as u32,
        samples: (tile_m / spacing_m).round() as u32,
    };
    NoiseParams {
        kind: noise.kind,
        seed: hash::field_seed(world.seed, noise.seed),
        frequency: noise.frequencies(spacing_m).next().expect("a noise has octaves"),
        fractal: noise.fractal,
        periods: match noise.tile_m {
            Some([x, z]) => [Some(period(x)), None, Some(period(z))],
            None => [None; 3],
        },
        ..NoiseParams::default()
    }
}

/// A raster with metres as samples, or the key that is wrong and why.
fn raster(config: &RasterConfig, spacing_m: f64) -> Result<Raster, (&'static str, String)> {
    let RasterConfig { image, pixel_m, offset_m, range: [low, high], filter, outside } = config;
    let origin =
        Position::from_metres(*offset_m, spacing_m).map_err(|error| ("offset_m", error.to_string()))?;
    let params = RasterParams {
        origin: [origin.x, origin.z],
        pixels_per_sample: pixel_m.map(|pixel_m| spacing_m / pixel_m),
        filter: *filter,
        outside: *outside,
        low: *low,
        high: *high,
    };
    Raster::new(image.samples.clone(), image.width, image.height, &params)
        .map_err(|error| ("raster", error.to_string()))
}
