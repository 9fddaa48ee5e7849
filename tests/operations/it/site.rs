//! What a test begins with: the server's program, a folder for files, and the machine for itself.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tokio::sync::{Mutex, MutexGuard};

use xtask::command::{cargo, run};
use xtask::server::Server;
use xtask::tree;

/// Tests measure: one runs at a time.
static TURN: Mutex<()> = Mutex::const_new(());
/// Names a program to use instead of the one that is built.
const PROGRAM: &str = "QORTAL_OPERATIONS_PROGRAM";

/// What one test has until it ends.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) program: PathBuf,
    pub(crate) folder: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

impl Site {
    /// Waits for its turn, and builds the server.
    pub(crate) async fn begin(name: &str) -> Self {
        let turn = TURN.lock().await;
        // reqwest wants TLS even where only plain HTTP is spoken; a second installation changes nothing.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        Self {
            program: program(),
            folder: folder(name),
            _turn: turn,
        }
    }

    /// Starts the server; `ADDRESS` among the arguments is where it listens.
    pub(crate) fn server(&self, arguments: &[&str]) -> Server {
        let log = self.folder.join("server.log");
        Server::start(&self.program, arguments, &log).unwrap()
    }
}

/// A folder for the files of a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = tree::target().join("operations").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of the repository, as programs are told of it.
pub(crate) fn path(file: &str) -> String {
    tree::root().join(file).display().to_string()
}

/// Copies a file of the repository to where this user alone can read it, as the server requires of keys; returns the copy.
pub(crate) fn secret(folder: &Path, file: &str) -> String {
    let name = Path::new(file).file_name().unwrap();
    let copy = folder.join(name);
    fs::copy(path(file), &copy).unwrap();
    fs::set_permissions(&copy, Permissions::from_mode(0o600)).unwrap();
    copy.display().to_string()
}

/// Fails with what to install if there is no such program.
pub(crate) fn need(program: &'static str) -> &'static Path {
    let found = Command::new(program).arg("--version").output();
    let package = match program {
        "promtool" => "prometheus",
        other => other.trim_end_matches("-analyze"),
    };
    assert!(
        found.is_ok(),
        "{program} is not on the path: install it, on Debian with `apt-get install {package}`"
    );
    Path::new(program)
}

fn program() -> PathBuf {
    #[expect(
        clippy::disallowed_methods,
        reason = "a test has no other way to be told of a program"
    )]
    if let Ok(program) = std::env::var(PROGRAM) {
        return program.into();
    }
    let build = ["build", "--locked", "--quiet", "--profile", "dist"];
    run(cargo().args(build).args(["--package", "qortal-mcp"])).unwrap();
    tree::target().join("dist/qortal-mcp")
}
