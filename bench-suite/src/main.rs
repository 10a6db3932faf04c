//! The `terrane-bench` command: our noise at every SIMD level against what people use today.
//!
//! `compare` starts this binary again for each figure (`run`), since some libraries run at half speed after other
//! work in the same process. Exit codes: 0 done, 1 the system said no or an answer is wrong, 2 the input is wrong.
#![forbid(unsafe_code)]

mod args;
mod bars;
mod chart;
mod compare;
mod error;
mod external;
mod machine;
mod output;
mod path;
mod plan;
mod process;
mod report;
mod results;
mod run;
mod table;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Compare(args) => compare::run(args),
        Command::Run(args) => run::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit_code()
        }
    }
}
