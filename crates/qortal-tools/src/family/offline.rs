//! Tools that ask no node: what a text is, what a value is in other units, and how Qortal works.

mod inspect;
mod iso;
mod reference;
mod units;

use mcp_protocol::Object;
use serde_json::Value;

use crate::{
    catalogue::Family,
    declare::{Entry, Param, Text, Wrong, exact_digits},
};

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

type ShortText = Text<1, 400>;

/// Any text, and numbers too: their digits are the text.
#[derive(Debug, Clone)]
struct Literal(ShortText);

impl Literal {
    /// The text without blanks around it.
    fn text(&self) -> &str {
        self.0.as_str().trim()
    }
}

impl Param for Literal {
    fn schema() -> Object {
        ShortText::schema()
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        ShortText::read(value).map(Self)
    }

    fn mend(value: &Value) -> Option<Value> {
        exact_digits(value)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}
