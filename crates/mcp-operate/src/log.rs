//! Logging to standard error, because standard output belongs to the protocol.
//!
//! A process has one log, as `tracing` has one global subscriber. The program continues if standard error is unread, full or
//! closed.

use std::{
    error::Error,
    ffi::OsStr,
    io::{self, Write},
    panic::{self, PanicHookInfo},
    sync::OnceLock,
};

use serde_json::{Value, json};
use tracing::Level;
use tracing_subscriber::{
    Registry,
    filter::Targets,
    layer::SubscriberExt,
    reload::{self, Handle},
    util::SubscriberInitExt,
};

use crate::LogWriter;

static LOG: OnceLock<Log> = OnceLock::new();

#[derive(Debug)]
struct Log {
    is_json: bool,
    writer: LogWriter,
    targets: Handle<Targets, Registry>,
}

/// Starts logging, as lines for people or as one JSON object per line.
///
/// A panic is logged as one message with its location and without a backtrace, before the process may end.
///
/// # Errors
/// Returns an error if a subscriber is already set, or the system cannot start a thread.
pub fn start(is_json: bool, targets: Targets) -> io::Result<()> {
    let report: fn(u64) -> String = if is_json {
        |dropped| {
            let fields = json!({"message": "log messages were dropped", "dropped": dropped});
            json_line("WARN", &fields, module_path!())
        }
    } else {
        |dropped| format!("{dropped} log messages were dropped")
    };
    let writer = LogWriter::start(io::stderr(), report)?;
    let (layer, targets) = reload::Layer::new(targets);
    let registry = tracing_subscriber::registry().with(layer);
    let to = writer.clone();
    let layer = tracing_subscriber::fmt::layer().with_writer(move || to.clone());
    let started = if is_json {
        registry.with(layer.json()).try_init()
    } else {
        registry.with(layer.with_ansi(false)).try_init()
    };
    started.map_err(io::Error::other)?;
    let last = writer.clone();
    panic::set_hook(Box::new(move |panic| report_panic(panic, &last)));
    // Only the first start comes here: the subscriber is one for the process.
    drop(LOG.set(Log {
        is_json,
        writer,
        targets,
    }));
    Ok(())
}

/// Replaces the targets and levels to log.
pub fn set_targets(targets: Targets) {
    if let Some(Err(err)) = LOG.get().map(|it| it.targets.reload(targets)) {
        tracing::error!(%err, "the log level could not be changed");
    }
}

/// Prints text for people to standard error. If the log is JSON, the text becomes a log message at level error, or otherwise info.
pub fn print_text(text: &str, level: Level) {
    match LOG.get() {
        Some(log) if !log.is_json => log.writer.send(format!("{text}\n").into_bytes()),
        Some(_) if level == Level::ERROR => tracing::error!("{text}"),
        Some(_) => tracing::info!("{text}"),
        None => write_line(text),
    }
}

/// Returns an error and all its causes, one per line.
#[must_use]
pub fn error_report(err: &dyn Error) -> String {
    let mut text = format!("error: {err}");
    let mut cause = err.source();
    while let Some(err) = cause {
        text.push_str(&format!("\n  caused by: {err}"));
        cause = err.source();
    }
    text
}

/// Prints a startup error before logging has started, as one JSON object if `is_json` is set.
pub fn print_before_start(text: &str, is_json: bool, program: &str) {
    let text = text.trim_end();
    if is_json {
        write_line(&json_line("ERROR", &json!({"message": text}), program));
    } else {
        write_line(text);
    }
}

/// Waits briefly for the last messages to be written.
pub fn finish() {
    if let Some(log) = LOG.get() {
        log.writer.flush();
    }
}

/// Returns `true` if this flag of a possibly invalid command line, or otherwise a variable's value, selects `json`. Errors in the
/// command line can then be printed in the requested format.
#[must_use]
pub fn args_select_json<'a>(
    words: impl IntoIterator<Item = &'a OsStr>,
    flag: &str,
    variable: Option<&str>,
) -> bool {
    let is_json = |it: &str| it.trim().eq_ignore_ascii_case("json");
    let mut words = words.into_iter().filter_map(OsStr::to_str);
    while let Some(word) = words.next() {
        let value = match word.strip_prefix(flag) {
            Some("") => words.next(),
            Some(value) => value.strip_prefix('='),
            None => None,
        };
        if let Some(value) = value {
            return is_json(value);
        }
    }
    variable.is_some_and(is_json)
}

/// If standard error is closed, there is nowhere left to report to.
fn write_line(text: &str) {
    drop(writeln!(io::stderr().lock(), "{text}"));
}

fn json_line(level: &str, fields: &Value, target: &str) -> String {
    json!({"level": level, "fields": fields, "target": target}).to_string()
}

fn report_panic(panic: &PanicHookInfo<'_>, writer: &LogWriter) {
    let place = panic.location().map(ToString::to_string);
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let message = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("no message");
    tracing::error!(message = message, place, "panicked");
    writer.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_known_from_a_command_line_that_is_wrong() {
        for (line, variable, expected) in [
            ("example http --nonsense --log-format json", None, true),
            ("example --log-format=JSON --nonsense", None, true),
            ("example --log-format=plain", Some("json"), false),
            ("example --nonsense", Some("json"), true),
            ("example --nonsense", None, false),
            ("example --log-format", None, false),
        ] {
            let words = line.split(' ').map(OsStr::new);
            let is_json = args_select_json(words, "--log-format", variable);
            assert_eq!(is_json, expected, "{line}");
        }
    }
}
