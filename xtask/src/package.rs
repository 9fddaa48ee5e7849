//! `cargo xtask package`: makes the packages a registry would get, in the order of their dependencies, and builds
//! each from nothing but what is in it and in those before. Nothing is published.

use std::fs;

use crate::command::{self, cargo, say};
use crate::failure::Failure;
use crate::tidy::packages::published;
use crate::tree::root;

/// A package that grows beyond this, compressed, has got something that does not belong in it.
const LARGEST_BYTES: u64 = 1 << 20;

/// Packages and builds every published crate.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(format!("package takes no {argument:?}")));
    }
    let packages = published()?;
    let mut package = cargo();
    // What is not committed yet is packaged as well: this is a rehearsal.
    package.args(["package", "--allow-dirty", "--quiet"]);
    for published in &packages {
        package.args(["--package", &published.name]);
    }
    let target = root().join("target");
    command::run(package.arg("--target-dir").arg(&target))?;
    let mut large = Vec::new();
    for published in &packages {
        let file = format!("{}-{}.crate", published.name, published.version);
        let path = target.join("package").join(&file);
        let bytes = fs::metadata(&path).map_err(Failure::io(&file))?.len();
        say(&format!("{file}: {} KiB", bytes.div_ceil(1 << 10)))?;
        if bytes > LARGEST_BYTES {
            large.push(file);
        }
    }
    match large.is_empty() {
        true => say("every package builds from its own files"),
        false => Err(Failure::Found(format!(
            "larger than {LARGEST_BYTES} bytes: {}",
            large.join(", ")
        ))),
    }
}
