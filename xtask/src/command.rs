//! Programs this one starts: run to the end, and never with a failure unseen.

use std::env;
use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// Cargo of the toolchain this program was built with, in the workspace's folder.
pub fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(crate::tree::root());
    command
}

/// Runs `command`, which may talk to the terminal.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let status = status(command)?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Program {
        command: shown(command),
        said: status.to_string(),
    })
}

/// Runs `command`, which may talk to the terminal, and returns how it ended.
pub fn status(command: &mut Command) -> Result<ExitStatus, Failure> {
    as_from_shell(command)
        .status()
        .map_err(Failure::io(shown(command)))
}

/// Runs `command` and returns what it wrote to its output.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let output = as_from_shell(command)
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::io(shown(command)))?;
    if !output.status.success() {
        return Err(Failure::Program {
            command: shown(command),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    String::from_utf8(output.stdout).map_err(|why| Failure::unreadable(shown(command), why))
}

/// Removes the variables that `cargo run` sets for this program. The build script of ring watches them: a Cargo that inherits them compiles ring
/// and the workspace anew, and so does the next one that does not.
fn as_from_shell(command: &mut Command) -> &mut Command {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_MANIFEST_") || text.starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command
}

/// How often [`wait_for`] asks.
const EVERY: Duration = Duration::from_millis(20);

/// Asks until there is an answer; `None` if there is none within `deadline`. For events of another program that it
/// does not announce.
pub fn wait_for<T>(
    deadline: Duration,
    mut ask: impl FnMut() -> Result<Option<T>, Failure>,
) -> Result<Option<T>, Failure> {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask()? {
            return Ok(Some(answer));
        }
        if begun.elapsed() > deadline {
            return Ok(None);
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "another program does not announce that it listens or has ended"
        )]
        sleep(EVERY);
    }
}

/// Writes a line of the result to the output.
pub fn say(line: &str) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{line}").map_err(Failure::io("output"))
}

/// Writes a line about what is going on, which is no part of the result.
pub fn progress(line: &str) -> Result<(), Failure> {
    writeln!(std::io::stderr(), "{line}").map_err(Failure::io("stderr"))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(std::ffi::OsStr::to_string_lossy).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::output;
    use std::process::Command;

    #[test]
    fn children_inherit_no_variables_of_a_cargo_package() {
        let variables = output(&mut Command::new("env")).unwrap();
        assert!(variables.contains("PATH="));
        for name in ["CARGO_MANIFEST_DIR=", "CARGO_PKG_NAME="] {
            assert!(!variables.contains(name), "{name}");
        }
    }
}
