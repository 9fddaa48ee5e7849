//! `cargo xtask prose`: habits of the text per area, against the ceilings of [`areas`].

mod areas;
mod count;
mod markdown;
mod rustdoc;

use std::collections::BTreeSet;
use std::fs;

use crate::command::say;
use crate::failure::Failure;
use crate::tree::{self, File};

use self::areas::{AREAS, Area, Kind};
use self::count::Counts;

/// Prints the figures of every area and fails if a checked area exceeds a ceiling.
pub(crate) fn run() -> Result<(), Failure> {
    let files = tree::files()?;
    say("area               words  relative   what    say  semic.    you  question  noun")?;
    let mut violations = Vec::new();
    for area in AREAS {
        let counts = counts(area, &files)?;
        say(&format!("{:17} {counts}", area.name))?;
        let found = counts.above(&area.kind.ceilings());
        if area.checked {
            violations.extend(found.iter().map(|it| format!("{}: {it}", area.name)));
        }
    }
    if violations.is_empty() {
        let checked = AREAS.iter().filter(|area| area.checked).count();
        return say(&format!(
            "{checked} of {} areas checked: within their ceilings",
            AREAS.len()
        ));
    }
    for violation in &violations {
        say(violation)?;
    }
    Err(Failure::Found(format!(
        "{} ceilings exceeded",
        violations.len()
    )))
}

/// Counts the habits of one area.
///
/// # Errors
///
/// A place without any file: its row points at text that has moved.
fn counts(area: &Area, files: &[File]) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    for place in area.places {
        let within = format!("{place}/");
        let mut in_place = files
            .iter()
            .filter(|file| file.path == *place || file.path.starts_with(&within))
            .peekable();
        if in_place.peek().is_none() {
            return Err(Failure::Found(format!(
                "{}: {place} does not exist",
                area.name
            )));
        }
        match area.kind {
            Kind::Rustdoc => {
                let listed = listed(place)?;
                for file in in_place.filter(|file| is_source(file)) {
                    counts.add_rustdoc(&rustdoc::public(file, listed.as_ref()));
                }
            }
            Kind::Guide | Kind::Reference | Kind::ToolText => {
                for file in in_place.filter(|file| file.has_extension("md")) {
                    counts.add_text(&markdown::plain(&file.text, area.kind == Kind::ToolText));
                }
            }
        }
    }
    Ok(counts)
}

fn is_source(file: &File) -> bool {
    file.has_extension("rs") && file.path.contains("/src/") && !file.is_test()
}

/// Reads the public items of a crate from its listing in `docs/authors/api`, if it has one.
fn listed(folder: &str) -> Result<Option<BTreeSet<String>>, Failure> {
    let name = folder.rsplit('/').next().unwrap_or(folder);
    let path = tree::root().join(format!("docs/authors/api/{name}.txt"));
    if !path.exists() {
        return Ok(None);
    }
    let listing = fs::read_to_string(&path).map_err(Failure::io(path.display()))?;
    Ok(Some(rustdoc::listed(&listing)))
}

#[cfg(test)]
mod tests {
    use super::areas::{Area, Kind};
    use super::counts;
    use crate::tree::File;

    fn check(kind: Kind, path: &str, text: &str, expected: &[&str]) {
        let area = Area {
            name: "planted",
            kind,
            places: &["planted"],
            checked: true,
        };
        let file = File::new(&format!("planted/{path}"), text);
        let found = counts(&area, &[file]).unwrap().above(&kind.ceilings());
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn prose_with_planted_habits_exceeds_each_ceiling() {
        let padding = "You read your node here and now. ".repeat(14);
        check(Kind::Guide, "a.md", &padding, &[]);
        check(
            Kind::Guide,
            "a.md",
            "The node answers here and now. ",
            &["you 0.0, at least 7.2"],
        );
        for (planted, expected) in [
            (
                "A list that it knows, which it reads. ",
                "relative 18.9, at most 12.1",
            ),
            ("It knows what it reads here now. ", "what 9.5, at most 2.2"),
            ("It says so to the client now. ", "say 9.5, at most 1.1"),
            (
                "It reads the list; it ends now. ",
                "semicolons 9.5, at most 2.75",
            ),
        ] {
            check(
                Kind::Guide,
                "a.md",
                &format!("{padding}{planted}"),
                &[expected],
            );
        }
        let table = "| a | It says so to you. |\n";
        check(Kind::Reference, "a.md", table, &[]);
        check(Kind::ToolText, "a.md", table, &["say 200.0, at most 1.1"]);
        check(
            Kind::Reference,
            "a.md",
            "```sh\nIt says what; it asks.\n```\n",
            &[],
        );
    }

    #[test]
    fn rustdoc_counts_openings_of_public_items_only() {
        let text = "//! A.\n\n/// What it is for, in short.\npub struct A {\n    /// The name of it, in short.\n    name: u8,\n}\n\n\
                    impl A {\n    /// The name of it, in short.\n    pub fn name(&self) {}\n\n    /// What is private here.\n    fn b() {}\n}\n";
        check(
            Kind::Rustdoc,
            "src/lib.rs",
            text,
            &[
                "what 83.3, at most 2.2",
                "question 50.0, at most 3.3",
                "noun 100.0, at most 6.6",
            ],
        );
    }

    #[test]
    fn area_whose_place_is_gone_is_an_error() {
        let area = Area {
            name: "gone",
            kind: Kind::Guide,
            places: &["gone.md"],
            checked: false,
        };
        assert!(counts(&area, &[]).is_err());
    }
}
