//! Parsing of call arguments into typed parameters. All problems are reported together.

use std::{
    borrow::Cow,
    fmt::{self, Display},
};

use serde_json::Value;

use crate::{InvalidValue, Object, Param, Problem, nearest};

/// Maximum number of reported problems of one list or map. A model corrects a few at a time.
const MANY: usize = 20;

/// A reader of one call's arguments. Each parameter takes its argument, and the remaining arguments are unknown.
#[derive(Debug)]
pub struct ArgumentReader<'a> {
    arguments: &'a mut Object,
    known: Vec<Cow<'static, str>>,
    report: ValueReport,
}

impl<'a> ArgumentReader<'a> {
    /// Creates a reader. Reading replaces the arguments with their coerced values: see [`ArgumentReader::take`].
    pub fn new(arguments: &'a mut Object) -> Self {
        Self {
            arguments,
            known: Vec::new(),
            report: ValueReport::default(),
        }
    }

    /// Reads one parameter. Returns `None` if its value is missing or invalid, and records the problem.
    ///
    /// An omitted parameter has the value `omitted`. So does an explicit null of an optional parameter. So does an
    /// empty value (`""`, `"null"`, `0`, `[]`) rejected by the type, with a note, because many models fill in every
    /// parameter. A [coerced](Param::coerce_json) value replaces the original one. A note reports the coercion, unless
    /// the value is only the digits of the original number.
    pub fn take<T: Param<M>, M>(&mut self, name: &'static str, omitted: Option<T>) -> Option<T> {
        self.known.push(name.into());
        if omitted.is_some() && self.omits(name) {
            return omitted;
        }
        let sent = self.arguments.get(name).filter(|it| is_empty(it));
        let empty = sent.filter(|_| omitted.is_some()).cloned();
        let mut report = ValueReport::default();
        let read = match self.arguments.get_mut(name) {
            Some(value) => T::coerce_and_read(value, &mut report),
            // The problem with a value that no parameter accepts says what would be accepted.
            None => report.ok_or_report(Err(missing(T::read(&Value::Null).err()))),
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

    /// Reads the arguments with these names as one object.
    #[cfg(feature = "schemars")]
    pub(crate) fn take_several<T>(
        &mut self,
        names: Vec<String>,
        take: impl FnOnce(&mut Value, &mut ValueReport) -> Option<T>,
    ) -> Option<T> {
        let sent = names
            .iter()
            .filter_map(|name| self.arguments.remove_entry(name));
        let mut object = Value::Object(sent.collect());
        let mut report = ValueReport::default();
        let read = take(&mut object, &mut report);
        self.report.join(report);
        if let Value::Object(object) = object {
            self.arguments.extend(object);
        }
        self.known.extend(names.into_iter().map(Cow::from));
        read
    }

    /// Marks an argument as read.
    pub(crate) fn know(&mut self, name: &'static str) {
        self.known.push(name.into());
    }

    /// Returns whether an argument is missing or null. A null is removed.
    fn omits(&mut self, name: &str) -> bool {
        let is_omitted = self.arguments.get(name).is_none_or(Value::is_null);
        if is_omitted {
            self.arguments.remove(name);
        }
        is_omitted
    }

    /// Reads an argument that was sent under another name, such as the name in a similar tool, as the parameter `name`,
    /// unless `name` was also sent. `meaning` returns the value for `name`. If it returns `None`, the argument is
    /// unknown.
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

    /// Returns an argument that was sent as a string.
    #[must_use]
    #[doc(hidden)]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    /// Replaces the value of an argument that was sent, without a note.
    #[doc(hidden)]
    pub fn override_value(&mut self, name: &str, value: Value) {
        if let Some(sent) = self.arguments.get_mut(name) {
            *sent = value;
        }
    }

    /// Replaces one argument with several others, which take precedence over those that were sent. A note names them.
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

    /// Removes an argument that has no effect, and notes the reason.
    #[doc(hidden)]
    pub fn ignore(&mut self, name: &str, why: &str) {
        if self.arguments.remove(name).is_some_and(|it| !it.is_null()) {
            let note = format!("was ignored: {why}.");
            self.report.notes.push((name.to_owned(), note));
        }
    }

    /// Returns the names of the arguments that were sent and have not been replaced or ignored.
    #[doc(hidden)]
    pub fn unread_names(&self) -> impl Iterator<Item = &str> {
        self.arguments.keys().map(String::as_str)
    }

    /// Returns whether there is an argument with this name.
    #[must_use]
    #[doc(hidden)]
    pub fn has(&self, name: &str) -> bool {
        self.arguments.contains_key(name)
    }

    /// Returns the parameters, and notes on coerced values. An unknown argument with an empty string or array is
    /// ignored, with a note. Numbers are not ignored, because even 0 can be intended.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is missing or invalid, or if no parameter took an argument.
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
        let ValueReport { problems, notes } = self.finish_as(UNKNOWN);
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

    /// Returns the report. An argument that no parameter took gets the problem `unknown`.
    pub(crate) fn finish_as(mut self, unknown: &str) -> ValueReport {
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

/// Returns whether a value stands for absence if its type rejects it.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => matches!(text.trim(), "" | "null"),
        Value::Array(items) => items.is_empty(),
        value => value.as_i64() == Some(0),
    }
}

/// The problem of an argument that no parameter takes.
const UNKNOWN: &str = "is not a parameter of this tool";

fn missing(null: Option<InvalidValue>) -> InvalidValue {
    let expected = null.map(|it| it.expected).unwrap_or_default();
    InvalidValue::new("Missing argument.", "is required", expected)
}

/// Maximum number of characters of an unknown argument's name that are shown.
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

/// Invalid arguments of a tool call. The message is for a model: a short sentence, then every problem with the accepted
/// values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidArguments {
    /// All problems, in the order of the parameters.
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

/// A report on one value, with every problem and every coercion.
#[derive(Debug, Default)]
pub struct ValueReport {
    /// The problems, each with its path in the value. The path is empty for the value itself.
    pub(crate) problems: Vec<Problem>,
    /// The coercions, each with its path and the text that follows it.
    pub(crate) notes: Vec<(String, String)>,
}

impl ValueReport {
    /// Returns the parsed value, or adds the problem with it.
    pub fn ok_or_report<T>(&mut self, read: Result<T, InvalidValue>) -> Option<T> {
        match read {
            Ok(it) => Some(it),
            Err(invalid) => {
                self.problems.push(Problem::new("", invalid));
                None
            }
        }
    }

    /// Replaces a value with its obvious meaning. A note reports this, unless the new value is only the digits of the
    /// original number.
    pub fn coerce_with(&mut self, value: &mut Value, coerce: impl FnOnce(&Value) -> Option<Value>) {
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

    /// Returns whether the report has so many problems that the rest of a list is not read.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= MANY
    }

    /// Returns the first problem, where there is space for only one.
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

/// Returns whether two values are equal, or the new one is only the digits of the number that was sent, which needs no
/// note.
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
