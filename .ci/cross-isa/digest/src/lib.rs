//! Hashes of everything a runtime-only build makes, one line a case and level: `case | level | hash`.
//!
//! Lists of the libraries are walked (kinds with their settings, operations, filters), so what is added there is covered.
use std::fmt::{Display, Write};

use terrane_noise::{Grid, Scratch, SimdLevel};

mod noise;
mod programs;
mod world;

pub struct Fnv(pub u64);
impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
    pub fn bytes(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    pub fn f32s(&mut self, v: &[f32]) {
        for v in v {
            self.bytes(&v.to_bits().to_le_bytes());
        }
    }
    /// The sign of a slope that is 0 is not defined.
    pub fn slopes(&mut self, v: &[f32]) {
        for v in v {
            self.f32s(&[v + 0.0]);
        }
    }
    pub fn line(&self, out: &mut String, case: impl Display, level: impl Display) {
        writeln!(out, "{case} | {level} | {:016x}", self.0).unwrap();
    }
}

pub fn report() -> String {
    let mut out = String::new();
    let names: Vec<_> = SimdLevel::available().map(SimdLevel::name).collect();
    writeln!(
        out,
        "# levels {} detect {} pointer bits {} from_env {:?}",
        names.join(","),
        SimdLevel::detect(),
        usize::BITS,
        SimdLevel::from_env()
    )
    .unwrap();
    noise::report(&mut out);
    programs::report(&mut out);
    world::report(&mut out);
    out
}

/// For hosts without a console: the report's address; its length by `report_len`.
static REPORT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
#[unsafe(no_mangle)]
pub extern "C" fn report_at() -> *const u8 {
    REPORT.get_or_init(report).as_ptr()
}
#[unsafe(no_mangle)]
pub extern "C" fn report_len() -> usize {
    REPORT.get_or_init(report).len()
}

/// Fills a 67 x 67 tile of six octaves `count` times at level number `level`.
#[unsafe(no_mangle)]
pub extern "C" fn speed(level: usize, count: u32) -> f32 {
    let Some(level) = SimdLevel::available().nth(level) else { return f32::NAN };
    let fbm = noise::perlin(7, 1.0 / 200.0, 6, 2.0, 0.5);
    let (mut tile, mut scratch, mut sum) = (vec![0.0; 67 * 80], Scratch::new(), 0.0);
    for i in 0..count {
        fbm.fill(
            level,
            &Grid { x: i64::from(i) * 64, z: 0, width: 67, height: 67, stride: 1 },
            &mut tile,
            80,
            &mut scratch,
        );
        sum += tile[17];
    }
    sum
}

/// Must panic (trap): the samples of this grid do not fit a 32-bit usize, and there is no room for them.
#[unsafe(no_mangle)]
pub extern "C" fn too_large() {
    let fbm = noise::perlin(7, 1.0 / 200.0, 6, 2.0, 0.5);
    let grid = Grid { x: 0, z: 0, width: 65_536, height: 65_536, stride: 1 };
    fbm.fill(SimdLevel::detect(), &grid, &mut [], grid.width, &mut Scratch::new());
}
