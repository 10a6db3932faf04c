//! Notes which compiler makes the binary: a figure without it cannot be repeated.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    if let Ok(answer) = Command::new(rustc).arg("--version").output() {
        println!("cargo::rustc-env=TERRANE_BENCH_RUSTC={}", String::from_utf8_lossy(&answer.stdout).trim());
    }
}
