//! Which instructions kernels run on: detected once, or forced by name.

use std::fmt;
use std::str::FromStr;

use fearless_simd::Level;

/// A SIMD level that this machine has. It carries the proof, so that a kernel call cannot fail.
///
/// Every level gives the same bits. A level is found once, when a world is opened, and handed to each kernel call.
///
/// ```
/// use terrane_lanes::SimdLevel;
///
/// let level = SimdLevel::detect();
/// assert!(SimdLevel::available().any(|l| l == level));
/// assert_eq!("scalar".parse(), Ok(SimdLevel::SCALAR));
/// ```
#[derive(Clone, Copy)]
pub struct SimdLevel(pub(crate) Token);

/// One variant a level; the run-time ones hold `fearless_simd`'s proof token.
#[derive(Clone, Copy)]
pub(crate) enum Token {
    Scalar,
    Wide,
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Sse2(fearless_simd::Sse2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Sse42(fearless_simd::Sse4_2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::Avx2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512(fearless_simd::Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(fearless_simd::WasmSimd128),
}

/// Why a level cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimdLevelError {
    /// No level has this name.
    #[error("no SIMD level is called `{name}`; the names are {}", SimdLevel::NAMES.join(", "))]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// The level exists, but not on this processor or in this build.
    #[error("the SIMD level `{name}` is not available on this machine; available are {}", available_names())]
    Unavailable {
        /// The name that was given.
        name: String,
    },
}

fn available_names() -> String {
    let names: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
    names.join(", ")
}

impl SimdLevel {
    /// Plain f32, one sample at a time.
    pub const SCALAR: Self = Self(Token::Scalar);
    /// The `wide` crate: the instructions of the build's target features.
    pub const WIDE: Self = Self(Token::Wide);
    /// The names of all levels, on this machine or not.
    pub const NAMES: [&'static str; 8] =
        ["scalar", "wide", "sse2", "sse4.2", "avx2", "avx512", "neon", "simd128"];
    /// The environment variable that forces a level.
    pub const VARIABLE: &'static str = "TERRANE_SIMD";

    /// The levels that can be used here, in the order of [`NAMES`](Self::NAMES): the last has the widest lanes.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::NAMES.into_iter().filter_map(token).map(Self)
    }

    /// The level with the widest lanes of this machine. `wide` where no run-time level fits.
    #[must_use]
    pub fn detect() -> Self {
        Self::available().last().unwrap_or(Self::SCALAR)
    }

    /// The level that `TERRANE_SIMD` names, or the detected one when it is unset, empty or `auto`.
    ///
    /// # Errors
    /// When the variable names a level that does not exist or is not available: never a silent fallback.
    pub fn from_env() -> Result<Self, SimdLevelError> {
        match std::env::var_os(Self::VARIABLE) {
            None => Ok(Self::detect()),
            Some(name) => Self::from_choice(&name.to_string_lossy()),
        }
    }

    /// The level called `name`, or the detected one for `auto` and an empty text.
    ///
    /// # Errors
    /// When no such level exists, or this machine lacks it.
    pub fn from_choice(name: &str) -> Result<Self, SimdLevelError> {
        match name {
            "" | "auto" => Ok(Self::detect()),
            _ => name.parse(),
        }
    }

    /// The level's name, one of [`NAMES`](Self::NAMES).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Token::Scalar => "scalar",
            Token::Wide => "wide",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Sse2(_) => "sse2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Sse42(_) => "sse4.2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Avx2(_) => "avx2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Token::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Token::Neon(_) => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Token::Simd128(_) => "simd128",
        }
    }
}

/// The token of the level called `name`, if this machine has it.
fn token(name: &str) -> Option<Token> {
    let level = Level::new();
    // Levels of other architectures are not compiled in; `level` is then unused.
    let _ = level;
    match name {
        "scalar" => Some(Token::Scalar),
        "wide" => Some(Token::Wide),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "sse2" => level.as_sse2().map(Token::Sse2),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "sse4.2" => level.as_sse4_2().map(Token::Sse42),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "avx2" => level.as_avx2().map(Token::Avx2),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "avx512" => level.as_avx512().map(Token::Avx512),
        #[cfg(target_arch = "aarch64")]
        "neon" => level.as_neon().map(Token::Neon),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        "simd128" => level.as_wasm_simd128().map(Token::Simd128),
        _ => None,
    }
}

impl FromStr for SimdLevel {
    type Err = SimdLevelError;
    fn from_str(name: &str) -> Result<Self, SimdLevelError> {
        if !Self::NAMES.contains(&name) {
            return Err(SimdLevelError::Unknown { name: name.to_owned() });
        }
        token(name).map(Self).ok_or_else(|| SimdLevelError::Unavailable { name: name.to_owned() })
    }
}

impl PartialEq for SimdLevel {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}
impl Eq for SimdLevel {}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl fmt::Debug for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SimdLevel({})", self.name())
    }
}
