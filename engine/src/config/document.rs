//! A parsed TOML document with its text: finds the place of a value by its path, and words a value as it stands.
//!
//! In: text. Out: the tree, places, errors with places. Every span of an error comes from here, also for keys that
//! are missing (then it is the table they are missing from).

use super::field_file::Refused;
use super::rules::{self, KEYS};
use super::suggest::{did_you_mean, nearest};
use super::{ConfigError, FieldPath, PathSegment, WorldFileError, WorldFileErrorKind};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Longest quotation of the file in an error, in characters.
const QUOTE_MAX: usize = 60;

pub(crate) struct Document<'t> {
    file: &'t str,
    text: &'t str,
    tree: Spanned<DeTable<'t>>,
}

/// A value found by its path; the top of the file has no value of its own.
struct Spot<'d, 't> {
    key: Option<Range<usize>>,
    value: &'d Spanned<DeValue<'t>>,
}

impl<'t> Document<'t> {
    pub(crate) fn parse(file: &'t str, text: &'t str) -> Result<Document<'t>, WorldFileError> {
        match DeTable::parse(text) {
            Ok(tree) => Ok(Document { file, text, tree }),
            Err(error) => Err(syntax_error(file, text, &error)),
        }
    }

    /// The tree, to deserialize from.
    pub(crate) fn tree(&self) -> Spanned<DeTable<'t>> {
        self.tree.clone()
    }

    /// The value of a whole number at the top of the file, where there is one.
    pub(crate) fn top_level_integer(&self, key: &'static str) -> Option<i128> {
        let spot = self.spot(&FieldPath::of(key))?;
        let integer = spot.value.get_ref().as_integer()?;
        i128::from_str_radix(integer.as_str(), integer.radix()).ok()
    }

    /// A rule of the data model is broken: the same error, with the value as it stands in the file.
    pub(crate) fn refuse(&self, kind: WorldFileErrorKind, error: ConfigError) -> WorldFileError {
        let path = error.path();
        let (span, found) = match self.spot(path) {
            // A table's text is long and says little; the rule's own words for it are better.
            Some(spot) if spot.value.get_ref().is_table() => {
                let span = spot.key.unwrap_or(spot.value.span());
                (span, error.found().to_owned())
            }
            Some(spot) => (spot.value.span(), self.describe(spot.value)),
            None => (self.nearest_span(path), format!("{} by default", error.found())),
        };
        let what = ConfigError::new(path.clone(), found, error.expected());
        WorldFileError::at(kind, self.file, self.text, span, what)
    }

    /// An error of a field's table, by its kind.
    pub(crate) fn place(&self, refused: Refused) -> WorldFileError {
        let Refused { kind, error } = refused;
        let path = error.path();
        let span = match kind {
            WorldFileErrorKind::UnknownKey => self.spot(path).and_then(|spot| spot.key),
            WorldFileErrorKind::WrongType => self.spot(path).map(|spot| spot.value.span()),
            WorldFileErrorKind::MissingKey => None,
            kind => return self.refuse(kind, error),
        };
        let found = match (kind, self.spot(path)) {
            (WorldFileErrorKind::WrongType, Some(spot)) => self.describe(spot.value),
            _ => error.found().to_owned(),
        };
        let what = ConfigError::new(path.clone(), found, error.expected());
        WorldFileError::at(kind, self.file, self.text, span.unwrap_or_else(|| self.nearest_span(path)), what)
    }

    /// A key that must be there is not.
    pub(crate) fn missing(&self, path: FieldPath) -> WorldFileError {
        let span = self.nearest_span(&path);
        let what = rules::refuse(path, "nothing");
        WorldFileError::at(WorldFileErrorKind::MissingKey, self.file, self.text, span, what)
    }

    /// A value of the wrong type. `span` is the parser's own, used when the path leads nowhere.
    pub(crate) fn wrong_type(&self, path: FieldPath, span: Option<Range<usize>>) -> WorldFileError {
        let (span, found) = match self.spot(&path) {
            Some(spot) => (spot.value.span(), self.describe(spot.value)),
            None => (span.unwrap_or_else(|| self.nearest_span(&path)), "something else".to_owned()),
        };
        let what = rules::refuse(path, found);
        WorldFileError::at(WorldFileErrorKind::WrongType, self.file, self.text, span, what)
    }

    /// Checks that tables are tables and that every key is known, all the way down.
    ///
    /// serde alone would take a list for a struct, field by field.
    pub(crate) fn check_shape(&self) -> Result<(), WorldFileError> {
        self.check_table(self.tree.get_ref(), &FieldPath::default())
    }

    fn check_table(&self, table: &DeTable<'t>, path: &FieldPath) -> Result<(), WorldFileError> {
        for (key, value) in table {
            let path = path.clone().key(key.get_ref().as_ref());
            if rules::rule_of(&path).is_none() {
                return Err(self.unknown_key(path, key.span()));
            }
            self.check_value(value, path)?;
        }
        Ok(())
    }

    fn check_value(&self, value: &Spanned<DeValue<'t>>, path: FieldPath) -> Result<(), WorldFileError> {
        let pattern = path.pattern();
        let is_table_key = !known_keys(&path).is_empty() || pattern == "fields" || pattern == "fields.*";
        match value.get_ref() {
            // What such a table may hold depends on its source.
            DeValue::Table(_) if pattern == "fields.*" => Ok(()),
            DeValue::Table(table) if is_table_key => self.check_table(table, &path),
            _ if is_table_key => Err(self.wrong_type(path, None)),
            DeValue::Array(values) => values.iter().enumerate().try_for_each(|(index, value)| {
                let path = path.clone().index(index);
                match rules::rule_of(&path) {
                    Some(_) => self.check_value(value, path),
                    // A list that should be none, or one value too many: types and lengths are checked later.
                    None => Ok(()),
                }
            }),
            _ => Ok(()),
        }
    }

    fn unknown_key(&self, path: FieldPath, span: Range<usize>) -> WorldFileError {
        let key = match path.segments().last() {
            Some(PathSegment::Key(key)) => key.as_str(),
            _ => "",
        };
        let known = known_keys(&path.parent());
        let mut expected = match known.as_slice() {
            [only] => (*only).to_owned(),
            _ => format!("one of {}", known.join(", ")),
        };
        expected = match (nearest(key, known.iter().copied()), home_of(key)) {
            // The usual slip: a key written below a [table] header belongs to that table.
            (None, Some(home)) => format!("{expected}; {key} belongs {home}"),
            (near, _) => did_you_mean(expected, near),
        };
        let what = ConfigError::new(path, "an unknown key", expected);
        WorldFileError::at(WorldFileErrorKind::UnknownKey, self.file, self.text, span, what)
    }

    fn spot(&self, path: &FieldPath) -> Option<Spot<'_, 't>> {
        let mut segments = path.segments().iter();
        let mut table = Some(self.tree.get_ref());
        let mut spot: Option<Spot<'_, 't>> = None;
        for segment in &mut segments {
            spot = Some(match segment {
                PathSegment::Key(name) => {
                    let (key, value) = table?.get_key_value(name.as_str())?;
                    Spot { key: Some(key.span()), value }
                }
                PathSegment::Index(index) => {
                    let value = spot?.value;
                    match value.get_ref().as_array() {
                        Some(values) => Spot { key: None, value: values.get(*index)? },
                        // One value where there could be a list.
                        None if value.get_ref().as_table().is_none() => Spot { key: None, value },
                        None => return None,
                    }
                }
            });
            table = spot.as_ref().and_then(|spot| spot.value.get_ref().as_table());
        }
        spot
    }

    /// The span of the innermost part of the path that is in the file; the file's start if none is.
    fn nearest_span(&self, path: &FieldPath) -> Range<usize> {
        let mut path = path.clone();
        while !path.segments().is_empty() {
            if let Some(spot) = self.spot(&path) {
                return spot.value.span();
            }
            path = path.parent();
        }
        0..0
    }

    fn describe(&self, value: &Spanned<DeValue<'t>>) -> String {
        let quoted = self.text.get(value.span()).unwrap_or("");
        match value.get_ref() {
            DeValue::Table(_) => "a table".to_owned(),
            // Several [[tables]]: the span is the first one's heading.
            DeValue::Array(values) if values.len() > 1 && is_header(quoted) => {
                format!("{} tables {}", values.len(), quote(quoted))
            }
            DeValue::Array(values) if quoted.contains('\n') || quoted.len() > QUOTE_MAX => {
                format!("a list of {}", values.len())
            }
            _ => quote(quoted),
        }
    }
}

/// True for `[[table]]`: a list of several lists has a comma.
fn is_header(text: &str) -> bool {
    text.starts_with("[[") && !text.contains(',')
}

/// A piece of the file on one line.
fn quote(text: &str) -> String {
    let mut quoted: String = text.chars().take(QUOTE_MAX).flat_map(one_line).collect();
    if text.chars().nth(QUOTE_MAX).is_some() {
        quoted.push('…');
    }
    quoted
}

/// Control characters escaped, so that a file cannot write to a terminal; the rest as it is.
fn one_line(letter: char) -> Vec<char> {
    if letter.is_control() { letter.escape_default().collect() } else { vec![letter] }
}

/// The keys of a table, in the order of the list.
fn known_keys(table: &FieldPath) -> Vec<&'static str> {
    let parent = table.pattern();
    let child_of = |pattern: &'static str| match pattern.rsplit_once('.') {
        Some((above, key)) => (above == parent).then_some(key),
        None => parent.is_empty().then_some(pattern),
    };
    KEYS.iter()
        .filter_map(|(pattern, _)| child_of(pattern))
        .filter(|key| !key.ends_with(']') && *key != "*")
        .collect()
}

/// Where a key of that name belongs, if any table has one.
pub(crate) fn home_of(key: &str) -> Option<String> {
    KEYS.iter().find_map(|(pattern, _)| match pattern.rsplit_once('.') {
        Some((above, name)) if name == key => {
            let above = above.replace('*', "NAME");
            Some(match above.strip_suffix("[]") {
                Some(list) => format!("into [[{list}]]"),
                None => format!("into [{above}]"),
            })
        }
        None if *pattern == key => Some("to the top of the file, above all tables".to_owned()),
        _ => None,
    })
}

/// The parser's error in our words. It says what it met and, after a comma, what it wanted.
fn syntax_error(file: &str, text: &str, error: &toml::de::Error) -> WorldFileError {
    let span = error.span().unwrap_or(0..0);
    let quoted = quote(text.get(span.clone()).unwrap_or(""));
    let (met, wanted) = match error.message().split_once(", expected ") {
        Some((met, wanted)) if wanted != "nothing" => (met, wanted),
        Some((met, _)) => (met, "valid TOML"),
        None => (error.message(), "valid TOML"),
    };
    let (found, expected) = match (met, quoted.is_empty()) {
        ("duplicate key", _) => (format!("{quoted} a second time"), "every key once".to_owned()),
        ("string values must be quoted", true) => {
            ("nothing".to_owned(), "a value (text stands in quotes)".to_owned())
        }
        // A bare word: the parser guesses from its first letter what it should have been.
        ("string values must be quoted" | "invalid float" | "invalid boolean", false) => {
            (quoted, "a number, true, false, a list, or text in quotes".to_owned())
        }
        (met, true) => (format!("a syntax error ({met})"), wanted.to_owned()),
        (met, false) => (format!("{quoted} ({met})"), wanted.to_owned()),
    };
    let what = ConfigError::new(FieldPath::default(), found, expected);
    WorldFileError::at(WorldFileErrorKind::Syntax, file, text, span, what)
}
