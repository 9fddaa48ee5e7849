//! What a conversion of tools changes, as data.

use std::fmt;

use serde_json::Value;

/// One thing that a provider would refuse, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolLoss {
    /// Which tool of the list.
    pub tool: usize,
    /// Where in the tool, for example `inputSchema/properties/limit`; empty for the tool as a whole.
    pub path: String,
    /// What became of it.
    pub(super) change: Change,
}

/// What became of something that a provider would refuse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Change {
    /// The tool has another name.
    #[error("sent as {name}")]
    NameChanged {
        /// The name that is sent.
        name: String,
    },
    /// The end of the description is not sent.
    #[error("{chars} characters cut")]
    DescriptionCut {
        /// How many characters.
        chars: usize,
    },
    /// The tool is not sent: there are too many.
    #[error("left out, because there are too many tools")]
    OverLimit,
    /// A property has another name; [`super::ProviderTool::arguments`] gives its own back.
    #[error("sent as {name}")]
    PropertyRenamed {
        /// The name that is sent.
        name: String,
    },
    /// A keyword is not sent.
    #[error("{keyword} is left out")]
    KeywordDropped {
        /// For example `not`.
        keyword: String,
    },
    /// A keyword is not sent, but the description says it.
    #[error("{keyword} is said in the description")]
    KeywordSaid {
        /// For example `format`.
        keyword: String,
    },
    /// A keyword is sent as another one, which allows more.
    #[error("{keyword} is sent in a wider form")]
    KeywordWidened {
        /// For example `exclusiveMinimum`.
        keyword: String,
    },
    /// The alternatives of the schema itself became properties, of which none is required that was not in all.
    #[error("{keyword} became properties")]
    AlternativesMerged {
        /// `anyOf`, `oneOf` or `allOf`.
        keyword: String,
    },
    /// The value of a keyword is not what JSON Schema wants, and is not sent.
    #[error("{keyword} is malformed and left out")]
    Malformed {
        /// For example `type`.
        keyword: String,
    },
    /// The type is another one.
    #[error("sent as {to}")]
    TypeChanged {
        /// The type that is sent.
        to: &'static str,
    },
    /// A reference to nothing is not sent.
    #[error("the reference leads nowhere and is left out")]
    ReferenceDropped,
    /// A schema that contains itself ends here.
    #[error("a schema that contains itself is cut")]
    RecursionCut,
    /// The schema is too deep, and ends here.
    #[error("cut at the greatest depth")]
    DepthCut,
    /// The schema is too large, and ends here.
    #[error("cut at the greatest size")]
    SizeCut,
}

impl ToolLoss {
    /// What it is, in one word of a small set.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &self.change {
            Change::NameChanged { .. } => "name_changed",
            Change::DescriptionCut { .. } => "description_cut",
            Change::OverLimit => "over_limit",
            Change::PropertyRenamed { .. } => "property_renamed",
            Change::KeywordDropped { .. } => "keyword_dropped",
            Change::KeywordSaid { .. } => "keyword_said",
            Change::KeywordWidened { .. } => "keyword_widened",
            Change::AlternativesMerged { .. } => "alternatives_merged",
            Change::Malformed { .. } => "malformed",
            Change::TypeChanged { .. } => "type_changed",
            Change::ReferenceDropped => "reference_dropped",
            Change::RecursionCut => "recursion_cut",
            Change::DepthCut => "depth_cut",
            Change::SizeCut => "size_cut",
        }
    }
}

impl fmt::Display for ToolLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tools[{}]", self.tool)?;
        if !self.path.is_empty() {
            write!(f, " {}", self.path)?;
        }
        write!(f, ": {}", self.change)
    }
}

/// `{"code": …, "tool": …, "path": …, "text": …}`.
impl serde::Serialize for ToolLoss {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([
            ("code", Value::from(self.code())),
            ("tool", Value::from(self.tool)),
            ("path", Value::from(self.path.as_str())),
            ("text", Value::from(self.to_string())),
        ])
    }
}
