//! `cargo xtask package`: makes the packages a registry would get, and builds each outside the workspace from nothing
//! but what is in it and in the others. Nothing is published.

mod names;
mod outside;

use std::fs;

use crate::command::{self, cargo, say};
use crate::failure::Failure;
use crate::tidy::packages::published;
use crate::tree::target;

/// A package that grows beyond this, compressed, has got something that does not belong in it.
const LARGEST_BYTES: u64 = 1 << 20;

/// Packages and builds every published crate, and asks the registry whether their names are free or ours.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(format!("package takes no {argument:?}")));
    }
    let packages = published()?;
    let mut package = cargo();
    // What is not committed yet is packaged as well: this is a rehearsal. The packages are built below, where cargo
    // cannot reach the workspace.
    package.args(["package", "--allow-dirty", "--no-verify", "--quiet"]);
    for published in &packages {
        package.args(["--package", &published.name]);
    }
    let target = target();
    command::run(package.arg("--target-dir").arg(&target))?;
    let mut problems = Vec::new();
    for published in &packages {
        let file = published.file();
        let path = target.join("package").join(&file);
        let bytes = fs::metadata(&path).map_err(Failure::io(&file))?.len();
        say(&format!("{file}: {} KiB", bytes.div_ceil(1 << 10)))?;
        if bytes > LARGEST_BYTES {
            problems.push(format!("{file} is larger than {LARGEST_BYTES} bytes"));
        }
    }
    problems.extend(outside::problems(&packages, &target)?);
    problems.extend(names::problems(&packages)?);
    match problems.is_empty() {
        true => say("every package builds from its own files, with ours alone"),
        false => Err(Failure::Found(problems.join("\n"))),
    }
}
