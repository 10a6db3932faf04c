//! The error of a config: which value is wrong and what would be right. Places in a file are added by
//! `file_error.rs`.

use super::FieldPath;

/// A value that breaks a rule of the data model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: found {found}, expected {expected}")]
pub struct ConfigError {
    path: FieldPath,
    found: String,
    expected: String,
}

impl ConfigError {
    pub(crate) fn new(path: FieldPath, found: impl Into<String>, expected: impl Into<String>) -> ConfigError {
        ConfigError { path, found: found.into(), expected: expected.into() }
    }

    /// Where the value stands, in the words of a world file: `fields.ground.octaves`.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::WorldConfig;
    ///
    /// let mut world = WorldConfig::preset("hills").unwrap();
    /// world.chunk_cells = 63;
    /// let error = world.validate().unwrap_err();
    /// assert_eq!(error.path().to_string(), "chunk_cells");
    /// # }
    /// ```
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// The value found.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::WorldConfig;
    ///
    /// let mut world = WorldConfig::preset("hills").unwrap();
    /// world.chunk_cells = 63;
    /// let error = world.validate().unwrap_err();
    /// assert_eq!(error.found(), "63");
    /// # }
    /// ```
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What would be right.
    ///
    /// ```
    /// # #[cfg(feature = "config")] {
    /// use terrane::config::WorldConfig;
    ///
    /// let mut world = WorldConfig::preset("hills").unwrap();
    /// world.chunk_cells = 63;
    /// let error = world.validate().unwrap_err();
    /// assert_eq!(error.expected(), "16, 32, 64 or 128");
    /// # }
    /// ```
    pub fn expected(&self) -> &str {
        &self.expected
    }
}
