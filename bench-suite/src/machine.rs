//! What the figures were measured on.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// `null` where the system does not say.
    pub(crate) cpu: Option<String>,
    /// That this process may use: fewer when pinned.
    pub(crate) cores: Option<usize>,
    pub(crate) os: &'static str,
    pub(crate) arch: &'static str,
    /// Which compiler made this binary.
    pub(crate) rustc: Option<&'static str>,
    /// Instruction sets of the build: those that the level `wide` and the peers may use everywhere.
    pub(crate) build_features: Vec<&'static str>,
}

impl Machine {
    pub(crate) fn detect() -> Self {
        Self {
            cpu: cpu(),
            cores: std::thread::available_parallelism().ok().map(usize::from),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            rustc: option_env!("TERRANE_BENCH_RUSTC"),
            build_features: build_features(),
        }
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("unknown processor");
        let cores = self.cores.map_or("?".to_owned(), |cores| cores.to_string());
        let features = self.build_features.join("+");
        // Without the commit, which JSON keeps.
        let rustc: Vec<_> = self.rustc.unwrap_or("unknown rustc").split_whitespace().take(2).collect();
        let rustc = rustc.join(" ");
        format!("{cpu}, {cores} cores, {} {}, {rustc}, built for {features}", self.os, self.arch)
    }
}

fn build_features() -> Vec<&'static str> {
    [
        ("sse2", cfg!(target_feature = "sse2")),
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ]
    .into_iter()
    .filter_map(|(name, built)| built.then_some(name))
    .collect()
}

fn cpu() -> Option<String> {
    let model = if cfg!(target_os = "linux") {
        let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        info.lines().find(|line| line.starts_with("model name"))?.split_once(':')?.1.to_owned()
    } else if cfg!(target_os = "macos") {
        let answer = std::process::Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output();
        String::from_utf8(answer.ok()?.stdout).ok()?
    } else {
        std::env::var("PROCESSOR_IDENTIFIER").ok()?
    };
    Some(model.trim().to_owned()).filter(|model| !model.is_empty())
}
