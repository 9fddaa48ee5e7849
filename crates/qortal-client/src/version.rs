//! Releases of Qortal Core.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A release of Qortal Core.
///
/// ```
/// use qortal_client::CoreVersion;
///
/// let version: CoreVersion = "qortal-6.1.8-bb6b1bf".parse()?;
/// assert_eq!(version, CoreVersion::new(6, 1, 8));
/// assert_eq!(version.to_string(), "6.1.8");
/// # Ok::<_, qortal_client::NotAVersion>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoreVersion {
    major: u16,
    minor: u16,
    patch: u16,
}

/// An error parsing a version of Qortal Core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a version such as 6.1.8 or qortal-6.1.8-bb6b1bf")]
#[non_exhaustive]
pub struct NotAVersion;

impl CoreVersion {
    /// The oldest release whose responses this crate supports.
    pub const OLDEST: Self = Self::new(4, 0, 0);

    /// Creates a version from its three numbers.
    #[must_use]
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self {
            major,
            minor,
            patch,
        }
    }
}

/// Parses `6.1.8`, and the form of `buildVersion` in `/admin/info`, `qortal-6.1.8-bb6b1bf`.
impl FromStr for CoreVersion {
    type Err = NotAVersion;

    fn from_str(text: &str) -> Result<Self, NotAVersion> {
        let numbers = text.strip_prefix("qortal-").unwrap_or(text);
        let numbers = numbers.split('-').next().unwrap_or_default();
        let mut numbers = numbers.splitn(3, '.').map(str::parse);
        let mut next = || numbers.next().and_then(Result::ok).ok_or(NotAVersion);
        Ok(Self::new(next()?, next()?, next()?))
    }
}

impl fmt::Display for CoreVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::CoreVersion;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let order = ["4.7.1", "5.0.0", "qortal-5.0.7-1a2b3c4", "6.1.9", "6.1.10"];
        let order = order.map(|it| it.parse::<CoreVersion>().unwrap());
        assert!(order.is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn other_texts_are_not_versions() {
        for text in [
            "",
            "qortal-",
            "6.1",
            "6.1.x",
            "v6.1.8",
            "6.1.99999",
            "-1.0.0",
        ] {
            assert!(text.parse::<CoreVersion>().is_err(), "{text}");
        }
    }
}
