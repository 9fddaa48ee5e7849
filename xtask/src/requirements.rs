//! The requirements of the protocol, the tests that show each of them, and the document made of both.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    failure::Failure,
    tree::{self, File},
};

/// Where the requirements are written down.
const TABLE: &str = "tests/requirements.txt";
/// Where the document is.
pub const PAGE: &str = "docs/authors/requirements.md";

/// One line of the table.
#[derive(Debug, PartialEq, Eq)]
struct Requirement {
    id: String,
    level: &'static str,
    revisions: String,
    transports: &'static str,
    what: String,
    /// Why no test shows it; empty if one does.
    exempt: String,
}

/// Something that shows a requirement: a test, or a row of a table that a test of the file runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    path: String,
    by: String,
}

/// What each id is shown by.
type Evidence = BTreeMap<String, BTreeSet<Shown>>;

/// The document.
pub fn page() -> Result<String, Failure> {
    let requirements = requirements()?;
    let evidence = evidence(&tree::files()?);
    Ok(render(&requirements, &evidence))
}

/// Requirements without a test, and tests of requirements that there are not.
pub fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    Ok(compare(&requirements()?, &evidence(files)))
}

fn requirements() -> Result<Vec<Requirement>, Failure> {
    let text = std::fs::read_to_string(tree::root().join(TABLE)).map_err(Failure::io(TABLE))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(requirement).collect()
}

fn requirement(line: &str) -> Result<Requirement, Failure> {
    let unreadable = |what: &str| Failure::unreadable(TABLE, format!("{what} in {line:?}"));
    let mut columns = line.split('|').map(str::trim);
    let mut column = |name: &str| {
        let found = columns.next().filter(|it| !it.is_empty());
        found.ok_or_else(|| unreadable(&format!("no {name}")))
    };
    let id = column("id")?;
    if ids(id) != [id] {
        return Err(unreadable("no id"));
    }
    let level = match column("level")? {
        "must" => "MUST",
        "should" => "SHOULD",
        "ours" => "our choice",
        _ => return Err(unreadable("no level")),
    };
    let revisions = column("revisions")?;
    let transports = match column("transports")? {
        "both" => "stdio and HTTP",
        "HTTP" => "HTTP",
        "stdio" => "stdio",
        _ => return Err(unreadable("no transport")),
    };
    let what = column("requirement")?.to_owned();
    Ok(Requirement {
        id: id.to_owned(),
        level,
        revisions: match revisions.split_once("..") {
            Some((first, last)) => format!("{first} to {last}"),
            None if revisions == "all" => "all revisions".to_owned(),
            None => revisions.to_owned(),
        },
        transports,
        what,
        exempt: columns.next().unwrap_or_default().to_owned(),
    })
}

/// The ids in a text, as `R-001`.
fn ids(text: &str) -> Vec<&str> {
    let is_id = |at: usize| {
        let id = text.get(at..at + 5)?;
        let digits = id.get(2..)?;
        digits.bytes().all(|it| it.is_ascii_digit()).then_some(id)
    };
    text.match_indices("R-")
        .filter_map(|(at, _)| is_id(at))
        .collect()
}

/// The ids at the front of a test's name, as `r001_r002_what_it_shows`.
fn ids_of_name(name: &str) -> Vec<String> {
    let parts = name.split('_').map_while(|part| {
        let digits = part.strip_prefix('r').filter(|it| it.len() == 3)?;
        let is_number = digits.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| format!("R-{digits}"))
    });
    parts.collect()
}

fn evidence(files: &[File]) -> Evidence {
    let mut evidence = Evidence::new();
    for file in files {
        if file.is_test() && file.has_extension("rs") {
            read(file, &mut evidence);
        }
    }
    evidence
}

/// Finds the ids in the names of tests, and in the texts of tests and of the tables they run.
fn read(file: &File, evidence: &mut Evidence) {
    let mut add = |id: String, by: &str| {
        let shown = Shown {
            path: file.path.clone(),
            by: by.to_owned(),
        };
        evidence.entry(id).or_default().insert(shown);
    };
    let mut is_test_next = false;
    let mut test: Option<&str> = None;
    for line in file.text.lines() {
        let code = line.trim_start();
        if code.starts_with("#[test]") || code.starts_with("#[tokio::test") {
            is_test_next = true;
        } else if let Some(name) = function(code) {
            test = is_test_next.then_some(name);
            is_test_next = false;
            for id in test.map(ids_of_name).into_iter().flatten() {
                add(id, name);
            }
        } else if line == "}" {
            test = None;
        } else if !code.starts_with("//") {
            // Every second part of a line without escapes is in quotes.
            for text in line.split('"').skip(1).step_by(2) {
                for id in ids(text) {
                    add(id.to_owned(), test.unwrap_or(text));
                }
            }
        }
    }
}

/// The name of the function that begins on the line.
fn function(code: &str) -> Option<&str> {
    let code = code.strip_prefix("async ").unwrap_or(code);
    let (name, _) = code.strip_prefix("fn ")?.split_once('(')?;
    Some(name)
}

fn compare(requirements: &[Requirement], evidence: &Evidence) -> Vec<String> {
    let mut found = Vec::new();
    for it in requirements {
        let id = &it.id;
        match (evidence.contains_key(id), it.exempt.is_empty()) {
            (false, true) => found.push(format!("no test shows {id}")),
            (true, false) => found.push(format!("{id} is declared to have no test, but has one")),
            (true, true) | (false, false) => (),
        }
    }
    for pair in requirements.windows(2) {
        if let [one, next] = pair
            && one.id >= next.id
        {
            found.push(format!("{} does not come after {}", next.id, one.id));
        }
    }
    for (id, shown) in evidence {
        if !requirements.iter().any(|it| it.id == *id) {
            let places = shown.iter().map(|it| format!("{}: {}", it.path, it.by));
            let places: Vec<_> = places.collect();
            found.push(format!("{id} is not a requirement: {}", places.join(", ")));
        }
    }
    found
}

fn render(requirements: &[Requirement], evidence: &Evidence) -> String {
    let mut page = format!(
        "# Requirements of the protocol\n\n\
         <!-- Generated by `cargo xtask codegen` from {TABLE} and the names of tests. -->\n\n\
         What the Model Context Protocol asks of a server, and the tests that show that the crates and qortal-mcp keep to it.\n\
         MUST and SHOULD are the specification's words; where it is silent the choice is ours. A test carries the numbers of what it\n\
         shows in its name; some numbers stand in a row of a table that the tests of the file run, which is then quoted.\n\
         `cargo test` fails for a requirement without a test, and for a test of a requirement that is not listed.\n\n\
         The messages of the end-to-end tests are also judged by the official schema of their revision: see R-092 and\n\
         `tests/schema`.\n"
    );
    for it in requirements {
        page.push_str(&format!(
            "\n### {}\n\n{} ({}; {}; {})\n\n",
            it.id, it.what, it.level, it.revisions, it.transports
        ));
        let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for shown in evidence.get(&it.id).into_iter().flatten() {
            let by = match shown.by.contains(' ') {
                true => format!("“{}”", shown.by),
                false => format!("`{}`", shown.by),
            };
            files.entry(&shown.path).or_default().push(by);
        }
        for (path, by) in files {
            page.push_str(&format!("- `{path}`: {}\n", by.join(", ")));
        }
        if !it.exempt.is_empty() {
            page.push_str(&format!("No test: {}\n", it.exempt));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::{Evidence, compare, evidence, requirement};
    use crate::tree::File;

    const SOURCE: &str = "//! R-009: a comment shows nothing.\n\
        const ROWS: &[&str] = &[\"R-001 a row, R-002 another\"];\n\
        #[tokio::test(start_paused = true)]\n\
        async fn r003_r004_what_is_so() {\n    check(\"R-005\");\n    // R-006\n}\n\
        fn r007_no_test() {\n    check(\"R-008\");\n}\n";

    fn shown(path: &str, text: &str) -> Evidence {
        evidence(&[File::new(path, text)])
    }

    #[test]
    fn ids_are_found_in_names_and_in_texts() {
        let found = shown("crates/a/tests/it/b.rs", SOURCE);
        let found: Vec<_> = found
            .iter()
            .flat_map(|(id, by)| by.iter().map(move |it| (id.as_str(), it.by.as_str())))
            .collect();
        assert_eq!(
            found,
            [
                ("R-001", "R-001 a row, R-002 another"),
                ("R-002", "R-001 a row, R-002 another"),
                ("R-003", "r003_r004_what_is_so"),
                ("R-004", "r003_r004_what_is_so"),
                ("R-005", "r003_r004_what_is_so"),
                ("R-008", "R-008"),
            ]
        );
        assert!(shown("crates/a/src/b.rs", SOURCE).is_empty());
    }

    #[test]
    fn what_is_not_shown_or_not_known_is_found() {
        let table = |lines: &[&str]| -> Vec<_> {
            lines.iter().map(|it| requirement(it).unwrap()).collect()
        };
        let found = shown(
            "tests/a.rs",
            "#[test]\nfn r001_a() {\n}\n#[test]\nfn r003_r009_b() {\n}\n",
        );
        let requirements = table(&[
            "R-001 | must | all | both | One.",
            "R-003 | should | 2025-03-26 | HTTP | Three. | No one needs it.",
            "R-002 | ours | 2025-03-26..2025-11-25 | stdio | Two.",
        ]);
        assert_eq!(
            compare(&requirements, &found),
            [
                "R-003 is declared to have no test, but has one",
                "no test shows R-002",
                "R-002 does not come after R-003",
                "R-009 is not a requirement: tests/a.rs: r003_r009_b",
            ]
        );
    }

    #[test]
    fn a_line_has_all_its_columns() {
        for line in [
            "",
            "R-1 | must | all | both | One.",
            "R-001 | may | all | both | One.",
            "R-001 | must | all | pigeon | One.",
            "R-001 | must | all | both |",
        ] {
            assert!(requirement(line).is_err(), "{line:?}");
        }
    }
}
