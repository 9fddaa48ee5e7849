//! What the tools of each registry say about our files.

use std::process::Command;

use crate::command::output;
use crate::dist::channel::{archive, deb, registry, sbom, wheel};
use crate::dist::release::PROGRAM;
use crate::dist::sums;
use crate::dist::verify::installed::host;
use crate::dist::verify::prefix::found;
use crate::dist::verify::{Found, Trial};
use crate::failure::Failure;
use crate::metadata;

fn needs(what: &str) -> Result<Found, Failure> {
    Ok(Found::Untried(format!("needs {what}")))
}

pub(crate) fn sums(trial: &Trial<'_>) -> Result<Found, Failure> {
    let mut check = Command::new("sha256sum");
    check.current_dir(trial.folder);
    output(check.args(["--check", "--strict", "--quiet", sums::FILE]))?;
    Found::passed(sums::FILE)
}

/// The list of crates that cargo-auditable puts into the program.
pub(crate) fn auditable(trial: &Trial<'_>) -> Result<Found, Failure> {
    let (Some(info), Some(target)) = (found("rust-audit-info"), host()) else {
        return needs("rust-audit-info");
    };
    let name = archive::name(&trial.release.version, target);
    let mut tar = trial.prefix.command("tar");
    output(
        tar.args(["xzf"])
            .arg(trial.file(&name)?)
            .arg("--strip-components=1"),
    )?;
    let printed = output(Command::new(info).arg(trial.prefix.home.join(PROGRAM)))?;
    match printed.contains("\"ring\"") && printed.contains("\"qortal-mcp\"") {
        true => Found::passed(name),
        false => Err(Failure::Found(
            "the program does not list its crates".to_owned(),
        )),
    }
}

pub(crate) fn sbom(trial: &Trial<'_>) -> Result<Found, Failure> {
    let name = sbom::name(&trial.release.version);
    let file = trial.file(&name)?;
    let text = std::fs::read_to_string(&file).map_err(Failure::io(&name))?;
    let read: serde_json::Value =
        serde_json::from_str(&text).map_err(|why| Failure::unreadable(&name, why))?;
    let components = metadata::items(&read, "components");
    let has = |name: &str| {
        components
            .iter()
            .any(|it| metadata::text(it, "name") == name)
    };
    match metadata::text(&read, "bomFormat") == "CycloneDX" && has("ring") && has("tokio") {
        true => Found::passed(name),
        false => Err(Failure::Found(
            "the bill of materials lacks crates".to_owned(),
        )),
    }
}

pub(crate) fn lintian(trial: &Trial<'_>) -> Result<Found, Failure> {
    let (Some(lintian), Some(processor)) = (found("lintian"), host().and_then(|it| it.linux))
    else {
        return needs("lintian");
    };
    let name = deb::name(&trial.release.version, processor);
    let mut command = Command::new(lintian);
    command
        .args(["--fail-on", "error,warning", "--allow-root"])
        // There is no archive of Debian to ask for the package, so none has a bug of it.
        .args(["--suppress-tags", "initial-upload-closes-no-bugs"])
        // The program is static, and since it may lie at any address, it looks like a library that was linked against none.
        .args(["--suppress-tags", "statically-linked-binary"])
        .args(["--suppress-tags", "shared-library-lacks-prerequisites"])
        .arg(trial.file(&name)?);
    let ended = command.output().map_err(Failure::io("lintian"))?;
    // What it finds goes to its output.
    match ended.status.success() {
        true => Found::passed(name),
        false => Err(Failure::Found(
            String::from_utf8_lossy(&ended.stdout).into_owned(),
        )),
    }
}

/// What systemd says about the unit, and how exposed it leaves the service.
pub(crate) fn unit(trial: &Trial<'_>) -> Result<Found, Failure> {
    let (Some(analyze), Some(processor)) =
        (found("systemd-analyze"), host().and_then(|it| it.linux))
    else {
        return needs("systemd-analyze");
    };
    let name = deb::name(&trial.release.version, processor);
    let home = &trial.prefix.home;
    let mut dpkg = trial.prefix.command("dpkg-deb");
    output(dpkg.arg("-x").arg(trial.file(&name)?).arg(home))?;
    let unit = home.join("usr/lib/systemd/system/qortal-mcp.service");
    let mut security = Command::new(analyze);
    security
        // Tenths of the score, from 0 for nothing to 100 for everything exposed.
        .args(["security", "--offline=true", "--threshold=15"])
        .arg(&unit);
    output(&mut security)?;
    Found::passed(name)
}

pub(crate) fn twine(trial: &Trial<'_>) -> Result<Found, Failure> {
    let (Some(twine), Some(target)) = (found("twine"), host()) else {
        return needs("twine");
    };
    let name = wheel::name(&trial.release.version, target);
    output(
        Command::new(twine)
            .args(["check", "--strict"])
            .arg(trial.file(&name)?),
    )?;
    Found::passed(name)
}

/// The entry against the registry's own schema.
pub(crate) fn server(trial: &Trial<'_>) -> Result<Found, Failure> {
    let file = trial.file(registry::FILE)?;
    let text = std::fs::read_to_string(&file).map_err(Failure::io(registry::FILE))?;
    registry::judge(&text)?;
    Found::passed(registry::FILE)
}
