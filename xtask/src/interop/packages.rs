//! The packages of npm for authors of converters, packed and installed as theirs would be: the WebAssembly module must
//! answer what the native program answers.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{self, cargo, output, progress};
use crate::dist::pack::Entry;
use crate::dist::release::Release;
use crate::dist::{corpus, wasm};
use crate::failure::Failure;
use crate::npm;
use crate::tree::{root, target};

/// Builds both, packs them with npm, installs what it packed, and lets Node.js compare.
pub(super) fn run() -> Result<(), Failure> {
    progress("the packages of npm")?;
    wasm::build()?;
    command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp-convert"]))?;
    let scratch = target().join("interop/packages");
    if scratch.exists() {
        fs::remove_dir_all(&scratch).map_err(Failure::io(scratch.display()))?;
    }
    let interop = root().join("tests/interop");
    npm::install(&interop)?;
    let user = scratch.join("user");
    write(
        &user,
        &[Entry::file(
            "package.json",
            "{\"private\": true, \"type\": \"module\"}\n",
        )],
    )?;
    let mut install = Command::new("npm");
    install.args([
        "install",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--loglevel",
        "error",
    ]);
    for (name, entries) in [
        (wasm::PACKAGE, wasm::entries(&Release::current()?)?),
        (corpus::PACKAGE, corpus::entries()?),
    ] {
        let folder = scratch.join(name);
        write(&folder, &entries)?;
        let mut pack = Command::new("npm");
        pack.args(["pack", "--silent", "--loglevel", "error"]);
        let tarball = output(pack.current_dir(&folder))?;
        install.arg(folder.join(tarball.trim()));
    }
    command::run(install.current_dir(&user))?;
    for script in ["packages.mjs", "packages.ts"] {
        let from = interop.join(script);
        fs::copy(&from, user.join(script)).map_err(Failure::io(from.display()))?;
    }
    let node = npm::node(&interop)?;
    let mut types = Command::new(&node);
    types.arg(interop.join("node_modules/typescript/bin/tsc"));
    types.args([
        "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext",
    ]);
    command::run(types.arg("packages.ts").current_dir(&user))?;
    let mut compare = Command::new(node);
    compare.arg("packages.mjs").current_dir(&user);
    command::run(compare.arg(target().join("debug/mcp-convert")))
}

fn write(folder: &Path, entries: &[Entry]) -> Result<(), Failure> {
    for entry in entries {
        let path = folder.join(&entry.path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(Failure::io(parent.display()))?;
        fs::write(&path, &entry.bytes).map_err(Failure::io(path.display()))?;
    }
    Ok(())
}
