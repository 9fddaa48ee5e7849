//! Logs go to standard error: standard output belongs to the protocol.

mod writer;

use std::{
    io::{self, Write},
    sync::OnceLock,
};

use tracing_subscriber::{
    Registry,
    filter::{LevelFilter, Targets},
    layer::SubscriberExt,
    reload::{self, Handle},
    util::SubscriberInitExt,
};

use crate::{
    args::{LogFormat, LogLevel},
    config::Config,
};
use writer::LogWriter;

/// The log of the process. `tracing` has one subscriber for all of it, too.
static LOG: OnceLock<Log> = OnceLock::new();

struct Log {
    format: LogFormat,
    writer: LogWriter,
    targets: Handle<Targets, Registry>,
}

/// Begins to log as configured. A standard error that is not read, is full or is closed stops nothing.
pub(crate) fn start(config: &Config) {
    let format = config.log_format;
    let report: fn(u64) -> String = match format {
        LogFormat::Plain => |dropped| format!("{dropped} log messages were dropped"),
        LogFormat::Json => |dropped| {
            let fields =
                serde_json::json!({"message": "log messages were dropped", "dropped": dropped});
            serde_json::json!({"level": "WARN", "fields": fields, "target": "qortal_mcp::logging"})
                .to_string()
        },
    };
    let started = LogWriter::start(io::stderr(), report)
        .map_err(|err| err.to_string())
        .and_then(|writer| subscribe(config, writer).map_err(|err| err.to_string()));
    match started {
        // The subscriber is global: a second one would have been refused.
        Ok(log) => drop(LOG.set(log)),
        Err(err) => print(&format!("warning: nothing will be logged: {err}")),
    }
}

fn subscribe(
    config: &Config,
    writer: LogWriter,
) -> Result<Log, tracing_subscriber::util::TryInitError> {
    let (targets, handle) = reload::Layer::new(targets(config.log_level));
    let registry = tracing_subscriber::registry().with(targets);
    let layer = tracing_subscriber::fmt::layer().with_writer(writer.clone());
    match config.log_format {
        LogFormat::Plain => registry.with(layer.with_ansi(false)).try_init(),
        LogFormat::Json => registry.with(layer.json()).try_init(),
    }?;
    Ok(Log {
        format: config.log_format,
        writer,
        targets: handle,
    })
}

/// Logs at another level from now on.
pub(crate) fn set_level(level: LogLevel) {
    if let Some(log) = LOG.get()
        && let Err(err) = log.targets.reload(targets(level))
    {
        tracing::error!(%err, "the log level stays");
    }
}

/// Prints text for a person on standard error; where that has JSON, as the message of a log message.
pub(crate) fn print(text: &str) {
    match LOG.get() {
        Some(log) => match log.format {
            LogFormat::Plain => log.writer.send(format!("{text}\n").into_bytes()),
            LogFormat::Json => tracing::info!("{text}"),
        },
        // If standard error is closed, there is nowhere left to report to.
        None => drop(writeln!(io::stderr().lock(), "{text}")),
    }
}

/// Waits a moment for the last messages to be written.
pub(crate) fn finish() {
    if let Some(log) = LOG.get() {
        log.writer.flush();
    }
}

/// Our crates log at the requested level, libraries only warnings and errors.
fn targets(level: LogLevel) -> Targets {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let ours = [
        "mcp_server",
        "mcp_stdio",
        "mcp_http",
        "qortal_client",
        "qortal_tools",
        "qortal_mcp",
    ];
    Targets::new()
        .with_targets(ours.map(|target| (target, level)))
        .with_default(level.min(LevelFilter::WARN))
}
