//! Logs go to standard error: standard output belongs to the protocol.

use std::io;

use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::{
    args::{LogFormat, LogLevel},
    config::Config,
};

pub(crate) fn start(config: &Config) {
    let level = match config.log_level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    // Our crates log at the requested level, libraries only warnings and errors.
    let ours = [
        "mcp_server",
        "mcp_stdio",
        "mcp_http",
        "qortal_client",
        "qortal_tools",
        "qortal_mcp",
    ];
    let targets = Targets::new()
        .with_targets(ours.map(|target| (target, level)))
        .with_default(level.min(LevelFilter::WARN));
    let registry = tracing_subscriber::registry().with(targets);
    let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let started = match config.log_format {
        LogFormat::Plain => registry.with(layer.with_ansi(false)).try_init(),
        LogFormat::Json => registry.with(layer.json()).try_init(),
    };
    if let Err(err) = started {
        crate::text::print_note(&format!("warning: nothing will be logged: {err}"));
    }
}
