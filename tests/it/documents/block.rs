//! The fenced blocks of a Markdown page.

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The line of its fence, from 1.
    pub(super) line: usize,
    /// The first word after the fence.
    pub(super) language: String,
    /// What is in it, with the end of each line.
    pub(super) text: String,
}

const FENCE: &str = "```";

pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = page.lines().zip(1..);
    while let Some((line, at)) = lines.next() {
        // In a list it is indented.
        if let Some((indent, language)) = line.split_once(FENCE)
            && indent.trim().is_empty()
        {
            let text = lines.by_ref().map(|(line, _)| line);
            let text = text.take_while(|line| line.trim_start() != FENCE);
            let text = text.map(|line| line.strip_prefix(indent).unwrap_or(line));
            found.push(Block {
                line: at,
                language: language.trim().to_owned(),
                text: text.map(|line| format!("{line}\n")).collect(),
            });
        }
    }
    found
}

#[test]
fn blocks_are_found_with_their_language() {
    let found = blocks("a\n```sh\nb\nc\n```\n  ```\n  d\n  ```\n");
    let block = |line, language: &str, text: &str| Block {
        line,
        language: language.to_owned(),
        text: text.to_owned(),
    };
    assert_eq!(found, [block(2, "sh", "b\nc\n"), block(6, "", "d\n")]);
}
