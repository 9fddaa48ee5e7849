//! From the arguments of a call to typed parameters, with everything that is wrong at once.

use std::{
    borrow::Cow,
    fmt::{self, Display},
};

use serde_json::Value;

use crate::{InvalidValue, Object, Param, Problem, nearest};

/// The most problems of one list or map that are reported: a model corrects a few at a time.
const MANY: usize = 20;

/// The arguments of one call while they are read. Each parameter takes its own; what is left is unknown.
#[derive(Debug)]
pub struct ArgumentReader<'a> {
    arguments: &'a mut Object,
    known: Vec<Cow<'static, str>>,
    report: ArgumentReport,
}

impl<'a> ArgumentReader<'a> {
    /// Starts to read. The arguments are changed to what they are read as: see [`ArgumentReader::take`].
    pub fn new(arguments: &'a mut Object) -> Self {
        Self {
            arguments,
            known: Vec::new(),
            report: ArgumentReport::default(),
        }
    }

    /// Reads one parameter; `None` if its value is missing or invalid, which is then noted as a problem.
    ///
    /// An omitted parameter means `omitted`, and so does an explicit null where the parameter is optional. So does an empty value
    /// (`""`, `"null"`, `0`, `[]`) that the type refuses, which is noted: many models fill in every parameter. A value
    /// that is [coerced](Param::coerce_json) replaces the one that was sent, and is noted, unless it is the digits of the number that
    /// was sent.
    pub fn take<T: Param<M>, M>(&mut self, name: &'static str, omitted: Option<T>) -> Option<T> {
        self.known.push(name.into());
        if omitted.is_some() && self.omits(name) {
            return omitted;
        }
        let sent = self.arguments.get(name).filter(|it| is_empty(it));
        let empty = sent.filter(|_| omitted.is_some()).cloned();
        let mut report = ArgumentReport::default();
        let read = match self.arguments.get_mut(name) {
            Some(value) => T::coerce_and_read(value, &mut report),
            // The problem with a value that no parameter accepts says what would be accepted.
            None => report.accept(Err(missing(T::read(&Value::Null).err()))),
        };
        if let (None, Some(empty)) = (&read, empty) {
            self.arguments.remove(name);
            let note = format!("was sent as {empty} and read as absent.");
            self.report.notes.push((name.to_owned(), note));
            return omitted;
        }
        self.report.merge_nested(&name, report);
        read
    }

    /// Reads the arguments of these names as one object.
    #[cfg(feature = "schemars")]
    pub(crate) fn take_several<T>(
        &mut self,
        names: Vec<String>,
        take: impl FnOnce(&mut Value, &mut ArgumentReport) -> Option<T>,
    ) -> Option<T> {
        let sent = names
            .iter()
            .filter_map(|name| self.arguments.remove_entry(name));
        let mut object = Value::Object(sent.collect());
        let mut report = ArgumentReport::default();
        let read = take(&mut object, &mut report);
        self.report.join(report);
        if let Value::Object(object) = object {
            self.arguments.extend(object);
        }
        self.known.extend(names.into_iter().map(Cow::from));
        read
    }

    /// Counts an argument as one that was taken.
    pub(crate) fn know(&mut self, name: &'static str) {
        self.known.push(name.into());
    }

    /// Whether an argument was not sent, or as null, which is then forgotten.
    fn omits(&mut self, name: &str) -> bool {
        let is_omitted = self.arguments.get(name).is_none_or(Value::is_null);
        if is_omitted {
            self.arguments.remove(name);
        }
        is_omitted
    }

    /// Reads an argument that was sent under another name, such as that of a similar tool, as the parameter `name`,
    /// unless that was sent too. `meaning` is its value under this name; without one, the argument is an unknown one.
    #[doc(hidden)]
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
            format!("was read as {name}.")
        } else {
            format!("was sent as {sent} and read as {name} {meant}.")
        };
        self.report.notes.push((other.to_owned(), note));
        self.arguments.remove(other);
        self.arguments.insert(name.to_owned(), meant);
    }

    /// Returns an argument that was sent as text.
    #[must_use]
    #[doc(hidden)]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    /// Replaces the value of an argument that was sent. No note tells.
    #[doc(hidden)]
    pub fn override_value(&mut self, name: &str, value: Value) {
        if let Some(sent) = self.arguments.get_mut(name) {
            *sent = value;
        }
    }

    /// Reads one argument as several others, which take the places of those that were sent. A note names them.
    #[doc(hidden)]
    pub fn replace_with(&mut self, name: &str, meaning: Object) {
        if self.arguments.remove(name).is_none() {
            return;
        }
        let read = meaning.iter();
        let read: Vec<_> = read
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let note = format!("was read as {}.", read.join(", "));
        self.report.notes.push((name.to_owned(), note));
        self.arguments.extend(meaning);
    }

    /// Takes an argument that changes nothing, and notes why.
    #[doc(hidden)]
    pub fn ignore(&mut self, name: &str, why: &str) {
        if self.arguments.remove(name).is_some_and(|it| !it.is_null()) {
            let note = format!("was ignored: {why}.");
            self.report.notes.push((name.to_owned(), note));
        }
    }

    /// The names of the arguments that were sent, and are not read or ignored under another.
    #[doc(hidden)]
    pub fn unread_names(&self) -> impl Iterator<Item = &str> {
        self.arguments.keys().map(String::as_str)
    }

    /// Whether an argument has this name.
    #[must_use]
    #[doc(hidden)]
    pub fn has(&self, name: &str) -> bool {
        self.arguments.contains_key(name)
    }

    /// Returns the parameters, and sentences about values that were coerced. An unknown argument with an empty text or array is ignored,
    /// which is noted; a number can be meant, also 0.
    ///
    /// # Errors
    ///
    /// Fails if a value was missing or invalid, or if an argument was not taken by any parameter.
    pub fn finish<T>(mut self, read: Option<T>) -> Result<(T, Vec<String>), InvalidArguments> {
        self.arguments.retain(|name, value| {
            let is_unknown = !self.known.iter().any(|it| it == name);
            let is_ignored = is_unknown && is_empty(value) && !value.is_number();
            if is_ignored {
                let note = format!("was ignored: it {UNKNOWN}, and empty.");
                self.report.notes.push((name.to_owned(), note));
            }
            !is_ignored
        });
        let ArgumentReport { problems, notes } = self.finish_as(UNKNOWN);
        match read {
            Some(read) if problems.is_empty() => {
                let notes = notes.into_iter();
                Ok((
                    read,
                    notes.map(|(at, note)| format!("{at} {note}")).collect(),
                ))
            }
            _ => Err(InvalidArguments { problems }),
        }
    }

    /// What is to be said. An argument that no parameter took is `unknown`.
    pub(crate) fn finish_as(mut self, unknown: &str) -> ArgumentReport {
        for name in self.arguments.keys() {
            if !self.known.iter().any(|it| it == name) {
                let known: Vec<&str> = self.known.iter().map(AsRef::as_ref).collect();
                let problem = not_known(name, &known, unknown);
                self.report.problems.push(problem);
            }
        }
        self.report
    }
}

/// Whether a value stands for none where its type refuses it.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => matches!(text.trim(), "" | "null"),
        Value::Array(items) => items.is_empty(),
        value => value.as_i64() == Some(0),
    }
}

/// What an argument is that no parameter takes.
const UNKNOWN: &str = "is not a parameter of this tool";

fn missing(null: Option<InvalidValue>) -> InvalidValue {
    let expected = null.map(|it| it.expected).unwrap_or_default();
    InvalidValue::new("Missing argument.", "is required", expected)
}

/// Characters of an unknown argument's name that are shown.
const NAME_SHOWN: usize = 60;

pub(crate) fn not_known(name: &str, known: &[&str], unknown: &str) -> Problem {
    let name: String = name.chars().take(NAME_SHOWN).collect();
    let expected = match (nearest(&name, known.iter().copied()), known) {
        (Some(nearest), _) => format!("{nearest}, if that is what you mean"),
        (None, []) => "no arguments at all".to_owned(),
        (None, [only]) => format!("nothing but {only}"),
        (None, known) => format!("one of {}", known.join(", ")),
    };
    Problem::new(
        name,
        InvalidValue::new("Unknown argument.", unknown, expected),
    )
}

/// Arguments that a tool does not accept. Its text is for a model: a plain message, then all that is wrong, and what
/// would be accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidArguments {
    /// All that is wrong, parameter by parameter.
    pub problems: Vec<Problem>,
}

impl Display for InvalidArguments {
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

/// The report on one value: every problem, and every coercion.
#[derive(Debug, Default)]
pub struct ArgumentReport {
    /// The problems, each with its place in the value, which is empty for the value itself.
    pub(crate) problems: Vec<Problem>,
    /// The coercions: each place, and the text that follows it.
    pub(crate) notes: Vec<(String, String)>,
}

impl ArgumentReport {
    /// Returns the value that was read, or adds the problem with it.
    pub fn accept<T>(&mut self, read: Result<T, InvalidValue>) -> Option<T> {
        match read {
            Ok(it) => Some(it),
            Err(invalid) => {
                self.problems.push(Problem::new("", invalid));
                None
            }
        }
    }

    /// Replaces a value with the one that it plainly means, and notes that, unless it is the digits of the number that was sent.
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

    /// Adds the report on a part of the value: a field by its name, or an item as `[0]`.
    #[doc(hidden)]
    pub fn merge_nested(&mut self, part: &impl Display, mut of_part: Self) {
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

    /// Returns whether there are no problems.
    pub(crate) fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    /// Adds another report on the same value.
    pub(crate) fn join(&mut self, mut other: Self) {
        if self.problems.is_empty() {
            self.problems = other.problems;
        } else {
            self.problems.append(&mut other.problems);
        }
        self.notes.append(&mut other.notes);
    }

    /// Returns whether there are so many problems that the rest of a list need not be read.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= MANY
    }

    /// Returns the first problem, for places with room for one.
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

/// Returns the note on a coercion, which follows the place.
fn coercion(sent: &Value, read: &Value) -> String {
    match (sent.as_f64(), read.as_f64()) {
        (Some(sent_number), Some(most)) if sent_number > most => {
            format!("was sent as {sent} and lowered to {read}, the most it can be.")
        }
        _ => format!("was sent as {sent} and read as {read}."),
    }
}
