//! Truth values, numbers, texts and lists.

use serde_json::Value;

use crate::{
    Object,
    declare::{
        Param, Wrong, typed,
        types::{shown, string},
    },
};

impl Param for bool {
    fn schema() -> Object {
        typed("boolean")
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        value.as_bool().ok_or_else(|| {
            Wrong::new(
                "Invalid argument.",
                format!("is {}", shown(value)),
                "true or false",
            )
        })
    }

    fn mend(value: &Value) -> Option<Value> {
        match value.as_str()?.trim().to_ascii_lowercase().as_str() {
            "true" => Some(true.into()),
            "false" => Some(false.into()),
            _ => None,
        }
    }

    fn to_value(&self) -> Value {
        (*self).into()
    }
}

/// An integer from `MIN` to `MAX`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounded<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Bounded<MIN, MAX> {
    pub(crate) const fn new(value: u32) -> Self {
        assert!(
            MIN <= value && value <= MAX,
            "the default is within the bounds"
        );
        Self(value)
    }

    pub(crate) const fn value(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32> Param for Bounded<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = typed("integer");
        schema.insert("minimum".to_owned(), MIN.into());
        schema.insert("maximum".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        value
            .as_u64()
            .and_then(|it| u32::try_from(it).ok())
            .filter(|it| (MIN..=MAX).contains(it))
            .map(Self)
            .ok_or_else(|| {
                let accepted = format!("an integer from {MIN} to {MAX}");
                Wrong::new(
                    "Invalid argument.",
                    format!("is {}", shown(value)),
                    accepted,
                )
            })
    }

    fn mend(value: &Value) -> Option<Value> {
        whole(value)
    }

    fn to_value(&self) -> Value {
        self.0.into()
    }
}

/// A text of `MIN` to `MAX` characters without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> Param for Text<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = typed("string");
        schema.insert("minLength".to_owned(), MIN.into());
        schema.insert("maxLength".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let text = string(value, "a text")?;
        let characters = text.chars().count();
        let accepted = || format!("{MIN} to {MAX} characters");
        if !(MIN..=MAX).contains(&characters) {
            let what = format!("has {characters} characters");
            return Err(Wrong::new("Invalid argument.", what, accepted()));
        }
        if text.chars().any(char::is_control) {
            let what = "holds a control character";
            return Err(Wrong::new("Invalid argument.", what, accepted()));
        }
        Ok(Self(text.to_owned()))
    }

    /// The digits of a number.
    fn mend(value: &Value) -> Option<Value> {
        exact_digits(value)
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

/// A list of at most `MAX` values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> List<T, MAX> {
    pub(crate) fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T: Param, const MAX: usize> Param for List<T, MAX> {
    fn schema() -> Object {
        let mut schema = typed("array");
        schema.insert("items".to_owned(), Value::Object(T::schema()));
        schema.insert("minItems".to_owned(), 1.into());
        schema.insert("maxItems".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let accepted = || format!("a list of 1 to {MAX} values");
        let items = value.as_array().ok_or_else(|| {
            Wrong::new(
                "Invalid argument.",
                format!("is {}", shown(value)),
                accepted(),
            )
        })?;
        if items.is_empty() || items.len() > MAX {
            let what = format!("has {} values", items.len());
            return Err(Wrong::new("Invalid argument.", what, accepted()));
        }
        let read = items.iter().enumerate().map(|(index, item)| {
            T::read(item).map_err(|wrong| Wrong {
                what: format!("[{index}] {}", wrong.what),
                ..wrong
            })
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    /// A text that is a JSON list, or one value where a list is wanted.
    fn mend(value: &Value) -> Option<Value> {
        let listed = match value {
            Value::String(text) => match serde_json::from_str(text) {
                Ok(Value::Array(items)) => items,
                _ => vec![value.clone()],
            },
            Value::Number(_) => vec![value.clone()],
            Value::Array(items) => items.clone(),
            Value::Null | Value::Bool(_) | Value::Object(_) => return None,
        };
        let items = listed
            .iter()
            .map(|it| T::mend(it).unwrap_or_else(|| it.clone()));
        Some(Value::Array(items.collect())).filter(|mended| mended != value)
    }

    fn to_value(&self) -> Value {
        self.0.iter().map(Param::to_value).collect()
    }
}

/// The integer that a text or a number with a fraction of zero plainly is.
pub(crate) fn whole(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => text.trim().parse::<i64>().ok().map(Value::from),
        Value::Number(number) if number.is_f64() => {
            let whole = number
                .as_f64()
                .filter(|it| it.fract() == 0.0 && it.abs() < 9e15)?;
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
            let whole = whole as i64;
            Some(whole.into())
        }
        _ => None,
    }
}

/// The text of a number, if it surely has the digits that were sent: a JSON number with a fraction is a
/// 64-bit float by the time it is seen, which below 2^26 tells all amounts of 8 places apart, and above does not.
pub(crate) fn exact_digits(value: &Value) -> Option<Value> {
    const EXACT: f64 = 67_108_864.0;
    match value {
        Value::Number(number) => {
            let is_exact = !number.is_f64() || number.as_f64().is_some_and(|it| it.abs() < EXACT);
            is_exact.then(|| number.to_string().into())
        }
        _ => None,
    }
}

/// The published word that a text spells in another case.
pub(crate) fn spelled<'a>(
    value: &Value,
    mut words: impl Iterator<Item = &'a str>,
) -> Option<Value> {
    let text = value.as_str()?.trim();
    words
        .find(|word| word.eq_ignore_ascii_case(text))
        .filter(|word| *word != text)
        .map(Value::from)
}
