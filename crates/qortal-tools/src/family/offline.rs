//! Tools without a node: recognizing texts, converting units, and reference texts.

mod inspect;
mod reference;
mod units;

use tool_schema::BoundedString;

pub(crate) use self::reference::{ARTICLES, Article};

family! {
    "offline", "What is this text, and what is this value in other units?":
    inspect::InspectIdentifier,
    units::ConvertUnits,
    reference::ExplainTopic,
}

/// Any text, including the digits of a number.
type ShortText = BoundedString<1, 400>;
