//! Version, edition, license, lints and dependencies are stated once, in the root manifest, and a crate that is
//! published states what its users search it by.

use crate::release::PROGRAM;
use crate::tree::File;

const ROOT: &str = "Cargo.toml";
/// The tables that workspaces of their own repeat, as they are called in the root manifest and there.
const LINTS: &[(&str, &str)] = &[
    ("[workspace.lints.rust]", "[lints.rust]"),
    ("[workspace.lints.clippy]", "[lints.clippy]"),
];
/// What every call runs through has a level of its own, in one table; more would hide what a program is made of.
const OVERRIDES: &str = "[profile.dist.package]";
const MOST_OVERRIDES: usize = 10;
const DIST: &str = "[profile.dist]";
const RELEASE: &str = "[profile.release]";
/// How those keys of `DIST` begin that peers of the bench need not share: theirs inherits from nothing, and is for speed alone.
const OURS: [&str; 2] = ["inherits = ", "opt-level = "];
/// The peers of the bench are measured, so they are linked alike.
const BENCH: &str = "bench/Cargo.toml";
const INTEROP: [&str; 2] = [
    "tests/interop/rmcp/Cargo.toml",
    "tests/interop/embedding/Cargo.toml",
];
/// Exports functions, which is unsafe to the compiler: what the others are forbidden it has to expect.
const WASM: &str = "packaging/convert/Cargo.toml";
const UNSAFE: (&str, &str) = ("unsafe_code = \"deny\"", "unsafe_code = \"forbid\"");
/// What each crate of the workspace inherits.
const INHERITED: &[&str] = &[
    "version.workspace = true",
    "edition.workspace = true",
    "license.workspace = true",
];

/// What the manifest of a published crate states besides, and how each line begins.
const PUBLISHED: &[&str] = &["readme = ", "keywords = [", "categories = ["];
const DOCS_RS: &str = "[package.metadata.docs.rs]";
/// A registry takes no more.
const MOST_KEYWORDS: usize = 5;
/// `cargo xtask msrv` checks a crate with the Rust it states; the oldest is often older than the workspace's.
const RUST_VERSION: &str = "rust-version";

/// Dependencies a crate states itself, each with its reason.
const OWN: &[(&str, &str, &str)] = &[
    (
        "crates/mcp-http/Cargo.toml",
        "mcp-http = ",
        "its tests turn on its features, and a version would ask the registry for what is being tested",
    ),
    (
        "crates/mcp-operate/Cargo.toml",
        "mcp-operate = ",
        "its tests turn on its features, and a version would ask the registry for what is being tested",
    ),
];

pub(super) fn violations(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    let text = |path| files.iter().find(|file| file.path == path);
    if let Some(root) = text(ROOT) {
        found.extend(shared(root));
        found.extend(overridden(root));
        if let Some(bench) = text(BENCH) {
            found.extend(repeated(root, bench, LINTS));
            found.extend(built_otherwise(root, bench));
        }
        for manifest in INTEROP.iter().filter_map(|path| text(path)) {
            found.extend(repeated(root, manifest, LINTS));
        }
        if let Some(wasm) = text(WASM) {
            let same = File {
                path: wasm.path.clone(),
                text: wasm.text.replace(UNSAFE.0, UNSAFE.1),
            };
            found.extend(repeated(root, &same, LINTS));
        }
    }
    for file in files {
        if is_member(&file.path) {
            found.extend(member(file));
        }
    }
    found
}

/// Whether `path` is the manifest of a crate of the workspace.
fn is_member(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(
        parts.as_slice(),
        ["crates" | "examples", _, "Cargo.toml"] | ["tests" | "xtask", "Cargo.toml"]
    )
}

/// The lines of a table, without comments and blank lines.
fn table<'a>(file: &'a File, header: &str) -> Vec<&'a str> {
    file.text
        .lines()
        .skip_while(|line| *line != header)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn member(file: &File) -> Vec<String> {
    let path = &file.path;
    let mut found = Vec::new();
    let package = table(file, "[package]");
    for line in INHERITED.iter().filter(|line| !package.contains(line)) {
        found.push(format!("{path} lacks {line:?}"));
    }
    let states = |start: &str| package.iter().any(|line| line.starts_with(start));
    if !states("description = ") {
        found.push(format!("{path} lacks a description"));
    }
    if !states(RUST_VERSION) {
        found.push(format!("{path} lacks {RUST_VERSION:?}"));
    }
    if path.starts_with("crates/") {
        found.extend(unpublishable(file, &package));
    }
    if table(file, "[lints]") != ["workspace = true"] {
        found.push(format!("{path} does not inherit the lints"));
    }
    let sections = file.text.lines().filter(|line| {
        line.starts_with('[') && line.trim_end_matches(']').ends_with("dependencies")
    });
    for section in sections {
        for line in table(file, section) {
            let inherits = line.contains(".workspace = true") || line.contains("workspace = true,");
            let own = OWN
                .iter()
                .any(|(manifest, start, _)| path == manifest && line.starts_with(start));
            if !inherits && !own {
                found.push(format!("{path} does not inherit {line:?}"));
            }
        }
    }
    found
}

/// What a published crate's manifest lacks.
fn unpublishable(file: &File, package: &[&str]) -> Vec<String> {
    let path = &file.path;
    let value = |start: &str| {
        let mut lines = package.iter();
        lines.find_map(|line| line.strip_prefix(start))
    };
    let mut found = Vec::new();
    for start in PUBLISHED.iter().filter(|start| value(start).is_none()) {
        found.push(format!("{path} lacks {start:?}"));
    }
    let name = value("name = ").unwrap_or_default().trim_matches('"');
    let documentation = format!("\"https://docs.rs/{name}\"");
    if value("documentation = ") != Some(&documentation) {
        found.push(format!("{path} lacks documentation = {documentation}"));
    }
    if value("keywords = [").is_some_and(|it| it.split(',').count() > MOST_KEYWORDS) {
        found.push(format!("{path} has more than {MOST_KEYWORDS} keywords"));
    }
    if table(file, DOCS_RS).is_empty() {
        found.push(format!("{path} lacks {DOCS_RS}"));
    }
    found
}

/// A crate that inherits a dependency gets no feature it did not ask for.
fn shared(root: &File) -> Vec<String> {
    table(root, "[workspace.dependencies]")
        .into_iter()
        .filter(|line| !line.contains("default-features = false") && !line.contains("path = "))
        .map(|line| format!("{ROOT} takes the default features of {line:?}"))
        .collect()
}

fn repeated(root: &File, other: &File, tables: &[(&str, &str)]) -> Vec<String> {
    let path = &other.path;
    tables
        .iter()
        .filter(|(ours, theirs)| table(root, ours) != table(other, theirs))
        .map(|(ours, theirs)| format!("{path} {theirs} differs from {ours} in {ROOT}"))
        .collect()
}

/// Cargo leaves the symbols in a program whose own package has a profile, whatever `strip` says.
fn overridden(root: &File) -> Vec<String> {
    let tables = root.text.lines().filter(|line| {
        let is_ours = line.starts_with("[profile.release.") || line.starts_with("[profile.dist.");
        is_ours && *line != OVERRIDES
    });
    let mut found: Vec<_> = tables.map(|it| format!("{ROOT} has {it:?}")).collect();
    let overrides = table(root, OVERRIDES);
    if overrides.len() > MOST_OVERRIDES {
        found.push(format!(
            "{ROOT} has more than {MOST_OVERRIDES} in {OVERRIDES}"
        ));
    }
    if overrides
        .iter()
        .any(|it| key(it).trim_matches('"') == PROGRAM)
    {
        found.push(format!("{ROOT} overrides the profile of {PROGRAM}"));
    }
    found
}

/// The name before the first dot or equals sign.
fn key(line: &str) -> &str {
    line.split(['.', '=']).next().unwrap_or_default().trim()
}

/// How the profile of the bench differs from that of programs where it must not.
fn built_otherwise(root: &File, bench: &File) -> Option<String> {
    let dist = table(root, DIST);
    let mut ours = table(root, RELEASE);
    // What it inherits and says again is its own.
    ours.retain(|line| !dist.iter().any(|it| key(it) == key(line)));
    ours.extend(dist);
    ours.retain(|line| !OURS.iter().any(|it| line.starts_with(it)));
    let mut theirs = table(bench, RELEASE);
    ours.sort_unstable();
    theirs.sort_unstable();
    let path = &bench.path;
    (ours != theirs)
        .then(|| format!("{path} {RELEASE} differs from {DIST} in {ROOT} in more than the level"))
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::tree::File;

    const GOOD: &str = "[package]\nname = \"a\"\ndescription = \"A.\"\nversion.workspace = true\nedition.workspace = true\n\
                        rust-version.workspace = true\nlicense.workspace = true\nreadme = \"README.md\"\n\
                        documentation = \"https://docs.rs/a\"\nkeywords = [\"a\"]\ncategories = [\"encoding\"]\n\n\
                        [package.metadata.docs.rs]\nall-features = true\n\n\
                        [lints]\nworkspace = true\n\n[dependencies]\nserde.workspace = true\n\
                        tokio = { workspace = true, features = [\"net\"] }\n";

    fn check(path: &str, text: &str, expected: &[&str]) {
        let file = File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        assert_eq!(violations(&[file]), expected, "{text}");
    }

    #[test]
    fn what_is_not_inherited_is_named() {
        let path = "crates/a/Cargo.toml";
        check(path, GOOD, &[]);
        check(
            path,
            &GOOD.replace("edition.workspace = true", "edition = \"2021\""),
            &["crates/a/Cargo.toml lacks \"edition.workspace = true\""],
        );
        check(
            path,
            &GOOD.replace("[lints]\nworkspace = true", ""),
            &["crates/a/Cargo.toml does not inherit the lints"],
        );
        check(
            path,
            &format!("{GOOD}b = {{ path = \"../b\" }}\n"),
            &["crates/a/Cargo.toml does not inherit \"b = { path = \\\"../b\\\" }\""],
        );
    }

    #[test]
    fn what_a_published_crate_lacks_is_named() {
        let path = "crates/a/Cargo.toml";
        check(
            path,
            &GOOD.replace("rust-version.workspace = true", "rust-version = \"1.88\""),
            &[],
        );
        check(
            path,
            &GOOD.replace("rust-version.workspace = true\n", ""),
            &["crates/a/Cargo.toml lacks \"rust-version\""],
        );
        check(
            path,
            &GOOD.replace("docs.rs/a", "docs.rs/b"),
            &["crates/a/Cargo.toml lacks documentation = \"https://docs.rs/a\""],
        );
        check(
            path,
            &GOOD
                .replace("keywords = [\"a\"]", "keywords = [1, 2, 3, 4, 5, 6]")
                .replace("categories = [\"encoding\"]\n", "")
                .replace("all-features = true\n", ""),
            &[
                "crates/a/Cargo.toml lacks \"categories = [\"",
                "crates/a/Cargo.toml has more than 5 keywords",
                "crates/a/Cargo.toml lacks [package.metadata.docs.rs]",
            ],
        );
        // What is not published is found by its path.
        check("examples/a/Cargo.toml", &GOOD.replace("readme", "# "), &[]);
    }

    #[test]
    fn default_features_are_not_taken() {
        check(
            "Cargo.toml",
            "[workspace.dependencies]\nserde = \"1\"\na = { path = \"a\", version = \"1\" }\n",
            &["Cargo.toml takes the default features of \"serde = \\\"1\\\"\""],
        );
    }

    #[test]
    fn few_packages_have_a_level_of_their_own_and_never_the_program() {
        let check = |text: &str, expected: &[&str]| check("Cargo.toml", text, expected);
        let found = "Cargo.toml has \"[profile.dist.package.qortal-mcp]\"";
        check(
            "[profile.dist.package.qortal-mcp]\nopt-level = 3\n",
            &[found],
        );
        let found = "Cargo.toml has \"[profile.release.package]\"";
        check("[profile.release.package]\nhyper.opt-level = 3\n", &[found]);
        check("[profile.dist.package]\nhyper.opt-level = 3\n", &[]);
        let found = "Cargo.toml overrides the profile of qortal-mcp";
        check(
            "[profile.dist.package]\nqortal-mcp.opt-level = 3\n",
            &[found],
        );
        let many = format!(
            "[profile.dist.package]\n{}",
            "hyper.opt-level = 3\n".repeat(11)
        );
        check(
            &many,
            &["Cargo.toml has more than 10 in [profile.dist.package]"],
        );
        check("[profile.dev.package]\ninsta.opt-level = 3\n", &[]);
    }

    #[test]
    fn peers_are_linked_alike() {
        let check = |bench: &str, expected: &[&str]| {
            let file = |path: &str, text: &str| File {
                path: path.to_owned(),
                text: text.to_owned(),
            };
            let root = "[profile.release]\nopt-level = \"s\"\nlto = \"off\"\nstrip = true\n\n[profile.dist]\ninherits = \"release\"\nlto = \"fat\"\n";
            let files = [file("Cargo.toml", root), file("bench/Cargo.toml", bench)];
            assert_eq!(violations(&files), expected, "{bench}");
        };
        let differs = "bench/Cargo.toml [profile.release] differs from [profile.dist] in Cargo.toml in more than the level";
        check("[profile.release]\nlto = \"fat\"\nstrip = true\n", &[]);
        check("[profile.release]\nstrip = true\n", &[differs]);
        check(
            "[profile.release]\nopt-level = \"s\"\nlto = \"fat\"\nstrip = true\n",
            &[differs],
        );
    }
}
