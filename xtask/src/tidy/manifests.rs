//! What is stated once, in the root manifest. That dependencies are is seen by cargo-deny, and what a registry asks of a package by
//! clippy's `cargo_common_metadata`.

use crate::tree::File;

const ROOT: &str = "Cargo.toml";
/// The peers of the bench are measured, so they are linked alike.
const BENCH: &str = "bench/Cargo.toml";
/// How a file has tests, or what is there for them.
const TESTS: [&str; 4] = [
    "#[cfg(test)]",
    "#[cfg(all(test,",
    "#[test]",
    "#[tokio::test",
];
/// Libraries and programs whose tests `.ci/run` names.
const NAMED: [&str; 3] = [
    "crates/qortal-testnode/",
    "xtask/codegen/",
    "xtask/measure/",
];
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
    for file in untested(files) {
        let lines = file.text.lines().map(str::trim_start);
        let mut tests = lines.filter(|line| TESTS.iter().any(|it| line.starts_with(it)));
        let test = tests.next();
        found.extend(test.map(|it| format!("{} has {it}, where no test runs", file.path)));
    }
    found
}

/// The files of libraries and programs whose tests do not run: `test = false` saves the second compilation of a library, or the
/// linking of a program without tests.
fn untested(files: &[File]) -> Vec<&File> {
    let mut found = Vec::new();
    for manifest in files {
        let Some(folder) = manifest.path.strip_suffix("Cargo.toml") else {
            continue;
        };
        if NAMED.contains(&folder) {
            continue;
        }
        let is_off = |target| table(manifest, target).contains(&"test = false");
        let [library, program] = ["[lib]", "[[bin]]"].map(is_off);
        let [src, lib, main] = ["", "lib.rs", "main.rs"].map(|it| format!("{folder}src/{it}"));
        let has_library = files.iter().any(|it| it.path == lib);
        let is_untested = |it: &&File| match it.path == main || !has_library {
            true => program,
            false => library,
        };
        let sources = files.iter().filter(|it| it.path.starts_with(&src));
        found.extend(sources.filter(is_untested));
    }
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
    use super::{untested, violations};
    use crate::tree::{File, files as files_of_the_repository};

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let files = files.iter().map(|(path, text)| File::new(path, text));
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

    #[test]
    fn no_test_is_where_none_runs() {
        let with = |manifest: &str, path: &str, line: &str, found: bool| {
            let manifest = format!("{manifest}\n[lints]\nworkspace = true\n");
            let text = format!("fn f() {{}}\n\n    {line}\n");
            let said = format!("{path} has {line}, where no test runs");
            let files = [
                ("crates/a/Cargo.toml", manifest.as_str()),
                ("crates/a/src/lib.rs", ""),
                (path, &text),
            ];
            let found = found.then_some(said.as_str());
            check(&files, found.as_slice());
        };
        let library = "[lib]\n# Why.\ntest = false\n";
        let program = "[[bin]]\nname = \"a\"\ntest = false\n";
        let (file, main) = ("crates/a/src/b/c.rs", "crates/a/src/main.rs");
        for line in [
            "#[cfg(test)]",
            "#[cfg(all(test, unix))]",
            "#[test]",
            "#[tokio::test]",
            "#[tokio::test(start_paused = true)]",
        ] {
            with(library, file, line, true);
            with(program, main, line, true);
            with(program, file, line, false);
            with(library, main, line, false);
            with(library, "crates/a/tests/it/main.rs", line, false);
            with("", file, line, false);
        }
        with(library, file, "// see `#[test]`", false);
        // A program without a library.
        let manifest = format!("{program}\n[lints]\nworkspace = true\n");
        let found = format!("{file} has #[test], where no test runs");
        let files = [
            ("crates/a/Cargo.toml", manifest.as_str()),
            (file, "#[test]"),
        ];
        check(&files, &[&found]);
        let all = files_of_the_repository().unwrap();
        let largest = |it: &&File| it.path.starts_with("crates/qortal-tools/src/");
        assert!(untested(&all).into_iter().filter(largest).count() > 100);
    }

    #[test]
    fn rmcp_is_pinned_to_one_version() {
        const RMCP: [&str; 3] = [
            "bench/Cargo.toml",
            "tests/interop/rmcp/Cargo.toml",
            "tests/interop/embedding/Cargo.toml",
        ];
        let all = files_of_the_repository().unwrap();
        let pinned = |path: &&str| {
            let manifest = all.iter().find(|it| it.path == **path).unwrap();
            let line = manifest.text.lines().find(|it| it.starts_with("rmcp = "));
            line.and_then(|it| it.split('"').nth(1)).unwrap().to_owned()
        };
        let [first, others @ ..] = RMCP.each_ref().map(pinned);
        assert!(others.iter().all(|it| *it == first), "{first} {others:?}");
    }
}
