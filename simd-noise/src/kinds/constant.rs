//! One number everywhere: for tests, and to switch a field off.

use terrane_lanes::{Lanes, SimdLevel};

use super::{AxisPart, KindInfo, KindParams, Octave, Setting, SettingRule, SettingValue, Smoothness};
use crate::kernel::job::Job;
use crate::kernel::pointwise::{self, At, Sample, on_the_square_lattice};
use crate::octave::{OctavePlan, Square};
use crate::scratch::OctaveScratch;

/// A constant.
///
/// ```
/// use terrane_noise::{Constant, Noise, NoiseParams};
/// let noise = Noise::new(&NoiseParams { kind: Constant { value: 0.25 }.into(), ..NoiseParams::default() })?;
/// assert!((noise.at(3.into(), 4.into()) - 0.25).abs() < 1e-5);
/// # Ok::<(), terrane_noise::NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Constant {
    /// -1 ..= 1.
    pub value: f64,
}

/// One octave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantOctave {
    square: Square,
    value: f32,
}

impl KindParams for Constant {
    const INFO: KindInfo = KindInfo {
        id: 7,
        name: "constant",
        about: "one number everywhere",
        settings: &[Setting {
            name: "value",
            about: "the number",
            rule: SettingRule::Number { min: -1.0, max: 1.0, default: 0.0 },
        }],
        slope_max: Some([0.0, 0.0]),
        tiles: true,
        has_features: false,
    };
    type Octave = ConstantOctave;

    fn from_settings(settings: &[SettingValue]) -> Self {
        let SettingValue::Number(value) = settings[0] else { unreachable!("checked by its rule") };
        Self { value }
    }

    fn settings(&self) -> Vec<SettingValue> {
        vec![SettingValue::Number(self.value)]
    }

    fn has_seed(&self) -> bool {
        false
    }

    fn smoothness(&self, three: bool) -> Smoothness {
        let _ = three;
        Smoothness::CONSTANT
    }

    fn octave(&self, plan: &OctavePlan) -> ConstantOctave {
        ConstantOctave { square: Square::new(plan), value: (self.value * plan.share + 0.0) as f32 }
    }
}

impl Octave for ConstantOctave {
    fn coherent(&self, _: u32) -> bool {
        false
    }

    fn prepare(&self, _: SimdLevel, _: AxisPart, _: bool, _: bool, _: &mut OctaveScratch) {}

    fn run(&self, job: &mut Job<'_, '_>) {
        pointwise::run(self, job);
    }
}

impl Sample for ConstantOctave {
    const SLOPES: bool = false;
    on_the_square_lattice!();

    #[inline(always)]
    fn value<L: Lanes, const THREE: bool>(&self, l: L, _: &At<L>) -> L::F {
        l.splat(self.value)
    }
}
