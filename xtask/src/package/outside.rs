//! The packages as their users get them: unpacked outside the workspace, where only our own packages are replaced, by
//! the unpacked ones, and everything else comes from the registry.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::command::{self, cargo, output, progress};
use crate::failure::Failure;
use crate::metadata::{self, items, text};
use crate::tidy::packages::Package;

/// Unpacks every package, builds it there, and returns the packages that took one of ours from anywhere else.
pub(super) fn problems(packages: &[Package], target: &Path) -> Result<Vec<String>, Failure> {
    let folder = std::env::temp_dir().join(format!("packages-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    // As cargo prints paths.
    let folder = folder
        .canonicalize()
        .map_err(Failure::io(folder.display()))?;
    let found = unpack(packages, target, &folder)
        .and_then(|()| build(packages, &folder, &target.join("outside")));
    fs::remove_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    found
}

fn unpack(packages: &[Package], target: &Path, folder: &Path) -> Result<(), Failure> {
    for package in packages {
        let file = target.join("package").join(package.file());
        let mut tar = Command::new("tar");
        command::run(tar.arg("-xzf").arg(file).arg("-C").arg(folder))?;
    }
    let config = folder.join(".cargo/config.toml");
    fs::create_dir_all(folder.join(".cargo")).map_err(Failure::io(config.display()))?;
    fs::write(&config, replacements(packages, folder)).map_err(Failure::io(config.display()))
}

/// The configuration by which cargo takes our packages from `folder`.
fn replacements(packages: &[Package], folder: &Path) -> String {
    let mut config = "[patch.crates-io]\n".to_owned();
    for package in packages {
        let path = unpacked(package, folder);
        config.push_str(&format!("{} = {{ path = {path:?} }}\n", package.name));
    }
    config
}

fn unpacked(package: &Package, folder: &Path) -> PathBuf {
    folder.join(format!("{}-{}", package.name, package.version))
}

fn build(packages: &[Package], folder: &Path, target: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for package in packages {
        progress(&format!("building {} outside the workspace", package.name))?;
        let place = unpacked(package, folder);
        let at_place = || {
            let mut cargo = cargo();
            cargo.current_dir(&place);
            cargo
        };
        let metadata = output(at_place().args(["metadata", "--format-version", "1"]))?;
        let metadata = metadata::parse(&metadata)?;
        for foreign in foreign(packages, &metadata, &folder.to_string_lossy()) {
            found.push(format!("{}: {foreign}", package.name));
        }
        let mut check = at_place();
        check.args(["check", "--all-features", "--quiet", "--target-dir"]);
        command::run(check.arg(target))?;
    }
    Ok(found)
}

/// The packages in `metadata` that have the name of one of ours, or of its library, and are not in `folder`.
fn foreign(packages: &[Package], metadata: &Value, folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for package in items(metadata, "packages") {
        let name = text(package, "name");
        let is_unpacked = text(package, "manifest_path").starts_with(folder);
        let is_ours = packages.iter().any(|ours| {
            let mut libraries = items(package, "targets")
                .iter()
                .filter(|target| items(target, "kind").iter().any(|kind| kind == "lib"));
            ours.name == name || libraries.any(|library| text(library, "name") == ours.library)
        });
        if is_ours && !is_unpacked {
            let version = text(package, "version");
            let source = text(package, "source");
            found.push(format!("{name} {version} comes from {source:?}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::foreign;
    use crate::tidy::packages::Package;

    #[test]
    fn a_package_of_ours_comes_from_the_folder_alone() {
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        let package = |name: &str, library: &str, source: Option<&str>, folder: &str| {
            json!({
                "name": name,
                "version": "0.1.0",
                "source": source,
                "manifest_path": format!("{folder}/{name}-0.1.0/Cargo.toml"),
                "targets": [{"kind": ["lib"], "name": library}],
            })
        };
        let ours = [Package::example("qortal-mcp-server", "mcp_server")];
        let check = |packages: &[serde_json::Value], expected: &[&str]| {
            let metadata = json!({"packages": packages});
            assert_eq!(foreign(&ours, &metadata, "/packages"), expected);
        };
        check(
            &[
                package("qortal-mcp-server", "mcp_server", None, "/packages"),
                package("serde", "serde", Some(registry), "/registry"),
            ],
            &[],
        );
        let from_registry = |name: &str| format!("{name} 0.1.0 comes from {registry:?}");
        check(
            &[package(
                "qortal-mcp-server",
                "mcp_server",
                Some(registry),
                "/registry",
            )],
            &[&from_registry("qortal-mcp-server")],
        );
        // What the old package name resolved to: another project's crate with the library name of ours.
        check(
            &[package(
                "mcp-server",
                "mcp_server",
                Some(registry),
                "/registry",
            )],
            &[&from_registry("mcp-server")],
        );
    }
}
