//! `terrane stream`: a world streamed around a moving viewer, as an engine would, and what a frame pays for it.
//!
//! - [`route`]: where the viewer is in a frame;
//! - [`host`]: what the run knows from the events that it is told;
//! - [`figures`]: what is measured, as a table and as JSON.
//!
//! Between the first frame and the last, nothing here allocates either: what is counted then is the stream's.

mod figures;
mod host;
mod route;

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use stats_alloc::Stats;
use terrane::{Budget, Flushed, StreamSettings, Streamer, SystemClock};

use crate::args::{StreamArgs, StreamPath};
use crate::error::Failure;
use crate::source::Source;
use crate::{source, whole_file};
use figures::{Allocations, Figures, Frames};
use host::Host;
use route::Route;

/// Between the starts of two frames.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);

pub(crate) fn run(args: &StreamArgs) -> Result<(), Failure> {
    if let Some(path) = &args.json {
        whole_file::check(path, args.force)?;
    }
    let Source { world, runtime, name } = source::open(&args.source)?;
    let settings = settings(args, runtime.stream);
    if args.explain_memory {
        let plan = Streamer::plan_memory(&world, &settings)?;
        say!("{}", plan.to_string().trim_end());
        return Ok(());
    }
    let route = Route::new(&world, args.path);
    if let Some(warning) = settings.coarse_steps(&world) {
        eprintln!("warning: {warning}");
    }
    let levels = settings.levels;
    let before = count();
    let stream = Streamer::open(world, settings, Arc::new(SystemClock::new()))?;
    let figures = Run::new(args, route, stream).go(before);
    if !args.quiet {
        say!("{}", figures.table(&name, levels, args).trim_end());
    }
    if let Some(path) = &args.json {
        whole_file::write(path, args.force, |file| writeln!(file, "{:#}", figures.json()))?;
    }
    Ok(())
}

/// The world file's settings, where the command line says nothing else.
fn settings(args: &StreamArgs, of_file: StreamSettings) -> StreamSettings {
    StreamSettings {
        levels: args.levels.unwrap_or(of_file.levels),
        threads: args.threads.map(usize::from).or(of_file.threads),
        bytes_max: args.bytes_max.or(of_file.bytes_max),
        ..of_file
    }
}

struct Run<'a> {
    args: &'a StreamArgs,
    route: Route,
    stream: Streamer,
    host: Host,
    frames: Frames,
}

impl<'a> Run<'a> {
    fn new(args: &'a StreamArgs, route: Route, stream: Streamer) -> Self {
        let host = Host::new(&stream, args.lockstep && !args.no_digest);
        let frames = Frames::new(args.budget_ms);
        Self { args, route, stream, host, frames }
    }

    /// `opening`: what was allocated before the stream was opened.
    fn go(mut self, opening: Stats) -> Figures {
        let mut allocations = Allocations::default();
        self.warm_up();
        allocations.warmup = since(opening);

        let begun = Instant::now();
        let before = count();
        let ready_before = self.host.ready;
        self.all_frames(begun);
        let seconds = begun.elapsed().as_secs_f64();
        let phase = match self.args.path {
            StreamPath::Stand | StreamPath::Edit => &mut allocations.steady,
            StreamPath::Walk | StreamPath::Fly => &mut allocations.moving,
            StreamPath::Teleport => &mut allocations.teleport,
        };
        *phase = since(before);
        let chunks_per_s = (self.host.ready - ready_before) as f64 / seconds;

        // The digest of a run without lockstep is that of what is drawn in the end.
        let Self { args, mut stream, mut host, frames, .. } = self;
        stream.flush(|event| host.take(&event));
        let digest = match (args.no_digest, args.lockstep) {
            (true, _) => None,
            (false, true) => Some(host.digest),
            (false, false) => {
                Some(stream.drawn().fold(0, |sum: u128, (chunk, _)| sum.wrapping_add(chunk.digest())))
            }
        };
        let (stats, memory) = (stream.stats(), stream.memory().clone());
        let before = count();
        drop(stream);
        allocations.shutdown = since(before);
        Figures { frames, seconds, chunks_per_s, allocations, stats, memory, digest, host }
    }

    /// Everything around the start, as behind a loading screen.
    fn warm_up(&mut self) {
        let Self { stream, host, route, .. } = self;
        stream.set_viewers(&[route.viewer(0)]).expect("one viewer");
        stream.flush(|event| host.take(&event));
        host.warmed_up();
    }

    fn all_frames(&mut self, begun: Instant) {
        let budget = Budget::of_ms(self.args.budget_ms);
        let show_progress = !self.args.quiet && std::io::stderr().is_terminal();
        for frame in 1..=self.args.frames {
            if !self.args.unpaced && !self.args.lockstep {
                let start = begun + FRAME * frame;
                std::thread::sleep(start.saturating_duration_since(Instant::now()));
            }
            self.frame(frame, budget);
            if show_progress && frame % 30 == 0 {
                // Written piece by piece: no allocation.
                let _ = write!(std::io::stderr(), "\rframe {frame} of {} ", self.args.frames);
            }
        }
        if show_progress {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    fn frame(&mut self, frame: u32, budget: Budget) {
        let Self { stream, host, route, frames, args } = self;
        let viewer = route.viewer(frame);
        let (wall, cpu) = (Instant::now(), ThreadTime::now());
        host.move_to(viewer.position, wall);
        stream.set_viewers(&[viewer]).expect("one viewer");
        if let Some(edit) = route.edit(frame) {
            // A frame that is out of room for edits goes without.
            host.edits_refused += u64::from(stream.edit(&edit).is_err());
        }
        if args.lockstep {
            let flushed = stream.flush(|event| host.take(&event));
            debug_assert_eq!(flushed, Flushed::Settled);
        } else {
            stream.poll(budget, |event| host.take(&event));
        }
        frames.record(wall.elapsed(), cpu.elapsed());
        host.look(wall);
        if args.unpaced && !args.lockstep && !stream.is_settled() {
            // Nothing else to do: wait for the workers as a loading screen would, not by spinning.
            stream.flush(|event| host.take(&event));
        }
    }
}

/// What the whole process has allocated so far.
fn count() -> Stats {
    crate::ALLOCATOR.stats()
}

/// Allocations since then.
fn since(before: Stats) -> u64 {
    let change = count() - before;
    (change.allocations + change.reallocations) as u64
}
