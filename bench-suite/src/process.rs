//! Starts a process and waits for what it says.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Looking costs the measured process next to nothing at this distance.
const TICK: Duration = Duration::from_millis(5);
/// A process may need this long to start and check its answer ..
const START_S: f64 = 30.0;
/// .. and this many times the seconds that it was asked to measure.
const TIMES: f64 = 20.0;

/// How long a process that was asked to measure for `seconds` is waited for.
pub(crate) fn patience_s(seconds: f64) -> f64 {
    START_S + TIMES * seconds
}

/// Runs `command` to its end; `None` if it was ended after `patience_s`.
pub(crate) fn run(command: &mut Command, patience_s: f64) -> std::io::Result<Option<Ended>> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let Some(status) = wait(&mut child, start, patience_s)? else { return Ok(None) };
    let text = |thread: JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Some(Ended { status, stdout: text(stdout), stderr: text(stderr) }))
}

fn wait(child: &mut Child, start: Instant, patience_s: f64) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed().as_secs_f64() > patience_s {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(TICK);
    }
}

/// More than this a process that prints a number need not say.
const TEXT_BYTES_MAX: u64 = 1 << 20;

/// Reads beside the waiting, so that a full pipe never holds the process up.
fn read(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What came before an error is all there is to show.
            drop(pipe.by_ref().take(TEXT_BYTES_MAX).read_to_end(&mut bytes));
            drop(std::io::copy(&mut pipe, &mut std::io::sink()));
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The number that a measuring process printed, if it is one that can be a rate.
pub(crate) fn rate(stdout: &str) -> Option<f64> {
    stdout.trim().parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0)
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn a_process_that_hangs_is_ended() {
        let start = std::time::Instant::now();
        let ended = super::run(std::process::Command::new("sleep").arg("60"), 0.05);
        assert!(matches!(ended, Ok(None)));
        assert!(start.elapsed().as_secs() < 30);
    }

    #[test]
    fn a_rate_is_a_positive_number() {
        assert_eq!(super::rate(" 183.5\n"), Some(183.5));
        for text in ["", "fast", "0", "-1", "inf", "NaN", "1 2"] {
            assert_eq!(super::rate(text), None, "{text:?}");
        }
    }
}
