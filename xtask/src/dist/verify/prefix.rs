//! A home with nothing in it, for commands that see nothing of the machine but its system.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;
use crate::failure::Failure;

/// Where the system has its programs, and no Rust.
const SYSTEM: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// An empty home.
pub(crate) struct Prefix {
    pub(crate) home: PathBuf,
}

impl Prefix {
    pub(crate) fn new(home: &Path) -> Result<Self, Failure> {
        if home.exists() {
            fs::remove_dir_all(home).map_err(Failure::io(home.display()))?;
        }
        fs::create_dir_all(home).map_err(Failure::io(home.display()))?;
        let home = fs::canonicalize(home).map_err(Failure::io(home.display()))?;
        Ok(Self { home })
    }

    /// Runs a program of the system, of this machine, or of a path in the prefix.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(&self.home)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", SYSTEM);
        // Someone who reaches registries through a company's certificate still does.
        for kept in ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "TMPDIR"] {
            if let Some(value) = std::env::var_os(kept) {
                command.env(kept, value);
            }
        }
        command
    }

    /// What a program of [`command`](Self::command) prints.
    pub(crate) fn output<const N: usize>(
        &self,
        program: impl AsRef<Path>,
        words: [&str; N],
    ) -> Result<String, Failure> {
        command::output(self.command(program).args(words))
    }

    pub(crate) fn remove(self) -> Result<(), Failure> {
        fs::remove_dir_all(&self.home).map_err(Failure::io(self.home.display()))
    }
}

/// The path of a program that this machine has, on the path of this process.
pub(crate) fn found(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut candidates = std::env::split_paths(&path).map(|folder| folder.join(program));
    candidates.find(|it| it.is_file())
}
