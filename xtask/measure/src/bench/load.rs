//! The workbench: both builds, the CPUs, the nodes, and the load: wrk over HTTP, the load program over stdio.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;

use qortal_testnode::{Scenario, TestNode};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::bench::cases::{self, Case};
use crate::bench::options::Options;
use crate::bench::pins::{Pins, Side};
use crate::bench::process::Process;
use crate::bench::programs::{Model, Programs, Running, Subject, free_address};
use xtask::command::{cargo, output, run};
use xtask::failure::Failure;
use xtask::tree::root;

/// Everything a measurement needs.
#[derive(Debug)]
pub(super) struct Workbench {
    pub(super) programs: Programs,
    pins: Pins,
    folder: PathBuf,
    /// Nothing that is measured asks it, but a server has one.
    node: TestNode,
    _runtime: Runtime,
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
}

/// A server on HTTP that has answered once.
#[derive(Debug)]
pub(super) struct Serving {
    running: Running,
    address: SocketAddr,
}

impl Workbench {
    /// Builds both workspaces and starts the node.
    pub(super) fn prepare(options: &Options) -> Result<Self, Failure> {
        if !cfg!(target_os = "linux") {
            let why = "CPU time and memory are read from /proc, so bench needs Linux";
            return Err(Failure::Found(why.to_owned()));
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
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(Failure::io("the runtime"))?;
        let node = runtime.block_on(TestNode::start_lenient(Scenario::recorded()));
        Ok(Self {
            programs: Programs {
                server,
                peers: root.join("bench/target/release"),
            },
            pins: Pins::find(),
            folder,
            node: node.map_err(|why| Failure::unreadable("the simulated node", why))?,
            _runtime: runtime,
        })
    }

    /// The URL of the node.
    pub(super) fn node(&self) -> &str {
        self.node.url()
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
        model: Option<&Model>,
    ) -> Result<Serving, Failure> {
        let address = free_address()?;
        let command = self.programs.http(subject, address, self.node(), model);
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
        self.once(&serving, &cases::http_greeting(address), "{")?;
        Ok(serving)
    }

    /// One answer of `serving` to `case`, examined.
    pub(super) fn answer(
        &self,
        serving: &Serving,
        case: &Case,
    ) -> Result<(Vec<u8>, Value), Failure> {
        let answer = self.once(serving, &case.request(serving.address), case.needle())?;
        let result = case.examine(&answer)?;
        Ok((answer, result))
    }

    fn once(&self, serving: &Serving, request: &str, needle: &str) -> Result<Vec<u8>, Failure> {
        let request = self.file("once.http", request.as_bytes())?;
        let mut load = Command::new(self.programs.peer("load"));
        load.arg("once")
            .args(["--address", &serving.address.to_string()])
            .arg("--request")
            .arg(request)
            .args(["--needle", needle]);
        Ok(output(&mut load)?.into_bytes())
    }

    /// Loads `serving` with `case` over some connections, for so many whole seconds.
    pub(super) fn load(
        &self,
        serving: &Serving,
        case: &Case,
        connections: usize,
        seconds: f64,
    ) -> Result<Report, Failure> {
        let script = self.file("case.lua", case.script().as_bytes())?;
        let command = [
            "wrk",
            "--threads",
            "1",
            "--timeout",
            "20s",
            "--connections",
            &connections.to_string(),
            "--duration",
            &format!("{:.0}s", seconds.ceil().max(1.0)),
            "--script",
            &script.display().to_string(),
            &format!("http://{}/mcp", serving.address),
        ];
        let server = Process(serving.running.id());
        let (rss_before, cpu_before) = (server.resident_kib()?, server.cpu_seconds()?);
        let printed = self.run_pinned(command.map(str::to_owned).to_vec())?;
        let cpu = server.cpu_seconds()? - cpu_before;
        let figures = printed.lines().rev().find(|line| line.starts_with('{'));
        let figures = figures.ok_or_else(|| Failure::unreadable("what wrk printed", &printed))?;
        let figures: Value = serde_json::from_str(figures)
            .map_err(|why| Failure::unreadable("what wrk printed", why))?;
        Report::of_wrk(
            &figures,
            cpu,
            [rss_before, server.resident_kib()?].map(f64::from),
        )
    }

    /// Runs the load program, and returns the JSON it writes.
    pub(super) fn run_load(&self, arguments: Vec<String>) -> Result<Value, Failure> {
        let mut command = vec![self.programs.peer("load")];
        command.extend(arguments);
        let report = self.run_pinned(command)?;
        serde_json::from_str(&report).map_err(|why| Failure::unreadable("the load's report", why))
    }

    /// Runs a command on the side of the load, and returns what it prints.
    fn run_pinned(&self, command: Vec<String>) -> Result<String, Failure> {
        let command = self.pinned(Side::Load, command);
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| Failure::Found("no command".to_owned()))?;
        output(Command::new(program).args(arguments))
    }
}

impl Report {
    /// Reads the figures of wrk; those of a load with failed requests are refused, for they mean nothing.
    fn of_wrk(figures: &Value, cpu_seconds: f64, rss_kib: [f64; 2]) -> Result<Self, Failure> {
        let number = |name: &str| {
            let number = figures.get(name).and_then(Value::as_f64);
            number.ok_or_else(|| Failure::unreadable("what wrk printed", format!("no {name}")))
        };
        let (requests, failed) = (number("requests")?, number("failed")?);
        if failed > 0.0 || requests < 1.0 {
            let why = format!("{failed} of {requests} requests failed under load");
            return Err(Failure::Found(why));
        }
        let [rss_before_kib, rss_after_kib] = rss_kib;
        Ok(Self {
            per_second: requests / number("duration_us")? * 1e6,
            p50_us: number("p50_us")?,
            p99_us: number("p99_us")?,
            cpu_us: cpu_seconds * 1e6 / requests,
            rss_before_kib,
            rss_after_kib,
        })
    }

    /// Reads the report of the load program.
    pub(super) fn read(report: &Value) -> Result<Self, Failure> {
        let number = |name: &str| {
            report
                .get(name)
                .and_then(Value::as_f64)
                .ok_or_else(|| Failure::unreadable("the load's report", format!("no {name}")))
        };
        Ok(Self {
            per_second: number("requests")? / number("seconds")?,
            p50_us: number("p50_us")?,
            p99_us: number("p99_us")?,
            cpu_us: number("cpu_us")?,
            rss_before_kib: number("rss_before_kib")?,
            rss_after_kib: number("rss_after_kib")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::bench::load::Report;

    #[test]
    fn figures_of_wrk_with_failed_requests_are_refused() {
        let mut figures = json!({
            "requests": 100, "duration_us": 500_000, "p50_us": 1, "p99_us": 2, "failed": 0,
        });
        let good = Report::of_wrk(&figures, 0.001, [4.0, 5.0]).unwrap();
        assert!((good.per_second - 200.0).abs() < 1e-9);
        assert!((good.cpu_us - 10.0).abs() < 1e-9);
        figures["failed"] = json!(1);
        let failure = Report::of_wrk(&figures, 0.001, [4.0, 5.0]).unwrap_err();
        assert_eq!(failure.to_string(), "1 of 100 requests failed under load");
    }
}
