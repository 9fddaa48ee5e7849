//! What goes to a registry is whole: each crate brings its licenses, its README and every file it names, and
//! nothing that only this repository needs.

use serde_json::Value;

use crate::command::{cargo, output};
use crate::failure::Failure;
use crate::metadata::{self, items, text};
use crate::tree::File;

/// What every package has to contain.
const REQUIRED: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "src/lib.rs",
];
/// What else a package may contain, by the folder at its root; a new one is a decision.
const FOLDERS: &[&str] = &[
    "corpus",
    "data",
    "docs",
    "examples",
    "fonts",
    "landing",
    "snapshots",
    "src",
    "tests",
    "web",
];
/// What else may stand at the top: what cargo adds of its own, and a script of the build.
const ADDED: &[&str] = &[".cargo_vcs_info.json", "Cargo.toml.orig", "build.rs"];
/// Names that Windows keeps for devices, whatever their extension.
const DEVICES: &[&str] = &["aux", "com1", "con", "lpt1", "nul", "prn"];
/// How source files name other files: the text before the name, and whether it is seen from the crate's root.
const NAMED_AFTER: &[(&str, bool)] = &[
    ("include_str!(\"", false),
    ("include_bytes!(\"", false),
    ("#[path = \"", false),
    ("env!(\"CARGO_MANIFEST_DIR\"), \"", true),
];

/// A crate that is published.
#[derive(Debug)]
pub struct Package {
    /// As registries know it.
    pub name: String,
    /// Its folder, from the root of the repository, with `/` at the end.
    pub folder: String,
}

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for package in published()? {
        let list = output(cargo().args([
            "package",
            "--list",
            "--offline",
            "--allow-dirty",
            "--quiet",
            "--package",
            &package.name,
        ]))?;
        let list: Vec<&str> = list.lines().collect();
        found.extend(incomplete(&package, &list));
        found.extend(out_of_reach(&package, &list, files));
    }
    Ok(found)
}

/// The crates that are published: those under `crates`, and no other.
pub fn published() -> Result<Vec<Package>, Failure> {
    let metadata = metadata::workspace()?;
    let mut packages = Vec::new();
    for member in items(&metadata, "packages") {
        let text = |key| text(member, key);
        let name = text("name").to_owned();
        // Null says any registry, an empty list none.
        let is_published = member.get("publish").is_none_or(Value::is_null);
        let folder = crate_folder(text("manifest_path"));
        if is_published != folder.is_some() {
            let why = "what is published is under crates, and nothing else is";
            return Err(Failure::unreadable(format!("the place of {name}"), why));
        }
        if let Some(folder) = folder {
            packages.push(Package { name, folder });
        }
    }
    Ok(packages)
}

/// The folder of a crate under `crates`, from the root of the repository, with `/` at the end.
fn crate_folder(manifest: &str) -> Option<String> {
    let mut parts = manifest.rsplit(['/', '\\']);
    match [parts.next()?, parts.next()?, parts.next()?] {
        ["Cargo.toml", name, "crates"] => Some(format!("crates/{name}/")),
        _ => None,
    }
}

/// What lacks, and what is too much.
fn incomplete(package: &Package, list: &[&str]) -> Vec<String> {
    let name = &package.name;
    let lacking = REQUIRED.iter().filter(|path| !list.contains(path));
    let mut found: Vec<String> = lacking
        .map(|path| format!("the package of {name} lacks {path}"))
        .collect();
    for path in list {
        let is_known = match path.split_once('/') {
            Some((folder, _)) => FOLDERS.contains(&folder),
            None => REQUIRED.contains(path) || ADDED.contains(path),
        };
        let is_device = path.split('/').any(|part| {
            let stem = part.split('.').next().unwrap_or_default();
            DEVICES.contains(&stem.to_ascii_lowercase().as_str())
        });
        if !is_known || path.contains("node_modules/") {
            found.push(format!("the package of {name} contains {path}"));
        } else if is_device {
            found.push(format!("{path} of {name} cannot be a file on Windows"));
        }
    }
    found
}

/// Files that the package's sources name and the package does not contain.
fn out_of_reach(package: &Package, list: &[&str], files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let Some(path) = file.path.strip_prefix(&package.folder) else {
            continue;
        };
        if !list.contains(&path) || !file.has_extension("rs") {
            continue;
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (before, from_root) in NAMED_AFTER {
            for rest in file.text.split(before).skip(1) {
                let named = rest.split('"').next().unwrap_or_default();
                let base = if *from_root { "" } else { folder };
                let target = resolved(base, named);
                let is_there = target.as_ref().is_some_and(|target| {
                    let within = format!("{target}/");
                    list.iter()
                        .any(|it| it == target || it.starts_with(&within))
                });
                if !is_there {
                    let at = &file.path;
                    found.push(format!("{at} names {named:?}, which is not packaged"));
                }
            }
        }
    }
    found
}

/// `named` as seen from `folder`; `None` where that leaves the crate.
fn resolved(folder: &str, named: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in folder.split('/').chain(named.split('/')) {
        match part {
            "" | "." => (),
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{Package, REQUIRED, incomplete, out_of_reach};
    use crate::tree::File;

    fn package() -> Package {
        Package {
            name: "a".to_owned(),
            folder: "crates/a/".to_owned(),
        }
    }

    #[test]
    fn a_package_has_what_it_needs_and_no_more() {
        let check = |list: &[&str], expected: &[&str]| {
            assert_eq!(incomplete(&package(), list), expected, "{list:?}");
        };
        check(REQUIRED, &[]);
        check(&[REQUIRED, &["src/b.rs", "Cargo.toml.orig"]].concat(), &[]);
        check(
            REQUIRED.get(1..).unwrap(),
            &["the package of a lacks Cargo.lock"],
        );
        check(
            &[REQUIRED, &["notes.txt", "tests/node_modules/b/c.js"]].concat(),
            &[
                "the package of a contains notes.txt",
                "the package of a contains tests/node_modules/b/c.js",
            ],
        );
        check(
            &[REQUIRED, &["tests/NUL.snap"]].concat(),
            &["tests/NUL.snap of a cannot be a file on Windows"],
        );
    }

    #[test]
    fn a_file_named_in_the_sources_is_in_the_package() {
        let check = |text: &str, expected: &[&str]| {
            let file = File {
                path: "crates/a/tests/it/b.rs".to_owned(),
                text: text.to_owned(),
            };
            let list = ["tests/it/b.rs", "tests/data/c.json", "docs/d.md"];
            assert_eq!(out_of_reach(&package(), &list, &[file]), expected, "{text}");
        };
        check("include_str!(\"../data/c.json\")", &[]);
        check("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/docs/d.md\")", &[]);
        check("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/docs\")", &[]);
        for named in ["../data/e.json", "../../../../docs/d.md"] {
            check(
                &format!("include_str!(\"{named}\")"),
                &[&format!(
                    "crates/a/tests/it/b.rs names {named:?}, which is not packaged"
                )],
            );
        }
    }
}
