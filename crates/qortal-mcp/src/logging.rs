//! Logs go to standard error: standard output belongs to the protocol.

mod early;

use std::{
    error::Error,
    io::{self, Write},
    panic::{self, PanicHookInfo},
    sync::OnceLock,
};

use mcp_operate::LogWriter;
use serde_json::json;
use tracing::Level;
use tracing_subscriber::{
    Registry,
    filter::{LevelFilter, Targets},
    layer::SubscriberExt,
    reload::{self, Handle},
    util::SubscriberInitExt,
};

use crate::{
    config::{
        Config,
        choice::{AccessLogName, LogFormat, LogLevel},
    },
    operate::ACCESS_LOG,
};
pub(crate) use early::asks_for_json;

/// The log of the process. `tracing` has one subscriber for all of it, too.
static LOG: OnceLock<Log> = OnceLock::new();

struct Log {
    format: LogFormat,
    writer: LogWriter,
    targets: Handle<Targets, Registry>,
}

/// Begins to log as configured. A standard error that is not read, is full or is closed stops nothing.
pub(crate) fn start(config: &Config) {
    let format = config.values.log_format;
    let report: fn(u64) -> String = match format {
        LogFormat::Plain => |dropped| format!("{dropped} log messages were dropped"),
        LogFormat::Json => |dropped| {
            let fields = json!({"message": "log messages were dropped", "dropped": dropped});
            early::line("WARN", fields, "qortal_mcp::logging")
        },
    };
    match subscribe(config, report) {
        // The subscriber is global: a second one would have been refused.
        Ok(log) => {
            drop(LOG.set(log));
            panic::set_hook(Box::new(report_panic));
        }
        Err(err) => print_early(
            &format!("warning: nothing will be logged: {err}"),
            format == LogFormat::Json,
        ),
    }
}

fn subscribe(config: &Config, report: fn(u64) -> String) -> Result<Log, Box<dyn Error>> {
    let writer = LogWriter::start(io::stderr(), report)?;
    let (targets, handle) = reload::Layer::new(targets(config));
    let registry = tracing_subscriber::registry().with(targets);
    let to = writer.clone();
    let layer = tracing_subscriber::fmt::layer().with_writer(move || to.clone());
    match config.values.log_format {
        LogFormat::Plain => registry.with(layer.with_ansi(false)).try_init(),
        LogFormat::Json => registry.with(layer.json()).try_init(),
    }?;
    Ok(Log {
        format: config.values.log_format,
        writer,
        targets: handle,
    })
}

/// Logs at another level from now on.
pub(crate) fn set_level(config: &Config) {
    if let Some(log) = LOG.get()
        && let Err(err) = log.targets.reload(targets(config))
    {
        tracing::error!(%err, "the log level stays");
    }
}

/// Prints text for a person on standard error; where that has JSON, as the message of a log message of this level.
pub(crate) fn print(text: &str, level: Level) {
    match LOG.get() {
        Some(log) => match (log.format, level) {
            (LogFormat::Plain, _) => log.writer.send(format!("{text}\n").into_bytes()),
            (LogFormat::Json, Level::ERROR) => tracing::error!("{text}"),
            (LogFormat::Json, _) => tracing::info!("{text}"),
        },
        None => write_line(text),
    }
}

/// If standard error is closed, there is nowhere left to report to.
fn write_line(text: &str) {
    drop(writeln!(io::stderr().lock(), "{text}"));
}

/// Logs a panic in one message, with the place and without a backtrace.
fn report_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    let message = panic.payload_as_str().unwrap_or("no message");
    tracing::error!(message = message, place, "panicked");
    // The process may end now.
    finish();
}

/// Prints an error of the start for a person, before anything can be logged; one JSON object if the log would have been JSON.
pub(crate) fn print_early(text: &str, is_json: bool) {
    let text = text.trim_end();
    if is_json {
        write_line(&early::line(
            "ERROR",
            json!({"message": text}),
            "qortal_mcp",
        ));
    } else {
        write_line(text);
    }
}

/// Waits a moment for the last messages to be written.
pub(crate) fn finish() {
    if let Some(log) = LOG.get() {
        log.writer.flush();
    }
}

/// Our crates.
const OURS: [&str; 7] = [
    "mcp_server",
    "mcp_stdio",
    "mcp_http",
    "mcp_operate",
    "qortal_client",
    "qortal_tools",
    "qortal_mcp",
];

/// Our crates log at the requested level, libraries only warnings and errors.
fn targets(config: &Config) -> Targets {
    let level = match config.log_level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let requests = match config.values.access_log {
        Some(AccessLogName::On) => LevelFilter::INFO,
        None if level >= LevelFilter::DEBUG => LevelFilter::INFO,
        Some(AccessLogName::Off) | None => LevelFilter::OFF,
    };
    Targets::new()
        .with_targets(OURS.map(|it| (it, level)))
        .with_target(ACCESS_LOG, requests)
        .with_default(level.min(LevelFilter::WARN))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use serde_json::Value;

    use super::*;
    use crate::args::Arguments;

    /// What tells the process of the test that it is the one to panic.
    const PANICS: &str = "QORTAL_MCP_TEST_PANICS";

    /// A panic hook is one for the whole process: the test starts itself once more.
    #[test]
    fn a_panic_is_one_line_of_a_json_log() {
        #[expect(clippy::disallowed_methods, reason = "it tells two processes apart")]
        let panics = std::env::var(PANICS).is_ok();
        if panics {
            let arguments = Arguments::read(["qortal-mcp", "--log-format=json"]).unwrap();
            start(&Config::new(&arguments, &|_| None).unwrap());
            let panicked = std::thread::spawn(|| panic!("first\nsecond")).join();
            assert!(panicked.is_err());
            return;
        }
        let name = "logging::tests::a_panic_is_one_line_of_a_json_log";
        let output = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(PANICS, "1")
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{errors}");
        let lines: Vec<Value> = errors
            .lines()
            .map(|it| serde_json::from_str(it).unwrap_or_else(|err| panic!("{err}: {errors}")))
            .collect();
        let [line] = &lines[..] else {
            panic!("{errors}");
        };
        assert_eq!(line["level"], "ERROR");
        assert_eq!(line["fields"]["message"], "first\nsecond");
        let place = line["fields"]["place"].as_str().unwrap();
        assert!(place.contains("logging.rs:"), "{place}");
    }
}
