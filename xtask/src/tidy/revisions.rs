//! What a protocol revision changes is decided in one place: no other code names or compares revisions.

use crate::tree::File;

/// The place.
const HOME: &str = "crates/mcp-protocol/src/revision.rs";
/// The revisions as they stand on the wire.
const LITERALS: &[&str] = &[
    "\"2024-11-05\"",
    "\"2025-03-26\"",
    "\"2025-06-18\"",
    "\"2025-11-25\"",
    "\"2026-07-28\"",
];
/// How a revision begins in code.
const VARIANT: &str = "Revision::V2";
const COMPARISONS: &[&str] = &["==", "!=", ">=", "<=", ">", "<"];

pub(super) fn violations(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let ours = file.path.starts_with("crates/") && file.has_extension("rs");
        if !ours || file.is_test() || file.path == HOME {
            continue;
        }
        for (at, line) in file.code() {
            let path = &file.path;
            for literal in LITERALS.iter().filter(|literal| line.contains(*literal)) {
                found.push(format!("{path}:{at} says {literal}"));
            }
            if decides(line) {
                found.push(format!("{path}:{at} compares revisions: {}", line.trim()));
            }
        }
    }
    found
}

/// Whether `line` compares with a revision, matches one, or is the arm of a `match` on one.
fn decides(line: &str) -> bool {
    line.match_indices(VARIANT).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default().trim_end();
        // Without the path the variant may be written with.
        let before = before
            .trim_end_matches(|c: char| c.is_alphanumeric() || "_:&*".contains(c))
            .trim_end();
        let after = line.get(at + VARIANT.len()..).unwrap_or_default();
        let after = after
            .trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
            .trim_start();
        let compared = COMPARISONS.iter().any(|operator| {
            let arrow = before.ends_with("=>") || before.ends_with("->");
            after.starts_with(operator) || (before.ends_with(operator) && !arrow)
        });
        let matched = before.contains("matches!(") || after.starts_with("=>");
        let alternative = after.starts_with('|') && !after.starts_with("||");
        compared || matched || alternative
    })
}

#[cfg(test)]
mod tests {
    use super::{decides, violations};
    use crate::tree::File;

    #[test]
    fn deciding_by_a_revision_is_seen() {
        for (line, decided) in [
            ("if revision >= Revision::V2025_06_18 {", true),
            ("if Revision::V2025_06_18 <= revision {", true),
            (
                "if *revision == mcp_protocol::Revision::V2025_06_18 {",
                true,
            ),
            ("Revision::V2026_07_28 => modern(),", true),
            (
                "Revision::V2025_11_25 | Revision::V2026_07_28 => new(),",
                true,
            ),
            ("matches!(revision, Revision::V2026_07_28)", true),
            ("let fallback = Revision::V2025_03_26;", false),
            ("\"session\" => Revision::V2025_03_26,", false),
            ("fn latest() -> Revision { Revision::LATEST }", false),
            ("if revision.features().batches {", false),
        ] {
            assert_eq!(decides(line), decided, "{line}");
        }
    }

    #[test]
    fn only_the_code_of_our_crates_is_held_to_it() {
        let text = "const NEWEST: &str = \"2026-07-28\";\n";
        let check = |path: &str, count: usize| {
            let file = File::new(path, text);
            assert_eq!(violations(&[file]).len(), count, "{path}");
        };
        check("crates/mcp-http/src/headers.rs", 1);
        check("crates/mcp-http/src/headers/tests.rs", 0);
        check("crates/mcp-http/tests/it/main.rs", 0);
        check("crates/mcp-protocol/src/revision.rs", 0);
        check("xtask/measure/src/bench/cases.rs", 0);
    }
}
