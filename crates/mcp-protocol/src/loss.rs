//! The losses of a conversion, as data.

use std::{borrow::Cow, fmt, ops::Deref};

use serde_json::Value;

/// A value that the target cannot represent, or represents in another form.
///
/// The index refers to the blocks of the converted `content`. The [`fmt::Display`] text is for logs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", kind.text(*index, subject))]
pub struct Loss {
    kind: LossKind,
    index: Option<usize>,
    /// The `type` of a block, or another name. Empty if there is none.
    subject: Cow<'static, str>,
}

/// The kind of a [`Loss`]: its code and its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LossKind {
    code: &'static str,
    text: &'static str,
}

impl LossKind {
    /// A block is left out.
    pub const BLOCK_DROPPED: Self = Self::new("block_dropped", "{place}: the {} block is left out");
    /// A short note replaces a block.
    pub const BLOCK_NOTED: Self = Self::new("block_noted", "{place}: a note replaces the {} block");
    /// A block is sent as text, without its other fields.
    pub const BLOCK_AS_TEXT: Self =
        Self::new("block_as_text", "{place}: the {} block is said as text");
    const FIELD_DROPPED: Self = Self::new("member_dropped", "{} is left out");
    /// The structured value is left out.
    pub const STRUCTURED_DROPPED: Self = Self::new("structured_dropped", "{place} is left out");
    /// The structured value is sent as text.
    pub const STRUCTURED_MOVED_TO_TEXT: Self =
        Self::new("structured_moved_to_text", "{place} is said as text");
    /// The structured value is wrapped in an object. The subject is the name of the field in quotes.
    pub const WRAPPED: Self = Self::new("wrapped", "{place} is wrapped as {}");

    /// Creates a kind from a code and a message. In the message, `{place}` stands for the block and `{}` for the
    /// subject.
    #[must_use]
    pub const fn new(code: &'static str, text: &'static str) -> Self {
        Self { code, text }
    }

    fn text(self, index: Option<usize>, subject: &str) -> String {
        let place = index.map_or_else(
            || "structuredContent".to_owned(),
            |index| format!("content[{index}]"),
        );
        let subject = if subject.is_empty() {
            "untyped"
        } else {
            subject
        };
        self.text.replace("{place}", &place).replace("{}", subject)
    }
}

impl Loss {
    /// Returns the code, from a small set, for logs, metrics and tests in any language.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code
    }

    /// Returns the index of the block. Returns `None` for a loss of the result itself.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        self.index
    }
}

/// Serializes as `{"code": …, "index": …, "text": …}`, without `index` for a loss of the result itself.
impl serde::Serialize for Loss {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let index = self.index().map(|it| ("index", Value::from(it)));
        let members = [("code", Value::from(self.code()))];
        let text = [("text", Value::from(self.to_string()))];
        serializer.collect_map(members.into_iter().chain(index).chain(text))
    }
}

/// Returns a size as text for a sentence.
pub(crate) fn in_bytes(bytes: usize) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("{bytes} byte{plural}")
}

/// All losses of a conversion, in the order of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Losses(Vec<Loss>);

impl Losses {
    /// Adds the loss of a block, or without an index a loss of the result itself.
    pub fn push(
        &mut self,
        kind: LossKind,
        index: impl Into<Option<usize>>,
        subject: impl Into<Cow<'static, str>>,
    ) {
        self.0.push(Loss {
            kind,
            index: index.into(),
            subject: subject.into(),
        });
    }

    /// Adds the loss of a field by its path, such as `content[0].annotations.lastModified`.
    pub fn push_field(&mut self, path: String) {
        let block = path.strip_prefix("content[");
        let index = block.and_then(|it| it.split_once(']')?.0.parse::<usize>().ok());
        self.push(LossKind::FIELD_DROPPED, index, path);
    }
}

/// Dereferences to the losses, first to last.
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

/// Serializes as a list of [`Loss`].
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
