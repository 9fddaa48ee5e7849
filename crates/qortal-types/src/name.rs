//! Registered names and their reduced form.

use std::{collections::BTreeMap, fmt, str::FromStr, sync::LazyLock};

use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};
use serde::{Serialize, Serializer};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

const MIN_BYTES: usize = Name::MIN_BYTES;
const MAX_BYTES: usize = Name::MAX_BYTES;
/// Normalization is not started on text that no normalization makes short enough.
const MAX_INPUT_BYTES: usize = 400;

/// An error parsing a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameError {
    /// The text has no visible characters after normalization.
    #[error("a name needs at least {MIN_BYTES} bytes, this one has no visible character")]
    Empty,
    /// The name is shorter than three bytes.
    #[error("a name needs at least {MIN_BYTES} bytes, this one has {bytes}")]
    TooShort {
        /// The length after normalization, in bytes of UTF-8.
        bytes: usize,
    },
    /// The name is longer than forty bytes.
    #[error("a name has at most {MAX_BYTES} bytes, this one has {bytes}")]
    TooLong {
        /// The length in bytes of UTF-8, after normalization if the text was short enough to be normalized.
        bytes: usize,
    },
}

/// A valid name for registration, in the Core's normalized form (class `Unicode`).
///
/// The normalized form is NFKC without zero-width characters, with single spaces between words and none around them. Parsing
/// normalizes the text but does not check whether the name is registered. The node returns only registered names, so responses hold
/// plain strings.
///
/// ```
/// let name: qortal_types::Name = "  Alice   Test ".parse()?;
/// assert_eq!(name.as_str(), "Alice Test");
/// assert_eq!(name.reduced().text(), "a1ice test");
/// # Ok::<(), qortal_types::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(String);

/// The reduced form of a name. The Core looks up names in this form, and it must be unique (class `Unicode`).
///
/// Case, accents and hidden characters are ignored. One character stands for all that look alike, across scripts: `l` and `|`
/// become `1`, and `o` and a Cyrillic `о` become `0`. `i` itself stays unchanged, so `mint` and `mlnt` are different names. The
/// Core's tables are from Unicode 15.0 (ICU 72.1), so the Core may reduce newer characters differently.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reduced(String);

impl Name {
    /// Length of the shortest name, in bytes of UTF-8 (class `Name`).
    pub const MIN_BYTES: usize = 3;
    /// Length of the longest name, in bytes of UTF-8 (class `Name`).
    pub const MAX_BYTES: usize = 40;

    /// Returns the normalized name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the reduced form of the name.
    #[must_use]
    pub fn reduced(&self) -> Reduced {
        Reduced::of(&self.0)
    }
}

impl Reduced {
    /// Reduces any text, such as a name from a node.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let bare: String =
            collapse_blanks(text.nfkd().filter(|character| !is_zero_width(*character)))
                .chars()
                .filter(|character| !is_removed(*character))
                .collect();
        Self(bare.to_lowercase().chars().map(look_alike).collect())
    }

    /// Returns the reduced text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if text.len() > MAX_INPUT_BYTES {
            return Err(NameError::TooLong { bytes: text.len() });
        }
        // Removing a zero-width character can bring a letter and its accent together; the Core registers
        // only names that are their own normalized form.
        let name = normalize(&normalize(text));
        match name.len() {
            0 => Err(NameError::Empty),
            bytes if bytes < MIN_BYTES => Err(NameError::TooShort { bytes }),
            bytes if bytes > MAX_BYTES => Err(NameError::TooLong { bytes }),
            _ => Ok(Self(name)),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// One pass of the Core's `Unicode.normalize`.
fn normalize(text: &str) -> String {
    collapse_blanks(text.nfkc().filter(|character| !is_zero_width(*character)))
}

/// The characters that the Core's class `Unicode` removes.
const fn is_zero_width(character: char) -> bool {
    matches!(
        character,
        '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FEFF}'
    )
}

/// Single blanks between words and none around them.
fn collapse_blanks(characters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    let mut blank_is_due = false;
    for character in characters {
        if character.is_whitespace() {
            blank_is_due = !text.is_empty();
            continue;
        }
        if blank_is_due {
            text.push(' ');
            blank_is_due = false;
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests;

/// The Core's table, see data/README.md.
const TABLE: &str = include_str!("../data/char_codes.txt");

/// What each character of the table is reduced to, by character. Read once, when a name is first reduced.
static STANDS_FOR: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let mut found = BTreeMap::new();
    for line in TABLE.lines().filter(|it| !it.starts_with('#')) {
        let mut codes = line.split(',').filter_map(character);
        let Some(stands) = codes.next() else {
            continue;
        };
        // A later line overrides what an earlier one says of a character.
        found.extend(codes.map(|alike| (alike, stands)));
    }
    found.into_iter().collect()
});

fn character(code: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(code.trim(), 16).ok()?)
}

/// What stands for a character and all that look like it.
pub(super) fn look_alike(character: char) -> char {
    let table = &*STANDS_FOR;
    let found = table.binary_search_by_key(&character, |(alike, _)| *alike);
    let entry = found.ok().and_then(|place| table.get(place));
    entry.map_or(character, |(_, stands)| *stands)
}

/// Whether the Core removes a character before it compares names: marks, and what is of the Unicode category Other, to which
/// controls, formats, private use and everything unassigned belong.
pub(super) fn is_removed(character: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    GeneralCategoryGroup::Mark.contains(category) || GeneralCategoryGroup::Other.contains(category)
}
