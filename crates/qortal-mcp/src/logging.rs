//! Logs go to standard error: standard output belongs to the protocol.

mod early;

use std::{
    io::{self, Write},
    sync::OnceLock,
};

use mcp_operate::{Log, json_line};
use serde_json::json;
use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets};

use crate::{
    config::{
        Config,
        choice::{AccessLogName, LogFormat},
    },
    operate::ACCESS_LOG,
};
pub(crate) use early::asks_for_json;

/// The log of the process. `tracing` has one subscriber for all of it, too.
static LOG: OnceLock<Log> = OnceLock::new();

/// Begins to log as configured.
pub(crate) fn start(config: &Config) {
    let is_json = config.values.log_format == LogFormat::Json;
    match Log::start(is_json, targets(config)) {
        // The subscriber is global: a second one would have been refused.
        Ok(log) => drop(LOG.set(log)),
        Err(err) => print_early(&format!("warning: nothing will be logged: {err}"), is_json),
    }
}

/// Logs at another level from now on.
pub(crate) fn set_level(config: &Config) {
    if let Some(log) = LOG.get() {
        log.set_targets(targets(config));
    }
}

/// Prints text for a person on standard error; where that has JSON, as the message of a log message of this level.
pub(crate) fn print(text: &str, level: Level) {
    match LOG.get() {
        Some(log) if !log.is_json() => log.write_line(text),
        Some(_) if level == Level::ERROR => tracing::error!("{text}"),
        Some(_) => tracing::info!("{text}"),
        None => write_line(text),
    }
}

/// If standard error is closed, there is nowhere left to report to.
fn write_line(text: &str) {
    drop(writeln!(io::stderr().lock(), "{text}"));
}

/// Prints an error of the start for a person, before anything can be logged; one JSON object if the log would have been JSON.
pub(crate) fn print_early(text: &str, is_json: bool) {
    let text = text.trim_end();
    if is_json {
        write_line(&json_line("ERROR", &json!({"message": text}), "qortal_mcp"));
    } else {
        write_line(text);
    }
}

/// Waits a moment for the last messages to be written.
pub(crate) fn finish() {
    if let Some(log) = LOG.get() {
        log.finish();
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
    let level = config.log_level;
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
