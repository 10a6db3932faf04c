//! The kinds of noise: one file each, and one line in one list.
//!
//! From the list come the enum, names, stable ids and settings for world files, compiled octaves and their dispatch.
//! Tests, benches, pictures and help texts iterate [`Kind::ALL`].

mod cellular;
mod classic;
mod constant;
mod perlin;
mod simplex;
mod smoothness;
#[cfg(test)]
mod smoothness_proof;
mod value;
mod white;

pub(crate) use cellular::CellularScratch;
pub use cellular::{Cellular, Distance, Returns};
pub use classic::{PerlinClassic, PermutationTable};
pub use constant::Constant;
pub use perlin::Perlin;
pub use simplex::Simplex;
pub(crate) use smoothness::Smoothness;
pub use value::Value;
pub use white::White;

use terrane_lanes::SimdLevel;

use crate::kernel::job::Job;
use crate::kernel::pointwise::Sample;
use crate::octave::OctavePlan;
use crate::params::NoiseError;
use crate::scratch::OctaveScratch;

/// What every kind states about itself, and how its octaves are made.
pub(crate) trait KindParams: Sized {
    const INFO: KindInfo;
    type Octave: Octave;
    /// The kind with these settings, in the order of `INFO.settings`, each already within its rule.
    fn from_settings(settings: &[SettingValue]) -> Self;
    /// The settings, in that order.
    fn settings(&self) -> Vec<SettingValue>;
    fn octave(&self, plan: &OctavePlan) -> Self::Octave;
    /// How far values can change from place to place. Without a rule, as far as they reach.
    fn smoothness(&self, three: bool) -> Smoothness {
        let _ = three;
        Smoothness::UNKNOWN
    }
    /// False where the seed changes nothing.
    fn has_seed(&self) -> bool {
        true
    }
}

/// A compiled octave of a kind.
pub(crate) trait Octave: Sample {
    /// True when the kind has a grid kernel for samples `stride` apart.
    fn coherent(&self, stride: u32) -> bool;
    /// Prepares an axis (0 x, 1 y, 2 z) for a strip, a band or a slice.
    fn prepare(&self, level: SimdLevel, part: AxisPart, coherent: bool, slopes: bool, to: &mut OctaveScratch);
    /// Fills the job's samples.
    fn run(&self, job: &mut Job<'_, '_>);
}

/// Samples of one axis (0 x, 1 y, 2 z): the first, their distance, and how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisPart {
    pub(crate) axis: usize,
    pub(crate) first: i64,
    pub(crate) stride: u32,
    pub(crate) n: usize,
}

/// What a kind is called and what can be set.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// Its stable id, part of a world's hash.
    pub id: u32,
    /// Its name in world files.
    pub name: &'static str,
    /// What it looks like, in a few words.
    pub about: &'static str,
    /// What can be set beside seed, frequency and fractal.
    pub settings: &'static [Setting],
    /// No octave with values in -1..=1 rises faster along an axis, a cell, in 2D and in 3D; `None` without derivatives. The
    /// fade rises by at most 15/8 a cell, and what it mixes differs by at most the sizes of both sides: docs/PROGRAMS.md.
    pub slope_max: Option<[f64; 2]>,
    /// Whether it can repeat.
    pub tiles: bool,
    /// False where it is the same everywhere, whatever its features' size.
    pub has_features: bool,
}

/// One setting of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Its name in world files.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Which values are right.
    pub rule: SettingRule,
}

/// Which values of a setting are right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingRule {
    /// A number from `min` to `max`.
    Number {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Where nothing is said.
        default: f64,
    },
    /// One of some words; the first where nothing is said. Their ids are their places in the list, and stable.
    Choice(&'static [&'static str]),
}

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingValue {
    /// A number.
    Number(f64),
    /// The place of a word in its list.
    Choice(usize),
}

impl Setting {
    /// The value where nothing is said.
    #[must_use]
    pub fn default_value(&self) -> SettingValue {
        match self.rule {
            SettingRule::Number { default, .. } => SettingValue::Number(default),
            SettingRule::Choice(_) => SettingValue::Choice(0),
        }
    }

    fn check(&self, value: SettingValue) -> Result<(), NoiseError> {
        let found = match value {
            SettingValue::Number(number) => number,
            SettingValue::Choice(i) => i as f64,
        };
        let (right, expected) = match (self.rule, value) {
            (SettingRule::Number { min, max, .. }, SettingValue::Number(_)) => {
                ((min..=max).contains(&found), format!("from {min} to {max}"))
            }
            (SettingRule::Number { min, max, .. }, _) => (false, format!("a number from {min} to {max}")),
            (SettingRule::Choice(words), SettingValue::Choice(i)) => {
                (i < words.len(), format!("the place of one of {}", words.join(", ")))
            }
            (SettingRule::Choice(words), _) => (false, format!("one of {}", words.join(", "))),
        };
        if right { Ok(()) } else { Err(NoiseError::Value { name: self.name, value: found, expected }) }
    }
}

macro_rules! noise_kinds {
    ($($kind:ident),+ $(,)?) => {
        /// A kind of noise with its settings. Made from the kind's own type: `Kind::from(Perlin)`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Kind {
            $(
                #[doc = concat!("See [`", stringify!($kind), "`].")]
                $kind($kind),
            )+
        }

        $(
            impl From<$kind> for Kind {
                fn from(kind: $kind) -> Self {
                    Self::$kind(kind)
                }
            }
        )+

        impl Kind {
            /// What there is to know of every kind of this release.
            pub const ALL: &[KindInfo] = &[$(<$kind as KindParams>::INFO),+];

            /// What there is to know of this kind.
            ///
            /// ```
            /// use terrane_noise::{Kind, Perlin};
            /// assert_eq!((Kind::from(Perlin).info().id, Kind::from(Perlin).info().name), (1, "perlin"));
            /// ```
            #[must_use]
            pub const fn info(&self) -> KindInfo {
                match self { $(Self::$kind(_) => <$kind as KindParams>::INFO),+ }
            }

            /// The settings, in the order of the info.
            #[must_use]
            pub fn settings(&self) -> Vec<SettingValue> {
                match self { $(Self::$kind(kind) => kind.settings()),+ }
            }

            /// False where the seed changes nothing: one number everywhere, Ken Perlin's own permutation table.
            #[must_use]
            pub fn has_seed(&self) -> bool {
                match self { $(Self::$kind(kind) => kind.has_seed()),+ }
            }

            /// How far values can change from place to place.
            pub(crate) fn smoothness(&self, three: bool) -> Smoothness {
                match self { $(Self::$kind(kind) => kind.smoothness(three)),+ }
            }

            fn from_checked(name: &str, settings: &[SettingValue]) -> Option<Self> {
                $(
                    if name == <$kind as KindParams>::INFO.name {
                        return Some(Self::$kind($kind::from_settings(settings)));
                    }
                )+
                None
            }
        }

        /// The octaves of a noise, compiled.
        #[derive(Clone, Debug)]
        pub(crate) enum Octaves {
            $($kind(Vec<<$kind as KindParams>::Octave>),)+
        }

        impl Octaves {
            pub(crate) fn new(kind: &Kind, plans: &[OctavePlan]) -> Self {
                match kind {
                    $(Kind::$kind(kind) => Self::$kind(plans.iter().map(|plan| kind.octave(plan)).collect()),)+
                }
            }

            pub(crate) fn len(&self) -> usize {
                match self { $(Self::$kind(octaves) => octaves.len()),+ }
            }

            pub(crate) fn coherent(&self, k: usize, stride: u32) -> bool {
                match self { $(Self::$kind(octaves) => octaves[k].coherent(stride)),+ }
            }

            pub(crate) fn prepare(
                &self,
                k: usize,
                level: SimdLevel,
                part: AxisPart,
                coherent: bool,
                slopes: bool,
                to: &mut OctaveScratch,
            ) {
                match self {
                    $(Self::$kind(octaves) => octaves[k].prepare(level, part, coherent, slopes, to)),+
                }
            }

            pub(crate) fn run(&self, job: &mut Job<'_, '_>) {
                match self { $(Self::$kind(octaves) => octaves[job.k].run(job)),+ }
            }
        }
    };
}

noise_kinds! { Perlin, PerlinClassic, Value, Simplex, Cellular, White, Constant }

impl Kind {
    /// The kind of that name with these settings; what is not given has its default. `None` for an unknown name.
    ///
    /// # Errors
    /// When a setting is out of range or the kind has none of that name.
    ///
    /// ```
    /// use terrane_noise::{Kind, Simplex};
    /// assert_eq!(Kind::from_name("simplex", &[]).unwrap().unwrap(), Simplex.into());
    /// assert!(Kind::from_name("Simplex", &[]).is_none());
    /// ```
    #[must_use]
    pub fn from_name(name: &str, settings: &[(&str, SettingValue)]) -> Option<Result<Self, NoiseError>> {
        let info = Self::ALL.iter().find(|info| info.name == name)?;
        Some(
            info.values(settings)
                .map(|values| Self::from_checked(name, &values).expect("a name of the list")),
        )
    }

    pub(crate) fn check(&self) -> Result<(), NoiseError> {
        let settings = self.info().settings;
        settings.iter().zip(self.settings()).try_for_each(|(setting, value)| setting.check(value))
    }
}

impl KindInfo {
    fn values(&self, given: &[(&str, SettingValue)]) -> Result<Vec<SettingValue>, NoiseError> {
        self.settings
            .iter()
            .map(|setting| {
                let value = given.iter().find(|(name, _)| *name == setting.name);
                let value = value.map_or_else(|| setting.default_value(), |(_, value)| *value);
                setting.check(value).map(|()| value)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_names_are_unique() {
        for (index, a) in Kind::ALL.iter().enumerate() {
            for b in &Kind::ALL[index + 1..] {
                assert_ne!(a.id, b.id);
                assert_ne!(a.name, b.name);
            }
        }
    }

    #[test]
    fn every_kind_is_made_by_its_name_and_tells_its_settings() {
        for info in Kind::ALL {
            let kind = Kind::from_name(info.name, &[]).expect("listed").expect("defaults are right");
            assert_eq!(kind.info().id, info.id);
            let defaults: Vec<_> = info.settings.iter().map(Setting::default_value).collect();
            assert_eq!(kind.settings(), defaults);
            assert_eq!(kind.check(), Ok(()));
        }
    }
}
