//! The keys of a table `[fields.NAME]`, with the rule of each.
//!
//! Which keys a table may have depends on where its values come from: a kind of noise has its settings, an operation its
//! own. Those come from the lists of kinds and operations, the rest stands here.

use terrane_noise::{
    Filter, FractalShape, Kind, KindInfo, LACUNARITY_MAX, OCTAVES_MAX, Outside, RASTER_SIDE_MAX, SettingRule,
};

use super::operations::{Operands, OperationInfo, Shape};
use super::rules::{KEY, METRES, Rule};

/// A key of a table.
#[derive(Clone, Copy)]
pub(crate) struct FieldKey {
    pub(crate) name: &'static str,
    pub(crate) rule: Rule,
    /// What its parts are, where it is a list.
    parts: Parts,
}

#[derive(Clone, Copy)]
enum Parts {
    None,
    /// Of a list.
    Items(Rule),
    /// Of a list of pairs.
    Pairs(Rule),
}

/// Where the values of a table come from.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Noise(&'static KindInfo),
    Raster,
    Operation(&'static OperationInfo),
    Warp,
}

/// The keys of which a field has exactly one.
#[cfg(feature = "config")]
pub(crate) const SOURCES: [&str; 3] = ["noise", "raster", "op"];
/// `op` of a field that is moved; it is none of the operations on values.
pub(crate) const WARP: &str = "warp";
/// The orders of a warp's octaves; the first where nothing is said.
pub(crate) const ORDERS: [&str; 2] = ["independent", "progressive"];

/// The names of a list of tuples.
macro_rules! names {
    ($list:expr, $part:tt) => {{
        const NAMES: [&str; $list.len()] = {
            let mut names = [""; $list.len()];
            let mut i = 0;
            while i < names.len() {
                names[i] = $list[i].$part;
                i += 1;
            }
            names
        };
        Rule::Choice(&NAMES)
    }};
}
pub(crate) use names;

const OPERAND: Rule = Rule::Words("the name of a field, or a number");

const NOISE_KEYS: &[FieldKey] = &[
    key("noise", Rule::Words("a kind of noise")),
    key("feature_m", Rule::Above0(f64::MAX)),
    key("octaves", Rule::Whole(1, OCTAVES_MAX)),
    key("fractal", names!(FractalShape::ALL, 1)),
    key("lacunarity", Rule::Number(1.0, LACUNARITY_MAX)),
    key("persistence", Rule::Above0(1.0)),
    key("weighted_strength", Rule::Number(0.0, 1.0)),
    list("tile_m", Rule::Words("a pair of numbers of metres [x, z]"), Rule::Above0(f64::MAX)),
    key("seed", Rule::Words("a whole number or a text")),
];

const RASTER_KEYS: &[FieldKey] = &[
    key("raster", Rule::Words("the path of a gray picture: .png, or .r16 with its width")),
    key("width", Rule::Whole(1, RASTER_SIDE_MAX)),
    list("pixel_m", Rule::Words("a number of metres a pixel, or a pair [x, z]"), Rule::Above0(f64::MAX)),
    list("offset_m", Rule::Words("a pair of numbers of metres [x, z]"), METRES),
    list("range", Rule::Words("a pair of numbers [black, white]"), KEY),
    key("filter", names!(Filter::ALL, 1)),
    key("outside", names!(Outside::ALL, 0)),
    key("outside_value", KEY),
];

const OP: FieldKey = key("op", Rule::Words("an operation"));
const OF: FieldKey = list("of", Rule::Words("the name of a field, a number, or a list of them"), OPERAND);
const MASK: FieldKey = key("mask", OPERAND);

const WARP_KEYS: &[FieldKey] = &[
    OP,
    OF,
    list(
        "by",
        Rule::Words("the name of a field of noise, or a pair of names of fields [x, z]"),
        Rule::Words("the name of a field"),
    ),
    key("strength_m", METRES),
    key("order", Rule::Choice(&ORDERS)),
];

const fn key(name: &'static str, rule: Rule) -> FieldKey {
    FieldKey { name, rule, parts: Parts::None }
}

const fn list(name: &'static str, rule: Rule, items: Rule) -> FieldKey {
    FieldKey { name, rule, parts: Parts::Items(items) }
}

/// The keys of a table with that source, in the order of messages.
pub(crate) fn keys_of(source: Source) -> Vec<FieldKey> {
    match source {
        Source::Noise(kind) => {
            let settings = kind.settings.iter().map(|setting| match setting.rule {
                SettingRule::Number { min, max, .. } => key(setting.name, Rule::Number(min, max)),
                SettingRule::Choice(words) => key(setting.name, Rule::Choice(words)),
            });
            NOISE_KEYS.iter().copied().chain(settings).collect()
        }
        Source::Raster => RASTER_KEYS.to_vec(),
        Source::Warp => WARP_KEYS.to_vec(),
        Source::Operation(info) => {
            let mut keys = vec![OP];
            if info.operands != Operands::None {
                keys.push(OF);
            }
            if info.operands.mask_at().is_some() {
                keys.push(MASK);
            }
            keys.extend(info.settings.iter().map(|setting| match setting.shape {
                Shape::Number(rule) => key(setting.name, rule),
                Shape::Place => list(setting.name, Rule::Words("a pair of numbers of metres [x, z]"), METRES),
                Shape::Pair(rule) => list(setting.name, Rule::Words("a pair of numbers"), rule),
                Shape::Keys(rule) => FieldKey {
                    name: setting.name,
                    rule: Rule::Words("a list of at least 2 keys [value, what it becomes]"),
                    parts: Parts::Pairs(rule),
                },
            }));
            keys
        }
    }
}

/// Every source there is, with the line that makes it.
fn sources() -> impl Iterator<Item = (Source, String)> {
    let noise = Kind::ALL.iter().map(|info| (Source::Noise(info), format!("noise = {:?}", info.name)));
    let operations =
        OperationInfo::ALL.iter().map(|info| (Source::Operation(info), format!("op = {:?}", info.name)));
    let others = [(Source::Raster, "raster".to_owned()), (Source::Warp, format!("op = {WARP:?}"))];
    noise.chain(operations).chain(others)
}

/// The rule of a key of any table, with what follows it in a path: nothing, `[]` or `[][0]`.
pub(crate) fn rule_of(name: &str, rest: &str) -> Option<Rule> {
    let known = sources().flat_map(|(source, _)| keys_of(source)).find(|key| key.name == name)?;
    match (known.parts, rest) {
        (_, "") => Some(known.rule),
        (Parts::Items(rule), "[]") | (Parts::Pairs(rule), "[][0]" | "[][1]") => Some(rule),
        (Parts::Pairs(_), "[]") => Some(Rule::Words("a pair [value, what it becomes]")),
        _ => None,
    }
}

/// The line that a table must have for a key to be right, if there is one.
#[cfg(feature = "config")]
pub(crate) fn home_of(name: &str) -> Option<String> {
    let has_key = |source| keys_of(source).iter().any(|key| key.name == name);
    sources().find(|(source, _)| has_key(*source)).map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors find a rule by the name of its key alone.
    #[test]
    fn a_key_has_one_rule_wherever_it_stands() {
        let keys: Vec<_> = sources().flat_map(|(source, _)| keys_of(source)).collect();
        for key in &keys {
            let rule = rule_of(key.name, "").expect("listed");
            assert_eq!(rule.to_string(), key.rule.to_string(), "{}", key.name);
        }
        assert!(rule_of("octaves", "[]").is_none() && rule_of("wobble", "").is_none());
    }

    #[test]
    fn the_docs_have_every_key_and_word() {
        let docs = include_str!("../../../docs/WORLD_FILE.md");
        for key in sources().flat_map(|(source, _)| keys_of(source)) {
            assert!(docs.contains(&format!("`{}", key.name)), "docs/WORLD_FILE.md lacks {}", key.name);
            let Rule::Choice(words) = key.rule else { continue };
            for word in words {
                assert!(
                    docs.contains(&format!("{word:?}")),
                    "docs/WORLD_FILE.md lacks {word:?} of {}",
                    key.name
                );
            }
        }
    }

    #[test]
    fn what_moves_is_no_operation_on_values() {
        assert!(OperationInfo::find(WARP).is_none());
    }
}
