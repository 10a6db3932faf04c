//! `terrane generate`: a region of a world into files.

use std::sync::Arc;

use terrane::export::{COLLIDERS, FORMATS, Format, MeshOptions, OutputDir, Region};
use terrane::{Batch, GenerateError, Job, Monitor, Report, World};

use crate::args::{GenerateArgs, MeshKind};
use crate::error::Failure;
use crate::progress::Progress;
use crate::source::{self, Source};

/// Chunks a side that are made where no region is named.
const DEFAULT_SIDE: i64 = 8;
/// A finite world up to this many chunks a side is made whole.
const WHOLE_SIDE: i64 = 32;
/// How far adaptive meshes may be from the grid where nothing is said: a step that a person does not see.
const ADAPTIVE_ERROR_M: f64 = 0.1;

pub(crate) fn run(args: GenerateArgs) -> Result<(), Failure> {
    let Source { world, runtime, name } = source::open(&args.source)?;
    let mut formats = args.formats.clone();
    if formats.is_empty() {
        formats = FORMATS.iter().collect();
    }
    formats.extend(&args.collider);
    // A format that is named twice is written once.
    let mut seen = Vec::new();
    formats.retain(|format| {
        !seen.contains(&format.id) && {
            seen.push(format.id);
            true
        }
    });
    let mesh = mesh_options(&args, &formats)?;
    let job = Job {
        region: args.region.unwrap_or_else(|| default_region(&world)),
        formats,
        mesh,
        // A file's 0 wants no workers beside the one that waits for them: the nearest is one.
        threads: args.threads.map(usize::from).or(runtime.stream.threads).map(|threads| threads.max(1)),
        world_name: name,
    };
    let name = job.world_name.clone();
    let batch = Batch::new(&world, job)?;
    let out = OutputDir::create(&args.out, args.force).map_err(GenerateError::from)?;
    let monitor = Arc::new(Monitor::default());
    stop_on_interrupt(&monitor);
    let progress = (!args.quiet).then(|| Progress::start(Arc::clone(&monitor), batch.chunks()));
    let report = batch.run(out, &monitor);
    drop(progress);
    let report = report?;
    if !args.quiet {
        print(&report, &name, &args.out.display().to_string());
    }
    Ok(())
}

/// What meshes and colliders are made of. An option that nothing would use is a mistake, and is told.
fn mesh_options(args: &GenerateArgs, formats: &[&'static Format]) -> Result<MeshOptions, Failure> {
    let is_adaptive = args.mesh == MeshKind::Adaptive;
    if let (Some(error_m), false) = (args.error, is_adaptive) {
        let usage = format!("--error {error_m} is for adaptive meshes: add --mesh adaptive, or leave it out");
        return Err(Failure::Usage(usage));
    }
    let unused = match args.lod {
        0 => is_adaptive.then(|| "--mesh adaptive".to_owned()),
        lod => Some(format!("--lod {lod}")),
    };
    let has_mesh = formats.iter().any(|format| format.needs_mesh);
    if let (Some(option), false) = (unused, has_mesh) {
        let usage = format!("{option} is for world.glb: add glb to --formats, or leave it out");
        return Err(Failure::Usage(usage));
    }
    let has_colliders = formats.iter().any(|format| COLLIDERS.iter().any(|other| other.id == format.id));
    if let (Some(error_m), false) = (args.collider_error, has_colliders) {
        let usage = format!("--collider-error {error_m} is for colliders: add --collider, or leave it out");
        return Err(Failure::Usage(usage));
    }
    Ok(MeshOptions {
        lod_max: args.lod,
        adaptive_error_m: is_adaptive.then(|| args.error.unwrap_or(ADAPTIVE_ERROR_M)),
        collider_error_m: args.collider_error.unwrap_or(0.0),
    })
}

/// The first Ctrl-C (or SIGTERM) asks the run to stop and clean up, the second ends the process.
fn stop_on_interrupt(monitor: &Arc<Monitor>) {
    let monitor = Arc::clone(monitor);
    let mut asked = false;
    let on_interrupt = move || {
        if asked {
            std::process::exit(130);
        }
        asked = true;
        monitor.cancel();
    };
    // Without a handler an interrupt still ends the run; it then leaves its temporary files.
    drop(ctrlc::set_handler(on_interrupt));
}

/// The region of a world where none is named.
pub(crate) fn default_region(world: &World) -> Region {
    let Some((min, max)) = world.chunk_extent(0) else {
        return Region { x0: 0, z0: 0, x1: DEFAULT_SIDE, z1: DEFAULT_SIDE };
    };
    let side = |axis: usize| {
        let (first, end) = (min[axis], max[axis]);
        if end - first <= WHOLE_SIDE {
            return (first, end);
        }
        let start = first + (end - first - WHOLE_SIDE) / 2;
        (start, start + WHOLE_SIDE)
    };
    let ((x0, x1), (z0, z1)) = (side(0), side(1));
    Region { x0, z0, x1, z1 }
}

fn print(report: &Report, name: &str, out: &str) {
    let [x0, z0, x1, z1] = report.region;
    say!(
        "{name}, seed {}: {} chunks ({x0},{z0},{x1},{z1}), {} samples",
        report.seed,
        report.chunks,
        report.samples
    );
    say!(
        "{:.2} s: {:.0} chunks/s, {:.1} Msamples/s, {} on {} threads",
        report.seconds,
        report.chunks_per_s,
        report.msamples_per_s,
        report.simd_level,
        report.threads
    );
    say!(
        "heights {} to {} m, digest {}, world {}",
        report.heights_m[0],
        report.heights_m[1],
        report.height_digest,
        report.world_hash
    );
    say!();
    let total: f64 = report.stages.iter().map(|stage| stage.seconds).sum();
    say!("{:<20} {:>10} {:>6}", "stage", "seconds", "share");
    for stage in &report.stages {
        say!("{:<20} {:>10.4} {:>5.1}%", stage.name, stage.seconds, 100.0 * stage.seconds / total.max(1e-12));
    }
    say!();
    if !report.levels.is_empty() {
        say!("{:<20} {:>10} {:>12} {:>14} {:>12}", "level", "chunks", "triangles", "error m", "bound m");
        for level in &report.levels {
            let (exact_m, bound_m) = (level.error_exact_m, level.error_bound_m);
            let (chunks, triangles) = (level.chunks, level.triangles);
            say!("{:<20} {chunks:>10} {triangles:>12} {exact_m:>14.4} {bound_m:>12.4}", level.level);
        }
        say!();
    }
    say!("{:<20} {:>14}", format!("files in {out}"), "bytes");
    for file in &report.files {
        say!("{:<20} {:>14}", file.name, file.bytes);
    }
}
