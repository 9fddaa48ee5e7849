//! The converters of Rust packages, in a package that is made for them.

use std::fs;
use std::path::Path;

use crate::command::{self, cargo, output, progress};
use crate::failure::Failure;

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
    let script = corpus.join("generate/vendors.rs");
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
    let mut script = cargo();
    script
        .args(["run", "--quiet", "--"])
        .args([corpus, outputs]);
    for version in versions {
        script.arg(version?);
    }
    command::run(script.current_dir(folder))
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
