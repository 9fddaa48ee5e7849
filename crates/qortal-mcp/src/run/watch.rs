//! `qortal-mcp watch`: a line for each change, until it is stopped.

use std::{
    io::{self, ErrorKind, Write},
    process::Stdio,
    sync::Arc,
    time::{Duration, SystemTime},
};

use mcp_operate::Signals;
use qortal_tools::{
    Catalog, PollPolicy,
    watch::{Change, Subject, Told, Watch},
};
use tokio::{io::AsyncWriteExt, process::Command, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    args::{self, LineFormat},
    exit::{Exit, Failure},
    text,
};

/// How long the command of `--exec` may take for one change. Later changes wait at the node, not here.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) async fn watch(options: &args::Watch, catalog: Catalog) -> Result<Exit, Failure> {
    // A terminal that is closed ends it too.
    let closed = CancellationToken::new();
    let hang_up = closed.clone();
    let signals = Signals::listen(Duration::ZERO, move || hang_up.cancel()).map_err(Failure::io)?;
    let subject = Subject::from(options.what.clone());
    let (name, waits_for) = (subject.name(), subject.waits_for());
    note(&format!("{name}: waiting for {waits_for}; Ctrl-C ends it"));
    let clock = SystemTime::now;
    let mut watch = Watch::new(Arc::new(catalog), subject, PollPolicy::default(), clock);
    let ended = tokio::select! {
        ended = tell(&mut watch, options) => ended,
        () = signals.leaving.cancelled() => Ok(Exit::Success),
        () = closed.cancelled() => Ok(Exit::Success),
    };
    watch.stop().await;
    ended
}

async fn tell(watch: &mut Watch, options: &args::Watch) -> Result<Exit, Failure> {
    loop {
        let told = match watch.next().await {
            Ok(told) => told,
            Err(err) => return Ok(text::print_error(&err, Exit::Failed)),
        };
        match told {
            Told::Begun(state) => note(&format!("now: {state}")),
            Told::Away(why) => note(&format!(
                "the node does not answer, what happens meanwhile is told when it does: {why}"
            )),
            Told::Back => note("the node answers again"),
            Told::Change(change) => {
                match print(&change, options.format) {
                    Ok(()) => (),
                    Err(err) if err.kind() == ErrorKind::BrokenPipe => return Ok(Exit::Success),
                    Err(err) => return Err(text::unwritten("standard output", err)),
                }
                if let Some(command) = &options.exec
                    && let Err(why) = run(command, &change.json()).await
                {
                    note(&format!("--exec {command:?} {why}"));
                }
                if options.once {
                    return Ok(Exit::Success);
                }
            }
            _ => (),
        }
    }
}

/// Prints a line on standard error, before the lines and commands that follow.
fn note(text: &str) {
    text::print_note(text);
    mcp_operate::log::finish();
}

fn print(change: &Change, format: LineFormat) -> io::Result<()> {
    let line = match format {
        LineFormat::Text => change.line(),
        LineFormat::Json => change.json(),
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush())
}

/// Runs a command by the shell, with a line on its standard input. What it prints goes to standard error.
async fn run(command: &str, line: &str) -> Result<(), String> {
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
    match timeout(PATIENCE, ran).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("failed: {status}")),
        Ok(Err(err)) => Err(format!("could not be run: {err}")),
        Err(_) => Err(format!("was ended after {} seconds", PATIENCE.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a clock that goes on when all wait.
    #[cfg(unix)]
    #[tokio::test(start_paused = true)]
    async fn a_command_that_hangs_is_ended() {
        let longer_than_a_pipe_holds = "x".repeat(1 << 20);
        for line in ["{}", &longer_than_a_pipe_holds] {
            let ended = run("exec sleep 3600", line).await;
            assert_eq!(ended, Err("was ended after 60 seconds".to_owned()));
        }
    }
}
