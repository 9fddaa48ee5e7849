//! The cases of the conversion: data files that are tests and documentation at once.

pub(crate) mod model;
pub(crate) mod options;
pub(crate) mod run;

use std::collections::BTreeSet;

use model::{Check, GROUPS, groups};
use run::{Outcome, alike, run};
use serde_json::Value;

/// All there are; a case that gets lost in editing is missed.
const CASES: usize = 206;

#[test]
fn every_case_has_the_result_in_its_file() {
    let mut failures = Vec::new();
    for group in groups() {
        for case in &group.cases {
            for (number, check) in case.checks.iter().enumerate() {
                for (revision, outcome) in run(check) {
                    if let Err(difference) = compare(check, revision, &outcome) {
                        let place = format!("{}[{number}] {}", case.id, revision.unwrap_or(""));
                        failures.push(format!("{place}: {difference}"));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn compare(check: &Check, revision: Option<&str>, outcome: &Outcome) -> Result<(), String> {
    if let Some(expected) = check.text("error") {
        let expected = expected.replace("__REV__", revision.unwrap_or(""));
        return match &outcome.value {
            Err(found) if *found == expected => Ok(()),
            other => Err(format!("expected the error {expected:?}, got {other:?}")),
        };
    }
    let value = outcome
        .value
        .as_ref()
        .map_err(|error| format!("failed: {error}"))?;
    let parts = [
        ("expect", value),
        ("losses", &outcome.losses),
        ("diagnostics", &outcome.diagnostics),
        ("follow_up", &outcome.follow_up),
        ("for_user", &outcome.for_user),
        ("meta", &outcome.meta),
        ("block_meta", &outcome.block_meta),
        ("other", &outcome.other),
    ];
    for (name, found) in parts {
        if let Some(expected) = check.value(name)
            && !alike(expected, found)
        {
            return Err(format!("{name}\n  expected {expected}\n  found    {found}"));
        }
    }
    Ok(())
}

#[test]
fn the_files_hold_every_case_once() {
    let ids: Vec<String> = groups()
        .into_iter()
        .flat_map(|group| group.cases.into_iter().map(|case| case.id))
        .collect();
    let distinct: BTreeSet<&String> = ids.iter().collect();
    assert_eq!((ids.len(), distinct.len()), (CASES, CASES));
    assert_eq!(GROUPS.len(), 16);
}

#[test]
fn typed_and_json_results_convert_alike() {
    let mut compared = 0;
    for group in groups() {
        for case in &group.cases {
            for check in case.checks.iter().filter(|it| it.name("do") == "convert") {
                let (from_json, from_typed) = (run::convert(check), run::convert_typed(check));
                let Some(from_typed) = from_typed else {
                    continue;
                };
                compared += 1;
                assert_eq!(from_json.value, from_typed.value, "{}", case.id);
                assert_eq!(from_json.losses, from_typed.losses, "{}", case.id);
            }
        }
    }
    assert!(
        compared > 150,
        "only {compared} conversions have a typed form"
    );
}

#[test]
fn every_test_that_a_case_names_exists() {
    let sources = [
        ("allocations", include_str!("../allocations.rs")),
        ("cases", include_str!("mod.rs")),
        ("corpus", include_str!("../corpus/mod.rs")),
        ("limits", include_str!("../limits.rs")),
        (
            "properties",
            include_str!("../../../../mcp-protocol/tests/it/properties.rs"),
        ),
    ];
    for group in groups() {
        for case in &group.cases {
            for check in case.checks.iter().filter(|it| it.name("do") == "test") {
                let (module, test) = check.name("test").split_once("::").unwrap();
                let source = sources.iter().find(|(name, _)| *name == module).unwrap().1;
                assert!(
                    source.contains(&format!("fn {test}()")),
                    "{}: {test}",
                    case.id
                );
            }
        }
    }
}

#[test]
fn no_output_of_a_rich_preset_has_base64_in_text() {
    fn texts<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
        match value {
            Value::String(text) => into.push(text),
            Value::Array(items) => items.iter().for_each(|it| texts(it, into)),
            Value::Object(members) => {
                let is_carrier = |name: &str| {
                    matches!(
                        name,
                        "data"
                            | "audio"
                            | "bytes"
                            | "base64"
                            | "image_url"
                            | "file_data"
                            | "image"
                            | "url"
                            | "audio_url"
                            | "value"
                            | "encrypted_content"
                    )
                };
                for (name, value) in members {
                    if !(value.is_string() && is_carrier(name)) {
                        texts(value, into);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => (),
        }
    }
    // Long enough that nothing else can be it.
    let data = "QkFTRTY0LVBBWUxPQUQtTUFSS0VS";
    let result = serde_json::json!({"content": [
        {"type": "image", "data": data, "mimeType": "image/png"},
        {"type": "image", "data": data, "mimeType": "image/bmp"},
        {"type": "audio", "data": data, "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.bin", "blob": data}},
        {"type": "resource", "resource": {"uri": "file:///a.pdf", "blob": data, "mimeType": "application/pdf"}},
        {"type": "video", "data": data},
    ]});
    for (target, output) in run::rich_everywhere(&result) {
        let mut found = Vec::new();
        texts(&output, &mut found);
        assert!(
            !found.iter().any(|it| it.contains(data)),
            "{target}: {output}"
        );
    }
}
