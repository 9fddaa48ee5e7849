//! What a conversion could not carry, as data.

use std::fmt;

/// One thing that the target could not say, or says differently.
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
    /// A short note stands in the place of a block.
    BlockNoted {
        /// Which block.
        index: usize,
        /// Its `type`.
        kind: String,
    },
    /// The substance of a block is said as text; what else it told is gone.
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
    /// The structured value is said as JSON text.
    StructuredMovedToText,
    /// The structured value was put into an object.
    Wrapped {
        /// Its member.
        key: String,
    },
    /// Text was cut.
    Truncated {
        /// Which block; none for the structured value.
        index: Option<usize>,
        /// How many bytes are gone.
        bytes: usize,
    },
    /// The Base64 of a block is not standard, or cut short. It is passed on as it came, and the receiver may
    /// refuse it.
    OddBase64 {
        /// Which block.
        index: usize,
    },
    /// That the tool failed is said in words, for want of a flag.
    ErrorFlagAsText,
    /// That the tool failed is not said.
    ErrorFlagDropped,
    /// What the failed tool had to say is not said.
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

/// All that a conversion could not carry, in the order it was met.
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

/// A value in the shape of a revision, and what that shape could not carry.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the losses say what the revision cannot carry"]
pub struct Projected<T> {
    /// The value.
    pub value: T,
    /// What is not in it.
    pub losses: Losses,
}

impl<T> Projected<T> {
    /// The value, if nothing was lost.
    ///
    /// # Errors
    /// The losses, if there are any.
    pub fn lossless(self) -> Result<T, Losses> {
        if self.losses.is_empty() {
            Ok(self.value)
        } else {
            Err(self.losses)
        }
    }
}
