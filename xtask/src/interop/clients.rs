//! The clients, the eras each has, and what each cannot do.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, cargo};
use crate::failure::Failure;
use crate::tree::{root, target};
use crate::{npm, python};

const HANDSHAKE: &str = "2025-11-25";
const WITHOUT: &str = "2026-07-28";

/// A client that people use.
#[derive(Debug)]
pub(super) struct Client {
    /// Its name in file names and on the command line.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    /// As pinned; the tests compare.
    pub(super) version: &'static str,
    pub(super) program: Program,
    pub(super) eras: &'static [Era],
    /// Kinds of steps it has no means for.
    pub(super) lacks: &'static [&'static str],
    /// Whether each request is a process of its own, so that not all is asked of it everywhere.
    pub(super) is_slow: bool,
}

/// How a client opens a connection.
#[derive(Debug)]
pub(super) struct Era {
    pub(super) name: &'static str,
    /// What has to be agreed on.
    pub(super) revision: &'static str,
    /// Whether on stdio another process is asked first, and ended by a signal.
    pub(super) probes: bool,
}

/// What plays the client's scripts: a file of `tests/interop`.
#[derive(Debug)]
pub(super) enum Program {
    Node(&'static str),
    /// A script, and the requirements it runs with.
    Python(&'static str, &'static str),
    Rmcp,
}

const fn era(name: &'static str, revision: &'static str) -> Era {
    Era {
        name,
        revision,
        probes: false,
    }
}

const fn probing(era: Era) -> Era {
    Era {
        probes: true,
        ..era
    }
}

impl Era {
    /// Whether a connection begins with `initialize`.
    pub(super) fn has_handshake(&self) -> bool {
        self.revision == HANDSHAKE
    }
}

pub(super) const CLIENTS: &[Client] = &[
    Client {
        id: "inspector",
        name: "MCP Inspector",
        version: "2.12.0",
        program: Program::Node("inspector.mjs"),
        eras: &[
            era("legacy", HANDSHAKE),
            probing(era("auto", WITHOUT)),
            probing(era("modern", WITHOUT)),
        ],
        lacks: &[
            "completion",
            "progress",
            "logging",
            "elicitation",
            "sampling",
            "subscription",
            "list_changed",
        ],
        is_slow: true,
    },
    Client {
        id: "typescript1",
        name: "TypeScript SDK v1",
        version: "1.32.2",
        program: Program::Node("typescript1.mjs"),
        eras: &[era("legacy", HANDSHAKE)],
        lacks: &[],
        is_slow: false,
    },
    Client {
        id: "typescript2",
        name: "TypeScript SDK v2",
        version: "2.4.0",
        program: Program::Node("typescript2.mjs"),
        eras: &[
            era("legacy", HANDSHAKE),
            probing(era("auto", WITHOUT)),
            probing(era("modern", WITHOUT)),
        ],
        lacks: &[],
        is_slow: false,
    },
    Client {
        id: "python1",
        name: "Python SDK v1",
        version: "1.30.0",
        program: Program::Python("python1.py", "python1.txt"),
        eras: &[era("legacy", HANDSHAKE)],
        lacks: &[],
        is_slow: false,
    },
    Client {
        id: "python2",
        name: "Python SDK v2",
        version: "2.3.0",
        program: Program::Python("python2.py", "python2.txt"),
        eras: &[
            era("legacy", HANDSHAKE),
            era("auto", WITHOUT),
            era("modern", WITHOUT),
        ],
        lacks: &[],
        is_slow: false,
    },
    Client {
        id: "rmcp",
        name: "rmcp",
        version: "3.9.0",
        program: Program::Rmcp,
        eras: &[
            era("default", HANDSHAKE),
            era("legacy", HANDSHAKE),
            era("auto", WITHOUT),
            era("modern", WITHOUT),
        ],
        lacks: &[],
        is_slow: false,
    },
];

/// The commands that play scripts.
#[derive(Debug)]
pub(super) struct Programs {
    commands: Vec<(&'static str, Vec<PathBuf>)>,
}

impl Programs {
    /// Installs or builds what is pinned, unless it is there.
    pub(super) fn install(clients: &[&Client]) -> Result<Self, Failure> {
        let folder = root().join("tests/interop");
        let mut commands = Vec::new();
        for client in clients {
            let command = match client.program {
                Program::Node(script) => {
                    npm::install(&folder)?;
                    vec![npm::node(&folder)?, folder.join(script)]
                }
                Program::Python(script, requirements) => {
                    let environment = target().join("interop").join(client.id);
                    let python = python::install(&folder.join(requirements), &environment)?;
                    vec![python, folder.join(script)]
                }
                Program::Rmcp => vec![build_rmcp()?],
            };
            commands.push((client.id, command));
        }
        Ok(Self { commands })
    }

    /// The command of `client`; the script is its last argument.
    pub(super) fn command(&self, client: &Client) -> Option<Command> {
        let (_, words) = self.commands.iter().find(|(id, _)| *id == client.id)?;
        let (program, arguments) = words.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments);
        Some(command)
    }
}

fn build_rmcp() -> Result<PathBuf, Failure> {
    let build = ["build", "--quiet", "--locked", "--manifest-path"];
    let manifest = root().join("tests/interop/rmcp/Cargo.toml");
    let mut cargo = cargo();
    cargo.args(build).arg(manifest);
    cargo.arg("--target-dir").arg(target());
    command::run(&mut cargo)?;
    Ok(target().join("debug/interop-rmcp"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{CLIENTS, Program};
    use crate::tree::root;

    #[test]
    fn every_version_is_the_pinned_one() {
        let folder = root().join("tests/interop");
        for client in CLIENTS {
            let (file, start) = match (&client.program, client.id) {
                (Program::Node(_), "inspector") => {
                    ("package.json", "\"@modelcontextprotocol/inspector\": \"")
                }
                (Program::Node(_), "typescript1") => {
                    ("package.json", "\"@modelcontextprotocol/sdk\": \"")
                }
                (Program::Node(_), _) => ("package.json", "\"@modelcontextprotocol/client\": \""),
                (Program::Python(_, requirements), _) => (*requirements, "mcp=="),
                (Program::Rmcp, _) => ("rmcp/Cargo.toml", "rmcp = { version = \"="),
            };
            let text = fs::read_to_string(folder.join(file)).unwrap();
            let pinned = format!("{start}{}", client.version);
            assert!(text.contains(&pinned), "{file} does not contain {pinned}");
        }
    }

    #[test]
    fn the_requirements_name_no_registry() {
        for file in ["python1.txt", "python2.txt"] {
            let text = fs::read_to_string(root().join("tests/interop").join(file)).unwrap();
            assert!(!text.contains("://"), "{file}");
        }
    }
}
