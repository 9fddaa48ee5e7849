//! Builds the program for a platform, where it can with zig as the linker, so that one machine builds for several.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, output, progress};
use crate::dist::elf;
use crate::dist::release::{PROGRAM, epoch};
use crate::dist::target::Target;
use crate::failure::Failure;
use crate::tree::{root, target as target_folder};

/// Where finished programs lie, each in a folder named after its target. A hosted release puts them there itself.
pub(crate) fn finished(target: &Target) -> PathBuf {
    let folder = target_folder().join("dist/bin").join(target.triple);
    folder.join(target.program())
}

/// Builds the program for `target` in `folder`, and returns where it is.
pub(crate) fn run(target: &Target, folder: &Path) -> Result<PathBuf, Failure> {
    // A target that zig does not link is built on its own system, with that system's tools.
    let (verb, triple) = match target.zig {
        Some(zig) => ("zigbuild", zig),
        None => ("build", target.triple),
    };
    progress(&format!("building for {triple}"))?;
    let mut flags = remapped(folder)?;
    flags.extend(target.flags.iter().map(|it| (*it).to_owned()));
    let mut cargo = command::cargo();
    cargo
        .args(["auditable", verb, "--profile", "dist", "--locked"])
        .args(["--package", PROGRAM, "--bin", PROGRAM, "--target", triple])
        .arg("--target-dir")
        .arg(folder)
        .env("SOURCE_DATE_EPOCH", epoch()?.to_string())
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    command::run(&mut cargo)?;
    let built = folder.join(target.triple).join("dist");
    let program = built.join(target.program());
    if target.is_linux() {
        examine(&program)?;
    }
    Ok(program)
}

/// Fails for a program that is not what was asked for: neither Cargo nor a linker says what it left undone.
fn examine(program: &Path) -> Result<(), Failure> {
    let bytes = fs::read(program).map_err(Failure::io(program.display()))?;
    match elf::refusal(&bytes) {
        None => Ok(()),
        Some(why) => Err(Failure::Found(format!("{} {why}", program.display()))),
    }
}

/// Keeps the folders of this machine out of the program, which a panic's message would show.
pub(super) fn remapped(folder: &Path) -> Result<Vec<String>, Failure> {
    let home = std::env::var_os("CARGO_HOME").map_or_else(
        || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    );
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let from_to = [
        (home.join("registry/src"), "/cargo"),
        (PathBuf::from(sysroot.trim()), "/rust"),
        (root(), "/qortal-mcp"),
        (folder.to_owned(), "/target"),
    ];
    let flag = |(from, to): (PathBuf, &str)| format!("--remap-path-prefix={}={to}", from.display());
    Ok(from_to.into_iter().map(flag).collect())
}
