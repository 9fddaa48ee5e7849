//! Which CPU the server has to itself, and which one the load and the node share.

use std::fs;
use std::process::Command;

use xtask::command::output;

/// The CPUs of the two sides, when there are two and `taskset` can keep processes on them.
#[derive(Debug)]
pub(super) struct Pins(Option<Cpus>);

#[derive(Clone, Copy, Debug)]
struct Cpus {
    server: u32,
    load: u32,
    /// One that a server with two has besides.
    spare: Option<u32>,
}

/// The two sides of a measurement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Server,
    /// A server with two CPUs. Where there are no three, it shares the second with the load.
    ServerOnTwo,
    Load,
}

impl Pins {
    pub(super) fn find() -> Self {
        let usable = output(Command::new("taskset").arg("--version")).is_ok();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let cpus = allowed(&status);
        match cpus.as_slice() {
            [server, load, more @ ..] if usable => Self(Some(Cpus {
                server: *server,
                load: *load,
                spare: more.first().copied(),
            })),
            _ => Self(None),
        }
    }

    /// `command` as it is started on one side.
    pub(super) fn pinned(&self, side: Side, command: Vec<String>) -> Vec<String> {
        let Some(Cpus {
            server,
            load,
            spare,
        }) = self.0
        else {
            return command;
        };
        let cpus = match side {
            Side::Server => server.to_string(),
            Side::ServerOnTwo => format!("{server},{}", spare.unwrap_or(load)),
            Side::Load => load.to_string(),
        };
        let mut words = vec!["taskset".to_owned(), "-c".to_owned(), cpus];
        words.extend(command);
        words
    }

    /// Whether a server can have two CPUs for itself.
    pub(super) fn has_spare(&self) -> bool {
        self.0.is_some_and(|cpus| cpus.spare.is_some())
    }

    pub(super) fn description(&self) -> String {
        match self.0 {
            Some(Cpus { server, load, .. }) => format!("Server on CPU {server}, load and node on CPU {load}."),
            None => "**Not pinned**: no `taskset`, or only one CPU. Server and load share what there is.".to_owned(),
        }
    }
}

/// The CPUs of `Cpus_allowed_list` in `/proc/PID/status`, such as `0-3,8`.
fn allowed(status: &str) -> Vec<u32> {
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .unwrap_or_default();
    let mut cpus = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            // Three are enough.
            cpus.extend((first..=last).take(3));
        }
    }
    cpus
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn ranges_and_single_cpus_are_read() {
        for (list, cpus) in [
            ("0-1", vec![0, 1]),
            ("3", vec![3]),
            ("2,5-9", vec![2, 5, 6, 7]),
            ("", vec![]),
        ] {
            let status = format!("Name:\ta\nCpus_allowed_list:\t{list}\n");
            assert_eq!(allowed(&status), cpus, "{list}");
        }
    }
}
