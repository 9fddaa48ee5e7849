//! All that comes out of all cases, to be read in review: the case files state what matters, this states
//! everything.

use std::fmt::Write;

use crate::cases::{model::groups, run::run};

#[test]
fn all_outcomes() {
    for group in groups() {
        let mut text = String::new();
        for case in &group.cases {
            for check in &case.checks {
                for (revision, outcome) in run(check) {
                    let revision = revision.map(|it| format!(" {it}")).unwrap_or_default();
                    let what = check.text("target").unwrap_or_else(|| check.name("do"));
                    writeln!(text, "{} {what}{revision}", case.id).unwrap();
                    match &outcome.value {
                        Ok(value) => writeln!(text, "  {value}").unwrap(),
                        Err(error) => writeln!(text, "  error: {error}").unwrap(),
                    }
                    let more = [
                        ("lost", &outcome.losses),
                        ("odd", &outcome.diagnostics),
                        ("follow-up", &outcome.follow_up),
                        ("for user", &outcome.for_user),
                        ("meta", &outcome.meta),
                        ("meta of blocks", &outcome.block_meta),
                    ];
                    for (name, value) in more {
                        let is_empty = value.as_array().is_some_and(Vec::is_empty);
                        if !value.is_null() && !is_empty {
                            writeln!(text, "  {name}: {value}").unwrap();
                        }
                    }
                }
            }
        }
        insta::with_settings!({
            snapshot_path => "../snapshots/conversion",
            prepend_module_to_snapshot => false,
            omit_expression => true,
            description => format!("{}: every outcome of tests/data/cases/{}.json", group.title, group.letter.to_lowercase()),
        }, {
            insta::assert_snapshot!(group.letter.to_lowercase(), text);
        });
    }
}
