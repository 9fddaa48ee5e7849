//! The rules of the repository that no compiler checks. Each is a function and a `#[test]`, so `cargo test` runs them.

mod circles;
mod files;
mod layers;
mod manifests;
pub mod purity;
mod revisions;
mod threats;
mod words;

use crate::command::say;
use crate::failure::Failure;
use crate::requirements;
use crate::tree::{self, File};

/// Says what violates a rule in the given files: one line each, beginning with the place.
type Rule = fn(&[File]) -> Result<Vec<String>, Failure>;

#[rustfmt::skip]
const RULES: &[(&str, Rule)] = &[
    ("circles", |all| Ok(circles::violations(all))),
    ("files", |all| Ok(files::violations(all))),
    ("layers", layers::violations),
    ("manifests", |all| Ok(manifests::violations(all))),
    ("purity", |_| purity::violations()),
    ("requirements", requirements::violations),
    ("revisions", |all| Ok(revisions::violations(all))),
    ("threats", threats::violations),
    ("words", |all| Ok(words::violations(all))),
];

/// Checks all rules and prints what violates them.
pub(crate) fn run() -> Result<(), Failure> {
    let all = tree::files()?;
    let mut count = 0;
    for (name, violations) in RULES {
        // A rule that cannot be checked is not kept.
        let unchecked = |failure: Failure| vec![failure.to_string()];
        for violation in violations(&all).unwrap_or_else(unchecked) {
            say(&format!("{name}: {violation}"))?;
            count += 1;
        }
    }
    match count {
        0 => say(&format!("{} rules, {} files: tidy", RULES.len(), all.len())),
        _ => Err(Failure::Found(format!("{count} violations"))),
    }
}

#[cfg(test)]
mod tests {
    use super::RULES;
    use crate::tree;

    fn check(name: &str) {
        let (_, violations) = RULES.iter().find(|(rule, _)| *rule == name).unwrap();
        let found = violations(&tree::files().unwrap()).unwrap();
        assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
    }

    #[test]
    fn no_more_than_three_files_import_each_other_in_a_circle() {
        check("circles");
    }

    #[test]
    fn files_are_headed_short_and_clean() {
        check("files");
    }

    #[test]
    fn layers_are_kept() {
        check("layers");
    }

    #[test]
    fn manifests_inherit() {
        check("manifests");
    }

    #[test]
    fn every_requirement_has_a_test() {
        check("requirements");
    }

    #[test]
    fn pure_crates_need_no_runtime() {
        check("purity");
    }

    #[test]
    fn revisions_are_decided_in_one_place() {
        check("revisions");
    }

    #[test]
    fn defenses_and_guarantees_name_tests_that_exist() {
        check("threats");
    }

    #[test]
    fn crates_speak_of_their_own_domain() {
        check("words");
    }

    #[test]
    fn every_rule_has_a_test() {
        let tested = [
            "circles",
            "files",
            "layers",
            "manifests",
            "purity",
            "requirements",
            "revisions",
            "threats",
            "words",
        ];
        assert!(RULES.iter().map(|(name, _)| *name).eq(tested));
    }
}
