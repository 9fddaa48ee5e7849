//! What people ask, and the calls that answer: it decides what `core` and `standard` list.
//!
//! To add a question, add a row to its family's file here; a tool that answers none is listed on `full` alone.

mod accounts;
mod blocks;
mod node;
mod people;
mod qdn;
mod trade;

use crate::Surface;

/// A question, the calls that answer it, and the facts of the answer on the recorded chain.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Question {
    /// The question as a person asks it.
    pub text: &'static str,
    /// The smallest surface that lists the tools that answer it.
    pub surface: Surface,
    /// The calls, in their order. The last one holds the answer.
    pub calls: &'static [QuestionCall],
    /// A JSON object: expected members of the last answer, by JSON pointer.
    pub facts: &'static str,
}

/// One call of the answer to a [`Question`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct QuestionCall {
    /// The name of the tool.
    pub tool: &'static str,
    /// Its arguments, as JSON.
    pub arguments: &'static str,
}

/// Rows of questions by the smallest surface that answers them: the text, the calls, and facts of the last answer.
macro_rules! questions {
    ($( $Surface:ident { $( $text:literal: $( $tool:ident $arguments:tt ),+ => $facts:tt )+ } )+) => {
        &[$($(
            $crate::question::Question {
                text: $text,
                surface: $crate::catalog::Surface::$Surface,
                calls: &[$(
                    $crate::question::QuestionCall {
                        tool: stringify!($tool),
                        arguments: stringify!($arguments),
                    }
                ),+],
                facts: stringify!($facts),
            },
        )+)+]
    };
}
use questions;

/// All questions, in the order they are listed.
pub(crate) fn all() -> impl Iterator<Item = &'static Question> + Clone {
    [
        node::QUESTIONS,
        accounts::QUESTIONS,
        trade::QUESTIONS,
        qdn::QUESTIONS,
        people::QUESTIONS,
        blocks::QUESTIONS,
    ]
    .into_iter()
    .flatten()
}

impl Question {
    /// The tool that gives the answer.
    #[must_use]
    pub fn tool(&self) -> &'static str {
        self.calls.last().map_or("", |call| call.tool)
    }

    /// Whether a tool of this family gives the answer.
    #[must_use]
    pub fn is_of(&self, family: &crate::Family) -> bool {
        family.tools.iter().any(|entry| entry.name == self.tool())
    }
}
