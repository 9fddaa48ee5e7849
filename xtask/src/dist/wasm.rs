//! The conversion as a WebAssembly module, and the package of npm around it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, output, progress};
use crate::dist::build::remapped;
use crate::dist::pack::{Entry, gzip};
use crate::dist::release::Release;
use crate::failure::Failure;
use crate::tree::{root, target as target_folder};

/// What rustc calls the platform.
pub(crate) const TRIPLE: &str = "wasm32-unknown-unknown";
pub(crate) const PACKAGE: &str = "qortal-mcp-convert";
const FOLDER: &str = "packaging/convert";
const MODULE: &str = "mcp_convert.wasm";
/// The files of the package that are as they are in the folder.
const FILES: &[&str] = &[
    "index.d.ts",
    "index.js",
    "load/fetch.js",
    "load/file.js",
    "settings.d.ts",
];

/// Where the finished module lies, beside the finished programs.
pub(crate) fn finished() -> PathBuf {
    target_folder().join("dist/bin").join(TRIPLE).join(MODULE)
}

/// Builds the module, for size.
pub(crate) fn build() -> Result<(), Failure> {
    standard_library()?;
    progress(&format!("building for {TRIPLE}"))?;
    let folder = target_folder().join("wasm");
    let mut cargo = command::cargo();
    cargo
        .args([
            "build",
            "--release",
            "--locked",
            "--quiet",
            "--manifest-path",
        ])
        .arg(root().join(FOLDER).join("Cargo.toml"))
        .args(["--target", TRIPLE, "--target-dir"])
        .arg(&folder)
        .env("CARGO_ENCODED_RUSTFLAGS", remapped(&folder)?.join("\u{1f}"));
    command::run(&mut cargo)?;
    let built = folder.join(TRIPLE).join("release/mcp_convert_wasm.wasm");
    let finished = finished();
    let parent = finished.parent().unwrap_or(&finished);
    fs::create_dir_all(parent).map_err(Failure::io(parent.display()))?;
    fs::copy(&built, &finished).map_err(Failure::io(built.display()))?;
    Ok(())
}

/// Has rustup install the standard library of the platform, unless it is there.
fn standard_library() -> Result<(), Failure> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib").join(TRIPLE);
    if library.is_dir() {
        return Ok(());
    }
    progress(&format!("installing {TRIPLE} with rustup"))?;
    command::run(Command::new("rustup").args(["target", "add", TRIPLE]))
}

/// The files of the package around a finished module.
pub(crate) fn entries(release: &Release) -> Result<Vec<Entry>, Failure> {
    let read = |path: PathBuf| fs::read(&path).map_err(Failure::io(path.display()));
    let module = read(finished())?;
    let packed = gzip(&module, flate2::Compression::best())?;
    let kilobytes = |bytes: &[u8]| format!("{} kB", bytes.len().div_ceil(1_000));
    let size = format!("{} ({} compressed)", kilobytes(&module), kilobytes(&packed));
    let readme = release.fill("convert/README.md", &[("SIZE", &size)])?;
    let manifest = release.fill("convert/package.json", &[])?;
    let mut entries = vec![
        Entry::file("README.md", readme),
        Entry::file("package.json", manifest),
        Entry::file(MODULE, module),
    ];
    for file in FILES {
        entries.push(Entry::file(*file, read(root().join(FOLDER).join(file))?));
    }
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(Entry::file(license, read(root().join(license))?));
    }
    Ok(entries)
}
