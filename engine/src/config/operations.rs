//! The operations that fields of a world file may be made by: one entry in one list.
//!
//! An entry says what an operation is called, what it takes and how it becomes a node of a program. World files, rules,
//! the world's hash and the docs read the list. docs/PROGRAMS.md defines what each operation gives.

use std::fmt;

use terrane_noise::{Curve, CurveKey, Node, ProgramBuilder, ProgramError};

use super::rules::{KEY, Rule, VALUE};

/// An operation on fields.
pub struct OperationInfo {
    /// Its stable id, part of a world's hash.
    pub id: u32,
    /// Its name in world files.
    pub name: &'static str,
    /// What it gives, in a few words.
    pub about: &'static str,
    /// What it takes.
    pub operands: Operands,
    /// What can be set; all of it must be.
    pub settings: &'static [OperationSetting],
    pub(crate) build: MakeNode,
}

/// What an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// Nothing.
    None,
    /// One field or number.
    One,
    /// Two, in that order.
    Two,
    /// Two or more.
    Many,
    /// Two, and a mask that mixes them.
    TwoAndMask,
}

/// A setting of an operation.
#[derive(Debug)]
pub struct OperationSetting {
    /// Its name in world files.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    pub(crate) shape: Shape,
}

/// What a setting is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    Number(Rule),
    /// Two numbers.
    Pair(Rule),
    /// Two or more pairs of numbers.
    Keys(Rule),
    /// x and z of a place on the ground, in metres.
    Place,
}

/// From operands and settings to a node.
type MakeNode = fn(&mut Build<'_>, &[Node], &[Vec<f64>]) -> Result<Node, ProgramError>;

/// What operations become nodes in.
pub(crate) struct Build<'a> {
    pub(crate) builder: &'a mut ProgramBuilder,
    pub(crate) spacing_m: f64,
}

const fn setting(name: &'static str, about: &'static str, shape: Shape) -> OperationSetting {
    OperationSetting { name, about, shape }
}

const BLEND: OperationSetting =
    setting("blend", "how near they meet softly", Shape::Number(Rule::Number(1e-20, 1e20)));

impl OperationInfo {
    /// Every operation of this release.
    pub const ALL: &[OperationInfo] = &[
        OperationInfo {
            id: 1,
            name: "add",
            about: "the sum",
            operands: Operands::Many,
            settings: &[],
            build: |to, of, _| fold(to, of, ProgramBuilder::add),
        },
        OperationInfo {
            id: 2,
            name: "subtract",
            about: "the first without the second",
            operands: Operands::Two,
            settings: &[],
            build: |to, of, _| to.builder.subtract(of[0], of[1]),
        },
        OperationInfo {
            id: 3,
            name: "multiply",
            about: "the product",
            operands: Operands::Many,
            settings: &[],
            build: |to, of, _| fold(to, of, ProgramBuilder::multiply),
        },
        OperationInfo {
            id: 4,
            name: "min",
            about: "the smallest",
            operands: Operands::Many,
            settings: &[],
            build: |to, of, _| fold(to, of, ProgramBuilder::min),
        },
        OperationInfo {
            id: 5,
            name: "max",
            about: "the largest",
            operands: Operands::Many,
            settings: &[],
            build: |to, of, _| fold(to, of, ProgramBuilder::max),
        },
        OperationInfo {
            id: 6,
            name: "smooth_min",
            about: "the smaller of two, without an edge where they meet",
            operands: Operands::Two,
            settings: &[BLEND],
            build: |to, of, set| to.builder.smooth_min(of[0], of[1], set[0][0]),
        },
        OperationInfo {
            id: 7,
            name: "smooth_max",
            about: "the larger of two, without an edge where they meet",
            operands: Operands::Two,
            settings: &[BLEND],
            build: |to, of, set| to.builder.smooth_max(of[0], of[1], set[0][0]),
        },
        OperationInfo {
            id: 8,
            name: "mix",
            about: "the first where the mask is 0, the second where it is 1, a mix between",
            operands: Operands::TwoAndMask,
            settings: &[],
            build: |to, of, _| to.builder.mix(of[0], of[1], of[2]),
        },
        OperationInfo {
            id: 9,
            name: "curve",
            about: "a value through a smooth line of keys",
            operands: Operands::One,
            settings: &[setting("keys", "[value, what it becomes], the values rising", Shape::Keys(KEY))],
            build: |to, of, set| to.builder.curve(of[0], &curve(&set[0])?),
        },
        OperationInfo {
            id: 10,
            name: "terrace",
            about: "flat steps with risers between",
            operands: Operands::One,
            settings: &[
                setting("steps", "how many in a unit of the value", Shape::Number(Rule::Number(1e-20, 1e20))),
                setting(
                    "sharpness",
                    "0 leaves the value, 1 gives level treads",
                    Shape::Number(Rule::Number(0.0, 1.0)),
                ),
            ],
            build: |to, of, set| to.builder.terrace(of[0], set[0][0], set[1][0]),
        },
        OperationInfo {
            id: 11,
            name: "remap",
            about: "the straight line from one range to another",
            operands: Operands::One,
            settings: &[
                setting("from", "two values", Shape::Pair(VALUE)),
                setting("to", "what they become", Shape::Pair(VALUE)),
            ],
            build: |to, of, set| to.builder.remap(of[0], pair(&set[0]), pair(&set[1])),
        },
        OperationInfo {
            id: 12,
            name: "clamp",
            about: "held within two values",
            operands: Operands::One,
            settings: &[
                setting("low", "the smallest value", Shape::Number(VALUE)),
                setting("high", "the largest value", Shape::Number(VALUE)),
            ],
            build: |to, of, set| to.builder.clamp(of[0], set[0][0], set[1][0]),
        },
        OperationInfo {
            id: 13,
            name: "abs",
            about: "without the sign",
            operands: Operands::One,
            settings: &[],
            build: |to, of, _| to.builder.abs(of[0]),
        },
        OperationInfo {
            id: 14,
            name: "power",
            about: "multiplied by itself",
            operands: Operands::One,
            settings: &[setting("exponent", "how often", Shape::Number(Rule::Whole(1, 8)))],
            build: |to, of, set| to.builder.power(of[0], set[0][0] as u32),
        },
        OperationInfo {
            id: 15,
            name: "slope",
            about: "how steep it is, in units of the field a metre",
            operands: Operands::One,
            settings: &[],
            build: |to, of, _| to.builder.slope(of[0], to.spacing_m),
        },
        OperationInfo {
            id: 16,
            name: "falloff",
            about: "1 near a place, 0 far from it",
            operands: Operands::None,
            settings: &[
                setting("center_m", "the place, [x, z] in metres", Shape::Place),
                setting("inner_m", "1 within so many metres", Shape::Number(Rule::Number(0.0, 1e16))),
                setting("outer_m", "0 beyond so many metres", Shape::Number(Rule::Number(0.0, 1e16))),
            ],
            build: |to, _, set| {
                let center = pair(&set[0]).map(|metres| (metres / to.spacing_m).round() as i64);
                to.builder.falloff(center, set[1][0] / to.spacing_m, set[2][0] / to.spacing_m)
            },
        },
    ];

    /// The operation of that name.
    ///
    /// ```
    /// use terrane::config::OperationInfo;
    /// assert_eq!(OperationInfo::find("smooth_min").unwrap().id, 6);
    /// assert!(OperationInfo::find("Add").is_none());
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<&'static OperationInfo> {
        Self::ALL.iter().find(|info| info.name == name)
    }
}

impl Operands {
    /// How many fields and numbers, the mask counted; `None`: two or more.
    pub(crate) fn count(self) -> Option<usize> {
        match self {
            Self::None => Some(0),
            Self::One => Some(1),
            Self::Two => Some(2),
            Self::TwoAndMask => Some(3),
            Self::Many => None,
        }
    }

    /// Where the mask stands among them, if there is one.
    pub(crate) fn mask_at(self) -> Option<usize> {
        (self == Self::TwoAndMask).then_some(2)
    }
}

impl fmt::Debug for OperationInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Operations are told apart by their ids.
impl PartialEq for OperationInfo {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

type OfTwo = fn(&mut ProgramBuilder, Node, Node) -> Result<Node, ProgramError>;

/// From the left: `(a + b) + c`.
fn fold(to: &mut Build<'_>, of: &[Node], apply: OfTwo) -> Result<Node, ProgramError> {
    of[1..].iter().try_fold(of[0], |sum, node| apply(to.builder, sum, *node))
}

fn pair(values: &[f64]) -> [f64; 2] {
    [values[0], values[1]]
}

/// A curve over a range just wider than its keys, so that it is flat at the outermost ones whatever they are.
fn curve(values: &[f64]) -> Result<Curve, ProgramError> {
    let keys: Vec<_> = values.chunks_exact(2).map(|key| CurveKey { at: key[0], to: key[1] }).collect();
    let (first, last) = (values[0] as f32, values[values.len() - 2] as f32);
    Curve::new(&keys, [first.next_down(), last.next_up()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_names_are_unique() {
        for (index, a) in OperationInfo::ALL.iter().enumerate() {
            for b in &OperationInfo::ALL[index + 1..] {
                assert_ne!(a.id, b.id);
                assert_ne!(a.name, b.name);
            }
        }
    }
}
