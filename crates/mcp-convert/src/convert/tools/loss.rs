//! Changes by a conversion of tools, as data.

/// One part that a provider would reject, and its replacement or removal. As JSON it is `{"code": …, "tool": …, "path": …, "text":
/// …}`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct ToolLoss {
    /// The code of the change, from a small fixed set.
    pub code: &'static str,
    /// The index of the tool in the list.
    pub tool: usize,
    /// The path within the tool, such as `inputSchema/properties/limit`. Empty for the entire tool.
    pub path: String,
    /// The change in a sentence that names the tool.
    pub text: String,
}

/// What became of something that a provider would refuse: its code, and its text, in which `{}` is what it is about.
pub(super) type Change = (&'static str, &'static str);

pub(super) const NAME_CHANGED: Change = ("name_changed", "sent as {}");
pub(super) const DESCRIPTION_CUT: Change = ("description_cut", "{} characters cut");
pub(super) const OVER_LIMIT: Change = ("over_limit", "left out, because there are too many tools");
/// [`super::ProviderTool::original_arguments`] gives its own back.
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
        let tool = self.tool;
        let of = if path.is_empty() { "" } else { " " };
        let text = text.replace("{}", about);
        self.all.push(ToolLoss {
            code,
            tool,
            path: path.to_owned(),
            text: format!("tools[{tool}]{of}{path}: {text}"),
        });
    }
}
