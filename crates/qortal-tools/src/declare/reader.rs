//! From the arguments of a call to typed parameters, telling everything that is wrong at once.

use serde_json::Value;

use crate::{
    Object,
    declare::{Param, Wrong, params::Parameter},
    error::Problem,
};

/// Takes one parameter after the other out of the arguments.
pub(crate) struct Reader<'a> {
    arguments: &'a Object,
    known: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(arguments: &'a Object) -> Self {
        Self {
            arguments,
            known: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The value, or `None` after noting why there is none.
    pub(crate) fn take<T: Param>(&mut self, name: &'static str, absent: Option<T>) -> Option<T> {
        self.known.push(name);
        let wrong = match self.arguments.get(name) {
            Some(value) => match T::read(value) {
                Ok(it) => return Some(it),
                Err(wrong) => wrong,
            },
            None => match absent {
                Some(it) => return Some(it),
                None => missing::<T>(),
            },
        };
        self.problems.push(Problem {
            parameter: name.to_owned(),
            plain: wrong.plain,
            what: wrong.what,
            accepted: wrong.accepted,
        });
        None
    }

    /// What was read, or everything that is wrong with the arguments.
    pub(crate) fn finish<T>(mut self, read: Option<T>) -> Result<T, Vec<Problem>> {
        for name in self.arguments.keys() {
            if !self.known.contains(&name.as_str()) {
                self.problems.push(unknown(name, &self.known));
            }
        }
        if self.problems.is_empty() {
            Ok(read.expect("take() notes a problem wherever it gives no value"))
        } else {
            Err(self.problems)
        }
    }
}

fn missing<T: Param>() -> Wrong {
    // Any value that is wrong tells what would be right.
    let accepted = T::read(&Value::Null).err().map(|it| it.accepted);
    Wrong::new(
        "Missing argument.",
        "is required",
        accepted.unwrap_or_default(),
    )
}

fn unknown(name: &str, known: &[&'static str]) -> Problem {
    let shown: String = name.chars().take(60).collect();
    let nearest = known
        .iter()
        .map(|it| (strsim::damerau_levenshtein(&shown.to_lowercase(), it), *it))
        .min()
        .filter(|(distance, nearest)| distance * 2 <= nearest.len())
        .map(|(_, nearest)| nearest);
    // `name` for `poll_name`, `address` for `at_address`: the only parameter with that word.
    let mut with_word = known
        .iter()
        .filter(|it| it.split('_').any(|word| word == shown));
    let only = with_word.next().filter(|_| with_word.next().is_none());
    let accepted = match (nearest.or(only.copied()), known) {
        (Some(nearest), _) => format!("{nearest}, if that is what you mean"),
        (None, [only]) => format!("nothing but {only}"),
        (None, []) => "no arguments at all".to_owned(),
        (None, known) => format!("one of {}", known.join(", ")),
    };
    Problem {
        parameter: shown,
        plain: "Unknown argument.",
        what: "is not a parameter of this tool".to_owned(),
        accepted,
    }
}

/// Makes arguments out of what clients send for them: an explicit null of an optional parameter is an
/// omitted one, and a value that plainly means what the parameter wants is taken for it. Returns what
/// was changed, in sentences.
pub(crate) fn mend(arguments: &mut Object, parameters: &[Parameter]) -> Vec<String> {
    let mut notes = Vec::new();
    for Parameter { member, mend } in parameters {
        let Some(value) = arguments.get_mut(&member.name) else {
            continue;
        };
        if value.is_null() && !member.required {
            arguments.remove(&member.name);
        } else if let Some(mended) = mend(value) {
            notes.push(format!(
                "{} was sent as {value} and read as {mended}.",
                member.name
            ));
            *value = mended;
        }
    }
    notes
}
