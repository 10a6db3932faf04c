//! Progress of a job: a bar with rate and remaining time on a terminal, plain lines when piped.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use terrane::Monitor;

/// Shows a monitor's progress until it is dropped.
pub(crate) struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

const TICK: Duration = Duration::from_millis(100);
/// Between plain lines.
const LINE: Duration = Duration::from_secs(5);

impl Progress {
    pub(crate) fn start(monitor: Arc<Monitor>, chunks: u64) -> Self {
        let (stop, stopped) = channel();
        let tick = move |show: &mut dyn FnMut(u64)| {
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                show(monitor.chunks_done());
            }
        };
        let thread = std::thread::spawn(move || {
            if std::io::stderr().is_terminal() {
                let bar = bar(chunks);
                tick(&mut |done| bar.set_position(done));
                bar.finish_and_clear();
            } else {
                let (start, mut lines) = (Instant::now(), 1);
                tick(&mut |done| {
                    if start.elapsed() > LINE * lines {
                        eprintln!("{}", line(done, chunks, start.elapsed()));
                        lines += 1;
                    }
                });
            }
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A bar that panicked is no reason to lose the result.
            drop(thread.join());
        }
    }
}

fn bar(chunks: u64) -> ProgressBar {
    let style = "{elapsed:>4} [{bar:40}] {human_pos}/{human_len} chunks, {rate} a second, {eta} left";
    let bar = ProgressBar::new(chunks);
    if let Ok(style) = ProgressStyle::with_template(style) {
        let rate = |state: &ProgressState, to: &mut dyn std::fmt::Write| {
            // A line that cannot be shown is no reason to fail.
            let _ = write!(to, "{:.0}", state.per_sec());
        };
        bar.set_style(style.progress_chars("=> ").with_key("rate", rate));
    }
    bar
}

fn line(done: u64, chunks: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64();
    let left_s = (chunks - done) as f64 / rate.max(1e-9);
    let left = if done == 0 { "unknown time".to_owned() } else { format!("{left_s:.0} s") };
    format!("{done} of {chunks} chunks, {rate:.0} a second, {left} left")
}
