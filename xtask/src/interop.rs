//! `cargo xtask interop`: lets real clients list and call every tool. What they do is in `tests/interop`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, cargo, output, progress};
use crate::failure::Failure;
use crate::tree::root;

/// What the clients need of Node.js.
const NODE: (u32, u32) = (22, 19);

/// Installs the clients if need be, builds the server, and drives it.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let server = match arguments {
        [] => None,
        [name, path] if name == "--server" => Some(PathBuf::from(path)),
        _ => {
            let usage = "interop takes only --server PATH".to_owned();
            return Err(Failure::Usage(usage));
        }
    };
    let clients = root().join("tests/interop");
    install(&clients)?;
    let server = match server {
        Some(server) => server,
        None => {
            command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp"]))?;
            root().join("target/debug/qortal-mcp")
        }
    };
    // The Inspector keeps files in the home folder; they are not the user's.
    let home = root().join("target/interop");
    fs::create_dir_all(&home).map_err(Failure::io(home.display()))?;
    let mut drive = Command::new(node(&clients)?);
    drive
        .arg(clients.join("drive.mjs"))
        .arg(server)
        .env("HOME", home);
    command::run(&mut drive)
}

/// Installs what the lockfile pins, unless that is what is there.
fn install(clients: &Path) -> Result<(), Failure> {
    let written = |path: PathBuf| fs::metadata(path).and_then(|found| found.modified());
    let lock = clients.join("package-lock.json");
    let pinned = written(lock.clone()).map_err(Failure::io(lock.display()))?;
    let installed = written(clients.join("node_modules/.package-lock.json"));
    if installed.is_ok_and(|installed| installed >= pinned) {
        return Ok(());
    }
    progress("installing the clients with npm")?;
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--loglevel", "error"])
        .current_dir(clients);
    command::run(&mut npm)
}

/// The Node.js of the lockfile, where there is one for this platform, else the one on the path.
fn node(clients: &Path) -> Result<PathBuf, Failure> {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let package = format!("node-{}-{arch}", std::env::consts::OS);
    let pinned = clients.join("node_modules").join(package).join("bin/node");
    if pinned.is_file() {
        return Ok(pinned);
    }
    let version = output(Command::new("node").arg("--version"))?;
    if is_new_enough(&version) {
        return Ok(PathBuf::from("node"));
    }
    let (major, minor) = NODE;
    let why = format!("the clients need {major}.{minor} or newer");
    Err(Failure::unreadable(
        format!("Node.js {}", version.trim()),
        why,
    ))
}

/// Whether `v22.23.3` is what the clients need.
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(str::parse::<u32>);
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
    fn the_lockfile_names_no_registry() {
        let path = root().join("tests/interop/package-lock.json");
        let lock = std::fs::read_to_string(path).unwrap();
        assert!(
            !lock.contains("\"resolved\""),
            "see tests/interop/README.md"
        );
    }
}
