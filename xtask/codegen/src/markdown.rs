//! The anchors of the headings of a Markdown page.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

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

#[cfg(test)]
mod tests {
    use super::anchors;

    #[test]
    fn headings_have_the_anchors_that_forges_give_them() {
        let text = "# What's it, `get_a`?\n## Same\n## Same\n### `qortal-mcp http`\n";
        let expected = ["whats-it-get_a", "same", "same-1", "qortal-mcp-http"];
        assert_eq!(anchors(text), expected);
    }
}
