//! What can be asked of the command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args as ClapArgs, Parser, Subcommand};
use terrane::export::{COLLIDERS, FORMATS, Format, MeshOptions, Region};
use terrane::noise::FractalShape;

/// Procedural worlds: seed and world file in; heights, pictures and meshes out, the same bytes on every machine.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build a region of a world and write heights, pictures, a mesh and a report.
    #[command(after_help = "Examples:\n  \
        terrane generate                                  a built-in world, 8 x 8 chunks, into out/\n  \
        terrane generate my.toml --out maps --force       a world file of your own\n  \
        terrane generate --preset alien --seed \"red moon\" another world of the same kind\n  \
        terrane generate my.toml --region -2,-2,2,2       the chunks around the origin\n  \
        terrane generate --formats preview,heights-r16    only what you need\n  \
        terrane generate --lod 3 --formats glb            world.glb with levels 0 to 3\n  \
        terrane generate --mesh adaptive --error 0.25     as few triangles as a quarter of a metre allows\n  \
        terrane generate --collider jolt,godot            height fields for these engines, exact\n  \
        terrane generate --collider rapier --collider-error 0.05")]
    Generate(GenerateArgs),
    /// Write a commented world file to start from.
    #[command(after_help = "Examples:\n  \
        terrane new                        world.toml from the default preset\n  \
        terrane new --preset island a.toml another preset, another name\n  \
        terrane new --list                 the presets")]
    New(NewArgs),
    /// Height, normal, slope and fields at one place.
    #[command(after_help = "Examples:\n  \
        terrane inspect my.toml --at 120.5,-40\n  \
        terrane inspect my.toml --at-sample 1099511627776,0\n  \
        terrane inspect --preset hills --at 0,0 --json")]
    Inspect(InspectArgs),
    /// The named fields of a world: what they are made of, where their values can lie, and pictures.
    #[command(after_help = "Examples:\n  \
        terrane fields my.toml                            a line a field, with its guaranteed bounds\n  \
        terrane fields my.toml --pictures maps            maps/height.png, maps/humidity.png, ...\n  \
        terrane fields my.toml --program                  the instructions that make them\n  \
        terrane fields --list                             the operations and their settings")]
    Fields(FieldsArgs),
    /// A picture of a kind of noise: what a field of a world file is made of.
    #[command(after_help = "Examples:\n  \
        terrane noise --list                                      the kinds and their settings\n  \
        terrane noise simplex --octaves 5 --shape ridged          simplex.png\n  \
        terrane noise cellular --set returns=f2-f1 --out cracks.png\n  \
        terrane noise --all --out docs/noise --force              a sheet of every kind")]
    Noise(NoiseArgs),
    /// The SIMD level that this machine gets, and those that can be forced.
    #[command(after_help = "Examples:\n  \
        terrane simd\n  \
        TERRANE_SIMD=scalar terrane generate   force a level (or --simd scalar)")]
    Simd(SimdArgs),
    /// Stream a world around a moving viewer, as an engine would, and tell what a frame pays for it.
    #[command(after_help = "Examples:\n  \
        terrane stream --path fly                          ten seconds at 60 frames a second, 2 ms a frame\n  \
        terrane stream my.toml --path walk --frames 3600   a minute on foot\n  \
        terrane stream --path teleport --json stream.json  figures for a script\n  \
        terrane stream --path fly --lockstep --threads 0   the digest that every number of threads gives\n  \
        terrane stream --levels 8 --explain-memory         what it would take, and nothing else")]
    Stream(StreamArgs),
    /// Completions for your shell.
    #[command(after_help = "Example:\n  terrane completions bash > /etc/bash_completion.d/terrane")]
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

/// Which world.
#[derive(Debug, ClapArgs)]
pub(crate) struct SourceArgs {
    /// A world file. Without one, a preset.
    #[arg(value_name = "WORLD", conflicts_with = "preset")]
    pub(crate) world: Option<PathBuf>,
    /// A built-in world instead of a file.
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// Another seed: a whole number, 0x.., or any text.
    #[arg(long, value_name = "SEED", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// Force a SIMD level (see `terrane simd`); the result is the same [default: TERRANE_SIMD, or the fastest].
    #[arg(long, value_name = "LEVEL")]
    pub(crate) simd: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Chunks X0,Z0,X1,Z1, half-open [default: 0,0,8,8; a finite world whole, up to 32 x 32 around its middle].
    #[arg(long, value_name = "X0,Z0,X1,Z1", allow_hyphen_values = true, value_parser = parse_region)]
    pub(crate) region: Option<Region>,
    /// The folder to write to; made if it is missing.
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub(crate) out: PathBuf,
    /// What to write, separated by commas [default: all].
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = parse_format, long_help = formats_help())]
    pub(crate) formats: Vec<&'static Format>,
    /// The coarsest level of detail in world.glb, beside all finer ones; the region must be whole chunks of it, 2^N
    /// wide.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=i64::from(MeshOptions::LOD_MAX)))]
    pub(crate) lod: u8,
    /// The triangles of world.glb.
    #[arg(long, value_enum, default_value = "grid")]
    pub(crate) mesh: MeshKind,
    /// How far adaptive meshes may be from the grid of their level, in metres [default: 0.1].
    #[arg(long, value_name = "METRES", allow_hyphen_values = true, value_parser = parse_error)]
    pub(crate) error: Option<f64>,
    /// Colliders of level 0 for these physics engines, separated by commas.
    #[arg(long, value_name = "ENGINES", value_delimiter = ',', value_parser = parse_collider, long_help = colliders_help())]
    pub(crate) collider: Vec<&'static Format>,
    /// How far colliders may be from the ground, in metres; 0: they equal it [default: 0].
    #[arg(long, value_name = "METRES", allow_hyphen_values = true, value_parser = parse_error)]
    pub(crate) collider_error: Option<f64>,
    /// Worker threads [default: the world file's, or as many as the machine has].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Overwrite files that are there.
    #[arg(long)]
    pub(crate) force: bool,
    /// No progress and no table; errors only.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What triangles a mesh has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MeshKind {
    /// Two a cell.
    Grid,
    /// As few as `--error` allows; every border vertex stays, so chunks fit each other.
    Adaptive,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct NewArgs {
    /// The file to write.
    #[arg(default_value = "world.toml")]
    pub(crate) file: PathBuf,
    /// Which preset to start from.
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// List the presets instead.
    #[arg(long)]
    pub(crate) list: bool,
    /// Overwrite a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Where, in metres.
    #[arg(long, value_name = "X,Z", allow_hyphen_values = true, value_parser = parse_pair::<f64>)]
    pub(crate) at: Option<[f64; 2]>,
    /// Where, as a sample: exact at any distance.
    #[arg(long, value_name = "IX,IZ", allow_hyphen_values = true, value_parser = parse_pair::<i64>, conflicts_with = "at", required_unless_present = "at")]
    pub(crate) at_sample: Option<[i64; 2]>,
    /// As JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FieldsArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// A gray picture of every field, its contrast stretched, into this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) pictures: Option<PathBuf>,
    /// Chunks X0,Z0,X1,Z1 of the pictures, half-open [default: as `terrane generate`].
    #[arg(long, value_name = "X0,Z0,X1,Z1", allow_hyphen_values = true, value_parser = parse_region, requires = "pictures")]
    pub(crate) region: Option<Region>,
    /// Overwrite pictures that are there.
    #[arg(long, requires = "pictures")]
    pub(crate) force: bool,
    /// The program that makes the fields, an instruction a line, instead.
    #[arg(long, conflicts_with_all = ["pictures", "json"])]
    pub(crate) program: bool,
    /// What fields of world files can be made of, instead.
    #[arg(long, conflicts_with_all = ["pictures", "json", "program"])]
    pub(crate) list: bool,
    /// As JSON.
    #[arg(long, conflicts_with = "pictures")]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct NoiseArgs {
    /// Which kind; `--list` shows them.
    #[arg(default_value = "perlin")]
    pub(crate) kind: String,
    /// List the kinds and their settings instead.
    #[arg(long)]
    pub(crate) list: bool,
    /// A sheet of every kind, into the folder `--out`.
    #[arg(long, conflicts_with_all = ["set", "sheet", "three_d"])]
    pub(crate) all: bool,
    /// Four panels: one octave in the plane, a slice through space, five octaves, and the spectrum.
    #[arg(long)]
    pub(crate) sheet: bool,
    /// A setting of the kind.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// What octaves give to the sum.
    #[arg(long, default_value = "fbm", value_parser = FractalShape::ALL.map(|(_, name, _)| name))]
    pub(crate) shape: String,
    /// How many octaves.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) octaves: u32,
    /// Size of the largest features, in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 32.0)]
    pub(crate) feature: f64,
    /// A slice through noise in three dimensions.
    #[arg(long)]
    pub(crate) three_d: bool,
    /// A whole number, 0x.., or any text.
    #[arg(long, default_value = "1", allow_hyphen_values = true)]
    pub(crate) seed: String,
    /// Pixels along each side of a panel.
    #[arg(long, default_value_t = 256, value_parser = parse_size)]
    pub(crate) size: usize,
    /// The file to write, or the folder for `--all` [default: KIND.png, noise/].
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite files that are there.
    #[arg(long)]
    pub(crate) force: bool,
}

fn parse_size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size) if (16..=8192).contains(&size) => Ok(size),
        _ => Err("it must be a whole number of pixels from 16 to 8192".to_owned()),
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SimdArgs {
    /// As JSON: {"detected": .., "available": [..]}.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where the viewer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StreamPath {
    /// Nowhere.
    Stand,
    /// A quarter of a chunk a second.
    Walk,
    /// Eight chunks a second.
    Fly,
    /// Somewhere else every second.
    Teleport,
    /// Nowhere, and the ground around is changed four times a second.
    Edit,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StreamArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Where the viewer goes.
    #[arg(long, value_enum, default_value = "walk")]
    pub(crate) path: StreamPath,
    /// How many frames, after everything around the start is drawn.
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) frames: u32,
    /// How long a frame may spend on the stream, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 2.0, value_parser = parse_budget)]
    pub(crate) budget_ms: f64,
    /// Worker threads; 0: the frames themselves build [default: the world file's, or one fewer than the machine has].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(crate) threads: Option<u16>,
    /// Levels of detail: each doubles how far the view reaches [default: the world file's, or 6].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) levels: Option<u8>,
    /// Every frame waits until all that is wanted is drawn; the digest is of all chunks that were delivered.
    #[arg(long)]
    pub(crate) lockstep: bool,
    /// One frame after the other, without waiting for the next sixtieth of a second.
    #[arg(long)]
    pub(crate) unpaced: bool,
    /// No digest of the chunks: for figures of speed.
    #[arg(long)]
    pub(crate) no_digest: bool,
    /// The most memory, in bytes [default: the world file's, or as much as the settings need].
    #[arg(long, value_name = "BYTES")]
    pub(crate) bytes_max: Option<u64>,
    /// A table of the memory that the stream sets aside, and nothing else.
    #[arg(long)]
    pub(crate) explain_memory: bool,
    /// Write the figures to FILE as JSON.
    #[arg(long, value_name = "FILE", conflicts_with = "explain_memory")]
    pub(crate) json: Option<PathBuf>,
    /// Overwrite a file that is there.
    #[arg(long, requires = "json")]
    pub(crate) force: bool,
    /// No progress and no table.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

fn parse_budget(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ms) if (0.0..=10_000.0).contains(&ms) => Ok(ms),
        _ => Err("it must be a number of milliseconds from 0 to 10000".to_owned()),
    }
}

fn formats_help() -> String {
    let mut help = "What to write, separated by commas [default: all]\n".to_owned();
    for format in FORMATS {
        help += &format!("\n- {}: {} ({})", format.id, format.about, format.files.join(", "));
    }
    help
}

fn parse_format(id: &str) -> Result<&'static Format, String> {
    terrane::export::find(id).ok_or_else(|| {
        let ids: Vec<_> = FORMATS.iter().map(|format| format.id).collect();
        format!("the formats are {}", ids.join(", "))
    })
}

/// What a format of colliders is called behind `--collider`.
fn engine(format: &Format) -> &'static str {
    format.id.strip_prefix("collider-").unwrap_or(format.id)
}

fn colliders_help() -> String {
    let mut help = "Colliders of level 0 for these physics engines, separated by commas\n".to_owned();
    for format in COLLIDERS {
        help += &format!("\n- {}: {} ({})", engine(format), format.about, format.files.join(", "));
    }
    help
}

fn parse_collider(name: &str) -> Result<&'static Format, String> {
    COLLIDERS.iter().find(|format| engine(format) == name).ok_or_else(|| {
        let names: Vec<_> = COLLIDERS.iter().map(engine).collect();
        format!("the engines are {}", names.join(", "))
    })
}

fn parse_error(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(metres) if (0.0..f64::INFINITY).contains(&metres) => Ok(metres),
        _ => Err("it must be a number of metres, 0 or more".to_owned()),
    }
}

fn parse_numbers<T: FromStr, const N: usize>(text: &str, form: &str) -> Result<[T; N], String> {
    let numbers: Option<Vec<T>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers: Option<[T; N]> = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or_else(|| format!("it must be {N} numbers separated by commas, like {form}"))
}

fn parse_pair<T: FromStr>(text: &str) -> Result<[T; 2], String> {
    parse_numbers(text, "120,-40")
}

fn parse_region(text: &str) -> Result<Region, String> {
    let [x0, z0, x1, z1] = parse_numbers(text, "-2,-2,2,2")?;
    Ok(Region { x0, z0, x1, z1 })
}
