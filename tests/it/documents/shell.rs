//! A shell in an empty home, in which `qortal-mcp` is the program and its node a simulated one.

use std::{env, fs, path::PathBuf, process::Stdio, time::Duration};

use mcp_client::{Client, ClientConfig};
use mcp_protocol::Tool;
use qortal_testnode::API_KEY;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};

/// How long a command may take; a machine may be busy with other tests.
const DEADLINE: Duration = Duration::from_secs(120);
/// Where readers find a node.
const NODE: &str = "http://127.0.0.1:12391";
/// What is written otherwise for a test: no address beyond loopback, no port that others may have.
const LISTEN: [(&str, &str); 2] = [
    ("0.0.0.0:8000", "127.0.0.1:0"),
    ("127.0.0.1:8000", "127.0.0.1:0"),
];

/// The commands that stay until they are stopped, and what they say when they have begun.
const STAYING: [(&str, &str); 2] = [
    ("qortal-mcp http", " serves MCP at "),
    ("qortal-mcp watch", ": waiting for "),
];

pub(super) struct Shell {
    home: PathBuf,
    node: String,
    servers: Vec<Child>,
}

impl Shell {
    /// One for a page.
    pub(super) fn new(page: &str, node: &str) -> Self {
        let name = page.replace(['/', '.'], "-");
        let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("documents")
            .join(name);
        if home.exists() {
            fs::remove_dir_all(&home).unwrap();
        }
        fs::create_dir_all(home.join("bin")).unwrap();
        let program = env!("CARGO_BIN_EXE_qortal-mcp-documented");
        std::os::unix::fs::symlink(program, home.join("bin/qortal-mcp")).unwrap();
        // Where the Core writes it.
        fs::create_dir_all(home.join("qortal")).unwrap();
        fs::write(home.join("qortal/apikey.txt"), API_KEY).unwrap();
        Self {
            home,
            node: node.to_owned(),
            servers: Vec::new(),
        }
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.home.join(name), text).unwrap();
    }

    /// Runs a script. If its last command is one that stays, waits until that listens or waits, and leaves it running.
    pub(super) async fn run(&mut self, script: &str) -> Result<(), String> {
        let last = script.trim_end().lines().next_back().unwrap_or_default();
        if STAYING.iter().any(|(command, _)| last.starts_with(command)) {
            return self.start(script, last).await;
        }
        let mut command = self.command("sh");
        let ended = ended(command.args(["-eu", "-c", &self.adapted(script)])).await?;
        // The recorded node has no peers and an old clock, which the doctor sees; what counts is that it finds the node.
        let is_found = script.starts_with("qortal-mcp doctor")
            && ended.status.code() == Some(1)
            && ended.text.contains(" all ")
            && ended.text.contains(" would work\n");
        match ended.status.success() || is_found {
            true => Ok(()),
            false => Err(format!("{}: {}", ended.status, ended.text)),
        }
    }

    async fn start(&mut self, script: &str, last: &str) -> Result<(), String> {
        let before = script.trim_end().strip_suffix(last).unwrap_or_default();
        // The errors of a command whose output goes to a file come here.
        let script = format!("{before}exec 2>&1\nexec {last}");
        let mut command = self.command("sh");
        let mut child = command
            .args(["-eu", "-c", &self.adapted(&script)])
            .spawn()
            .map_err(|err| err.to_string())?;
        let output = child.stdout.take().ok_or("no output")?;
        let mut lines = BufReader::new(output).lines();
        let mut printed = String::new();
        let listens = async {
            while let Ok(Some(line)) = lines.next_line().await {
                printed.push_str(&line);
                printed.push('\n');
                if STAYING.iter().any(|(_, says)| line.contains(says)) {
                    return true;
                }
            }
            false
        };
        let listens = timeout(DEADLINE, listens).await.unwrap_or(false);
        if !listens {
            child.kill().await.map_err(|err| err.to_string())?;
            return Err(format!("it does not listen: {printed}"));
        }
        // The pipe stays open as long as the server.
        child.stdout = Some(lines.into_inner().into_inner());
        self.servers.push(child);
        Ok(())
    }

    /// What a command prints, with the node's address as readers know it.
    pub(super) async fn output(&mut self, command: &str) -> Result<String, String> {
        let mut shell = self.command("sh");
        let ended = ended(shell.args(["-u", "-c", &self.adapted(command)])).await?;
        Ok(ended.text.replace(&self.node, NODE))
    }

    /// Starts a program as a host does, and asks for its tools.
    pub(super) async fn ask(&self, words: &[&str]) -> Result<(), String> {
        let mut command = self.command("sh");
        command
            .args(["-c", "exec \"$@\" 2>/dev/null", "host"])
            .args(words);
        let client = Client::spawn(&mut command, ClientConfig::new("test", "1")).await;
        let client = client.map_err(|why| format!("{words:?} does not answer: {why}"))?;
        let tools = client.list_all::<Tool>().await;
        client.close().await;
        match tools {
            Ok(tools) if !tools.is_empty() => Ok(()),
            tools => Err(format!("{words:?} lists no tools: {tools:?}")),
        }
    }

    /// Stops the servers, each of which has to end well.
    pub(super) async fn stop(self) -> Result<(), String> {
        for mut server in self.servers {
            let id = server.id().ok_or("a server ended by itself")?.to_string();
            ended(Command::new("kill").args(["-TERM", &id])).await?;
            let status = timeout(DEADLINE, server.wait()).await;
            let status = status
                .map_err(|_| "a server does not stop")?
                .map_err(|err| err.to_string())?;
            if !status.success() {
                return Err(format!("a server ended with {status}"));
            }
        }
        fs::remove_dir_all(self.home).map_err(|err| err.to_string())
    }

    fn command(&self, program: &str) -> Command {
        let ours = self.home.join("bin");
        #[expect(
            clippy::disallowed_methods,
            reason = "a shell finds its own programs by the path of the process"
        )]
        let path = env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command
            .current_dir(&self.home)
            .env_clear()
            .env("PATH", format!("{}:{path}", ours.display()))
            .env("HOME", &self.home)
            .env("QORTAL_MCP_NODE", &self.node)
            .env("QORTAL_MCP_PUBLIC_NODES", &self.node)
            .env("QORTAL_MCP_LISTEN", "127.0.0.1:0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    fn adapted(&self, script: &str) -> String {
        let script = script.replace(NODE, &self.node);
        LISTEN
            .iter()
            .fold(script, |script, (from, to)| script.replace(from, to))
    }
}

/// How a command ended, and what it printed: its output, then its errors.
struct Ended {
    status: std::process::ExitStatus,
    text: String,
}

async fn ended(command: &mut Command) -> Result<Ended, String> {
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(DEADLINE, command.output()).await;
    let output = output
        .map_err(|_| "it does not end")?
        .map_err(|err| err.to_string())?;
    let text = [output.stdout, output.stderr].concat();
    Ok(Ended {
        status: output.status,
        text: String::from_utf8_lossy(&text).into_owned(),
    })
}
