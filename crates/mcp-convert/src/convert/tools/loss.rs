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
    code: &'static str,
    /// What became of it.
    text: String,
}

/// What became of something that a provider would refuse: its code, and its text, in which `{}` is what it is about.
pub(super) type Change = (&'static str, &'static str);

pub(super) const NAME_CHANGED: Change = ("name_changed", "sent as {}");
pub(super) const DESCRIPTION_CUT: Change = ("description_cut", "{} characters cut");
pub(super) const OVER_LIMIT: Change = ("over_limit", "left out, because there are too many tools");
/// [`super::ProviderTool::arguments`] gives its own back.
pub(super) const PROPERTY_RENAMED: Change = ("property_renamed", "sent as {}");
pub(super) const KEYWORD_DROPPED: Change = ("keyword_dropped", "{} is left out");
pub(super) const KEYWORD_SAID: Change = ("keyword_said", "{} is said in the description");
/// It allows more.
pub(super) const KEYWORD_WIDENED: Change = ("keyword_widened", "{} is sent in a wider form");
/// Those of the schema itself, of which no property is required that was not in all.
pub(super) const ALTERNATIVES_MERGED: Change = ("alternatives_merged", "{} became properties");
pub(super) const MALFORMED: Change = ("malformed", "{} is malformed and left out");
pub(super) const TYPE_CHANGED: Change = ("type_changed", "sent as {}");
pub(super) const REFERENCE_DROPPED: Change = (
    "reference_dropped",
    "the reference leads nowhere and is left out",
);
pub(super) const RECURSION_CUT: Change = ("recursion_cut", "a schema that contains itself is cut");
pub(super) const DEPTH_CUT: Change = ("depth_cut", "cut at the greatest depth");
pub(super) const SIZE_CUT: Change = ("size_cut", "cut at the greatest size");

/// The losses so far, and the tool that is being converted.
#[derive(Default)]
pub(super) struct Losses {
    pub(super) all: Vec<ToolLoss>,
    pub(super) tool: usize,
}

impl Losses {
    pub(super) fn lose(&mut self, path: &str, (code, text): Change, about: &str) {
        self.all.push(ToolLoss {
            tool: self.tool,
            path: path.to_owned(),
            code,
            text: text.replace("{}", about),
        });
    }
}

impl ToolLoss {
    /// What it is, in one word of a small set.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }
}

impl fmt::Display for ToolLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tools[{}]", self.tool)?;
        if !self.path.is_empty() {
            write!(f, " {}", self.path)?;
        }
        write!(f, ": {}", self.text)
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
