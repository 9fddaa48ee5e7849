//! The servers that are measured, and the node behind them: how each is started, and that each is ended.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use xtask::failure::Failure;
pub(super) use xtask::server::free_address;

/// A server that can be measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Subject {
    Ours,
    /// hyper alone; on stdio, a plain loop.
    Anchor,
    /// hyper and serde_json.
    Parse,
    Rmcp,
}

impl Subject {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ours => "qortal-mcp",
            Self::Anchor => "constant (anchor)",
            Self::Parse => "parse",
            Self::Rmcp => "rmcp",
        }
    }
}

/// What the peers need to do as ours does: the size of its answer, its result, its tools.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) size: usize,
    pub(super) result: PathBuf,
    pub(super) tools: Option<PathBuf>,
}

/// Where the programs are.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) server: PathBuf,
    pub(super) peers: PathBuf,
}

impl Programs {
    /// The command that serves HTTP on `address`.
    pub(super) fn http(
        &self,
        subject: Subject,
        address: SocketAddr,
        node: &str,
        model: Option<&Model>,
    ) -> Vec<String> {
        let address = address.to_string();
        let peer = |name: &str| vec![self.peer(name), "--listen".to_owned(), address.clone()];
        match subject {
            Subject::Ours => words(&[
                &self.server.display().to_string(),
                "http",
                "--client-rate-limit",
                "0",
                "--listen",
                &address,
                "--node",
                node,
            ]),
            Subject::Anchor => {
                let size = model.map_or(0, |model| model.size);
                with(peer("constant"), "--size", &size.to_string())
            }
            Subject::Parse => match model {
                Some(model) => with(peer("parse"), "--result", &shown(&model.result)),
                None => peer("parse"),
            },
            Subject::Rmcp => match model.and_then(|model| model.tools.as_ref()) {
                Some(tools) => with(peer("rmcp-peer"), "--tools", &shown(tools)),
                None => peer("rmcp-peer"),
            },
        }
    }

    /// The command that serves stdio; the anchor answers with `result`.
    pub(super) fn stdio(&self, subject: Subject, node: &str, result: &Path) -> Vec<String> {
        match subject {
            // No client asks as fast as the load.
            Subject::Ours => words(&[
                "env",
                "QORTAL_MCP_CLIENT_RATE_LIMIT=0",
                &shown(&self.server),
                "--node",
                node,
            ]),
            Subject::Anchor | Subject::Parse => {
                words(&[&self.peer("plain-stdio"), "--result", &shown(result)])
            }
            Subject::Rmcp => words(&[&self.peer("rmcp-peer"), "--stdio"]),
        }
    }

    pub(super) fn peer(&self, name: &str) -> String {
        shown(&self.peers.join(name))
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn with(mut command: Vec<String>, option: &str, value: &str) -> Vec<String> {
    command.extend(words(&[option, value]));
    command
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A running program; ended when dropped.
#[derive(Debug)]
pub(super) struct Running(Child);

impl Running {
    /// Starts `command`; what it writes to stderr goes to `log`.
    pub(super) fn start(command: &[String], log: &Path) -> Result<Self, Failure> {
        let log = File::create(log).map_err(Failure::io(log.display()))?;
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| Failure::Found("no command".to_owned()))?;
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(Failure::io(program))?;
        Ok(Self(child))
    }

    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; either way it is waited for.
        let _killed = self.0.kill();
        let _status = self.0.wait();
    }
}
