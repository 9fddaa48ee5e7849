//! What a conversion loses, as data.

use std::{fmt, ops::Deref};

#[cfg(feature = "convert")]
use serde_json::Value;

/// One thing that the target cannot carry, or carries in another form.
///
/// Indices count the blocks of the `content` that was converted. The text of its [`fmt::Display`] is for logs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct Loss(Lost);

/// What a [`Loss`] is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(
    not(feature = "convert"),
    expect(dead_code, reason = "a revision carries most, and says so of the rest")
)]
pub(crate) enum Lost {
    /// A block is not in the output.
    #[error("content[{index}]: the {} block is left out", shown(kind))]
    BlockDropped {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// A short note replaces a block.
    #[error("content[{index}]: a note replaces the {} block", shown(kind))]
    BlockNoted {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// The substance of a block became text; its other members are not in the output.
    #[error("content[{index}]: the {} block is said as text", shown(kind))]
    BlockAsText {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// A member is not in the output.
    #[error("{path} is left out")]
    MemberDropped {
        /// For example `content[0].annotations.lastModified`.
        path: String,
    },
    /// The structured value is not in the output.
    #[error("structuredContent is left out")]
    StructuredDropped,
    /// The structured value became JSON text.
    #[error("structuredContent is said as text")]
    StructuredMovedToText,
    /// The structured value was wrapped in an object.
    #[error("structuredContent is wrapped as {key:?}")]
    Wrapped {
        /// The member of that object.
        key: String,
    },
    /// Text was cut.
    #[error("{}: {} of text cut", place(*index), in_bytes(*bytes))]
    Truncated {
        /// Which block; `None` for the structured value.
        index: Option<usize>,
        /// How many bytes were cut.
        bytes: usize,
    },
    /// A block is not in the output, but among the parts that are to be sent after it.
    #[error("content[{index}]: the {} block is sent after the result", shown(kind))]
    BlockFollows {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// The data of a block is not Base64 in any alphabet, so that it cannot be sent.
    #[error("content[{index}]: the data is not Base64")]
    InvalidBase64 {
        /// Which block.
        index: usize,
    },
    /// The MIME type of a block is not that of its first bytes, which are what is sent.
    #[error("content[{index}]: the bytes are sent as the {mime_type} they are")]
    TypeCorrected {
        /// Which block.
        index: usize,
        /// The type that is sent.
        mime_type: &'static str,
    },
    /// The failure of the tool became text, because the target has no flag for it.
    #[error("isError is said as text")]
    ErrorFlagAsText,
    /// The failure of the tool is not in the output.
    #[error("isError is left out")]
    ErrorFlagDropped,
}

impl Loss {
    /// What it is, in one word of a small set: for logs, metrics and tests in any language.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &self.0 {
            Lost::BlockDropped { .. } => "block_dropped",
            Lost::BlockNoted { .. } => "block_noted",
            Lost::BlockAsText { .. } => "block_as_text",
            Lost::BlockFollows { .. } => "block_follows",
            Lost::MemberDropped { .. } => "member_dropped",
            Lost::StructuredDropped => "structured_dropped",
            Lost::StructuredMovedToText => "structured_moved_to_text",
            Lost::Wrapped { .. } => "wrapped",
            Lost::Truncated { .. } => "truncated",
            Lost::InvalidBase64 { .. } => "invalid_base64",
            Lost::TypeCorrected { .. } => "type_corrected",
            Lost::ErrorFlagAsText => "error_flag_as_text",
            Lost::ErrorFlagDropped => "error_flag_dropped",
        }
    }

    /// The block that it is about, by index; `None` for the result as a whole.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match &self.0 {
            Lost::BlockDropped { index, .. }
            | Lost::BlockNoted { index, .. }
            | Lost::BlockAsText { index, .. }
            | Lost::BlockFollows { index, .. }
            | Lost::InvalidBase64 { index }
            | Lost::TypeCorrected { index, .. } => Some(*index),
            Lost::Truncated { index, .. } => *index,
            Lost::MemberDropped { path } => {
                let rest = path.strip_prefix("content[")?;
                rest.split_once(']')?.0.parse().ok()
            }
            Lost::StructuredDropped
            | Lost::StructuredMovedToText
            | Lost::Wrapped { .. }
            | Lost::ErrorFlagAsText
            | Lost::ErrorFlagDropped => None,
        }
    }
}

/// `{"code": …, "index": …, "text": …}`; without `index` for the result as a whole.
#[cfg(feature = "convert")]
impl serde::Serialize for Loss {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let index = self.index().map(|it| ("index", Value::from(it)));
        let members = [("code", Value::from(self.code()))];
        let text = [("text", Value::from(self.to_string()))];
        serializer.collect_map(members.into_iter().chain(index).chain(text))
    }
}

/// Where text was cut.
fn place(index: Option<usize>) -> String {
    index.map_or_else(
        || "structuredContent".to_owned(),
        |it| format!("content[{it}]"),
    )
}

/// A size in a sentence.
pub(crate) fn in_bytes(bytes: usize) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{bytes} byte{plural}")
}

/// The name of a block type in a sentence.
pub(crate) fn shown(kind: &str) -> &str {
    if kind.is_empty() { "untyped" } else { kind }
}

/// Everything that a conversion lost, in the order of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Losses(Vec<Loss>);

impl Losses {
    pub(crate) fn push(&mut self, lost: Lost) {
        self.0.push(Loss(lost));
    }
}

/// First to last.
impl Deref for Losses {
    type Target = [Loss];

    fn deref(&self) -> &[Loss] {
        &self.0
    }
}

impl Extend<Loss> for Losses {
    fn extend<I: IntoIterator<Item = Loss>>(&mut self, losses: I) {
        self.0.extend(losses);
    }
}

/// A list of [`Loss`].
#[cfg(feature = "convert")]
impl serde::Serialize for Losses {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<'a> IntoIterator for &'a Losses {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, loss) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{loss}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Losses {}
