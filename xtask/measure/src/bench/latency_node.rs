//! The simulated node as a process, which says how many requests it got.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};

use crate::bench::programs::Running;
use xtask::failure::Failure;

/// A URL and a number are short.
const LONGEST_LINE: u64 = 1024;

/// A running node; ended when dropped.
#[derive(Debug)]
pub(super) struct LatencyNode {
    running: Running,
    url: String,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl LatencyNode {
    /// Starts `command`, and waits until it listens.
    pub(super) fn start(command: &[String], log: &Path) -> Result<Self, Failure> {
        let log_file = File::create(log).map_err(Failure::io(log.display()))?;
        let (running, input, output) = Running::start_with_pipes(command, log_file)?;
        let mut output = BufReader::new(output);
        let url = line(&mut output)?;
        if url.is_empty() {
            return Err(Failure::unreadable(log.display(), "the node did not start"));
        }
        Ok(Self {
            running,
            url,
            pipes: RefCell::new((input, output)),
        })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn id(&self) -> u32 {
        self.running.id()
    }

    /// How many requests it got so far.
    pub(super) fn request_count(&self) -> Result<u64, Failure> {
        let mut pipes = self.pipes.borrow_mut();
        let asked = pipes.0.write_all(b"\n");
        asked.map_err(Failure::io("the node"))?;
        let count = line(&mut pipes.1)?;
        count
            .parse()
            .map_err(|_| Failure::unreadable("the node's count", count))
    }
}

fn line(output: &mut BufReader<ChildStdout>) -> Result<String, Failure> {
    let mut line = String::new();
    let read = output.take(LONGEST_LINE).read_line(&mut line);
    read.map_err(Failure::io("the node"))?;
    Ok(line.trim().to_owned())
}
