//! The log of a program, on standard error: standard output belongs to the protocol.

use std::{
    io,
    panic::{self, PanicHookInfo},
};

use serde_json::{Value, json};
use tracing_subscriber::{
    Registry,
    filter::Targets,
    layer::SubscriberExt,
    reload::{self, Handle},
    util::SubscriberInitExt,
};

use crate::LogWriter;

/// The log of the process. A standard error that is not read, is full or is closed stops nothing.
#[derive(Debug)]
pub struct Log {
    is_json: bool,
    writer: LogWriter,
    targets: Handle<Targets, Registry>,
}

impl Log {
    /// Logs from now on, as lines for people or one JSON object a line. A panic is one message, with its place and without a
    /// backtrace, and is written before the process may end.
    ///
    /// # Errors
    /// Fails if something logs already, since `tracing` has one subscriber for all of a process, or the system has no thread left.
    pub fn start(is_json: bool, targets: Targets) -> io::Result<Self> {
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
        Ok(Self {
            is_json,
            writer,
            targets,
        })
    }

    /// Whether a message is a JSON object.
    #[must_use]
    pub const fn is_json(&self) -> bool {
        self.is_json
    }

    /// Logs other messages from now on.
    pub fn set_targets(&self, targets: Targets) {
        if let Err(err) = self.targets.reload(targets) {
            tracing::error!(%err, "the log level stays");
        }
    }

    /// Writes a line that is no message.
    pub fn write_line(&self, text: &str) {
        self.writer.send(format!("{text}\n").into_bytes());
    }

    /// Waits a moment for the last messages to be written.
    pub fn finish(&self) {
        self.writer.flush();
    }
}

/// A line as [`Log`] writes it in JSON, for what is said before there is one.
#[must_use]
pub fn json_line(level: &str, fields: &Value, target: &str) -> String {
    json!({"level": level, "fields": fields, "target": target}).to_string()
}

fn report_panic(panic: &PanicHookInfo<'_>, writer: &LogWriter) {
    let place = panic.location().map(ToString::to_string);
    let message = panic.payload_as_str().unwrap_or("no message");
    tracing::error!(message = message, place, "panicked");
    writer.flush();
}
