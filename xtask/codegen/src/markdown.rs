//! What pages of Markdown are made of: anchors of headings, links to tools, parts that are folded away, and examples.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use qortal_tools::{Catalog, Family, Object};
use serde_json::Value;

/// Members whose value depends on when the example was run.
const VARYING: &[&str] = &[
    "clockSkew",
    "currentTimestamp",
    "currentTimestampIso",
    "estimatedDate",
    "estimatedDateIso",
    "lastBlockAge",
    "uptime",
    "uptimeText",
];

/// The anchors of the headings, as forges and mdBook make them.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut heading: Option<String> = None;
    let mut anchors = Vec::new();
    let mut seen = BTreeMap::new();
    for event in Parser::new(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(text) | Event::Code(text), Some(heading)) => heading.push_str(&text),
            (Event::End(TagEnd::Heading(_)), Some(_)) => {
                let anchor = anchor(&heading.take().unwrap_or_default());
                let count: &mut usize = seen.entry(anchor.clone()).or_default();
                anchors.push(match *count {
                    0 => anchor,
                    more => format!("{anchor}-{more}"),
                });
                *count += 1;
            }
            _ => (),
        }
    }
    anchors
}

fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c => c.is_alphanumeric().then_some(c),
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// A tool's name, linked to its place on the page of its family, for a page from which `docs` is `up`.
pub(crate) fn linked(up: &str, tool: &str) -> String {
    let has = |family: &&&Family| family.tools.iter().any(|it| it.name == tool);
    let family = Catalog::families().iter().find(has);
    let family = family.map_or("index", |it| it.name);
    format!("[`{tool}`]({up}tools/{family}.md#{tool})")
}

/// Folded away until a reader opens it: most read the parameters alone.
pub(crate) fn folded(title: &str, text: &str) -> String {
    format!("<details>\n<summary>{title}</summary>\n\n{text}\n</details>\n")
}

/// Replaces what changes with time.
pub(crate) fn hide_what_varies(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if VARYING.contains(&name.as_str()) {
                    *value = "…".into();
                } else {
                    hide_what_varies(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide_what_varies),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// Replaces the moments in the call for more that times before now, such as `30d`, in the arguments of this one mean.
pub(crate) fn hide_moments(sent: &Object, answer: &mut Value) {
    let next = answer.pointer_mut("/next/arguments");
    let Some(next) = next.and_then(Value::as_object_mut) else {
        return;
    };
    let before_now = |it: &str| it.ends_with(char::is_alphabetic) && !it.contains(':');
    for (name, sent) in sent {
        let pinned = next.get_mut(name).filter(|it| *it != sent);
        if let Some(pinned) = pinned.filter(|_| sent.as_str().is_some_and(before_now)) {
            *pinned = "…".into();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{anchors, hide_moments, linked};

    #[test]
    fn the_moment_that_a_time_before_now_means_is_not_shown() {
        let sent = json!({"address": "chloe", "after": "30d", "before": "2026-11-21T20:00Z"});
        let mut next = sent.clone();
        next["after"] = "2026-10-22T06:23:29.501Z".into();
        next["before"] = "2026-11-20T20:00:00.000Z".into();
        let mut answer = json!({"next": {"arguments": next}});
        hide_moments(sent.as_object().unwrap(), &mut answer);
        let shown = &answer["next"]["arguments"];
        assert_eq!(shown["after"], "…");
        assert_eq!(shown["before"], "2026-11-20T20:00:00.000Z");
        assert_eq!(shown["address"], "chloe");
    }

    #[test]
    fn headings_have_the_anchors_that_forges_give_them() {
        let text = "# What's it, `get_a`?\n## Same\n## Same\n### `qortal-mcp http`\n";
        let expected = ["whats-it-get_a", "same", "same-1", "qortal-mcp-http"];
        assert_eq!(anchors(text), expected);
    }

    #[test]
    fn a_tool_is_linked_to_the_page_of_its_family() {
        let link = "[`get_balance`](tools/accounts.md#get_balance)";
        assert_eq!(linked("", "get_balance"), link);
    }
}
