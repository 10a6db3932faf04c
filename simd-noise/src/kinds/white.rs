//! White noise: a number in each cell of a square lattice, the same all over the cell.
//!
//! At one cell a sample every sample is its own number.

use terrane_lanes::{Lanes, SimdLevel};

use super::{AxisPart, KindInfo, KindParams, Octave, SettingValue};
use crate::axis::Need;
use crate::kernel::hashing::{corner, fold, number};
use crate::kernel::job::Job;
use crate::kernel::pointwise::{self, At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::scratch::OctaveScratch;

/// White noise.
///
/// ```
/// use terrane_noise::{Noise, NoiseParams, White};
/// let noise = Noise::new(&NoiseParams { kind: White.into(), frequency: 1.0, ..NoiseParams::default() })?;
/// assert_ne!(noise.at(3.into(), 4.into()), noise.at(4.into(), 4.into()));
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct White;

/// One octave: numbers in -amplitude ..= amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WhiteOctave {
    square: Square,
    amplitude: f32,
}

impl KindParams for White {
    const INFO: KindInfo = KindInfo {
        id: 6,
        name: "white",
        about: "static: a number a cell",
        settings: &[],
        slope_max: Some([0.0, 0.0]),
        tiles: true,
        has_features: true,
    };
    type Octave = WhiteOctave;

    fn from_settings(_: &[SettingValue]) -> Self {
        Self
    }

    fn settings(&self) -> Vec<SettingValue> {
        Vec::new()
    }

    fn octave(&self, plan: &OctavePlan) -> WhiteOctave {
        WhiteOctave { square: Square::new(plan), amplitude: plan.share as f32 }
    }
}

impl Octave for WhiteOctave {
    fn coherent(&self, _: u32) -> bool {
        false
    }

    fn prepare(&self, level: SimdLevel, part: AxisPart, _: bool, _: bool, to: &mut OctaveScratch) {
        self.square.prepare(level, part, Need::Places, to);
    }

    fn run(&self, job: &mut Job<'_, '_>) {
        pointwise::run(self, job);
    }
}

impl Sample for WhiteOctave {
    const SLOPES: bool = false;
    on_the_square_lattice!();

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, [x, y, z]: &At<L>) -> L::F {
        let s = &self.square;
        let ((kx, wx, _), (ky, wy, _), (kz, wz, _)) = (s.line(0), s.line(1), s.line(2));
        let mut half = (x.cell * l.splat_u(kx) + l.splat_u(wx)) ^ (z.cell * l.splat_u(kz) + l.splat_u(wz));
        if THREE {
            half = half ^ (y.cell * l.splat_u(ky) + l.splat_u(wy));
        }
        number(l, corner(l, fold::<L>(half)), self.amplitude * (1.0 / 8_388_608.0), self.amplitude)
    }
}
