//! Where a value stands in a world: `fields.ground.octaves`, `height.curve[1][0]`.
//!
//! Paths are kept as segments, since a key of a malformed file may itself hold dots; text is made on display.

use std::fmt;

/// One step of a [`FieldPath`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathSegment {
    /// A key of a table.
    Key(String),
    /// A position in a list, from 0.
    Index(usize),
}

/// The place of a value, from the top of the world file. Empty: the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct FieldPath {
    segments: Vec<PathSegment>,
}

impl FieldPath {
    /// The path of a dotted literal of ours; not for outside text, where a key may hold a dot.
    pub(crate) fn of(literal: &'static str) -> FieldPath {
        let mut path = FieldPath::default();
        for key in literal.split('.') {
            path = path.key(key);
        }
        path
    }

    pub(crate) fn key(mut self, key: impl Into<String>) -> FieldPath {
        self.segments.push(PathSegment::Key(key.into()));
        self
    }

    /// At a place of a list, if it is one.
    pub(crate) fn place(self, place: Option<usize>) -> FieldPath {
        match place {
            Some(index) => self.index(index),
            None => self,
        }
    }

    pub(crate) fn index(mut self, index: usize) -> FieldPath {
        self.segments.push(PathSegment::Index(index));
        self
    }

    #[cfg(feature = "config")]
    pub(crate) fn parent(&self) -> FieldPath {
        let keep = self.segments.len().saturating_sub(1);
        FieldPath { segments: self.segments[..keep].to_vec() }
    }

    /// The steps, from the top of the file.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::{PathSegment, WorldConfig};
    ///
    /// let mut world = WorldConfig::preset("hills").unwrap();
    /// world.chunk_cells = 63;
    /// let error = world.validate().unwrap_err();
    /// assert_eq!(error.path().segments(), [PathSegment::Key("chunk_cells".into())]);
    /// # }
    /// ```
    pub fn segments(&self) -> &[PathSegment] {
        &self.segments
    }

    /// The path with the parts that vary blanked, as the list of keys in `rules.rs` writes it: a field's name
    /// is `*`, a position is `[]`. A position inside a position stays, since the two halves of a curve key
    /// mean different things.
    pub(crate) fn pattern(&self) -> String {
        let mut pattern = String::new();
        for (depth, segment) in self.segments.iter().enumerate() {
            let before = depth.checked_sub(1).map(|at| &self.segments[at]);
            match segment {
                PathSegment::Key(key) => {
                    if depth > 0 {
                        pattern.push('.');
                    }
                    let is_field_name = depth == 1 && before == Some(&PathSegment::Key("fields".into()));
                    pattern.push_str(if is_field_name { "*" } else { key });
                }
                PathSegment::Index(index) => match before {
                    Some(PathSegment::Index(_)) => pattern.push_str(&format!("[{index}]")),
                    _ => pattern.push_str("[]"),
                },
            }
        }
        pattern
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, segment) in self.segments.iter().enumerate() {
            match segment {
                PathSegment::Index(index) => write!(f, "[{index}]")?,
                PathSegment::Key(key) => {
                    if depth > 0 {
                        f.write_str(".")?;
                    }
                    // TOML's bare keys stand as they are; others are quoted, so that the path reads back.
                    let is_bare = !key.is_empty()
                        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
                    if is_bare {
                        f.write_str(key)?;
                    } else {
                        write!(f, "{key:?}")?;
                    }
                }
            }
        }
        Ok(())
    }
}
