//! What is stated once, in the root manifest. That dependencies are is seen by cargo-deny, and what a registry asks of a package by
//! clippy's `cargo_common_metadata`.

use crate::tree::File;

const ROOT: &str = "Cargo.toml";
/// The peers of the bench are measured, so they are linked alike.
const BENCH: &str = "bench/Cargo.toml";
/// What of a profile they share.
const LINKED: [&str; 4] = ["codegen-units", "lto", "panic", "strip"];

pub(super) fn violations(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    let text = |path| files.iter().find(|file| file.path == path);
    if let Some(root) = text(ROOT) {
        // A crate that inherits a dependency gets no feature it did not ask for.
        let shared = table(root, "[workspace.dependencies]").into_iter();
        let shared =
            shared.filter(|it| !it.contains("default-features = false") && !it.contains("path = "));
        found.extend(shared.map(|it| format!("{ROOT} takes the default features of {it:?}")));
        found.extend(text(BENCH).and_then(|bench| linked_otherwise(root, bench)));
    }
    let members = files.iter().filter(|it| is_member(&it.path));
    let otherwise = members.filter(|it| table(it, "[lints]") != ["workspace = true"]);
    found.extend(otherwise.map(|it| format!("{} does not inherit the lints", it.path)));
    found
}

/// Whether `path` is the manifest of a crate of the workspace.
fn is_member(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(
        parts.as_slice(),
        ["crates" | "examples", _, "Cargo.toml"]
            | ["tests" | "xtask", "Cargo.toml"]
            | [
                "tests",
                "schema" | "operations" | "simulation",
                "Cargo.toml"
            ]
            | ["xtask", "codegen" | "measure", "Cargo.toml"]
    )
}

/// The lines of a table, without comments and blank lines.
fn table<'a>(file: &'a File, header: &str) -> Vec<&'a str> {
    let lines = file.text.lines().skip_while(|line| *line != header).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split(" #").next().unwrap_or(line))
        .collect()
}

/// How the profile of the bench differs from that of programs where it must not.
fn linked_otherwise(root: &File, bench: &File) -> Option<String> {
    let of = |lines: &[&str]| {
        LINKED.map(|key| {
            let mut found = lines.iter().filter_map(|it| it.split_once(" = "));
            found.find(|(it, _)| *it == key).map(|it| it.1.to_owned())
        })
    };
    // What it says itself comes before what it inherits.
    let dist = [
        table(root, "[profile.dist]"),
        table(root, "[profile.release]"),
    ];
    let (ours, theirs) = (of(&dist.concat()), of(&table(bench, "[profile.release]")));
    (ours != theirs).then(|| format!("{BENCH} is linked as {theirs:?}, not {ours:?}"))
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::{File, files};

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let files = files.iter().map(|(path, text)| File {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        let found = violations(&files.collect::<Vec<_>>());
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_not_inherited_is_named() {
        let path = "crates/a/Cargo.toml";
        check(&[(path, "[lints]\nworkspace = true\n")], &[]);
        let found = "crates/a/Cargo.toml does not inherit the lints";
        check(&[(path, "[package]\n")], &[found]);
        let root = "[workspace.dependencies]\nserde = \"1\"\na = { path = \"a\" }\n";
        let found = "Cargo.toml takes the default features of \"serde = \\\"1\\\"\"";
        check(&[("Cargo.toml", root)], &[found]);
    }

    #[test]
    fn peers_are_linked_alike() {
        let root =
            "[profile.release]\nlto = \"off\"\nstrip = true\n[profile.dist]\nlto = \"fat\"\n";
        let check = |bench: &str, expected: &[&str]| {
            check(
                &[("Cargo.toml", root), ("bench/Cargo.toml", bench)],
                expected,
            );
        };
        check(
            "[profile.release]\nopt-level = 3\nlto = \"fat\"\nstrip = true # small\n",
            &[],
        );
        let found = "bench/Cargo.toml is linked as [None, None, None, Some(\"true\")], not [None, Some(\"\\\"fat\\\"\"), None, Some(\"true\")]";
        check("[profile.release]\nstrip = true\n", &[found]);
    }

    /// Where `test = false` saves the linking of a program without tests, there are none.
    #[test]
    fn no_test_is_where_none_runs() {
        let all = files().unwrap();
        let mut untested = 0;
        for manifest in all.iter().filter(|it| it.text.contains("\ntest = false")) {
            let Some(folder) = manifest.path.strip_suffix("Cargo.toml") else {
                continue;
            };
            let is_off = |it: &str| it.starts_with("lib]\n") && it.contains("\ntest = false");
            let library = format!("{folder}src/lib.rs");
            let has_tested_library =
                !manifest.text.split("\n[").any(is_off) && all.iter().any(|it| it.path == library);
            let (main, src) = (format!("{folder}src/main.rs"), format!("{folder}src/"));
            let of_program = |it: &&File| match has_tested_library {
                true => it.path == main,
                false => it.path.starts_with(&src),
            };
            for file in all.iter().filter(of_program) {
                assert!(!file.text.contains("#[test]"), "{}", file.path);
                untested += 1;
            }
        }
        assert!(untested > 10, "{untested} files");
    }
}
