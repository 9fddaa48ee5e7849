//! A Debian package of the static program, with a service that is installed and not started.

use std::fs;
use std::path::Path;
use std::process::Command;

use flate2::Compression;

use crate::command;
use crate::dist::channel::{Program, Ready};
use crate::dist::pack::{self, Entry};
use crate::dist::pages::NOTICES;
use crate::dist::release;
use crate::failure::Failure;
use crate::tree::{root, target as target_folder};

/// Where each shell looks for completions of packages, and the script in the archives.
const COMPLETIONS: &[(&str, &str)] = &[
    (
        "completions/qortal-mcp.bash",
        "usr/share/bash-completion/completions/qortal-mcp",
    ),
    (
        "completions/_qortal-mcp",
        "usr/share/zsh/vendor-completions/_qortal-mcp",
    ),
    (
        "completions/qortal-mcp.fish",
        "usr/share/fish/vendor_completions.d/qortal-mcp.fish",
    ),
];
/// Files of `packaging/deb`, where each goes, and whether it is run.
const OWN: &[(&str, &str, bool)] = &[
    (
        "qortal-mcp.service",
        "usr/lib/systemd/system/qortal-mcp.service",
        false,
    ),
    ("config.toml", "etc/qortal-mcp/config.toml", false),
    ("conffiles", "DEBIAN/conffiles", false),
    ("postinst", "DEBIAN/postinst", true),
    ("prerm", "DEBIAN/prerm", true),
    ("postrm", "DEBIAN/postrm", true),
    ("copyright", "usr/share/doc/qortal-mcp/copyright", false),
];

/// The file's name, as Debian names packages.
pub(crate) fn name(version: &str, processor: &str) -> String {
    format!("qortal-mcp_{version}_{processor}.deb")
}

/// Writes a package for each static program of Linux.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    for program in &ready.programs {
        if let Some(processor) = program.target.linux {
            package(ready, program, processor)?;
        }
    }
    Ok(())
}

fn package(ready: &Ready, program: &Program, processor: &str) -> Result<(), Failure> {
    let version = &ready.release.version;
    let entries = entries(ready, program, processor)?;
    let stage = target_folder()
        .join("dist/stage")
        .join(name(version, processor));
    if stage.exists() {
        fs::remove_dir_all(&stage).map_err(Failure::io(stage.display()))?;
    }
    for entry in &entries {
        put(&stage, entry)?;
    }
    let mut dpkg = Command::new("dpkg-deb");
    // Owners and times are the same wherever and whenever it is packed.
    dpkg.args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&stage)
        .arg(ready.out.join(name(version, processor)))
        .env("SOURCE_DATE_EPOCH", ready.epoch.to_string());
    command::output(&mut dpkg)?;
    fs::remove_dir_all(&stage).map_err(Failure::io(stage.display()))
}

fn entries(ready: &Ready, program: &Program, processor: &str) -> Result<Vec<Entry>, Failure> {
    let mut entries = vec![Entry::program("usr/bin/qortal-mcp", &*program.bytes)];
    for page in &ready.pages {
        if let Some(name) = page.path.strip_prefix("man/") {
            let path = format!("usr/share/man/man1/{name}.gz");
            entries.push(Entry::file(
                path,
                pack::gzip(&page.bytes, Compression::best())?,
            ));
        }
    }
    for (from, to) in COMPLETIONS {
        entries.push(Entry::file(*to, ready.page(from)?.bytes.clone()));
    }
    let own = ready.release.owner();
    let date = release::time(ready.epoch)?.strftime("%a, %d %b %Y %H:%M:%S +0000");
    let facts = [("DATE", date.to_string()), ("OWNER", own.to_owned())];
    let facts = facts.each_ref().map(|(name, value)| (*name, &**value));
    let changes = ready.release.fill("deb/changelog", &facts)?.into_bytes();
    for (name, text) in [
        ("changelog.gz", &changes),
        ("CHANGELOG.md.gz", &ready.page("CHANGELOG.md")?.bytes),
        ("THIRD-PARTY.txt.gz", &ready.page(NOTICES)?.bytes),
    ] {
        let path = format!("usr/share/doc/qortal-mcp/{name}");
        entries.push(Entry::file(path, pack::gzip(text, Compression::best())?));
    }
    for (from, to, is_program) in OWN {
        let path = root().join("packaging/deb").join(from);
        let bytes = fs::read(&path).map_err(Failure::io(path.display()))?;
        let is_program = *is_program;
        entries.push(Entry {
            path: (*to).to_owned(),
            bytes,
            is_program,
        });
    }
    let installed: usize = entries.iter().map(|it| it.bytes.len()).sum();
    let kib = installed.div_ceil(1 << 10).to_string();
    let facts = [("PROCESSOR", processor), ("KIB", &kib), ("OWNER", own)];
    let control = ready.release.fill("deb/control", &facts)?;
    entries.push(Entry::file("DEBIAN/control", control));
    Ok(entries)
}

fn put(stage: &Path, entry: &Entry) -> Result<(), Failure> {
    let path = stage.join(&entry.path);
    let folder = path.parent().unwrap_or(stage);
    fs::create_dir_all(folder).map_err(Failure::io(folder.display()))?;
    fs::write(&path, &entry.bytes).map_err(Failure::io(path.display()))?;
    let mode = if entry.is_program { "755" } else { "644" };
    command::output(Command::new("chmod").arg(mode).arg(&path)).map(drop)
}
