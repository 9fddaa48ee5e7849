//! The workbench: both builds, the CPUs, the nodes, and the load program with its reports.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::bench::cases::{self, Case, Node};
use crate::bench::latency_node::LatencyNode;
use crate::bench::options::Options;
use crate::bench::pins::{Pins, Side};
use crate::bench::programs::{Model, Programs, Running, Subject, free_address};
use xtask::command::{cargo, output, run};
use xtask::failure::Failure;
use xtask::tree::root;

/// The delay of the distant node's answers in milliseconds: a node on the same continent.
const DISTANT: &str = "20";
/// What an answer contains that is not looked into: its status and its end are what counts.
pub(super) const ANYTHING: &str = "";

/// Everything a measurement needs.
#[derive(Debug)]
pub(super) struct Workbench {
    pub(super) programs: Programs,
    pins: Pins,
    folder: PathBuf,
    nodes: Vec<(Node, LatencyNode)>,
}

/// What the load program measured in one go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) per_second: f64,
    pub(super) p50_us: f64,
    pub(super) p99_us: f64,
    pub(super) cpu_us: f64,
    pub(super) rss_before_kib: f64,
    pub(super) rss_after_kib: f64,
    /// How many requests were sent, with those before the measured time; HTTP only.
    pub(super) sent: Option<f64>,
}

/// What is sent over HTTP, and to whom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    pub(super) address: SocketAddr,
    /// The process whose CPU time and memory are read.
    pub(super) process: u32,
    /// Whole requests, sent in turn.
    pub(super) messages: &'a [String],
    /// So many of them at once, which count as one.
    pub(super) together: usize,
    /// What every right answer contains.
    pub(super) needle: &'a str,
    /// Where the load runs.
    pub(super) from: Side,
}

/// A server on HTTP that has answered once.
#[derive(Debug)]
pub(super) struct Serving {
    running: Running,
    address: SocketAddr,
}

impl Workbench {
    /// Builds both workspaces and starts the nodes.
    pub(super) fn prepare(options: &Options) -> Result<Self, Failure> {
        if !cfg!(target_os = "linux") {
            let why = "CPU time and memory are read from /proc, so bench needs Linux";
            return Err(Failure::Usage(why.to_owned()));
        }
        let root = root();
        let build = ["build", "--locked", "--quiet"];
        let mut peers = cargo();
        peers.args(build).arg("--release");
        run(peers.current_dir(root.join("bench")))?;
        let server = match &options.server {
            Some(server) => server.clone(),
            None => {
                let ours = ["--profile", "dist", "--package", "qortal-mcp"];
                run(cargo().args(build).args(ours))?;
                root.join("target/dist/qortal-mcp")
            }
        };
        let folder = root.join("target/bench");
        fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
        let mut bench = Self {
            programs: Programs {
                server,
                peers: root.join("bench/target/release"),
            },
            pins: Pins::find(),
            folder,
            nodes: Vec::new(),
        };
        bench.start_node(Node::Immediate, "0")?;
        bench.start_node(Node::Distant, DISTANT)?;
        Ok(bench)
    }

    fn start_node(&mut self, node: Node, latency: &str) -> Result<(), Failure> {
        let words = [&self.programs.peer("latency-node"), "--latency-ms", latency];
        let command = words.map(str::to_owned).to_vec();
        let log = self.folder.join(format!("node-{node:?}.log"));
        let command = self.pinned(Side::Load, command);
        self.nodes.push((node, LatencyNode::start(&command, &log)?));
        Ok(())
    }

    /// The URL of a node.
    pub(super) fn node(&self, node: Node) -> &str {
        self.node_process(node).map_or("", LatencyNode::url)
    }

    pub(super) fn node_process(&self, node: Node) -> Result<&LatencyNode, Failure> {
        let found = self.nodes.iter().find(|(known, _)| *known == node);
        let found = found.map(|(_, process)| process);
        found.ok_or_else(|| Failure::Usage(format!("there is no node {node:?}")))
    }

    pub(super) fn pinned(&self, side: Side, command: Vec<String>) -> Vec<String> {
        self.pins.pinned(side, command)
    }

    /// The conditions of the measurement, for later readers; `order` says what is compared with what.
    pub(super) fn description(&self, options: &Options, order: &str) -> String {
        // What else runs is part of every figure; a reader can discount it.
        let busy = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let busy = busy.split_whitespace().next().unwrap_or("unknown");
        let server = match &options.server {
            Some(_) => "Another build of the server than that of this commit. ",
            None => "",
        };
        format!(
            "{server}{} Load average before the run: {busy}. Rounds: {}, {} s each. {order}, median [min–max]. All servers: link-time optimization, one unit of code, system allocator, tokio's default workers.",
            self.pins.description(),
            options.rounds,
            options.seconds,
        )
    }

    /// Where [`Workbench::file`] puts the file `name`.
    pub(super) fn file_path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file that a program will read.
    pub(super) fn file(&self, name: &str, content: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.file_path(name);
        fs::write(&path, content).map_err(Failure::io(path.display()))?;
        Ok(path)
    }

    /// Starts `subject` and waits for its answer to `initialize`, or to `case` where it knows only that.
    pub(super) fn serve(
        &self,
        subject: Subject,
        node: Node,
        model: Option<&Model>,
    ) -> Result<Serving, Failure> {
        let address = free_address()?;
        let command = self.programs.http(subject, address, self.node(node), model);
        self.serve_at(address, &self.pinned(Side::Server, command))
    }

    /// Starts `command`, which listens on `address`, and waits for its answer to `initialize`.
    pub(super) fn serve_at(
        &self,
        address: SocketAddr,
        command: &[String],
    ) -> Result<Serving, Failure> {
        let log = self.folder.join("server.log");
        let running = Running::start(command, &log)?;
        let serving = Serving { running, address };
        self.once(&serving, &[cases::http_greeting(address)], "{")?;
        Ok(serving)
    }

    /// One answer of `serving` to `messages`, which contains `needle`.
    pub(super) fn ask(
        &self,
        serving: &Serving,
        message: &str,
        needle: &str,
    ) -> Result<Vec<u8>, Failure> {
        self.once(serving, &[message.to_owned()], needle)
    }

    /// One answer of `serving` to `case`, examined.
    pub(super) fn answer(
        &self,
        serving: &Serving,
        case: &Case,
    ) -> Result<(Vec<u8>, Value), Failure> {
        let answer = self.once(serving, &case.http(serving.address), case.needle())?;
        let result = case.examine(&answer)?;
        Ok((answer, result))
    }

    fn once(
        &self,
        serving: &Serving,
        messages: &[String],
        needle: &str,
    ) -> Result<Vec<u8>, Failure> {
        let messages = self.messages(messages)?;
        let mut load = Command::new(self.programs.peer("load"));
        load.arg("once")
            .args(["--address", &serving.address.to_string()])
            .arg("--messages")
            .arg(messages)
            .args(["--needle", needle]);
        Ok(output(&mut load)?.into_bytes())
    }

    /// Loads `serving` with `case` over some connections; `extent` is `--seconds S` or `--requests N`.
    pub(super) fn load(
        &self,
        serving: &Serving,
        case: &Case,
        needle: &str,
        connections: usize,
        extent: [&str; 2],
    ) -> Result<Report, Failure> {
        let target = Target {
            address: serving.address,
            process: serving.id(),
            messages: &case.http(serving.address),
            together: 1,
            needle,
            from: Side::Load,
        };
        self.load_target(&target, connections, extent, Vec::new())
    }

    /// Loads whatever answers HTTP.
    pub(super) fn load_target(
        &self,
        target: &Target<'_>,
        connections: usize,
        extent: [&str; 2],
        more: Vec<String>,
    ) -> Result<Report, Failure> {
        let messages = self.messages(target.messages)?;
        let arguments = [
            "http",
            "--address",
            &target.address.to_string(),
            "--messages",
            &messages.display().to_string(),
            "--needle",
            target.needle,
            "--together",
            &target.together.to_string(),
            "--pid",
            &target.process.to_string(),
            "--connections",
            &connections.to_string(),
        ];
        let arguments = arguments.into_iter().chain(extent).map(str::to_owned);
        Report::read(&self.run_load_from(target.from, arguments.chain(more).collect())?)
    }

    fn messages(&self, messages: &[String]) -> Result<PathBuf, Failure> {
        self.file(
            "messages.json",
            Value::from(messages).to_string().as_bytes(),
        )
    }

    /// Runs the load program on its side, and returns the JSON it writes.
    pub(super) fn run_load(&self, arguments: Vec<String>) -> Result<Value, Failure> {
        self.run_load_from(Side::Load, arguments)
    }

    fn run_load_from(&self, side: Side, arguments: Vec<String>) -> Result<Value, Failure> {
        let mut command = vec![self.programs.peer("load")];
        command.extend(arguments);
        let command = self.pinned(side, command);
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| Failure::Usage("no command".to_owned()))?;
        let report = output(Command::new(program).args(arguments))?;
        serde_json::from_str(&report).map_err(|why| Failure::unreadable("the load's report", why))
    }
}

impl Serving {
    pub(super) fn id(&self) -> u32 {
        self.running.id()
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Report {
    /// Reads a report; one with errors is refused, for its figures mean nothing.
    pub(super) fn read(report: &Value) -> Result<Self, Failure> {
        let number = |name: &str| {
            report
                .get(name)
                .and_then(Value::as_f64)
                .ok_or_else(|| Failure::unreadable("the load's report", format!("no {name}")))
        };
        if report.get("errors") != Some(&Value::from(0)) {
            let why = report.get("first_error").unwrap_or(&Value::Null);
            return Err(Failure::Found(format!("requests failed under load: {why}")));
        }
        Ok(Self {
            per_second: number("requests")? / number("seconds")?,
            p50_us: number("p50_us")?,
            p99_us: number("p99_us")?,
            cpu_us: number("cpu_us")?,
            rss_before_kib: number("rss_before_kib")?,
            rss_after_kib: number("rss_after_kib")?,
            sent: report.get("sent").and_then(Value::as_f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Report;

    #[test]
    fn a_report_with_errors_is_no_figure() {
        let mut report = json!({
            "requests": 100, "errors": 0, "seconds": 0.5, "p50_us": 1.0, "p99_us": 2.0,
            "cpu_us": 3.0, "rss_before_kib": 4, "rss_after_kib": 5,
        });
        let good = Report::read(&report).unwrap();
        assert!((good.per_second - 200.0).abs() < 1e-9);
        report["errors"] = json!(1);
        report["first_error"] = json!("status 500");
        let failure = Report::read(&report).unwrap_err().to_string();
        assert_eq!(failure, "requests failed under load: \"status 500\"");
    }
}
