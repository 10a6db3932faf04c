//! What a run measures, as a table for people and as JSON for scripts.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use terrane::{Histogram, MemoryPlan, StreamStats};

use crate::args::StreamArgs;
use crate::stream::host::Host;

/// Longest frame that is told apart.
const STALL_MAX_US: u64 = 10_000_000;

/// Frames by the time that the stream took of them.
pub(crate) struct Frames {
    budget: Duration,
    stall_us: Histogram,
    over_cpu: u64,
    over_wall: u64,
}

impl Frames {
    pub(crate) fn new(budget_ms: f64) -> Self {
        let budget = Duration::from_secs_f64(budget_ms / 1e3);
        Self { budget, stall_us: Histogram::new(STALL_MAX_US), over_cpu: 0, over_wall: 0 }
    }

    pub(crate) fn record(&mut self, wall: Duration, cpu: Duration) {
        self.stall_us.record(wall.as_micros() as u64);
        self.over_wall += u64::from(wall > self.budget);
        self.over_cpu += u64::from(cpu > self.budget);
    }
}

/// How often the process allocated, by phase.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allocations {
    pub(crate) warmup: u64,
    pub(crate) steady: u64,
    pub(crate) moving: u64,
    pub(crate) teleport: u64,
    pub(crate) shutdown: u64,
}

pub(crate) struct Figures {
    pub(crate) frames: Frames,
    pub(crate) seconds: f64,
    pub(crate) chunks_per_s: f64,
    pub(crate) allocations: Allocations,
    pub(crate) stats: StreamStats,
    pub(crate) memory: MemoryPlan,
    /// `None`: not asked for.
    pub(crate) digest: Option<u128>,
    pub(crate) host: Host,
}

impl Figures {
    pub(crate) fn json(&self) -> Value {
        let Self { frames, stats, allocations, .. } = self;
        let stall = |p| frames.stall_us.percentile(p);
        json!({
            "frames": frames.stall_us.count(),
            "frames_over_budget_cpu": frames.over_cpu,
            "frames_over_budget_wall": frames.over_wall,
            "stall_us_p50": stall(50.0),
            "stall_us_p99": stall(99.0),
            "stall_us_p999": stall(99.9),
            "stall_us_max": frames.stall_us.max(),
            "chunks_ready": stats.ready,
            "chunks_per_s": self.chunks_per_s,
            "swaps": stats.swaps,
            "allocations": {
                "warmup": allocations.warmup,
                "steady": allocations.steady,
                "move": allocations.moving,
                "teleport": allocations.teleport,
                "shutdown": allocations.shutdown,
            },
            "bytes_peak": stats.bytes_peak,
            "bytes_cap": self.memory.bytes,
            "recomputes": stats.jobs.recomputes,
            "cancelled": stats.jobs.cancelled,
            "failed": stats.failed,
            "digest": self.digest.map(|digest| format!("{digest:032x}")),
        })
    }

    pub(crate) fn table(&self, world: &str, levels: u8, args: &StreamArgs) -> String {
        let Self { frames, stats, allocations, host, .. } = self;
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<28}{value}");
        };
        let (count, stall) = (frames.stall_us.count(), |p| frames.stall_us.percentile(p));
        let path = format!("{:?}", args.path).to_lowercase();
        let levels = format!("{levels} level{}", if levels == 1 { "" } else { "s" });
        line("world", format!("{world}, {path}, {levels}"));
        line(
            "frames",
            format!("{count} in {:.2} s, {} ms each for the stream", self.seconds, args.budget_ms),
        );
        line("over budget", format!("{} by CPU time, {} by wall time", frames.over_cpu, frames.over_wall));
        let stalls = [50.0, 99.0, 99.9].map(stall);
        let [p50, p99, p999] = stalls;
        line("stall", format!("p50 {p50}, p99 {p99}, p99.9 {p999}, max {} us", frames.stall_us.max()));
        line(
            "chunks",
            format!("{} ready, {} drawn, {:.0} a second", stats.ready, stats.drawn, self.chunks_per_s),
        );
        let times = stats.job_times;
        line("time of a chunk", format!("p50 {}, p99 {} us", times.p50_ns / 1000, times.p99_ns / 1000));
        line("swaps", stats.swaps.to_string());
        line("nearest ring drawn after", waits(&host.waits_us));
        let Allocations { warmup, steady, moving, teleport, shutdown } = allocations;
        let phases = format!(
            "{warmup} warm-up, {steady} steady, {moving} move, {teleport} teleport, {shutdown} shutdown"
        );
        line("allocations", phases);
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        line("memory", format!("peak {:.1} MiB of {:.1} MiB", mib(stats.bytes_peak), mib(self.memory.bytes)));
        let (recomputes, cancelled) = (stats.jobs.recomputes, stats.jobs.cancelled);
        line("jobs", format!("{cancelled} cancelled, {recomputes} done twice, {} failed", stats.failed));
        if host.edits_refused > 0 {
            line("edits refused", format!("{}: no room for more of them at a time", host.edits_refused));
        }
        if let Some(digest) = self.digest {
            line("digest", format!("{digest:032x}"));
        }
        text += &histogram(&frames.stall_us);
        for failure in &host.failures {
            let _ = writeln!(text, "failed: {failure}");
        }
        text
    }
}

/// Between the frame in which the viewer entered a chunk and the one in which the ring around it was drawn.
fn waits(waits_us: &[u64]) -> String {
    let mut sorted = waits_us.to_vec();
    sorted.sort_unstable();
    let ms = |us: u64| us as f64 / 1e3;
    match (sorted.get(sorted.len() / 2), sorted.last()) {
        (Some(median), Some(max)) => {
            format!("p50 {:.1}, max {:.1} ms, {} times", ms(*median), ms(*max), sorted.len())
        }
        _ => "the viewer entered no chunk that was not drawn".to_owned(),
    }
}

/// Frames by their stall, in powers of two.
fn histogram(stall_us: &Histogram) -> String {
    const WIDTH: u64 = 48;
    let mut text = String::new();
    let count = stall_us.count().max(1);
    let mut below = 0;
    for exponent in 0..24 {
        let end = 1u64 << exponent;
        let until = stall_us.count_below(end);
        let frames = until - below;
        below = until;
        if frames > 0 {
            let bar = "#".repeat((frames * WIDTH).div_ceil(count) as usize);
            let _ = writeln!(text, "  below {end:>8} us {frames:>8} {bar}");
        }
        if below == stall_us.count() {
            break;
        }
    }
    text
}
