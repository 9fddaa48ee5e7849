//! Open enumerations of the Core: known values have names and properties, and unknown values are stored as text.

use std::fmt;

use thiserror::Error;

/// Longest text that is compared with the known values; the longest of those has 25 characters.
const MAX_COMPARED: usize = 40;
/// More slips than this make another word of it.
const MAX_DISTANCE: usize = 3;

/// An error for a text that is not a known value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct UnknownValue {
    /// The kind of the value, such as "transaction type".
    pub what: &'static str,
    /// The text, shortened if it is long.
    pub text: String,
    /// The nearest known value, if one is similar.
    pub suggestion: Option<&'static str>,
}

impl fmt::Display for UnknownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a {}", self.text, self.what)?;
        match self.suggestion {
            Some(suggestion) => write!(f, ", did you mean {suggestion}?"),
            None => Ok(()),
        }
    }
}

impl UnknownValue {
    pub(crate) fn new(
        what: &'static str,
        text: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Self {
        Self {
            what,
            text: text.chars().take(MAX_COMPARED).collect(),
            suggestion: nearest(text, known),
        }
    }
}

/// Returns the known value with the fewest slips, or else the only one that begins with the text. A slip is a letter that is wrong,
/// missing or added, or a pair of swapped letters, as in every suggestion of a tool's name or argument.
fn nearest(text: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let length = text.chars().take(MAX_COMPARED + 1).count();
    if length > MAX_COMPARED || length == 0 {
        return None;
    }
    let text = text.to_ascii_uppercase();
    // Half of a short word wrong is another word.
    let allowed = MAX_DISTANCE.min(length / 2);
    let known: Vec<_> = known.collect();
    let near = known
        .iter()
        .map(|value| (strsim::damerau_levenshtein(&text, value), *value))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, value)| value);
    near.or_else(|| {
        let mut longer = known.iter().filter(|value| value.starts_with(&text));
        let only = longer.next().copied();
        only.filter(|_| longer.next().is_none())
    })
}

/// Declares an enumeration with a variant, the Core's name and, where there are some, the facts of each known value, in one row each.
#[doc(hidden)]
#[macro_export]
macro_rules! open_enum {
    (
        $(#[$doc:meta])*
        $name:ident: $facts:ty, $what:literal, $others:literal;
        $($variant:ident = $text:literal, $fact:expr;)+
    ) => {
        $crate::open_enum! {
            $(#[$doc])*
            $name, $what, $others;
            $(#[doc = concat!("`", $text, "`")] $variant = $text;)+
        }

        impl $name {
            fn facts(&self) -> Option<$facts> {
                match self {
                    $(Self::$variant => Some($fact),)+
                    Self::Other(_) => None,
                }
            }
        }
    };
    (
        $(#[$doc:meta])*
        $name:ident, $what:literal, $others:literal;
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal;)+
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
            #[doc = $others]
            Other(Box<str>),
        }

        impl $name {
            /// All known values in the Core's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the Core's name of the value.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(text) => text,
                }
            }

            /// Returns the value with exactly this name, or [`Other`](Self::Other).
            #[must_use]
            pub fn from_node(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| Self::Other(text.into()))
            }

            fn known(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)+
                    _ => None,
                }
            }

            fn names() -> impl Iterator<Item = &'static str> {
                [$($text),+].into_iter()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            /// Deserializes any code. An unknown code becomes [`Other`](Self::Other).
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::read_text(deserializer, $what, |text| {
                    $crate::is_code(text).then(|| Self::from_node(text))
                })
            }
        }
    };
}

#[cfg(test)]
mod tests;
