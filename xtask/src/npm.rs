//! Programs from npm that a lockfile pins, and the Node.js that comes with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, output, progress};
use crate::failure::Failure;

/// What the programs need of Node.js.
const NODE: (u32, u32) = (22, 19);

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
pub fn node(folder: &Path) -> Result<PathBuf, Failure> {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let package = format!("node-{}-{arch}", std::env::consts::OS);
    let pinned = folder.join("node_modules").join(package).join("bin/node");
    if pinned.is_file() {
        return Ok(pinned);
    }
    let version = output(Command::new("node").arg("--version"))?;
    if is_new_enough(&version) {
        return Ok(PathBuf::from("node"));
    }
    let (major, minor) = NODE;
    let what = format!("Node.js {}", version.trim());
    let why = format!("{major}.{minor} or newer is needed");
    Err(Failure::unreadable(what, why))
}

/// Whether `v22.23.3` is what the programs need.
fn is_new_enough(version: &str) -> bool {
    let numbers = version.trim().trim_start_matches('v').split('.');
    let mut numbers = numbers.map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= NODE,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;
    use crate::tree::root;

    #[test]
    fn node_is_compared_by_number() {
        for (version, enough) in [
            ("v22.23.3\n", true),
            ("v22.19.0", true),
            ("v24.1.0", true),
            ("v22.9.0", false),
            ("v20.20.2", false),
            ("node", false),
        ] {
            assert_eq!(is_new_enough(version), enough, "{version}");
        }
    }

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
