//! `qortal-mcp watch`: a line for each change, until it is stopped.

use std::{
    io::{self, ErrorKind, Write},
    sync::Arc,
    time::{Duration, SystemTime},
};

use mcp_operate::Signals;
use qortal_resources::{
    PollInterval,
    watch::{Change, Subject, Watch, WatchEvent},
};
use qortal_tools::{Catalog, for_person};
use tokio_util::sync::CancellationToken;

use crate::{
    args::{self, LineFormat},
    cli::run_with_line,
    exit::{Exit, Failure},
    text,
};

/// How long the command of `--exec` may take for one change. Later changes wait at the node, not here.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) async fn watch(options: &args::Watch, catalog: Catalog) -> Result<Exit, Failure> {
    // A terminal that is closed ends it too.
    let closed = CancellationToken::new();
    let hang_up = closed.clone();
    let signals = Signals::handle(Duration::ZERO, move || hang_up.cancel()).map_err(Failure::io)?;
    let subject = Subject::from(options.what.clone());
    let (name, waits_for) = (subject.name(), subject.description());
    let waiting = format!("{name}: waiting for {waits_for}, press Ctrl-C to stop");
    let clock = SystemTime::now;
    let mut watch = Watch::new(Arc::new(catalog), subject, PollInterval::default(), clock);
    let ended = tokio::select! {
        ended = tell(&mut watch, options, &waiting) => ended,
        () = signals.shutting_down.cancelled() => Ok(Exit::Success),
        () = closed.cancelled() => Ok(Exit::Success),
    };
    watch.stop().await;
    ended
}

async fn tell(watch: &mut Watch, options: &args::Watch, waiting: &str) -> Result<Exit, Failure> {
    let mut is_waiting = false;
    loop {
        let told = match watch.next().await {
            Ok(told) => told,
            Err(err) => {
                let said = err.to_string();
                let said = with_words(&for_person(&said).unwrap_or_default());
                return Err(Failure::new(said).ends(Exit::Failed));
            }
        };
        // What is watched exists, as far as the node shows.
        if !is_waiting {
            note(waiting);
            is_waiting = true;
        }
        match told {
            WatchEvent::Started(state) => note(&format!("now: {state}")),
            WatchEvent::Unreachable(why) => note(&format!(
                "the node does not answer, changes made meanwhile are reported when it does: {why}"
            )),
            WatchEvent::Recovered => note("the node answers again"),
            WatchEvent::Changed(change) => {
                match print(&change, options.format) {
                    Ok(()) => (),
                    Err(err) if err.kind() == ErrorKind::BrokenPipe => return Ok(Exit::Success),
                    Err(err) => return Err(text::unwritten("standard output", err)),
                }
                if let Some(command) = &options.exec
                    && let Err(why) = run_with_line(command, &change.json(), PATIENCE).await
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

/// Parameters of tools in errors, and what a person wrote for them on the command line of `watch`.
const WORDS: [(&str, &str); 5] = [
    ("`group_id`", "The group"),
    ("`at_address`", "The address"),
    ("`address`", "The account"),
    ("`blockchain`", "The coin"),
    ("`name`", "The name"),
];

fn with_words(error: &str) -> String {
    let replace = |text: String, (parameter, word): &(&str, &str)| text.replace(parameter, word);
    WORDS.iter().fold(error.to_owned(), replace)
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
