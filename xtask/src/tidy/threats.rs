//! docs/threat-model.md names a test for each thing that someone can try, and each of these tests exists.

use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::tree::File;

const PAGE: &str = "docs/threat-model.md";
/// The heading of the column with tests.
const SHOWN_BY: &str = "shown by";

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let page = files.iter().find(|file| file.path == PAGE);
    let page = page.ok_or_else(|| Failure::unreadable(PAGE, "it is missing"))?;
    let code = files.iter().filter(|file| file.has_extension("rs"));
    let functions: BTreeSet<&str> = code.flat_map(|file| functions(&file.text)).collect();
    let mut found = Vec::new();
    let mut is_due = false;
    for line in page.text.lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, attempt, .., tests, _] = cells.as_slice() else {
            is_due = false;
            continue;
        };
        if *tests == SHOWN_BY {
            is_due = true;
        } else if is_due && !tests.starts_with("---") {
            let names: Vec<_> = tests.split('`').skip(1).step_by(2).collect();
            if names.is_empty() {
                found.push(format!("{PAGE} names no test for {attempt:?}"));
            }
            let unknown = names.into_iter().filter(|it| !functions.contains(it));
            found.extend(unknown.map(|it| format!("{PAGE} names {it}, which is no test")));
        }
    }
    Ok(found)
}

/// The names of functions after an attribute that makes them tests.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    let mut is_test = false;
    text.lines().filter_map(move |line| {
        let line = line.trim_start();
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
            return None;
        }
        let name = line
            .trim_start_matches("async ")
            .strip_prefix("fn ")?
            .split('(')
            .next()?;
        std::mem::take(&mut is_test).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::File;

    #[test]
    fn a_test_that_does_not_exist_is_found() {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let code =
            "#[test]\nfn one() {}\nfn helper() {}\n    #[tokio::test]\n    async fn two() {}\n";
        for (row, expected) in [
            ("| a | b | `one`, `two` |", vec![]),
            (
                "| a | b | `helper` |",
                vec!["docs/threat-model.md names helper, which is no test"],
            ),
            (
                "| a | b | |",
                vec!["docs/threat-model.md names no test for \"a\""],
            ),
        ] {
            let page = format!(
                "| who | what |\n| --- | --- |\n| x | y |\n\n| attempt | what | shown by |\n| --- | --- | --- |\n{row}\n"
            );
            let files = [
                file("docs/threat-model.md", &page),
                file("crates/a/src/a.rs", code),
            ];
            assert_eq!(violations(&files).unwrap(), expected, "{row}");
        }
    }
}
