//! docs/authors/proofs.md names a test, an invariant of the simulation, or a load of a soak for each defense and each guarantee, and each
//! of these exists. docs/security.md lists the same defenses and guarantees.

use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::tree::File;

const PROOFS: &str = "docs/authors/proofs.md";
/// The page for operators.
const PAGE: &str = "docs/security.md";
/// Where that is which a soak does, and what the simulation says of an invariant that does not hold. Their names have spaces.
const SAYS: [&str; 2] = ["xtask/measure/src/bench/soak/", "tests/simulation/src/"];
/// The heading of the column with tests.
const SHOWN_BY: &str = "shown by";
/// The heading of the column with attempts to do harm.
const ATTEMPT: &str = "attempt";
/// The heading of the list of guarantees, and the one after it.
const GUARANTEES: (&str, &str) = ("\n## Guarantees\n", "\n## ");

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
    let page = |path: &str| {
        let file = files.iter().find(|file| file.path == path);
        file.ok_or_else(|| Failure::unreadable(path, "it is missing"))
    };
    let proofs = rows(&page(PROOFS)?.text, |head| head.last() == Some(&SHOWN_BY));
    let promised = promised(&page(PAGE)?.text);
    let mut found = unshown(&proofs, exists);
    let proved: BTreeSet<_> = proofs
        .iter()
        .filter_map(|row| Some((*row.first()?).to_owned()))
        .collect();
    let lacks = |page: &str, promise: &String| format!("{page} does not list {promise:?}");
    found.extend(promised.difference(&proved).map(|it| lacks(PROOFS, it)));
    found.extend(proved.difference(&promised).map(|it| lacks(PAGE, it)));
    Ok(found)
}

/// The rows of the tables whose head is accepted.
fn rows(text: &str, is_meant: impl Fn(&[&str]) -> bool) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    let mut table = None;
    for line in text.lines() {
        let cells = line.strip_prefix('|').and_then(|it| it.strip_suffix('|'));
        let Some(cells) = cells else {
            table = None;
            continue;
        };
        let cells: Vec<_> = cells.split('|').map(str::trim).collect();
        match table {
            None => table = Some(is_meant(&cells)),
            Some(true) if !line.starts_with("| ---") => found.push(cells),
            Some(_) => {}
        }
    }
    found
}

/// The defenses and guarantees on the page for operators.
fn promised(text: &str) -> BTreeSet<String> {
    let attempts = rows(text, |head| head.first() == Some(&ATTEMPT));
    let attempts = attempts.into_iter().filter_map(|row| row.first().copied());
    let guarantees = text.split_once(GUARANTEES.0).map_or("", |(_, rest)| rest);
    let guarantees = guarantees.split(GUARANTEES.1).next().unwrap_or_default();
    let guarantees = guarantees.split("\n- ").skip(1).map(|item| {
        let item = item.split("\n\n").next().unwrap_or_default();
        let words: Vec<_> = item.split_whitespace().collect();
        words.join(" ").trim_end_matches('.').to_owned()
    });
    attempts.map(str::to_owned).chain(guarantees).collect()
}

/// The rows of proofs that name nothing, or a proof that does not exist.
fn unshown(proofs: &[Vec<&str>], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for row in proofs {
        let [promise, .., tests] = row.as_slice() else {
            continue;
        };
        let names: Vec<_> = tests.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            found.push(format!("{PROOFS} names no test for {promise:?}"));
        }
        let unknown = names.into_iter().filter(|it| !exists(it));
        found.extend(unknown.map(|it| format!("{PROOFS} names {it}, which is no test")));
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
                vec!["docs/authors/proofs.md names helper, which is no test"],
            ),
            ("| a | b | `shout at it` |", vec![]),
            (
                "| a | b | `shout` |",
                vec!["docs/authors/proofs.md names shout, which is no test"],
            ),
            (
                "| a | b | `shout at all` |",
                vec!["docs/authors/proofs.md names shout at all, which is no test"],
            ),
            (
                "| a | b | |",
                vec!["docs/authors/proofs.md names no test for \"a\""],
            ),
            (
                "| b | b | `one` |",
                vec![
                    "docs/authors/proofs.md does not list \"a\"",
                    "docs/security.md does not list \"b\"",
                ],
            ),
        ] {
            let operators = "| attempt | what stops it |\n| --- | --- |\n| a | b |\n\n## Guarantees\n\n- It\n  stops.\n\n### More\n\n## Bounds\n\n- None.\n";
            let page = format!(
                "| who | what |\n| --- | --- |\n| x | y |\n\n| attempt | what | shown by |\n| --- | --- | --- |\n{row}\n| It stops | x | `one` |\n"
            );
            let files = [
                file("docs/authors/proofs.md", &page),
                file("docs/security.md", operators),
                file("xtask/measure/src/bench/soak/a.rs", "name: \"shout at it\""),
                file("crates/a/src/a.rs", code),
            ];
            assert_eq!(violations(&files).unwrap(), expected, "{row}");
        }
    }
}
