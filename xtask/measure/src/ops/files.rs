//! `cargo xtask ops files`: every file for operators, validated by the program it is made for.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::ops::balancer::Balancer;
use crate::ops::tls;
use xtask::command::{output, run, say};
use xtask::failure::Failure;
use xtask::server::free_address;
use xtask::{python, tree};

const UNIT: &str = "packaging/deb/qortal-mcp.service";
/// The most that `systemd-analyze security` may find, of 10.
const EXPOSURE: f64 = 1.5;
const KUBERNETES: &str = "deploy/kubernetes/qortal-mcp.yaml";
/// Pins what validates it.
const VALIDATOR: &str = "tests/ops/requirements.txt";

/// Validates each file, and names the first that is wrong.
pub(super) fn validate(folder: &Path) -> Result<(), Failure> {
    for balancer in Balancer::ALL {
        balancer.check([free_address()?, free_address()?], folder)?;
        say(&format!(
            "{}: valid for {}",
            balancer.file(),
            balancer.name()
        ))?;
    }
    tls::validate(folder)?;
    let exposure = output(
        Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager", UNIT])
            .current_dir(tree::root()),
    )?;
    let found =
        overall(&exposure).ok_or_else(|| Failure::unreadable("systemd-analyze", &exposure))?;
    if found > EXPOSURE {
        let why = format!("{UNIT}: exposure {found}, {EXPOSURE} is allowed");
        return Err(Failure::Found(why));
    }
    say(&format!("{UNIT}: exposure {found} of {EXPOSURE}"))?;
    verify(folder)?;
    say(&format!("{UNIT}: valid for systemd"))?;
    let python = python::install(&tree::root().join(VALIDATOR), &folder.join("python"))?;
    let validator = python.with_file_name("kubernetes-validate");
    run(Command::new(validator)
        .args(["--strict", KUBERNETES])
        .current_dir(tree::root()))
}

/// Has systemd read the unit, as if the program were installed: what it does not know it says, and ends well all the same.
fn verify(folder: &Path) -> Result<(), Failure> {
    let path = tree::root().join(UNIT);
    let text = fs::read_to_string(&path).map_err(Failure::io(UNIT))?;
    let unit = folder.join("qortal-mcp.service");
    // The program of every system instead of the one that is to be installed, and no manual of it.
    let lines = text.lines().filter(|it| !it.starts_with("Documentation="));
    let lines: Vec<_> = lines.collect();
    let text = lines.join("\n").replace("/usr/bin/qortal-mcp", "/bin/true");
    fs::write(&unit, text).map_err(Failure::io(unit.display()))?;
    let verified = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&unit)
        .output()
        .map_err(Failure::io("systemd-analyze"))?;
    let said = String::from_utf8_lossy(&verified.stderr);
    let about_ours: Vec<_> = said
        .lines()
        .filter(|it| it.contains("qortal-mcp"))
        .collect();
    match verified.status.success() && about_ours.is_empty() {
        true => Ok(()),
        false => Err(Failure::Found(format!("{UNIT}: {said}"))),
    }
}

/// The figure of `→ Overall exposure level for qortal-mcp.service: 1.2 OK`.
fn overall(said: &str) -> Option<f64> {
    let line = said
        .lines()
        .find(|line| line.contains("Overall exposure level"))?;
    let (_, figure) = line.rsplit_once(": ")?;
    figure.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::overall;

    #[test]
    fn the_exposure_is_read() {
        let said = "✓ UMask= fine\n\n→ Overall exposure level for qortal-mcp.service: 1.2 OK 🙂\n";
        assert_eq!(overall(said), Some(1.2));
        assert_eq!(overall("nothing"), None);
    }
}
