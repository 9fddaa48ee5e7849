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
    pub change: Change,
}

/// What became of something that a provider would refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The tool has another name.
    NameChanged {
        /// The name that is sent.
        name: String,
    },
    /// The end of the description is not sent.
    DescriptionCut {
        /// How many characters.
        chars: usize,
    },
    /// The tool is not sent: there are too many.
    OverLimit,
    /// A property has another name; [`super::ProviderTool::arguments`] gives its own back.
    PropertyRenamed {
        /// The name that is sent.
        name: String,
    },
    /// A keyword is not sent.
    KeywordDropped {
        /// For example `not`.
        keyword: String,
    },
    /// A keyword is not sent, but the description says it.
    KeywordSaid {
        /// For example `format`.
        keyword: String,
    },
    /// A keyword is sent as another one, which allows more.
    KeywordWidened {
        /// For example `exclusiveMinimum`.
        keyword: String,
    },
    /// The alternatives of the schema itself became properties, of which none is required that was not in all.
    AlternativesMerged {
        /// `anyOf`, `oneOf` or `allOf`.
        keyword: String,
    },
    /// The value of a keyword is not what JSON Schema wants, and is not sent.
    Malformed {
        /// For example `type`.
        keyword: String,
    },
    /// The type is another one.
    TypeChanged {
        /// The type that is sent.
        to: &'static str,
    },
    /// A reference to nothing is not sent.
    ReferenceDropped,
    /// A schema that contains itself ends here.
    RecursionCut,
    /// The schema is too deep, and ends here.
    DepthCut,
    /// The schema is too large, and ends here.
    SizeCut,
}

impl Change {
    /// What it is, in one word of a small set.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NameChanged { .. } => "name_changed",
            Self::DescriptionCut { .. } => "description_cut",
            Self::OverLimit => "over_limit",
            Self::PropertyRenamed { .. } => "property_renamed",
            Self::KeywordDropped { .. } => "keyword_dropped",
            Self::KeywordSaid { .. } => "keyword_said",
            Self::KeywordWidened { .. } => "keyword_widened",
            Self::AlternativesMerged { .. } => "alternatives_merged",
            Self::Malformed { .. } => "malformed",
            Self::TypeChanged { .. } => "type_changed",
            Self::ReferenceDropped => "reference_dropped",
            Self::RecursionCut => "recursion_cut",
            Self::DepthCut => "depth_cut",
            Self::SizeCut => "size_cut",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameChanged { name } => write!(f, "sent as {name}"),
            Self::DescriptionCut { chars } => write!(f, "{chars} characters cut"),
            Self::OverLimit => f.write_str("left out, because there are too many tools"),
            Self::PropertyRenamed { name } => write!(f, "sent as {name}"),
            Self::KeywordDropped { keyword } => write!(f, "{keyword} is left out"),
            Self::KeywordSaid { keyword } => write!(f, "{keyword} is said in the description"),
            Self::KeywordWidened { keyword } => write!(f, "{keyword} is sent in a wider form"),
            Self::AlternativesMerged { keyword } => write!(f, "{keyword} became properties"),
            Self::Malformed { keyword } => write!(f, "{keyword} is malformed and left out"),
            Self::TypeChanged { to } => write!(f, "sent as {to}"),
            Self::ReferenceDropped => f.write_str("the reference leads nowhere and is left out"),
            Self::RecursionCut => f.write_str("a schema that contains itself is cut"),
            Self::DepthCut => f.write_str("cut at the greatest depth"),
            Self::SizeCut => f.write_str("cut at the greatest size"),
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
            ("code", Value::from(self.change.code())),
            ("tool", Value::from(self.tool)),
            ("path", Value::from(self.path.as_str())),
            ("text", Value::from(self.to_string())),
        ])
    }
}
