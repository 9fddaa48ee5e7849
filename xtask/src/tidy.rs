//! The rules of the repository that no compiler checks. Each is a function and a `#[test]`, so `cargo test` runs them.

mod circles;
mod files;
mod layers;
mod manifests;
mod map;
pub mod purity;
mod revisions;
mod threats;
mod words;

use crate::command::say;
use crate::failure::Failure;
use crate::requirements;
use crate::tree::{self, File};

/// A rule, and what violates it in the given files: one line each, beginning with the place.
struct Rule {
    name: &'static str,
    violations: fn(&[File]) -> Result<Vec<String>, Failure>,
}

const RULES: &[Rule] = &[
    Rule {
        name: "circles",
        violations: |all| Ok(circles::violations(all)),
    },
    Rule {
        name: "files",
        violations: |all| Ok(files::violations(all)),
    },
    Rule {
        name: "layers",
        violations: |_| layers::violations(),
    },
    Rule {
        name: "manifests",
        violations: |all| Ok(manifests::violations(all)),
    },
    Rule {
        name: "map",
        violations: map::violations,
    },
    Rule {
        name: "purity",
        violations: |_| purity::violations(),
    },
    Rule {
        name: "requirements",
        violations: requirements::violations,
    },
    Rule {
        name: "revisions",
        violations: |all| Ok(revisions::violations(all)),
    },
    Rule {
        name: "threats",
        violations: threats::violations,
    },
    Rule {
        name: "words",
        violations: |all| Ok(words::violations(all)),
    },
];

/// Checks all rules and prints what violates them.
pub(crate) fn run() -> Result<(), Failure> {
    let all = tree::files()?;
    let mut count = 0;
    for rule in RULES {
        // A rule that cannot be checked is not kept.
        let unchecked = |failure: Failure| vec![failure.to_string()];
        for violation in (rule.violations)(&all).unwrap_or_else(unchecked) {
            say(&format!("{}: {violation}", rule.name))?;
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
        let rule = RULES.iter().find(|rule| rule.name == name).unwrap();
        let found = (rule.violations)(&tree::files().unwrap()).unwrap();
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
    fn the_map_names_what_exists() {
        check("map");
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
    fn the_threat_model_names_tests_that_exist() {
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
            "map",
            "purity",
            "requirements",
            "revisions",
            "threats",
            "words",
        ];
        assert!(RULES.iter().map(|rule| rule.name).eq(tested));
    }
}
