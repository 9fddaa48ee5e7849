//! Settings that choose among words.

use clap::ValueEnum;

/// `--color`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal that has them, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also in a file or a pipe
    Always,
    Never,
}

/// `--demo`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Demo {
    /// A real node is asked.
    #[default]
    #[value(skip)]
    Off,
    /// Like the main network, with times relative to now; the same each time, and a block a minute
    Invented,
    /// A small private chain as it was recorded in November 2026, which does not change
    Recorded,
}

impl Demo {
    pub(crate) fn is_on(self) -> bool {
        self != Self::Off
    }
}

/// `--surface`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SurfaceName {
    /// The few tools that answer the commonest questions
    Core,
    /// The tools that answer what people ask
    Standard,
    /// The tools of the older Python server
    Python,
    /// Everything
    Full,
    /// Three tools that find, describe and call the others
    Dynamic,
}

/// `--output-schemas`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputSchemasName {
    /// No output schemas, for the shortest lists; answers are the same
    Off,
    /// Names and types, without descriptions
    Lean,
}

/// `--views`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Toggle {
    /// Tools are linked to views, which are resources
    On,
    /// No links, no such resources, and no such capability
    Off,
}

/// `--access-log`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AccessLogName {
    /// A line for each answered request
    On,
    /// None, also at the levels debug and trace
    Off,
}

/// `--log-level`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Failures of the server
    Error,
    /// Also conditions an operator can act on
    Warn,
    /// Also start and stop
    Info,
    /// Also each request
    Debug,
    /// Everything
    Trace,
}

/// `--log-format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Plain,
    /// One JSON object a line
    Json,
}
