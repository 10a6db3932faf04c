//! The `terrane` command: make, look at and inspect procedural worlds.
//!
//! One file a command; `args` says what can be asked, `error` how a failure is shown. Exit codes: 0 done, 1 the
//! system said no (disk, threads), 2 the input is wrong, 130 interrupted.
#![forbid(unsafe_code)]

/// `println!` that takes a closed pipe (`terrane new --list | head -1`) for the reader's wish, not for a bug.
macro_rules! say {
    () => { $crate::print(b"\n") };
    ($($text:tt)+) => { $crate::print(format!("{}\n", format_args!($($text)+)).as_bytes()) };
}

mod args;
mod error;
mod fields;
mod generate;
mod inspect;
mod new;
mod noise;
mod picture;
mod progress;
mod simd;
mod source;
mod stream;
mod whole_file;

use std::process::ExitCode;

use args::{Args, Command};
use clap::{CommandFactory, Parser};

/// Counts what is allocated, for `terrane stream`: a few additions an allocation.
#[global_allocator]
static ALLOCATOR: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Generate(args) => generate::run(args),
        Command::New(args) => new::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Fields(args) => fields::run(&args),
        Command::Noise(args) => noise::run(&args),
        Command::Simd(args) => simd::run(&args),
        Command::Stream(args) => stream::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "terrane", &mut script);
            print(&script);
            Ok(())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Writes to standard output. A reader that has gone ends the command quietly, anything else with an error.
fn print(text: &[u8]) {
    use std::io::{ErrorKind, Write};
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text).and_then(|()| out.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        eprintln!("error: cannot write to standard output: {error}");
        std::process::exit(1);
    }
}
