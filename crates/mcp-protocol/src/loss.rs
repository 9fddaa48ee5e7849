//! What a conversion loses, as data.

use std::fmt;

/// One thing that the target cannot carry, or carries in another form.
///
/// Indices count the blocks of the `content` that was converted. The text of its [`fmt::Display`] is for logs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// A block is not in the output.
    BlockDropped {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// A short note replaces a block.
    BlockNoted {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// The substance of a block became text; its other members are not in the output.
    BlockAsText {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// A member is not in the output.
    MemberDropped {
        /// For example `content[0].annotations.lastModified`.
        path: String,
    },
    /// The structured value is not in the output.
    StructuredDropped,
    /// The structured value became JSON text.
    StructuredMovedToText,
    /// The structured value was wrapped in an object.
    Wrapped {
        /// The member of that object.
        key: String,
    },
    /// Text was cut.
    Truncated {
        /// Which block; `None` for the structured value.
        index: Option<usize>,
        /// How many bytes were cut.
        bytes: usize,
    },
    /// The Base64 of a block is not standard, or incomplete. It is passed on unchanged, and the receiver may
    /// refuse it.
    OddBase64 {
        /// Which block.
        index: usize,
    },
    /// The failure of the tool became text, because the target has no flag for it.
    ErrorFlagAsText,
    /// The failure of the tool is not in the output.
    ErrorFlagDropped,
    /// The error message is not in the output.
    ErrorMessageDropped,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BlockDropped { index, kind } => {
                write!(f, "content[{index}]: the {} block is left out", shown(kind))
            }
            Self::BlockNoted { index, kind } => {
                write!(
                    f,
                    "content[{index}]: a note replaces the {} block",
                    shown(kind)
                )
            }
            Self::BlockAsText { index, kind } => {
                write!(
                    f,
                    "content[{index}]: the {} block is said as text",
                    shown(kind)
                )
            }
            Self::MemberDropped { path } => write!(f, "{path} is left out"),
            Self::StructuredDropped => f.write_str("structuredContent is left out"),
            Self::StructuredMovedToText => f.write_str("structuredContent is said as text"),
            Self::Wrapped { key } => write!(f, "structuredContent is wrapped as {key:?}"),
            Self::Truncated {
                index: Some(index),
                bytes,
            } => write!(f, "content[{index}]: {} of text cut", in_bytes(*bytes)),
            Self::Truncated { index: None, bytes } => {
                write!(f, "structuredContent: {} of text cut", in_bytes(*bytes))
            }
            Self::OddBase64 { index } => {
                write!(f, "content[{index}]: odd Base64 is passed on as it came")
            }
            Self::ErrorFlagAsText => f.write_str("isError is said as text"),
            Self::ErrorFlagDropped => f.write_str("isError is left out"),
            Self::ErrorMessageDropped => f.write_str("the error's message is left out"),
        }
    }
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
    /// Whether nothing was lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The losses, first to last.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.0.iter()
    }

    pub(crate) fn push(&mut self, loss: Loss) {
        self.0.push(loss);
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

/// A value in the shape of a revision, and what that shape cannot carry.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the losses are what the revision cannot carry"]
#[non_exhaustive]
pub struct Projected<T> {
    /// The value.
    pub value: T,
    /// What is not in it, or in another form.
    pub losses: Losses,
}

impl<T> Projected<T> {
    /// The value, if nothing was lost.
    ///
    /// # Errors
    /// Fails with the losses, if there are any.
    pub fn lossless(self) -> Result<T, Losses> {
        if self.losses.is_empty() {
            Ok(self.value)
        } else {
            Err(self.losses)
        }
    }
}
