//! Scripts and manifests that other systems run: as far as this one can read them.

use std::process::Command;

use crate::command::output;
use crate::dist::channel::installer;
use crate::dist::verify::prefix::found;
use crate::dist::verify::{Found, Trial};
use crate::failure::Failure;
use crate::tree::root;

fn needs(what: &str) -> Result<Found, Failure> {
    Ok(Found::Untried(format!("needs {what}")))
}

/// Runs the installer up to the program's version, which only Windows can run.
pub(crate) fn powershell(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(pwsh) = found("pwsh") else {
        return needs("pwsh");
    };
    let script = trial.file(installer::POWERSHELL)?;
    let parse = format!(
        "$errors = $null; [void][System.Management.Automation.Language.Parser]::ParseFile('{}', [ref]$null, [ref]$errors); \
         if ($errors) {{ $errors; exit 1 }}",
        script.display()
    );
    output(Command::new(pwsh).args(["-NoProfile", "-Command", &parse]))?;
    Found::passed(installer::POWERSHELL)
}

pub(crate) fn shellcheck(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(shellcheck) = found("shellcheck") else {
        return needs("shellcheck");
    };
    let script = trial.file(installer::SHELL)?;
    output(Command::new(shellcheck).args(["--shell", "sh"]).arg(script))?;
    Found::passed(installer::SHELL)
}

pub(crate) fn homebrew(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(ruby) = found("ruby") else {
        return needs("ruby");
    };
    output(
        Command::new(ruby)
            .args(["-wc"])
            .arg(trial.file(installer::FORMULA)?),
    )?;
    Found::passed(installer::FORMULA)
}

/// They are YAML, of one package and one version.
pub(crate) fn winget(trial: &Trial<'_>) -> Result<Found, Failure> {
    const READ: &str = "import sys, yaml; \
        files = [yaml.safe_load(open(path)) for path in sys.argv[1:]]; \
        sys.exit(len({(it['PackageIdentifier'], it['PackageVersion'], it['ManifestVersion']) for it in files}) != 1)";
    let python =
        found("python3").filter(|it| output(Command::new(it).args(["-c", "import yaml"])).is_ok());
    let Some(python) = python else {
        return needs("Python with PyYAML");
    };
    let mut command = Command::new(python);
    command.args(["-c", READ]);
    for (_, name) in installer::WINGET {
        command.arg(trial.file(name)?);
    }
    output(&mut command)?;
    Found::passed("winget.installer.yaml")
}

pub(crate) fn nix(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(nix) = found("nix-instantiate") else {
        return needs("nix-instantiate");
    };
    let mut command = Command::new(nix);
    command.arg("--parse").arg(root().join("flake.nix"));
    // It keeps a state of its own, which belongs to the trial.
    let state = |name| trial.prefix.home.join(name);
    command
        .env("NIX_STATE_DIR", state("state"))
        .env("NIX_STORE_DIR", state("store"));
    output(&mut command)?;
    Found::passed("SHA256SUMS")
}
