//! `cargo xtask dist`: makes every file of a release, and with `--verify` tries each as someone without Rust would.

pub(crate) mod build;
pub(crate) mod channel;
pub(crate) mod corpus;
mod elf;
mod notices;
mod options;
pub(crate) mod pack;
mod pages;
pub(crate) mod release;
mod reproducible;
mod sums;
pub(crate) mod target;
mod verify;
pub(crate) mod wasm;

use std::fs;
use std::path::PathBuf;

use crate::command::{progress, say};
use crate::dist::channel::Ready;
use crate::dist::options::Options;
use crate::dist::release::Release;
use crate::failure::Failure;
use crate::tree::target as target_folder;

/// What writes the files of a channel.
struct Channel {
    name: &'static str,
    write: fn(&Ready) -> Result<(), Failure>,
}

/// In order: what comes later names the checksums of what comes before.
const CHANNELS: &[Channel] = &[
    Channel {
        name: "archives",
        write: channel::archive::write,
    },
    Channel {
        name: "npm",
        write: channel::npm::write,
    },
    Channel {
        name: "libraries of npm",
        write: channel::libraries::write,
    },
    Channel {
        name: "wheels",
        write: channel::wheel::write,
    },
    Channel {
        name: "bundles",
        write: channel::mcpb::write,
    },
    Channel {
        name: "deb",
        write: channel::deb::write,
    },
    Channel {
        name: "image",
        write: channel::oci::write,
    },
    Channel {
        name: "installers",
        write: channel::installer::write,
    },
    Channel {
        name: "registry",
        write: channel::registry::write,
    },
    Channel {
        name: "bill of materials",
        write: channel::sbom::write,
    },
];

/// Builds what is asked for, packs what is finished, and verifies it if asked to.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::parse(arguments)?;
    for target in &options.targets {
        let built = build::run(target, &target_folder())?;
        let finished = build::finished(target);
        let folder = finished.parent().unwrap_or(&finished);
        fs::create_dir_all(folder).map_err(Failure::io(folder.display()))?;
        fs::copy(&built, &finished).map_err(Failure::io(built.display()))?;
        if options.twice {
            reproducible::compare(target, &finished)?;
        }
    }
    if options.wasm {
        wasm::build()?;
    }
    if options.build_only {
        return Ok(());
    }
    if !options.no_pack {
        pack()?;
    }
    match options.verify {
        true => verify::run(&folder(), options.writes),
        false => Ok(()),
    }
}

/// Where the files of the release are.
pub(crate) fn folder() -> PathBuf {
    target_folder().join("dist/release")
}

/// Packs every finished program for every channel.
pub(crate) fn pack() -> Result<(), Failure> {
    let out = folder();
    if out.exists() {
        fs::remove_dir_all(&out).map_err(Failure::io(out.display()))?;
    }
    fs::create_dir_all(&out).map_err(Failure::io(out.display()))?;
    let ready = Ready::new(Release::current()?, release::epoch()?, out)?;
    if ready.programs.is_empty() {
        return Err(Failure::Usage(
            "no program is finished: build one with `cargo xtask dist --target TRIPLE`".to_owned(),
        ));
    }
    for program in &ready.programs {
        let (triple, bytes) = (program.target.triple, program.bytes.len());
        say(&format!("{triple}: {}", shown(bytes as u64)))?;
    }
    for channel in CHANNELS {
        progress(&format!("packing {}", channel.name))?;
        (channel.write)(&ready)?;
    }
    sums::write(&ready.out)?;
    let written = ready.out.display();
    say(&format!(
        "the files of {} are in {written}",
        ready.release.version
    ))
}

/// A size as people read it.
pub(crate) fn shown(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100_000);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_size_is_in_millions_of_bytes() {
        assert_eq!(shown(11_600_000), "11.6 MB");
        assert_eq!(shown(1), "0.1 MB");
    }
}
