//! What the rules and the site have to know of a Markdown page: its links, and the anchors of its headings.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// A link or an image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PageLink {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) target: String,
}

/// The links and images of a page, in their order.
pub(crate) fn links(text: &str) -> Vec<PageLink> {
    let events = Parser::new(text).into_offset_iter();
    let found = events.filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            let before = text.get(..range.start).unwrap_or_default();
            Some(PageLink {
                line: before.matches('\n').count() + 1,
                target: dest_url.into_string(),
            })
        }
        _ => None,
    });
    found.collect()
}

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
    use super::{PageLink, anchors, links};

    #[test]
    fn links_and_images_are_found_and_code_is_not() {
        let text = "# A\n[b](c.md#d) `[e](f.md)`\n\n![g](h.svg)\n\n```text\n[i](j.md)\n```\n";
        let link = |line, target: &str| PageLink {
            line,
            target: target.to_owned(),
        };
        assert_eq!(links(text), [link(2, "c.md#d"), link(4, "h.svg")]);
    }

    #[test]
    fn headings_have_the_anchors_that_forges_give_them() {
        let text = "# What's it, `get_a`?\n## Same\n## Same\n### `qortal-mcp http`\n";
        let expected = ["whats-it-get_a", "same", "same-1", "qortal-mcp-http"];
        assert_eq!(anchors(text), expected);
    }
}
