//! From the arguments of a call to typed parameters, with everything that is wrong at once.

use std::fmt;

use serde_json::Value;

use crate::{InvalidValue, Object, Param, nearest};

/// The arguments of one call while they are read. Each parameter takes its own; what is left is unknown.
#[derive(Debug)]
pub struct Arguments<'a> {
    arguments: &'a mut Object,
    known: Vec<&'static str>,
    problems: Vec<Problem>,
    notes: Vec<String>,
}

impl<'a> Arguments<'a> {
    /// Starts to read. The arguments are changed to what they are read as: see [`Arguments::take`].
    pub fn new(arguments: &'a mut Object) -> Self {
        Self {
            arguments,
            known: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Reads one parameter; `None` if its value is missing or invalid, which is then noted as a problem.
    ///
    /// An omitted parameter means `omitted`, and so does an explicit null where the parameter is optional. A value
    /// that is [coerced](Param::coerce) replaces the one that was sent, and is noted, unless it is the digits of the number that
    /// was sent.
    pub fn take<T: Param<M>, M>(&mut self, name: &'static str, omitted: Option<T>) -> Option<T> {
        self.known.push(name);
        if omitted.is_some() && self.omits(name) {
            return omitted;
        }
        let read = match self.coerced(name, T::coerce) {
            Some(value) => T::read(value),
            // The problem with a value that no parameter accepts says what would be accepted.
            None => Err(missing(T::read(&Value::Null).err())),
        };
        match read {
            Ok(it) => Some(it),
            Err(invalid) => {
                self.problems.push(Problem::new(name, invalid));
                None
            }
        }
    }

    /// Whether an argument was not sent, or as null, which is then forgotten.
    fn omits(&mut self, name: &str) -> bool {
        let is_omitted = self.arguments.get(name).is_none_or(Value::is_null);
        if is_omitted {
            self.arguments.remove(name);
        }
        is_omitted
    }

    /// The value of an argument as it is read.
    fn coerced(&mut self, name: &str, coerce: fn(&Value) -> Option<Value>) -> Option<&Value> {
        let value = self.arguments.get_mut(name)?;
        if let Some(coerced) = coerce(value) {
            if !has_same_digits(value, &coerced) {
                self.notes.push(coercion(name, value, &coerced));
            }
            *value = coerced;
        }
        Some(value)
    }

    /// Reads an argument that was sent under another name, such as that of a similar tool, as the parameter `name`,
    /// unless that was sent too. `meaning` is its value under this name; without one, the argument is an unknown one.
    pub fn alias(
        &mut self,
        other: &str,
        name: &str,
        meaning: impl FnOnce(&Value) -> Option<Value>,
    ) {
        let Some(sent) = self.arguments.get(other) else {
            return;
        };
        if sent.is_null() {
            self.arguments.remove(other);
            return;
        }
        let is_given = self.arguments.get(name).is_some_and(|it| !it.is_null());
        let Some(meant) = meaning(sent).filter(|_| !is_given) else {
            return;
        };
        let note = if &meant == sent {
            format!("{other} was read as {name}.")
        } else {
            format!("{other} was sent as {sent} and read as {name} {meant}.")
        };
        self.notes.push(note);
        self.arguments.remove(other);
        self.arguments.insert(name.to_owned(), meant);
    }

    /// Takes an argument that changes nothing, and notes why.
    pub fn ignore(&mut self, name: &str, why: &str) {
        if self.arguments.remove(name).is_some_and(|it| !it.is_null()) {
            self.notes.push(format!("{name} was ignored: {why}."));
        }
    }

    /// The names of the arguments that were sent, and are not read or ignored under another.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arguments.keys().map(String::as_str)
    }

    /// Whether an argument has this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.arguments.contains_key(name)
    }

    /// What was read, and sentences that say what was coerced.
    ///
    /// # Errors
    ///
    /// Fails if a value was missing or invalid, or if an argument was not taken by any parameter.
    pub fn finish<T>(mut self, read: Option<T>) -> Result<(T, Vec<String>), InvalidArguments> {
        self.note_unknown();
        let Self {
            problems, notes, ..
        } = self;
        match read {
            Some(read) if problems.is_empty() => Ok((read, notes)),
            _ => Err(InvalidArguments { problems }),
        }
    }

    fn note_unknown(&mut self) {
        for name in self.arguments.keys() {
            if !self.known.contains(&name.as_str()) {
                self.problems.push(unknown(name, &self.known));
            }
        }
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

/// A sentence on what a value was read as.
fn coercion(name: &str, sent: &Value, read: &Value) -> String {
    match (sent.as_f64(), read.as_f64()) {
        (Some(sent_number), Some(most)) if sent_number > most => {
            format!("{name} was sent as {sent} and lowered to {read}, the most it can be.")
        }
        _ => format!("{name} was sent as {sent} and read as {read}."),
    }
}

fn missing(null: Option<InvalidValue>) -> InvalidValue {
    let expected = null.map(|it| it.expected).unwrap_or_default();
    InvalidValue::new("Missing argument.", "is required", expected)
}

/// Characters of an unknown argument's name that are shown.
const NAME_SHOWN: usize = 60;

fn unknown(name: &str, known: &[&'static str]) -> Problem {
    let name: String = name.chars().take(NAME_SHOWN).collect();
    let expected = match (nearest(&name, known.iter().copied()), known) {
        (Some(nearest), _) => format!("{nearest}, if that is what you mean"),
        (None, []) => "no arguments at all".to_owned(),
        (None, [only]) => format!("nothing but {only}"),
        (None, known) => format!("one of {}", known.join(", ")),
    };
    Problem::new(
        name,
        InvalidValue::new(
            "Unknown argument.",
            "is not a parameter of this tool",
            expected,
        ),
    )
}

/// One thing that is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The parameter's name.
    pub parameter: String,
    /// What is wrong with its value.
    pub invalid: InvalidValue,
}

impl Problem {
    /// A problem with the value of one parameter.
    #[must_use]
    pub fn new(parameter: impl Into<String>, invalid: InvalidValue) -> Self {
        Self {
            parameter: parameter.into(),
            invalid,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parameter, invalid } = self;
        write!(f, "`{parameter}` {invalid}")
    }
}

/// Arguments that a tool does not accept. Its text is for a model: a plain message, then all that is wrong, and what
/// would be accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidArguments {
    /// All that is wrong, parameter by parameter.
    pub problems: Vec<Problem>,
}

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.problems.first();
        f.write_str(first.map_or("Invalid arguments.", |it| it.invalid.message))?;
        self.problems.iter().try_for_each(|it| write!(f, " {it}"))
    }
}

impl std::error::Error for InvalidArguments {}

impl From<Problem> for InvalidArguments {
    fn from(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }
}
