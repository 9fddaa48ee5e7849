//! Packages of npm for authors of converters: the conversion as WebAssembly, where that is built, and the corpus.

use crate::command::progress;
use crate::dist::channel::Ready;
use crate::dist::pack::{self, Entry};
use crate::dist::{corpus, wasm};
use crate::failure::Failure;

/// The tarball of a package.
pub(crate) fn name(package: &str, version: &str) -> String {
    format!("{package}-{version}.tgz")
}

/// Writes a tarball for each.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    write_one(ready, corpus::PACKAGE, corpus::entries()?)?;
    if wasm::finished().is_file() {
        return write_one(ready, wasm::PACKAGE, wasm::entries(&ready.release)?);
    }
    progress(&format!(
        "{} is left out: build it with --target {}",
        wasm::PACKAGE,
        wasm::TRIPLE
    ))
}

fn write_one(ready: &Ready, package: &str, mut entries: Vec<Entry>) -> Result<(), Failure> {
    for entry in &mut entries {
        entry.path.insert_str(0, "package/");
    }
    let tarball = pack::tar_gz(&entries, ready.epoch)?;
    ready.write(&name(package, &ready.release.version), &tarball)
}
