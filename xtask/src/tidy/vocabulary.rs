//! One word, one thing: the words in the "not" column of CONTRIBUTING.md's vocabulary are not used, but for the
//! exceptions listed below it.
//!
//! A `word` in backticks is an identifier, looked for in code and between backticks, with its case; `word_*` stands for
//! all that begin so. A word without backticks is looked for everywhere, also as a part of an identifier, in any case.

use crate::failure::Failure;
use crate::tree::File;

const PAGE: &str = "CONTRIBUTING.md";
/// The tests of this rule use the words.
const OWN: &str = "xtask/src/tidy/vocabulary.rs";
const VOCABULARY: &str = "| say | not |";
const EXCEPTIONS: &str = "| word | where | why |";

/// A word not to be used.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    /// A whole identifier, or with `*` at the end its beginning.
    Identifier(String),
    /// Words one after the other, in lower case.
    Prose(Vec<String>),
}

/// A word with what to say instead.
#[derive(Debug)]
struct Entry {
    text: String,
    word: Word,
    instead: String,
}

/// Where a word may be used.
#[derive(Debug)]
struct Exception {
    text: String,
    path: String,
}

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let page = files.iter().find(|file| file.path == PAGE);
    let page = page.ok_or_else(|| Failure::unreadable(PAGE, "it is missing"))?;
    let entries = entries(&page.text);
    if entries.is_empty() {
        return Err(Failure::unreadable(PAGE, "it has no vocabulary"));
    }
    let exceptions = exceptions(&page.text);
    let mut used = vec![false; exceptions.len()];
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path != OWN) {
        let mut is_fenced = false;
        for (line, at) in file.text.lines().zip(1..) {
            is_fenced ^= uncommented(line).starts_with("```");
            // The tables themselves.
            if file.path == PAGE && line.starts_with('|') {
                continue;
            }
            let (code, prose) = match is_fenced {
                true => (line.to_owned(), String::new()),
                false => parts(file, line),
            };
            for entry in entries.iter().filter(|it| it.word.is_in(&code, &prose)) {
                let text = &entry.text;
                let excepted = exceptions
                    .iter()
                    .position(|it| it.text == *text && file.path.starts_with(&it.path));
                if let Some(used) = excepted.and_then(|index| used.get_mut(index)) {
                    *used = true;
                } else {
                    let (path, instead) = (&file.path, &entry.instead);
                    found.push(format!("{path}:{at} uses {text}, say {instead}"));
                }
            }
        }
    }
    for (exception, _) in exceptions.iter().zip(used).filter(|(_, used)| !used) {
        let Exception { text, path } = exception;
        found.push(format!(
            "{PAGE} excepts {text} in {path}, where it is not used"
        ));
    }
    Ok(found)
}

impl Word {
    fn new(text: &str) -> Self {
        match text.strip_prefix('`').and_then(|it| it.strip_suffix('`')) {
            Some(identifier) => Self::Identifier(identifier.to_owned()),
            None => Self::Prose(words(text)),
        }
    }

    fn is_in(&self, code: &str, prose: &str) -> bool {
        match self {
            Self::Identifier(identifier) => {
                identifiers(code).any(|it| match identifier.strip_suffix('*') {
                    Some(start) => it.starts_with(start),
                    None => it == identifier,
                })
            }
            Self::Prose(phrase) => {
                let is_in = |text| words(text).windows(phrase.len()).any(|it| it == phrase);
                is_in(code) || is_in(prose)
            }
        }
    }
}

/// The words of the table's second column.
fn entries(page: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for [instead, not] in rows(page, VOCABULARY) {
        for text in not.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            entries.push(Entry {
                text: text.to_owned(),
                word: Word::new(text),
                instead: instead.clone(),
            });
        }
    }
    entries
}

fn exceptions(page: &str) -> Vec<Exception> {
    let rows = rows(page, EXCEPTIONS).into_iter();
    rows.map(|[text, path, _why]| Exception {
        text,
        path: path.trim_matches('`').to_owned(),
    })
    .collect()
}

/// The rows below `header` that have as many columns.
fn rows<const COLUMNS: usize>(page: &str, header: &str) -> Vec<[String; COLUMNS]> {
    page.lines()
        .skip_while(|line| *line != header)
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| {
            let cells: Vec<String> = line
                .trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect();
            cells.try_into().ok()
        })
        .collect()
}

/// A line without the marks of a comment before it.
fn uncommented(line: &str) -> &str {
    line.trim_start_matches([' ', '/', '!', '#'])
}

/// What of a line is code, and what is text: in Markdown and comments the words between backticks are code.
fn parts(file: &File, line: &str) -> (String, String) {
    let comment = match file.has_extension("md") {
        true => Some(0),
        false if file.has_extension("toml") => line.find('#'),
        false => line
            .find("//")
            .filter(|at| !line.get(..*at).is_some_and(|before| before.ends_with(':'))),
    };
    let (code, text) = line.split_at(comment.unwrap_or(line.len()));
    let mut code = code.to_owned();
    let mut prose = String::new();
    for (index, part) in text.split('`').enumerate() {
        let to = if index % 2 == 1 {
            &mut code
        } else {
            &mut prose
        };
        to.push_str(part);
        to.push(' ');
    }
    (code, prose)
}

fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|it| !it.is_empty())
}

/// The words of a text in lower case; an identifier is as many words as it is made of.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_lower = false;
    for c in text.chars() {
        let begins = c.is_uppercase() && after_lower;
        if (begins || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::File;

    const CONTRIBUTING: &str = "\
# Contributing

| say | not |
| --- | --- |
| `ToolRouter` | `Toolbox`, `tool_box_*` |
| coerce | mend |
| unknown | is none of |

| word | where | why |
| --- | --- | --- |
| mend | `crates/b/` | it mends. |
";

    fn check(path: &str, text: &str, expected: &[&str]) {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let files = [
            file("CONTRIBUTING.md", CONTRIBUTING),
            file("crates/b/src/lib.rs", "fn mend() {}\n"),
            file(path, text),
        ];
        assert_eq!(violations(&files).unwrap(), expected, "{text}");
    }

    #[test]
    fn identifiers_are_found_whole_and_in_code() {
        let path = "crates/a/src/lib.rs";
        check(
            path,
            "let a = Toolbox::new();\n",
            &["crates/a/src/lib.rs:1 uses `Toolbox`, say `ToolRouter`"],
        );
        check(
            path,
            "/// See [`Toolbox`].\nfn tool_box_of() {}\n",
            &[
                "crates/a/src/lib.rs:1 uses `Toolbox`, say `ToolRouter`",
                "crates/a/src/lib.rs:2 uses `tool_box_*`, say `ToolRouter`",
            ],
        );
        check(path, "let a = Toolboxes::new(); // The Toolbox.\n", &[]);
    }

    #[test]
    fn prose_is_found_anywhere() {
        let path = "docs/a.md";
        for text in ["To mend it.", "`is_mend_done`", "Mend!", "`MendAll`"] {
            check(path, text, &["docs/a.md:1 uses mend, say coerce"]);
        }
        check(
            path,
            "The name is none of ours.",
            &["docs/a.md:1 uses is none of, say unknown"],
        );
        check(path, "Amendments are mended.", &[]);
        check("crates/b/src/a.rs", "// To mend it.\n", &[]);
    }

    #[test]
    fn exceptions_that_are_not_needed_are_found() {
        let files = [File {
            path: "CONTRIBUTING.md".to_owned(),
            text: CONTRIBUTING.to_owned(),
        }];
        assert_eq!(
            violations(&files).unwrap(),
            ["CONTRIBUTING.md excepts mend in crates/b/, where it is not used"]
        );
    }
}
