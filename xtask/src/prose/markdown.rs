//! The prose of Markdown: without code, headings, HTML and, unless asked for, tables.

/// Returns the prose of a page. Inline code becomes `X`, and a link its text.
pub(super) fn plain(page: &str, with_tables: bool) -> String {
    let mut lines = Vec::new();
    let mut in_code = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if in_code || line.starts_with(['#', '<']) {
            // A heading ends a paragraph.
            lines.push(String::new());
        } else if line.starts_with('|') {
            if with_tables {
                lines.extend(line.split('|').map(|cell| format!("\n{}\n", inline(cell))));
            }
        } else {
            lines.push(inline(line));
        }
    }
    lines.join("\n")
}

/// Returns a line with inline code as `X` and links as their text.
pub(super) fn inline(line: &str) -> String {
    let mut shown = String::new();
    for (part, is_code) in line.split('`').zip([false, true].into_iter().cycle()) {
        shown.push_str(if is_code { "X" } else { part });
    }
    let mut text = String::new();
    let mut rest = shown.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    text.replace(['[', ']'], "")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn prose_has_no_code_headings_links_or_tables() {
        let page = "# Title\nRun `a; b` as in [the guide](a.md#what), please.\n| what | says |\n```sh\nask\n```\nDone.\n";
        let lines: Vec<_> = plain(page, false).lines().map(str::to_owned).collect();
        assert_eq!(lines, ["", "Run X as in the guide, please.", "", "Done."]);
        assert!(plain(page, true).contains("\n what \n"));
    }
}
