//! Logs go to standard error: standard output belongs to the protocol.

use mcp_operate::log;
use tracing_subscriber::filter::{LevelFilter, Targets};

use crate::{
    config::{
        Config,
        choice::{AccessLogName, LogFormat},
    },
    operate::ACCESS_LOG,
};

/// Whose messages are logged before anything can be.
pub(crate) const PROGRAM: &str = "qortal_mcp";

/// Begins to log as configured.
pub(crate) fn start(config: &Config) {
    let is_json = config.values.log_format == LogFormat::Json;
    // The subscriber is global: a second one would have been refused.
    if let Err(err) = log::start(is_json, targets(config)) {
        let warning = format!("warning: nothing will be logged: {err}");
        log::print_before_start(&warning, is_json, PROGRAM);
    }
}

/// Logs at another level from now on.
pub(crate) fn set_level(config: &Config) {
    log::set_targets(targets(config));
}

/// Our crates.
const OURS: [&str; 7] = [
    "mcp_server",
    "mcp_stdio",
    "mcp_http",
    "mcp_operate",
    "qortal_client",
    "qortal_resources",
    PROGRAM,
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
