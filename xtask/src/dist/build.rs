//! Builds the program for a platform, where it can with zig as the linker, so that one machine builds for several.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, output, progress};
use crate::dist::release::{PROGRAM, epoch};
use crate::dist::target::Target;
use crate::failure::Failure;
use crate::tree::{root, target as target_folder};

/// Where finished programs lie, each in a folder named after its target. A hosted release puts them there itself.
pub(crate) fn finished(target: &Target) -> PathBuf {
    let folder = target_folder().join("dist/bin").join(target.triple);
    folder.join(target.program())
}

/// How to build.
#[derive(Debug, Default, Clone)]
pub(crate) struct Build {
    /// Builds the standard library from its sources too, for a compiler that comes with them alone. `RUSTC` then names it.
    pub(crate) standard_library: bool,
    /// Where to build, if not in the usual folder.
    pub(crate) folder: Option<PathBuf>,
}

impl Build {
    /// Builds the program for `target`, and returns where it is.
    pub(crate) fn run(&self, target: &Target) -> Result<PathBuf, Failure> {
        // A target that zig does not link is built on its own system, with that system's tools.
        let (verb, triple) = match target.zig {
            Some(zig) => ("zigbuild", zig),
            None => ("build", target.triple),
        };
        progress(&format!("building for {triple}"))?;
        let folder = self.folder.clone().unwrap_or_else(target_folder);
        let mut flags = remapped(&folder)?;
        // Cargo's own copy is of another version than the compiler that `RUSTC` may name.
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(root())
            .args(["auditable", verb, "--release", "--locked"])
            .args(["--package", PROGRAM, "--bin", PROGRAM, "--target", triple])
            .arg("--target-dir")
            .arg(&folder)
            .env("SOURCE_DATE_EPOCH", epoch()?.to_string());
        if self.standard_library {
            cargo.arg("-Zbuild-std=std,panic_unwind");
            cargo.env("RUSTC_BOOTSTRAP", "1");
            // The objects that start a program come from zig too.
            flags.push("-Clink-self-contained=no".to_owned());
            if target.is_windows() {
                flags.push(format!("-Lnative={}", stack_protector(&folder)?.display()));
            }
        }
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        command::run(&mut cargo)?;
        Ok(folder
            .join(target.triple)
            .join("release")
            .join(target.program()))
    }
}

/// Keeps the folders of this machine out of the program, which a panic's message would show.
pub(super) fn remapped(folder: &Path) -> Result<Vec<String>, Failure> {
    let home = std::env::var_os("CARGO_HOME").map_or_else(
        || Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    );
    let sysroot = output(Command::new(rustc()).args(["--print", "sysroot"]))?;
    let from_to = [
        (home.join("registry/src"), "/cargo"),
        (PathBuf::from(sysroot.trim()), "/rust"),
        (root(), "/qortal-mcp"),
        (folder.to_owned(), "/target"),
    ];
    let flag = |(from, to): (PathBuf, &str)| format!("--remap-path-prefix={}={to}", from.display());
    Ok(from_to.into_iter().map(flag).collect())
}

pub(super) fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// A folder with an empty library of the name that GNU's compiler would bring; zig has its content elsewhere.
fn stack_protector(folder: &Path) -> Result<PathBuf, Failure> {
    let folder = folder.join("dist-lib");
    fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    let library = folder.join("libssp_nonshared.a");
    fs::write(&library, "!<arch>\n").map_err(Failure::io(library.display()))?;
    Ok(folder)
}
