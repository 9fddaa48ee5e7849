//! Commands that a shell of this system runs.

use std::{io, process::Stdio, time::Duration};

use tokio::{io::AsyncWriteExt, process::Command, time::timeout};

/// Runs a command by the shell of this system, with a line on its standard input. What it prints goes to standard error. It is ended
/// when the future is dropped.
///
/// # Errors
/// Says, as the end of a sentence that names the command, that it failed, could not be run, or was ended after `patience`.
pub(crate) async fn run_with_line(
    command: &str,
    line: &str,
    patience: Duration,
) -> Result<(), String> {
    #[cfg(windows)]
    let (mut shell, flag) = (Command::new("cmd"), "/C");
    #[cfg(not(windows))]
    let (mut shell, flag) = (Command::new("sh"), "-c");
    shell.arg(flag);
    // Quotes in it are for the shell.
    #[cfg(windows)]
    shell.raw_arg(command);
    #[cfg(not(windows))]
    shell.arg(command);
    shell
        .stdin(Stdio::piped())
        .stdout(io::stderr())
        .kill_on_drop(true);
    let ran = async {
        let mut child = shell.spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // It need not read.
            let _ = input.write_all(format!("{line}\n").as_bytes()).await;
        }
        child.wait().await
    };
    match timeout(patience, ran).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("failed: {status}")),
        Ok(Err(err)) => Err(format!("cannot be run: {err}")),
        Err(_) => Err(format!("was stopped after {} seconds", patience.as_secs())),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_command_has_the_line_as_its_input_and_says_how_it_ended() {
        let patience = Duration::from_secs(60);
        for (line, expected) in [
            ("a", Ok(())),
            ("b", Err("failed: exit status: 3".to_owned())),
        ] {
            let command = "read -r line; [ \"$line\" = a ] || exit 3";
            let ended = run_with_line(command, line, patience).await;
            assert_eq!(ended, expected, "{line}");
        }
    }

    /// On a clock that goes on when all wait.
    #[tokio::test(start_paused = true)]
    async fn a_command_that_hangs_is_ended() {
        let longer_than_a_pipe_holds = "x".repeat(1 << 20);
        for line in ["{}", &longer_than_a_pipe_holds] {
            let ended = run_with_line("exec sleep 3600", line, Duration::from_secs(60)).await;
            assert_eq!(ended, Err("was stopped after 60 seconds".to_owned()));
        }
    }
}
