//! The converters of Rust packages, in a package that is made for them.

use std::fs;
use std::path::Path;

use crate::command::{self, cargo, output, progress};
use crate::failure::Failure;

use super::remove;

const PACKAGES: &[&str] = &["github-copilot-sdk", "rig-rmcp"];

/// Builds the script with the newest packages that this compiler can build, and runs it.
pub(super) fn run(folder: &Path, corpus: &Path, outputs: &Path) -> Result<(), Failure> {
    progress(&format!("building {} with cargo", PACKAGES.join(", ")))?;
    let source = folder.join("src");
    fs::create_dir_all(&source).map_err(Failure::io(source.display()))?;
    let manifest = folder.join("Cargo.toml");
    // A workspace of its own, though it is in the target folder of another.
    let package = "[package]\nname = \"vendors\"\nedition = \"2024\"\n\n[workspace]\n";
    fs::write(&manifest, package).map_err(Failure::io(manifest.display()))?;
    let script = corpus.join("../tests/goldens/vendors.rs");
    fs::copy(&script, source.join("main.rs")).map_err(Failure::io(script.display()))?;
    let add = ["add", "--quiet", "--no-default-features"];
    command::run(cargo().args(add).args(PACKAGES).current_dir(folder))?;
    // Inputs and outputs have their members in order.
    let json = [
        "add",
        "--quiet",
        "serde_json",
        "--features",
        "preserve_order",
    ];
    command::run(cargo().args(json).current_dir(folder))?;
    let versions = ["github-copilot-sdk", "rig-rmcp", "rmcp"].map(|it| version(folder, it));
    let newest = PACKAGES.iter().map(|it| newest(it));
    let mut script = cargo();
    script
        .args(["run", "--quiet", "--"])
        .args([corpus, outputs]);
    for version in versions {
        script.arg(version?);
    }
    for version in newest {
        script.arg(version?);
    }
    command::run(script.current_dir(folder))?;
    remove(folder)
}

/// The newest version of a package, whether this compiler can build it or not.
pub(super) fn newest(package: &str) -> Result<String, Failure> {
    // Where no package depends on it: there, Cargo tells of the version that was chosen.
    let info = output(cargo().args(["info", "--quiet", package]))?;
    // `0.44.0 (latest 0.46.0)`, if the newest needs a newer compiler.
    let line = info.lines().find_map(|it| it.strip_prefix("version: "));
    let version = line.and_then(|it| it.split([' ', '(', ')']).rfind(|it| !it.is_empty()));
    version
        .map(str::to_owned)
        .ok_or_else(|| Failure::unreadable("cargo info", info.clone()))
}

/// The version that was chosen of a package.
fn version(folder: &Path, package: &str) -> Result<String, Failure> {
    let id = output(cargo().args(["pkgid", package]).current_dir(folder))?;
    let version = id
        .trim()
        .rsplit_once('@')
        .map(|(_, version)| version.to_owned());
    version.ok_or_else(|| Failure::unreadable("cargo pkgid", id))
}
