//! What a conversion loses, as data.

use std::{borrow::Cow, fmt, ops::Deref};

use serde_json::Value;

/// One thing that the target cannot carry, or carries in another form.
///
/// Indices count the blocks of the `content` that was converted. The text of its [`fmt::Display`] is for logs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", lost.said(*index, about))]
pub struct Loss {
    lost: Lost,
    index: Option<usize>,
    /// The `type` of a block or what else is named; empty if nothing is.
    about: Cow<'static, str>,
}

/// What a [`Loss`] is: its code, and what is said of it, with `{}` for what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lost(&'static str, &'static str);

impl Lost {
    /// A block is left out.
    pub const BLOCK_DROPPED: Self = Self("block_dropped", "{place}: the {} block is left out");
    /// A short note replaces it.
    pub const BLOCK_NOTED: Self = Self("block_noted", "{place}: a note replaces the {} block");
    /// The substance of it became text; its other members are not in the output.
    pub const BLOCK_AS_TEXT: Self = Self("block_as_text", "{place}: the {} block is said as text");
    /// It is not in the output, but among the parts that are to be sent after it.
    pub const BLOCK_FOLLOWS: Self = Self(
        "block_follows",
        "{place}: the {} block is sent after the result",
    );
    /// About its path.
    const MEMBER_DROPPED: Self = Self("member_dropped", "{} is left out");
    /// The structured value is left out.
    pub const STRUCTURED_DROPPED: Self = Self("structured_dropped", "{place} is left out");
    /// The structured value is in the text.
    pub const STRUCTURED_MOVED_TO_TEXT: Self =
        Self("structured_moved_to_text", "{place} is said as text");
    /// In an object, about the member of that in quotes.
    pub const WRAPPED: Self = Self("wrapped", "{place} is wrapped as {}");
    /// About how much of it.
    pub const TRUNCATED: Self = Self("truncated", "{place}: {} of text cut");
    /// It is so in no alphabet, and cannot be sent.
    pub const INVALID_BASE64: Self = Self("invalid_base64", "{place}: the data is not Base64");
    /// The MIME type of a block is not that of its first bytes, about which it is.
    pub const TYPE_CORRECTED: Self = Self(
        "type_corrected",
        "{place}: the bytes are sent as the {} they are",
    );
    /// The target has no flag for it.
    pub const ERROR_FLAG_AS_TEXT: Self = Self("error_flag_as_text", "isError is said as text");
    /// The flag is left out.
    pub const ERROR_FLAG_DROPPED: Self = Self("error_flag_dropped", "isError is left out");
}

impl Lost {
    fn said(self, index: Option<usize>, about: &str) -> String {
        let place = index.map_or_else(
            || "structuredContent".to_owned(),
            |it| format!("content[{it}]"),
        );
        self.1
            .replace("{place}", &place)
            .replace("{}", shown(about))
    }
}

impl Loss {
    /// What it is, in one word of a small set: for logs, metrics and tests in any language.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.lost.0
    }

    /// The block that it is about, by index; `None` for the result as a whole.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        self.index
    }
}

/// `{"code": …, "index": …, "text": …}`; without `index` for the result as a whole.
impl serde::Serialize for Loss {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let index = self.index().map(|it| ("index", Value::from(it)));
        let members = [("code", Value::from(self.code()))];
        let text = [("text", Value::from(self.to_string()))];
        serializer.collect_map(members.into_iter().chain(index).chain(text))
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
    /// Adds one of a block, or of the result as a whole.
    pub fn push(
        &mut self,
        lost: Lost,
        index: impl Into<Option<usize>>,
        about: impl Into<Cow<'static, str>>,
    ) {
        self.0.push(Loss {
            lost,
            index: index.into(),
            about: about.into(),
        });
    }

    /// Adds that a member is not in the output, such as `content[0].annotations.lastModified`.
    pub fn push_member(&mut self, path: String) {
        let block = path.strip_prefix("content[");
        let index = block.and_then(|it| it.split_once(']')?.0.parse::<usize>().ok());
        self.push(Lost::MEMBER_DROPPED, index, path);
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
