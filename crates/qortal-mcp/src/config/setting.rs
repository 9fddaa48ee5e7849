//! How a setting is read from text or from the configuration file, and how a wrong one is shown.

use std::{
    num::NonZeroU32,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Arg, ArgAction};
use mcp_operate::ListenAddr;
use toml::Value;

/// The longest time that can be configured.
const MAX_SECONDS: f64 = 3600.0;

/// The URL by which clients reach the server, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PublicUrl(pub(crate) String);

/// A type of settings.
pub(crate) trait Setting: Clone + Send + Sync + Sized + 'static {
    /// What is accepted, for errors: "a number of seconds".
    const EXPECTED: &'static str;

    /// Adds what is accepted to a flag.
    fn flag(arg: Arg) -> Arg {
        arg.value_parser(of_flag::<Self>)
    }

    /// Reads the value of a variable; `None` if it is wrong.
    fn from_text(text: &str) -> Option<Self>;

    /// Reads the value of a key of the file; `None` if it is wrong.
    fn from_toml(value: &Value) -> Option<Self> {
        value.as_str().and_then(Self::from_text)
    }
}

impl Setting for String {
    const EXPECTED: &str = "a string";

    fn from_text(text: &str) -> Option<Self> {
        Some(text.trim().to_owned())
    }
}

impl Setting for PathBuf {
    const EXPECTED: &str = "a path";

    fn from_text(text: &str) -> Option<Self> {
        Some(Path::new(text.trim()).to_owned())
    }
}

impl Setting for bool {
    const EXPECTED: &str = "true or false";

    fn flag(arg: Arg) -> Arg {
        arg.action(ArgAction::SetTrue)
    }

    fn from_text(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        }
    }

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl Setting for Duration {
    const EXPECTED: &str = "a number of seconds above 0, at most 3600";

    fn from_text(text: &str) -> Option<Self> {
        seconds(text.trim().parse().ok()?)
    }

    fn from_toml(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(number) => seconds(f64::from(u16::try_from(*number).ok()?)),
            Value::Float(number) => seconds(*number),
            _ => None,
        }
    }
}

/// Reads the value of a flag.
///
/// # Errors
/// Says what is accepted.
pub(crate) fn of_flag<T: Setting>(text: &str) -> Result<T, String> {
    T::from_text(text).ok_or_else(|| format!("expected {}", T::EXPECTED))
}

fn seconds(number: f64) -> Option<Duration> {
    let duration = Duration::try_from_secs_f64(number).ok()?;
    (!duration.is_zero() && number <= MAX_SECONDS).then_some(duration)
}

impl Setting for NonZeroU32 {
    const EXPECTED: &str = "a whole number from 1";

    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }

    fn from_toml(value: &Value) -> Option<Self> {
        Self::new(u32::try_from(value.as_integer()?).ok()?)
    }
}

impl Setting for u32 {
    const EXPECTED: &str = "a whole number from 0";

    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }

    fn from_toml(value: &Value) -> Option<Self> {
        Self::try_from(value.as_integer()?).ok()
    }
}

impl Setting for ListenAddr {
    const EXPECTED: &str = "an IP address and a port such as 127.0.0.1:8000, or unix:PATH";

    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }
}

impl Setting for PublicUrl {
    const EXPECTED: &str = "a URL such as https://mcp.example.org";

    fn from_text(text: &str) -> Option<Self> {
        let url = text.trim().trim_end_matches('/');
        let scheme = ["https://", "http://"].into_iter();
        let rest = scheme.filter_map(|it| url.strip_prefix(it)).next()?;
        let is_url_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/[]%".contains(&byte);
        let has_host = !rest.is_empty() && !rest.starts_with(['/', ':']);
        (has_host && rest.bytes().all(is_url_byte)).then(|| Self(url.to_owned()))
    }
}

/// A variable and a flag have commas, the file a list. A flag can also be repeated.
impl Setting for Vec<String> {
    const EXPECTED: &str = "a list of strings";

    fn flag(arg: Arg) -> Arg {
        arg.action(ArgAction::Append).value_parser(of_flag::<Self>)
    }

    fn from_text(text: &str) -> Option<Self> {
        let names = text.split(',').map(str::trim).filter(|it| !it.is_empty());
        Some(names.map(str::to_owned).collect())
    }

    fn from_toml(value: &Value) -> Option<Self> {
        let texts = value.as_array()?.iter().map(Value::as_str);
        texts.map(|it| it.map(str::to_owned)).collect()
    }
}
