//! The files of a release, one module for each channel that people get programs by.

pub(crate) mod archive;
pub(crate) mod deb;
pub(crate) mod installer;
pub(crate) mod libraries;
pub(crate) mod mcpb;
pub(crate) mod npm;
pub(crate) mod oci;
pub(crate) mod registry;
pub(crate) mod sbom;
pub(crate) mod wheel;

use std::fs;
use std::path::PathBuf;

use crate::dist::pack::{Entry, sha256};
use crate::dist::release::Release;
use crate::dist::target::{TARGETS, Target};
use crate::dist::{build, pages};
use crate::failure::Failure;

/// What the channels are made from.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) release: Release,
    /// Seconds since 1970 that everything is dated with.
    pub(crate) epoch: u64,
    /// The programs that are finished, in the order of [`TARGETS`].
    pub(crate) programs: Vec<Program>,
    /// What comes with each program.
    pub(crate) pages: Vec<Entry>,
    /// Where the files of the release go.
    pub(crate) out: PathBuf,
}

/// A finished program.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) target: &'static Target,
    pub(crate) bytes: Vec<u8>,
}

impl Ready {
    /// Reads what is finished.
    pub(crate) fn new(release: Release, epoch: u64, out: PathBuf) -> Result<Self, Failure> {
        let mut programs = Vec::new();
        for target in TARGETS {
            let path = build::finished(target);
            if path.is_file() {
                let bytes = fs::read(&path).map_err(Failure::io(path.display()))?;
                programs.push(Program { target, bytes });
            }
        }
        Ok(Self {
            release,
            epoch,
            programs,
            pages: pages::entries()?,
            out,
        })
    }

    /// The programs that packages of platforms are made from: one for each platform.
    pub(crate) fn platforms(&self) -> Vec<(&'static str, &Program)> {
        let mut platforms: Vec<(&'static str, &Program)> = Vec::new();
        for program in &self.programs {
            let Some(platform) = program.target.platform else {
                continue;
            };
            if !platforms.iter().any(|(known, _)| *known == platform) {
                platforms.push((platform, program));
            }
        }
        platforms
    }

    /// The page that comes with each program at `path`.
    pub(crate) fn page(&self, path: &str) -> Result<&Entry, Failure> {
        let page = self.pages.iter().find(|it| it.path == path);
        page.ok_or_else(|| Failure::unreadable(path, "it does not come with the program"))
    }

    /// The licenses and notices, under `folder`.
    pub(crate) fn licenses(&self, folder: &str) -> Result<Vec<Entry>, Failure> {
        let names = ["LICENSE-APACHE", "LICENSE-MIT", pages::NOTICES];
        let under = |name| {
            let page = self.page(name)?;
            Ok(Entry::file(format!("{folder}{name}"), page.bytes.clone()))
        };
        names.into_iter().map(under).collect()
    }

    /// Writes a file of the release.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.out.join(name);
        fs::write(&path, bytes).map_err(Failure::io(path.display()))
    }

    /// The SHA-256 of a file of the release.
    pub(crate) fn sha256(&self, name: &str) -> Result<String, Failure> {
        let path = self.out.join(name);
        let bytes = fs::read(&path).map_err(Failure::io(path.display()))?;
        Ok(sha256(&bytes))
    }
}
