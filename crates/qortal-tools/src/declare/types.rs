//! The types that parameters have.

mod account;
mod basic;
mod chain;
#[macro_use]
mod choice;

use serde_json::Value;

pub(crate) use account::{AccountRef, AtAddress, Identity};
pub(crate) use basic::{Bounded, List, Text, spelled, whole};
pub(crate) use chain::PLAUSIBLE_SECONDS;

use crate::declare::Wrong;

fn string<'a>(value: &'a Value, accepted: &str) -> Result<&'a str, Wrong> {
    value.as_str().ok_or_else(|| {
        Wrong::new(
            "Invalid argument.",
            format!("is {}", shown(value)),
            accepted,
        )
    })
}

/// A value as a message shows it: short, without control characters.
pub(crate) fn shown(value: &Value) -> String {
    let text = match value {
        Value::Array(_) => return "a list".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() <= 60 {
        return text;
    }
    format!("{}...\"", text.chars().take(56).collect::<String>())
}
