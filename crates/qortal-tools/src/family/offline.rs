//! Tools without a node: recognizing texts, converting units, and reference texts.

mod inspect;
mod reference;
mod units;

use tool_schema::Text;

pub(crate) use self::reference::{ARTICLES, Article};
use crate::{catalog::Family, declare::Entry};

pub(crate) static FAMILY: Family = Family {
    name: "offline",
    purpose: "What is this text, and what is this value in other units?",
    tools: &TOOLS,
};

static TOOLS: [Entry; 3] = [
    Entry::of::<inspect::InspectIdentifier>(),
    Entry::of::<units::ConvertUnits>(),
    Entry::of::<reference::ExplainTopic>(),
];

/// Any text; the digits of a number are one too.
type ShortText = Text<1, 400>;
