//! The severity of log messages.

/// A severity level of RFC 5424, least severe first (2024-11-05 to 2025-11-25 `server/utilities/logging`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "RFC 5424 has these eight")]
#[doc(alias = "logging/setLevel")]
#[doc(alias = "notifications/message")]
pub enum LogLevel {
    /// Debugging details.
    Debug,
    /// Informational messages.
    Info,
    /// Normal but significant events.
    Notice,
    /// A warning.
    Warning,
    /// An error.
    Error,
    /// A critical condition, such as a failed component.
    Critical,
    /// Action must be taken immediately.
    Alert,
    /// The system is unusable.
    Emergency,
}

impl LogLevel {
    /// All levels, least severe first.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// Returns the wire name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// Returns the level with exactly this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}
