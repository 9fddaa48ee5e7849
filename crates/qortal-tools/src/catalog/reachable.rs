//! Texts that name tools, as someone can use them whose host calls only what is listed.

use std::borrow::Cow;

use super::{Catalog, Selection};
use crate::Entry;

pub(crate) const CALL_TOOL: &str = "call_tool";
const REMARK: &str = " (through call_tool)";

impl Selection {
    /// What a listed tool does, for models.
    #[must_use]
    pub fn description(&self, entry: &Entry) -> Cow<'static, str> {
        self.reachable(entry.description)
    }

    /// A text with a remark after the first mention of each tool that is not listed.
    #[must_use]
    pub fn reachable<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !text.contains('_') {
            return text.into();
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut reached = String::new();
        let mut rest = text;
        while let Some(place) = rest.find(is_part) {
            let (before, from) = rest.split_at(place);
            let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            reached.push_str(before);
            // Names of one word are words of other sentences too.
            let is_new = word.contains('_') && !reached.contains(word);
            reached.push_str(word);
            if is_new && self.hides(word) {
                reached.push_str(REMARK);
            }
            rest = after;
        }
        reached.push_str(rest);
        if reached.len() == text.len() {
            text.into()
        } else {
            reached.into()
        }
    }

    /// Whether there is such a tool, and it is not listed, and `call_tool` is.
    pub(crate) fn hides(&self, tool: &str) -> bool {
        let mut is_listed = false;
        let mut can_call = false;
        for entry in self.listed() {
            is_listed |= entry.name == tool;
            can_call |= entry.name == CALL_TOOL;
        }
        can_call && !is_listed && Catalog::entries().any(|it| it.name == tool)
    }
}

#[cfg(test)]
mod tests {
    use crate::Surface;

    use super::*;

    #[test]
    fn texts_say_how_tools_are_reached_that_are_not_listed() {
        let standard = Selection::of(Surface::Standard);
        for (text, expected) in [
            ("One type: search_transactions.", None),
            (
                "Less: get_block_height.",
                Some("Less: get_block_height (through call_tool)."),
            ),
            (
                "get_block_height, then get_block_height and get_balances.",
                Some(
                    "get_block_height (through call_tool), then get_block_height and get_balances.",
                ),
            ),
        ] {
            assert_eq!(standard.reachable(text), expected.unwrap_or(text));
            assert_eq!(Selection::of(Surface::Full).reachable(text), text);
        }
        let without = Selection {
            exclude: vec![CALL_TOOL.to_owned()],
            ..standard
        };
        assert_eq!(
            without.reachable("Less: get_block_height."),
            "Less: get_block_height."
        );
    }

    #[test]
    fn descriptions_name_no_tool_that_cannot_be_reached() {
        for surface in [Surface::Core, Surface::Standard, Surface::Python] {
            let selection = Selection::of(surface);
            for entry in selection.listed() {
                let said = selection.description(entry);
                for tool in Catalog::entries().filter(|it| it.name.contains('_')) {
                    let words = said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                    let is_named = words.into_iter().any(|it| it == tool.name);
                    let remark = format!("{}{REMARK}", tool.name);
                    let is_listed = selection.listed().any(|it| it.name == tool.name);
                    assert!(!is_named || is_listed || said.contains(&remark), "{said}");
                }
            }
        }
    }
}
