//! Load over pipes: a server is started, greeted, and kept at a number of requests in flight.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bytes::{Buf, BytesMut};
use memchr::memmem::{self, Finder};
use qortal_mcp_bench::args::{Args, UsageError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout};

use crate::failure::Failure;
use crate::process::Process;
use crate::report::{Cost, Report};

/// Long enough for caches and branch predictors to settle.
const WARM_UP: Duration = Duration::from_millis(300);
/// How long any answer, and the end of the server after its input, may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// No line of an answer measured here is near this.
const LONGEST_LINE: usize = 16 * 1024 * 1024;
/// What the template of a request has in place of its id.
const TEMPLATE_ID: &[u8] = b"\"id\":0";

/// A server on pipes.
pub(crate) struct Server {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    received: BytesMut,
    /// Up to here `received` is known to hold no line end.
    searched: usize,
}

impl Server {
    pub(crate) fn start(command: &[String]) -> Result<Self, Failure> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| UsageError::new("no command after --".to_owned()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(Failure::io(program))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self {
                child,
                input,
                output,
                received: BytesMut::with_capacity(64 * 1024),
                searched: 0,
            }),
            _ => Err(Failure::Unreadable("the server's pipes".to_owned())),
        }
    }

    pub(crate) async fn send(&mut self, lines: &[u8]) -> Result<(), Failure> {
        let sent = async {
            self.input.write_all(lines).await?;
            self.input.flush().await
        };
        timeout(PATIENCE, sent)
            .await
            .map_err(|_| Failure::TooLong("taking a request"))?
            .map_err(Failure::io("send"))
    }

    /// The next line, without its end; waits for it.
    pub(crate) async fn line(&mut self) -> Result<BytesMut, Failure> {
        loop {
            if let Some(line) = self.received_line() {
                return Ok(line);
            }
            self.receive().await?;
        }
    }

    fn received_line(&mut self) -> Option<BytesMut> {
        let rest = self.received.get(self.searched..).unwrap_or_default();
        match memchr::memchr(b'\n', rest) {
            Some(at) => {
                let line = self.received.split_to(self.searched + at);
                self.received.advance(1);
                self.searched = 0;
                Some(line)
            }
            None => {
                self.searched = self.received.len();
                None
            }
        }
    }

    async fn receive(&mut self) -> Result<(), Failure> {
        self.received.reserve(64 * 1024);
        let read = timeout(PATIENCE, self.output.read_buf(&mut self.received))
            .await
            .map_err(|_| Failure::TooLong("an answer"))?
            .map_err(Failure::io("receive"))?;
        match read {
            0 => Err(Failure::Answer("the server ended".to_owned())),
            _ if self.received.len() > LONGEST_LINE => {
                Err(Failure::Answer("a line has no end".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn process(&self) -> Result<Process, Failure> {
        let id = self.child.id();
        Ok(Process(id.ok_or_else(|| {
            Failure::Answer("the server ended".to_owned())
        })?))
    }

    /// Ends the server's input and says how long it took to go.
    pub(crate) async fn stop(mut self) -> Result<Duration, Failure> {
        drop(self.input);
        let asked = Instant::now();
        timeout(PATIENCE, self.child.wait())
            .await
            .map_err(|_| Failure::TooLong("the server's end after its input ended"))?
            .map_err(Failure::io("wait for the server"))?;
        Ok(asked.elapsed())
    }
}

/// Sends the lines of `greeting`; the first of them is answered.
pub(crate) async fn greet(server: &mut Server, greeting: &[u8]) -> Result<(), Failure> {
    server.send(greeting).await?;
    let answer = server.line().await?;
    match memmem::find(&answer, b"\"protocolVersion\"") {
        Some(_) => Ok(()),
        None => Err(Failure::Answer(beginning(&answer))),
    }
}

/// Keeps `--in-flight` requests before the server for `--seconds`.
pub(crate) async fn load(mut args: Args) -> Result<Report, Failure> {
    let greeting = read(&args.required::<PathBuf>("--greeting")?)?;
    let template = read(&args.required::<PathBuf>("--request")?)?;
    let needle: String = args.required("--needle")?;
    let concurrency: u64 = args.required("--in-flight")?;
    let seconds: f64 = args.required("--seconds")?;
    let command = args.finish()?;
    let template = Template::new(&template)?;
    let needle = Finder::new(needle.as_bytes());

    let mut server = Server::start(&command)?;
    greet(&mut server, &greeting).await?;
    let process = server.process()?;
    let rss_before_kib = process.resident()?;

    let begin = Instant::now() + WARM_UP;
    let end = begin + Duration::from_secs_f64(seconds.clamp(0.01, 600.0));
    let mut latencies = Vec::new();
    let mut sent: HashMap<u64, Instant> = HashMap::new();
    let mut next_id = 1;
    let mut cpu_before = None;
    let mut batch = Vec::new();
    let mut free = concurrency;
    while Instant::now() < end {
        if cpu_before.is_none() && Instant::now() >= begin {
            cpu_before = Some(process.cpu()?);
        }
        batch.clear();
        for _ in 0..free {
            template.write(next_id, &mut batch);
            sent.insert(next_id, Instant::now());
            next_id += 1;
        }
        server.send(&batch).await?;
        // At least one answer, then as many as have already come.
        let mut line = server.line().await?;
        free = 0;
        loop {
            let started = id(&line).and_then(|id| sent.remove(&id));
            let Some(started) = started.filter(|_| needle.find(&line).is_some()) else {
                return Err(Failure::Answer(beginning(&line)));
            };
            let ended = Instant::now();
            if started >= begin && ended <= end {
                latencies.push(ended - started);
            }
            free += 1;
            match server.received_line() {
                Some(next) => line = next,
                None => break,
            }
        }
    }
    let cost = Cost {
        elapsed: begin.elapsed(),
        cpu: process
            .cpu()?
            .saturating_sub(cpu_before.unwrap_or_default()),
        rss_before_kib,
        rss_after_kib: process.resident()?,
    };
    for _ in free..concurrency {
        server.line().await?;
    }
    let exit = server.stop().await?;
    Ok(Report::new(latencies, cost, exit))
}

/// One answer to the request, for a look at it.
pub(crate) async fn once(mut args: Args) -> Result<Vec<u8>, Failure> {
    let greeting = read(&args.required::<PathBuf>("--greeting")?)?;
    let template = Template::new(&read(&args.required::<PathBuf>("--request")?)?)?;
    let needle: String = args.required("--needle")?;
    let mut server = Server::start(&args.finish()?)?;
    greet(&mut server, &greeting).await?;
    let mut request = Vec::new();
    template.write(1, &mut request);
    server.send(&request).await?;
    let line = server.line().await?;
    server.stop().await?;
    match memmem::find(&line, needle.as_bytes()) {
        Some(_) => Ok(line.to_vec()),
        None => Err(Failure::Answer(beginning(&line))),
    }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(Failure::io(&path.display().to_string()))
}

/// A request around its id.
struct Template {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Template {
    fn new(text: &[u8]) -> Result<Self, Failure> {
        let text = text.trim_ascii();
        let at = memmem::find(text, TEMPLATE_ID)
            .ok_or_else(|| Failure::Answer("the request has no \"id\":0".to_owned()))?;
        let (before, after) = text.split_at(at + TEMPLATE_ID.len() - 1);
        let mut after = after.get(1..).unwrap_or_default().to_vec();
        after.push(b'\n');
        Ok(Self {
            before: before.to_vec(),
            after,
        })
    }

    fn write(&self, id: u64, into: &mut Vec<u8>) {
        into.extend_from_slice(&self.before);
        into.extend_from_slice(id.to_string().as_bytes());
        into.extend_from_slice(&self.after);
    }
}

/// The number after the first `"id":`; all servers measured here write it before the result.
fn id(line: &[u8]) -> Option<u64> {
    let at = memmem::find(line, b"\"id\":")? + 5;
    let digits = line.get(at..)?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    str::from_utf8(digits.get(..end)?).ok()?.parse().ok()
}

fn beginning(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::{Template, id};

    #[test]
    fn the_id_is_put_in_and_found_again() {
        let template =
            Template::new(b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}\n").unwrap();
        let mut line = Vec::new();
        template.write(42, &mut line);
        assert_eq!(
            line,
            b"{\"jsonrpc\":\"2.0\",\"id\":42,\"method\":\"ping\"}\n"
        );
        assert_eq!(id(&line), Some(42));
        assert_eq!(id(b"{}"), None);
        assert!(Template::new(b"{}").is_err());
    }
}
