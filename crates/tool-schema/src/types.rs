//! The types that parameters of any tool have.

mod basic;
mod choice;

pub use basic::{Bounded, List, Numbered, Text};
