//! Packages from PyPI that a file of requirements pins with hashes, each file in an environment of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, progress};
use crate::failure::Failure;

/// What the pinned packages need.
const NEEDED: &str =
    "Python 3.11 or newer is needed, with venv and pip; on Debian: apt-get install python3-venv";
/// No package is built, so none runs code of its own while it is installed.
const INSTALL: &str = "-m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement";
const IS_NEW_ENOUGH: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";

/// Installs what `requirements` pins into `environment`, unless that is what is there. Returns the Python of
/// the environment.
pub fn install(requirements: &Path, environment: &Path) -> Result<PathBuf, Failure> {
    let pinned = fs::read_to_string(requirements).map_err(Failure::io(requirements.display()))?;
    let python = environment.join("bin/python");
    // Written last, so that what was interrupted is done again.
    let installed = environment.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|it| it == pinned) && python.is_file() {
        return Ok(python);
    }
    let usable = Command::new("python3").args(["-c", IS_NEW_ENOUGH]).output();
    if !usable.is_ok_and(|it| it.status.success()) {
        return Err(Failure::Found(NEEDED.to_owned()));
    }
    progress(&format!("installing {} with pip", requirements.display()))?;
    let mut venv = Command::new("python3");
    command::run(venv.args(["-m", "venv", "--clear"]).arg(environment))?;
    let mut pip = Command::new(&python);
    pip.args(INSTALL.split(' ')).arg(requirements);
    command::run(&mut pip)?;
    fs::write(&installed, pinned).map_err(Failure::io(installed.display()))?;
    Ok(python)
}
