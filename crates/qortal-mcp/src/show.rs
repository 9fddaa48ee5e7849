//! Answers and tools as text for people: aligned, wrapped at the width of the terminal, in color where it has some.

mod answer;
mod rows;
mod terminal;
mod tool;

pub(crate) use answer::{answer, one_line};
pub(crate) use terminal::{Labels, Terminal};
pub(crate) use tool::{listing, tool};

#[cfg(test)]
mod tests;
