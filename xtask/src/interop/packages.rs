//! The packages of npm and PyPI for authors of converters, packed and installed as theirs would be: the WebAssembly module must
//! answer what the native program answers, in each host.

use std::fs;
use std::process::Command;

use crate::command::{self, cargo, progress};
use crate::failure::Failure;
use crate::npm;
use crate::tree::{root, target};

/// What rustc calls the platform of the module.
const WASM: &str = "wasm32-unknown-unknown";

/// Builds both, packs them with npm, installs what it packed, and lets Node.js compare.
pub(super) fn run() -> Result<(), Failure> {
    progress("the packages of npm")?;
    command::run(Command::new("rustup").args(["target", "add", WASM]))?;
    command::run(Command::new(root().join("packaging/build")).arg(WASM))?;
    command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp-convert"]))?;
    let scratch = target().join("interop/packages");
    if scratch.exists() {
        fs::remove_dir_all(&scratch).map_err(Failure::io(scratch.display()))?;
    }
    let interop = root().join("tests/interop");
    npm::install(&interop)?;
    let user = scratch.join("user");
    let packed = scratch.join("packed");
    fs::create_dir_all(&user).map_err(Failure::io(user.display()))?;
    let manifest = user.join("package.json");
    fs::write(&manifest, "{\"private\": true, \"type\": \"module\"}\n")
        .map_err(Failure::io(manifest.display()))?;
    let mut install = Command::new("npm");
    install.args([
        "install",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--loglevel",
        "error",
    ]);
    command::run(Command::new(root().join("packaging/libraries")).arg(&packed))?;
    for file in fs::read_dir(&packed).map_err(Failure::io(packed.display()))? {
        install.arg(file.map_err(Failure::io(packed.display()))?.path());
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
    let mut compare = Command::new(&node);
    compare.arg("packages.mjs").current_dir(&user);
    command::run(compare.arg(target().join("debug/mcp-convert")))?;
    let mut hosts = Command::new(interop.join("hosts.sh"));
    hosts.arg(scratch.join("hosts")).arg(&user).arg(node);
    command::run(hosts.arg(target().join("debug/mcp-convert")))
}
