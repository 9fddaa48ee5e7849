//! Lets a client play a script, and reads what it says, which is a line for each step.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::failure::Failure;

/// How long a client may take for a script. The slow one starts a hundred processes for it.
const DEADLINE: Duration = Duration::from_secs(480);
/// How much it may say.
const LONGEST: u64 = 64 << 20;
/// How many lines may wait.
const WAITING: usize = 16;
/// How much is shown of what it wrote to stderr.
const SHOWN: usize = 2_000;

/// What became of a step.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    Got(Value),
    Failed(String),
}

/// What a client said of a script.
#[derive(Debug)]
pub(super) struct Said {
    /// Each with its step: its number, `connect` or `close`.
    pub(super) lines: Vec<(Value, Line)>,
    /// What is wrong with how it said it.
    pub(super) problem: Option<String>,
}

impl Said {
    /// What became of `step`.
    pub(super) fn of(&self, step: &Value) -> Option<&Line> {
        self.lines
            .iter()
            .find(|(it, _)| it == step)
            .map(|(_, line)| line)
    }
}

/// Runs `client`; what it writes to stderr goes to `log`.
pub(super) fn play(client: &mut Command, log: &Path) -> Result<Said, Failure> {
    let stderr = File::create(log).map_err(Failure::io(log.display()))?;
    let mut child = client
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .map_err(Failure::io(client.get_program().display()))?;
    let stdout = child.stdout.take();
    let (send, lines) = mpsc::sync_channel(WAITING);
    let (mut said, on_time) = thread::scope(|scope| {
        scope.spawn(move || {
            let reader = stdout.map(|it| BufReader::new(it.take(LONGEST)));
            for line in reader.into_iter().flat_map(BufReader::lines) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let said = listen(&lines);
        if said.1 {
            return said;
        }
        // Ends the reader too; it has ended already if this fails.
        let _killed = child.kill();
        drop(lines);
        said
    });
    let status = child.wait().map_err(Failure::io("a client"))?;
    if !on_time {
        said.problem = Some(format!("not done in {} s", DEADLINE.as_secs()));
    } else if !status.success() {
        let text = fs::read_to_string(log).unwrap_or_default();
        let at = text.len().saturating_sub(SHOWN);
        let at = (at..text.len()).find(|at| text.is_char_boundary(*at));
        let end = at.and_then(|at| text.get(at..)).unwrap_or_default();
        said.problem = Some(format!("{status}: {}", end.trim()));
    }
    Ok(said)
}

/// Collects the lines until there are no more, or too late; whether it was in time.
fn listen(lines: &mpsc::Receiver<std::io::Result<String>>) -> (Said, bool) {
    let begun = Instant::now();
    let mut said = Said {
        lines: Vec::new(),
        problem: None,
    };
    loop {
        let left = DEADLINE.saturating_sub(begun.elapsed());
        match lines.recv_timeout(left) {
            Ok(Ok(line)) => match read(&line) {
                Some(line) => said.lines.push(line),
                None => said.problem = Some(format!("said {line:?}")),
            },
            Ok(Err(why)) => said.problem = Some(format!("cannot be read: {why}")),
            Err(mpsc::RecvTimeoutError::Disconnected) => return (said, true),
            Err(mpsc::RecvTimeoutError::Timeout) => return (said, false),
        }
    }
}

fn read(line: &str) -> Option<(Value, Line)> {
    let Ok(Value::Object(mut line)) = serde_json::from_str(line) else {
        return None;
    };
    let step = line.remove("step")?;
    match (line.remove("got"), line.remove("failed")) {
        (Some(got), None) => Some((step, Line::Got(got))),
        (None, Some(Value::String(why))) => Some((step, Line::Failed(why))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Line, read};

    #[test]
    fn a_line_is_of_a_step() {
        for (line, expected) in [
            (
                r#"{"step":1,"got":[]}"#,
                Some((json!(1), Line::Got(json!([])))),
            ),
            (
                r#"{"step":"close","got":null}"#,
                Some((json!("close"), Line::Got(Value::Null))),
            ),
            (
                r#"{"step":1,"failed":"a"}"#,
                Some((json!(1), Line::Failed("a".to_owned()))),
            ),
            (r#"{"got":1}"#, None),
            (r#"{"step":1}"#, None),
            ("a", None),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
