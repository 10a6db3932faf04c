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
    /// use terrane::config::RuntimeConfig;
    ///
    /// let error = RuntimeConfig { threads: Some(0) }.validate().unwrap_err();
    /// assert_eq!(error.path().to_string(), "runtime.threads");
    /// ```
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// The value found.
    ///
    /// ```
    /// use terrane::config::RuntimeConfig;
    ///
    /// let error = RuntimeConfig { threads: Some(0) }.validate().unwrap_err();
    /// assert_eq!(error.found(), "0");
    /// ```
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What would be right.
    ///
    /// ```
    /// use terrane::config::RuntimeConfig;
    ///
    /// let error = RuntimeConfig { threads: Some(0) }.validate().unwrap_err();
    /// assert_eq!(error.expected(), "a whole number from 1 to 1024");
    /// ```
    pub fn expected(&self) -> &str {
        &self.expected
    }
}
