//! Settings that choose among words.

use clap::{
    Arg, ValueEnum,
    builder::{EnumValueParser, PossibleValue},
};
use qortal_tools::{OutputSchemas, Surface};
use toml::Value;
use tracing_subscriber::filter::LevelFilter;

use super::setting::Setting;

/// `--color`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Colors in a terminal that supports them, unless NO_COLOR or CLICOLOR=0 is set
    #[default]
    Auto,
    /// Colors in files and pipes too
    Always,
    Never,
}

/// `--demo`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Demo {
    /// No embedded node: a real one is queried.
    #[default]
    #[value(skip)]
    Off,
    /// Invented chain like the main network, the same at every start, with times relative to now and a block every 73 seconds
    Invented,
    /// The invented chain without changes: its clock is stopped, and no blocks are added
    Frozen,
    /// Small private chain that was recorded in November 2026 and does not change
    Recorded,
}

impl Demo {
    pub(crate) fn is_on(self) -> bool {
        self != Self::Off
    }
}

/// `true` is the chain that `--demo` means without a value.
impl Setting for Demo {
    const EXPECTED: &str = "true, false, invented, frozen or recorded";

    fn flag(arg: Arg) -> Arg {
        arg.num_args(0..=1)
            .require_equals(true)
            .default_missing_value("invented")
            .value_parser(EnumValueParser::<Self>::new())
    }

    fn from_text(text: &str) -> Option<Self> {
        match bool::from_text(text) {
            Some(true) => Some(Self::Invented),
            Some(false) => Some(Self::Off),
            None => Self::from_str(text.trim(), true).ok(),
        }
    }

    fn from_toml(value: &Value) -> Option<Self> {
        match value {
            Value::Boolean(is_on) => Self::from_text(&is_on.to_string()),
            value => Self::from_str(value.as_str()?, true).ok(),
        }
    }
}

/// `--views`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Views {
    On,
    Off,
}

/// `--auth`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Auth {
    Required,
    None,
}

/// `--access-log`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessLogName {
    On,
    Off,
}

/// `--log-format`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    Plain,
    Json,
}

/// The words for the values of a type, and what the help says of each.
macro_rules! choices {
    ($($T:ident { $first:ident $word:literal $help:literal $($other:ident $other_word:literal $other_help:literal)* })+) => {
        $(impl Setting for $T {
            const EXPECTED: &'static str = concat!("one of ", $word $(, ", ", $other_word)*);

            fn flag(arg: Arg) -> Arg {
                let words = [($word, $help) $(, ($other_word, $other_help))*];
                arg.value_parser(words.map(|(word, help)| PossibleValue::new(word).help(help)))
            }

            /// `warning` and `critical` are names of the Python server.
            fn from_text(text: &str) -> Option<Self> {
                let word = match &*text.trim().to_ascii_lowercase() {
                    "warning" => "warn".to_owned(),
                    "critical" => "error".to_owned(),
                    word => word.to_owned(),
                };
                match &*word {
                    $word => Some(Self::$first),
                    $($other_word => Some(Self::$other),)*
                    _ => None,
                }
            }
        })+
    };
}

choices! {
    Surface {
        Core "core" "A few tools, for the commonest questions"
        Standard "standard" "The tools for questions that people ask"
        Python "python" "The tools of the older Python server"
        Extended "extended" "All tools except 15 of the Python server that newer tools replace"
        Dynamic "dynamic" "Three tools that find, describe and call the others"
    }
    OutputSchemas {
        Off "off" "No output schemas. Results are text only, unless the client shows views"
        Lean "lean" "Names and types, without descriptions"
        Full "full" "With descriptions, for hosts whose models write code"
    }
    Views {
        On "on" "Link tools to views, and serve the views as resources"
        Off "off" "Omit view links, view resources and the ui capability"
    }
    Auth {
        Required "required" "Clients on other machines need an access token"
        None "none" "Every client that reaches the address can call tools"
    }
    AccessLogName {
        On "on" "One line per answered request"
        Off "off" "No access log, even at the levels debug and trace"
    }
    LevelFilter {
        ERROR "error" "Server failures"
        WARN "warn" "Also conditions an operator can act on"
        INFO "info" "Also start and stop"
        DEBUG "debug" "Also each request"
        TRACE "trace" "Everything"
    }
    LogFormat {
        Plain "plain" "Readable lines"
        Json "json" "One JSON object per line"
    }
}
