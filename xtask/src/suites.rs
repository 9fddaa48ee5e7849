//! Suites that run under Node.js' own runner of tests: `tests/FOLDER/*.test.mjs`, with what the lockfile there pins.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use clap_plain::ArgMatches;

use crate::command;
use crate::failure::Failure;
use crate::npm;
use crate::tree::root;

/// Runs the suites of a folder: those tests whose names match one of the `patterns`, or all.
pub(crate) fn run(folder: &str, given: &ArgMatches) -> Result<(), Failure> {
    let place = root().join("tests").join(folder);
    npm::install(&place)?;
    let mut node = Command::new(npm::node(&place));
    node.args(["--test", "--test-reporter=spec"]);
    for pattern in given.get_many::<String>("patterns").into_iter().flatten() {
        node.arg(format!("--test-name-pattern={pattern}"));
    }
    node.args(suites(&place)?);
    match command::status(&mut node)?.success() {
        true => Ok(()),
        false => Err(Failure::Found(format!("{folder} failed"))),
    }
}

fn suites(folder: &PathBuf) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::io(folder.display()))?;
    let paths = entries.map(|it| it.map(|it| it.path()));
    let paths: Result<Vec<_>, _> = paths.collect();
    let mut paths = paths.map_err(Failure::io(folder.display()))?;
    let is_suite = |name: &OsStr| name.to_string_lossy().ends_with(".test.mjs");
    paths.retain(|it| it.file_name().is_some_and(is_suite));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::suites;
    use crate::tree::root;

    #[test]
    fn every_folder_has_suites() {
        for folder in ["conformance", "interop", "views"] {
            let found = suites(&root().join("tests").join(folder)).unwrap();
            assert!(!found.is_empty(), "{folder}");
        }
    }
}
