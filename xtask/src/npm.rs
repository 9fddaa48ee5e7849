//! Programs from npm that a lockfile pins, and the Node.js that comes with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, progress};
use crate::failure::Failure;

/// Installs what the lockfile of `folder` pins, unless that is what is there.
pub fn install(folder: &Path) -> Result<(), Failure> {
    let written = |path: PathBuf| fs::metadata(path).and_then(|found| found.modified());
    let lock = folder.join("package-lock.json");
    let pinned = written(lock.clone()).map_err(Failure::io(lock.display()))?;
    let installed = written(folder.join("node_modules/.package-lock.json"));
    if installed.is_ok_and(|installed| installed >= pinned) {
        return Ok(());
    }
    progress(&format!("installing {} with npm", folder.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--loglevel", "error"])
        .current_dir(folder);
    command::run(&mut npm)
}

/// The Node.js of the lockfile, where there is one for this platform, else the one on the path.
pub fn node(folder: &Path) -> PathBuf {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let package = format!("node-{}-{arch}", std::env::consts::OS);
    let pinned = folder.join("node_modules").join(package).join("bin/node");
    match pinned.is_file() {
        true => pinned,
        false => PathBuf::from("node"),
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::root;

    #[test]
    fn the_lockfiles_name_no_registry() {
        for folder in [
            "bench/peers",
            "packaging/mcpb",
            "tests/conformance",
            "tests/interop",
            "tests/oauth",
            "tests/views",
        ] {
            let folder = root().join(folder);
            let lock = std::fs::read_to_string(folder.join("package-lock.json")).unwrap();
            assert!(
                !lock.contains("\"resolved\""),
                "see the README.md of {}",
                folder.display()
            );
        }
    }
}
