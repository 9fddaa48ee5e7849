//! Which CPU the server has to itself, and which one the load and the node share.

use std::process::Command;

use xtask::command::output;

/// The CPUs of the two sides, when there are two and `taskset` can keep processes on them.
#[derive(Debug)]
pub(super) struct Pins(Option<[u32; 2]>);

/// The two sides of a measurement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Server,
    Load,
}

impl Pins {
    pub(super) fn find() -> Self {
        // What `nproc` counts may be any CPUs: each is tried.
        let is_usable = |cpu: &u32| {
            let mut try_it = Command::new("taskset");
            output(try_it.args(["-c", &cpu.to_string(), "true"])).is_ok()
        };
        let mut usable = (0..MOST).filter(is_usable);
        Self(usable.next().zip(usable.next()).map(|it| [it.0, it.1]))
    }

    /// `command` as it is started on one side.
    pub(super) fn pinned(&self, side: Side, command: Vec<String>) -> Vec<String> {
        let Some([server, load]) = self.0 else {
            return command;
        };
        let cpu = match side {
            Side::Server => server,
            Side::Load => load,
        };
        let mut words = vec!["taskset".to_owned(), "-c".to_owned(), cpu.to_string()];
        words.extend(command);
        words
    }

    pub(super) fn description(&self) -> String {
        match self.0 {
            Some([server, load]) => format!("Server on CPU {server}, load and node on CPU {load}."),
            None => "**Not pinned**: no `taskset`, or only one CPU. Server and load share what there is.".to_owned(),
        }
    }
}

/// More CPUs are not looked for.
const MOST: u32 = 64;
