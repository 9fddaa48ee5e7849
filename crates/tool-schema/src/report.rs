//! What is to be said of one value while it is read: all that is wrong with it, and what was coerced.

use std::fmt::Display;

use serde_json::Value;

use crate::{InvalidValue, Problem};

/// The most problems of one list or map that are said: a model corrects a few at a time.
const MANY: usize = 20;

/// What is to be said of one value: all that is wrong with it, and what was coerced.
#[derive(Debug, Default)]
pub struct ArgumentReport {
    /// What is wrong, by the place in the value; empty for the value itself.
    pub(crate) problems: Vec<Problem>,
    /// What was coerced, by the place, to be read after that.
    pub(crate) notes: Vec<(String, String)>,
}

impl ArgumentReport {
    /// What was read, unless it is a problem with the value, which is added.
    pub fn reads<T>(&mut self, read: Result<T, InvalidValue>) -> Option<T> {
        match read {
            Ok(it) => Some(it),
            Err(invalid) => {
                self.problems.push(Problem::new("", invalid));
                None
            }
        }
    }

    /// Replaces a value by what it plainly means. That is noted, unless it is the digits of the number that was sent.
    pub fn coerce_value(
        &mut self,
        value: &mut Value,
        coerce: impl FnOnce(&Value) -> Option<Value>,
    ) {
        if let Some(coerced) = coerce(value) {
            if !has_same_digits(value, &coerced) {
                self.notes.push((String::new(), coercion(value, &coerced)));
            }
            *value = coerced;
        }
    }

    /// Adds what is to be said of a part of the value: the member of a name, or an item as `[0]`.
    pub fn absorb(&mut self, part: &impl Display, mut of_part: Self) {
        for it in &mut of_part.problems {
            if it.parameter.is_empty() {
                it.parameter = part.to_string();
            } else if is_index(&it.parameter) {
                // An item has no name of its own.
                it.invalid.problem = format!("{} {}", it.parameter, it.invalid.problem);
                it.parameter = part.to_string();
            } else {
                it.parameter = join(part, &it.parameter);
            }
        }
        for (at, _) in &mut of_part.notes {
            *at = join(part, at);
        }
        self.join(of_part);
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// Adds what is to be said of the same value.
    pub(crate) fn join(&mut self, mut other: Self) {
        if self.problems.is_empty() {
            self.problems = other.problems;
        } else {
            self.problems.append(&mut other.problems);
        }
        self.notes.append(&mut other.notes);
    }

    /// Whether there are so many problems that the rest of a list need not be read.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= MANY
    }

    /// The problem that is said where there is room for one.
    pub(crate) fn into_first(self) -> Option<InvalidValue> {
        let Problem {
            parameter,
            mut invalid,
        } = self.problems.into_iter().next()?;
        if !parameter.is_empty() {
            invalid.problem = format!("{parameter} {}", invalid.problem);
        }
        Some(invalid)
    }
}

fn is_index(place: &str) -> bool {
    place.starts_with('[') && place.ends_with(']') && !place.contains('.')
}

fn join(part: &impl Display, place: &str) -> String {
    match place.bytes().next() {
        None => part.to_string(),
        Some(b'[') => format!("{part}{place}"),
        Some(_) => format!("{part}.{place}"),
    }
}

/// Whether a value is what was sent, or the digits of it: numbers as texts, which need not be said.
fn has_same_digits(sent: &Value, read: &Value) -> bool {
    match (sent, read) {
        (Value::Array(sent), Value::Array(read)) if sent.len() == read.len() => {
            let mut both = sent.iter().zip(read);
            both.all(|(sent, read)| sent == read || has_same_digits(sent, read))
        }
        _ => {
            let digits = sent.as_i64().map(|it| it.to_string());
            digits.is_some() && digits.as_deref() == read.as_str()
        }
    }
}

/// What a value was read as, to be read after its place.
fn coercion(sent: &Value, read: &Value) -> String {
    match (sent.as_f64(), read.as_f64()) {
        (Some(sent_number), Some(most)) if sent_number > most => {
            format!("was sent as {sent} and lowered to {read}, the most it can be.")
        }
        _ => format!("was sent as {sent} and read as {read}."),
    }
}
