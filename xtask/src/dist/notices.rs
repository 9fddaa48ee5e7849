//! The licenses of the crates, the font and the table that are built into the program, as their authors ask for.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::command::{cargo, output};
use crate::dist::release::PROGRAM;
use crate::failure::Failure;
use crate::metadata::{self, items, text};
use crate::tree;

/// What the files with licenses, copyrights and notices are called, in upper case.
const NAMED: &[&str] = &["LICEN", "COPYING", "COPYRIGHT", "NOTICE"];
/// A longer file is not a license.
const LONGEST: u64 = 64 << 10;

/// What is built in besides crates, with its license and the file of that: the font of the pictures, and the characters that
/// look alike.
const DATA: [(&str, &str, &str); 2] = [
    (
        "Inter (font)",
        "OFL-1.1",
        "crates/qortal-tools/fonts/OFL.txt",
    ),
    (
        "homoglyph 1.2.1 (table)",
        "MIT",
        "crates/qortal-types/data/LICENSE-homoglyph",
    ),
];

/// One text: a list of crates with their licenses, then each license text with the crates it is of.
pub(crate) fn page() -> Result<String, Failure> {
    let metadata = metadata::parse(&output(cargo().args([
        "metadata",
        "--locked",
        "--format-version",
        "1",
    ]))?)?;
    let used = used(&metadata);
    let mut page = format!(
        "{PROGRAM} contains the following crates, each under the license that it states.\n\n"
    );
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let packages = items(&metadata, "packages").iter();
    for package in packages.filter(|it| used.contains(text(it, "id"))) {
        // Ours come with files of their own.
        if package.get("source").is_none_or(Value::is_null) {
            continue;
        }
        let name = format!("{} {}", text(package, "name"), text(package, "version"));
        let license = text(package, "license");
        page.push_str(&format!("{name}: {license}\n"));
        for found in licenses(text(package, "manifest_path"))? {
            texts.entry(found).or_default().insert(name.clone());
        }
    }
    for (name, license, path) in DATA {
        let text = fs::read_to_string(tree::root().join(path)).map_err(Failure::io(path))?;
        page.push_str(&format!("{name}: {license}\n"));
        texts.entry(text).or_default().insert(name.to_owned());
    }
    for (license, names) in texts {
        let names: Vec<_> = names.into_iter().collect();
        let rule = "-".repeat(80);
        page.push_str(&format!(
            "\n{rule}\n{}\n{rule}\n\n{license}\n",
            names.join(", ")
        ));
    }
    Ok(page)
}

/// The ids of the packages that the program is built from, on any platform, apart from what only builds or tests it.
fn used(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata
        .get("resolve")
        .map_or(&[][..], |it| items(it, "nodes"));
    let by_id: BTreeMap<&str, &Value> = nodes.iter().map(|it| (text(it, "id"), it)).collect();
    let program = items(metadata, "packages")
        .iter()
        .find(|it| text(it, "name") == PROGRAM);
    let mut open: Vec<&str> = program.map(|it| text(it, "id")).into_iter().collect();
    let mut used = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !used.insert(id) {
            continue;
        }
        let dependencies = by_id.get(id).map_or(&[][..], |it| items(it, "deps"));
        let built_in = dependencies.iter().filter(|it| {
            let mut kinds = items(it, "dep_kinds").iter();
            kinds.any(|kind| kind.get("kind").is_none_or(Value::is_null))
        });
        open.extend(built_in.map(|it| text(it, "pkg")));
    }
    used
}

/// The license texts beside a manifest.
fn licenses(manifest: &str) -> Result<Vec<String>, Failure> {
    let folder = Path::new(manifest).parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for file in fs::read_dir(folder).map_err(Failure::io(folder.display()))? {
        let file = file.map_err(Failure::io(folder.display()))?;
        let name = file.file_name().to_string_lossy().to_ascii_uppercase();
        let is_file = file
            .metadata()
            .is_ok_and(|it| it.is_file() && it.len() <= LONGEST);
        if is_file && NAMED.iter().any(|named| name.starts_with(named)) {
            let path = file.path();
            let bytes = fs::read(&path).map_err(Failure::io(path.display()))?;
            let license = String::from_utf8_lossy(&bytes).replace('\r', "");
            found.push(license.trim_end().to_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{page, used};

    #[test]
    fn what_only_builds_or_tests_the_program_is_not_in_it() {
        let depends =
            |id: &str, kind: Option<&str>| json!({"pkg": id, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [{"name": "qortal-mcp", "id": "program"}, {"name": "other", "id": "other"}],
            "resolve": {"nodes": [
                {"id": "program", "deps": [
                    depends("library", None), depends("builder", Some("build")), depends("judge", Some("dev")),
                ]},
                {"id": "library", "deps": [depends("deep", None)]},
                {"id": "deep", "deps": []},
                {"id": "other", "deps": []},
            ]},
        });
        let ids: Vec<_> = used(&metadata).into_iter().collect();
        assert_eq!(ids, ["deep", "library", "program"]);
    }

    #[test]
    fn the_notices_name_the_crates_and_their_licenses() {
        let page = page().unwrap();
        assert!(page.contains("\nring 0."), "{page:.2000}");
        assert!(page.contains("Permission is hereby granted"));
        assert!(page.contains("\nhomoglyph 1.2.1 (table): MIT\n"));
        assert!(page.contains("Copyright (c) 2015 Rob Dawson"));
        assert!(
            !page.contains("\nqortal-types "),
            "ours come with their own files"
        );
    }
}
