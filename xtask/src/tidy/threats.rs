//! docs/threat-model.md and docs/reliability.md name a test, an invariant of the simulation, or what a soak does, for each of their
//! promises, and each of these exists.

use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::tree::File;

const PAGES: [&str; 2] = ["docs/threat-model.md", "docs/reliability.md"];
/// Where that is which a soak does, and what the simulation says of an invariant that does not hold. Their names have spaces.
const SAYS: [&str; 2] = ["xtask/measure/src/bench/soak/", "tests/simulation/src/"];
/// The heading of the column with tests.
const SHOWN_BY: &str = "shown by";

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let code = files.iter().filter(|file| file.has_extension("rs"));
    let functions: BTreeSet<&str> = code.flat_map(|file| functions(&file.text)).collect();
    let says = |file: &&File| SAYS.iter().any(|it| file.path.starts_with(it));
    let says: Vec<&str> = files
        .iter()
        .filter(says)
        .map(|file| file.text.as_str())
        .collect();
    let exists = |name: &str| match name.contains(' ') {
        true => says.iter().any(|it| it.contains(name)),
        false => functions.contains(name),
    };
    let mut found = Vec::new();
    for page in PAGES {
        let file = files.iter().find(|file| file.path == page);
        let file = file.ok_or_else(|| Failure::unreadable(page, "it is missing"))?;
        found.extend(unshown(page, &file.text, exists));
    }
    Ok(found)
}

/// The rows of a page that name nothing, or what does not exist.
fn unshown(page: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_due = false;
    for line in text.lines() {
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
                found.push(format!("{page} names no test for {attempt:?}"));
            }
            let unknown = names.into_iter().filter(|it| !exists(it));
            found.extend(unknown.map(|it| format!("{page} names {it}, which is no test")));
        }
    }
    found
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
        let file = |path: &str, text: &str| File::new(path, text);
        let code =
            "#[test]\nfn one() {}\nfn helper() {}\n    #[tokio::test]\n    async fn two() {}\n";
        for (row, expected) in [
            ("| a | b | `one`, `two` |", vec![]),
            (
                "| a | b | `helper` |",
                vec!["docs/threat-model.md names helper, which is no test"],
            ),
            ("| a | b | `shout at it` |", vec![]),
            (
                "| a | b | `shout` |",
                vec!["docs/threat-model.md names shout, which is no test"],
            ),
            (
                "| a | b | `shout at all` |",
                vec!["docs/threat-model.md names shout at all, which is no test"],
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
                file("docs/reliability.md", ""),
                file("xtask/measure/src/bench/soak/a.rs", "name: \"shout at it\""),
                file("crates/a/src/a.rs", code),
            ];
            assert_eq!(violations(&files).unwrap(), expected, "{row}");
        }
    }
}
