//! Times in parameters.

use std::ops::Range;

use qortal_types::Timestamp;
use serde_json::Value;
use tool_schema::{InvalidValue, Param, excerpt, integer, text};

use crate::{ToolError, context::Context, declare::Qortal};

/// A time in a parameter.
///
/// The published type is text, because some hosts drop parameters with union types. Numbers are accepted as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeArg {
    /// A fixed time.
    At(Timestamp),
    /// A number of milliseconds before now.
    Ago(i64),
}

const INVALID_TIMESTAMP: &str = "Invalid timestamp.";
const A_MOMENT: &str = "a date or time such as 2026-11-20 or 2026-11-20T22:00Z, milliseconds since 1970, or a time before now such as 24h or 7d";

/// Plausible Unix times in seconds, 2015 to 2100. Read as milliseconds, they would lie in the first weeks of 1970.
pub(crate) const PLAUSIBLE_SECONDS: Range<i64> = 1_420_000_000..4_102_444_800;

/// The last millisecond of the year 9999.
const MAX_MILLIS: i64 = 253_402_300_799_999;

/// The units of a time before now, by their prefixes, with their milliseconds.
const UNITS: [(&str, &[&str], i64); 5] = [
    ("s", &["sec", "second"], 1_000),
    ("m", &["min", "minute"], 60_000),
    ("h", &["hr", "hour"], 3_600_000),
    ("d", &["day"], 86_400_000),
    ("w", &["wk", "week"], 604_800_000),
];

/// Spoken expressions, with the time before now that each stands for.
const SPOKEN: [(&str, &str); 3] = [
    ("yesterday", "1d"),
    ("last week", "7d"),
    ("last month", "30d"),
];

impl Param<Qortal> for TimeArg {
    fn description_hint() -> &'static str {
        "ISO 8601, milliseconds or 7d ago."
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, A_MOMENT).map_err(|it| it.with_short_message(INVALID_TIMESTAMP))?;
        let text = text.trim();
        let moment = match text.parse::<i64>() {
            Ok(millis) => (1..=MAX_MILLIS)
                .contains(&millis)
                .then(|| Self::At(Timestamp::from_millis(millis))),
            Err(_) => match text.parse() {
                Ok(moment) => Some(Self::At(moment)),
                Err(_) => ago(text).map(Self::Ago),
            },
        };
        moment.ok_or_else(|| {
            InvalidValue::new(
                INVALID_TIMESTAMP,
                format!("is {}", excerpt(value)),
                A_MOMENT,
            )
        })
    }

    /// Accepts the digits of a number, and converts plausible seconds.
    fn coerce_json(value: &Value) -> Option<Value> {
        if let Some(day) = value.as_str().map(|it| it.trim().to_ascii_lowercase()) {
            let meant = SPOKEN.iter().find(|(spoken, _)| *spoken == day);
            if let Some((_, ago)) = meant {
                return Some((*ago).into());
            }
        }
        let number = integer(value);
        let seconds = number.as_ref().unwrap_or(value).as_i64()?;
        if PLAUSIBLE_SECONDS.contains(&seconds) {
            return Timestamp::from_seconds(seconds).map(|it| it.to_string().into());
        }
        value.is_number().then(|| seconds.to_string().into())
    }

    fn to_value(&self) -> Value {
        match self {
            Self::At(moment) => moment.to_string().into(),
            Self::Ago(millis) => format!("{}s", millis / 1_000).into(),
        }
    }
}

/// Parses a text such as `24h`, `7 days` or `2 weeks ago` into milliseconds.
fn ago(text: &str) -> Option<i64> {
    let text = text.to_ascii_lowercase();
    if text == "now" {
        return Some(0);
    }
    let text = text.strip_suffix("ago").unwrap_or(&text).trim();
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = text.split_at_checked(digits)?;
    let unit = unit.trim();
    let plain = unit.strip_suffix('s').filter(|it| !it.is_empty());
    let plain = plain.unwrap_or(unit);
    let (.., millis) = UNITS
        .iter()
        .find(|(letter, words, _)| *letter == unit || words.contains(&plain))?;
    let ago = count.parse::<i64>().ok()?.checked_mul(*millis)?;
    (ago < MAX_MILLIS).then_some(ago)
}

impl Context {
    /// Returns the time. A time before now is relative to the clock of the network, which takes one request to the
    /// node. The calls for later pages carry the same fixed time.
    pub(crate) async fn moment(
        &self,
        parameter: &'static str,
        moment: TimeArg,
    ) -> Result<Timestamp, ToolError> {
        let millis = match moment {
            TimeArg::At(moment) => return Ok(moment),
            TimeArg::Ago(millis) => millis,
        };
        let now = self.node.network_time().await?;
        let moment = Timestamp::from_millis(now.millis().saturating_sub(millis).max(1));
        self.pin(parameter, moment.to_string().into());
        Ok(moment)
    }
}
