//! The bill of materials: every crate that is built into the program, in CycloneDX.

use std::fs;
use std::path::Path;

use crate::command::{self, cargo};
use crate::dist::channel::Ready;
use crate::dist::release::PROGRAM;
use crate::failure::Failure;
use crate::metadata::{self, items, text};
use crate::tree::root;

/// The file's name.
pub(crate) fn name(version: &str) -> String {
    format!("qortal-mcp-v{version}.cdx.json")
}

/// What cargo-cyclonedx calls its file, beside the manifest of each package of the workspace.
const MADE: &str = "release.cdx";

/// Writes it with cargo-cyclonedx, and takes away what that writes about the other packages.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    let mut cyclonedx = cargo();
    cyclonedx
        .args(["cyclonedx", "--format", "json", "--spec-version", "1.5"])
        .args(["--quiet", "--override-filename", MADE])
        .env("SOURCE_DATE_EPOCH", ready.epoch.to_string());
    command::output(&mut cyclonedx)?;
    for package in items(&metadata::workspace()?, "packages") {
        let manifest = Path::new(text(package, "manifest_path"));
        let made = manifest.with_file_name(format!("{MADE}.json"));
        if text(package, "name") == PROGRAM {
            let found = fs::read_to_string(&made).map_err(Failure::io(made.display()))?;
            // Our own packages are named by where they are, which is another place on each machine.
            let found = found.replace(&root().display().to_string(), "/qortal-mcp");
            ready.write(&name(&ready.release.version), found.as_bytes())?;
        }
        fs::remove_file(&made).map_err(Failure::io(made.display()))?;
    }
    Ok(())
}
