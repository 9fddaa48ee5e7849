//! Common questions of users, with the calls for their answers. They decide the tools on `core` and `standard`.
//!
//! To add a question, add a row to its family's JSON file. A tool without a question is listed on `extended` only.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Surface;

/// A question, its calls, and the facts of the answer on the recorded chain.
#[derive(Debug, Clone, Deserialize)]
#[non_exhaustive]
pub struct Question {
    /// The question in a user's own phrasing.
    pub text: &'static str,
    /// The smallest surface with the tools for the answer.
    pub surface: Surface,
    /// The calls, in order. The last one returns the answer.
    pub calls: Vec<QuestionCall>,
    /// A JSON object from JSON pointers to the expected values of the last answer.
    #[serde(borrow)]
    pub facts: &'static RawValue,
}

/// One call of the answer to a [`Question`].
#[derive(Debug, Clone, Copy, Deserialize)]
#[non_exhaustive]
pub struct QuestionCall {
    /// The name of the tool.
    pub tool: &'static str,
    /// Its arguments, a JSON object.
    #[serde(borrow)]
    pub arguments: &'static RawValue,
}

/// The rows of all files.
static ALL: LazyLock<Vec<Question>> = LazyLock::new(|| {
    let files = [
        include_str!("question/node.json"),
        include_str!("question/accounts.json"),
        include_str!("question/trade.json"),
        include_str!("question/qdn.json"),
        include_str!("question/people.json"),
        include_str!("question/blocks.json"),
    ];
    let rows =
        files.map(|it| serde_json::from_str::<Vec<_>>(it).expect("it is a part of the program"));
    rows.concat()
});

/// Returns all questions in listing order.
pub(crate) fn all() -> impl Iterator<Item = &'static Question> + Clone {
    ALL.iter()
}

impl Question {
    /// Returns the tool of the last call.
    #[must_use]
    pub fn tool(&self) -> &'static str {
        self.calls.last().map_or("", |call| call.tool)
    }

    /// Returns whether a tool of this family gives the answer.
    #[must_use]
    pub fn is_of(&self, family: &crate::Family) -> bool {
        family.tools.iter().any(|entry| entry.name == self.tool())
    }
}
