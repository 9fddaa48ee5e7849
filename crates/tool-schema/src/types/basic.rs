//! Truth values, numbers, texts and lists.

use serde_json::Value;

use crate::{InvalidValue, Object, Param, integer, number_as_text, text, type_schema};

impl<M> Param<M> for bool {
    fn schema() -> Object {
        type_schema("boolean")
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        value
            .as_bool()
            .ok_or_else(|| InvalidValue::unexpected(value, "true or false"))
    }

    fn coerce(value: &Value) -> Option<Value> {
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

impl<M> Param<M> for f64 {
    fn schema() -> Object {
        type_schema("number")
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        value
            .as_f64()
            .ok_or_else(|| InvalidValue::unexpected(value, "a number"))
    }

    /// The number that a text is.
    fn coerce(value: &Value) -> Option<Value> {
        let number = value.as_str()?.trim().parse::<Self>().ok()?;
        number.is_finite().then(|| number.into())
    }

    fn to_value(&self) -> Value {
        (*self).into()
    }
}

/// The least upper bound that is not published, because no caller reaches it.
const OUT_OF_REACH: u32 = 1_000_000;

/// How many of something: an integer from `MIN` to `MAX`, both included. A larger one is lowered to `MAX`, and noted;
/// a `MAX` of a million or more is not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounded<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Bounded<MIN, MAX> {
    /// The number, usually as a default.
    ///
    /// # Panics
    ///
    /// Panics if it is not within the bounds; in a constant that is a compile error.
    #[must_use]
    pub const fn new(value: u32) -> Self {
        assert!(
            MIN <= value && value <= MAX,
            "the default is within the bounds"
        );
        Self(value)
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0
    }
}

impl<M, const MIN: u32, const MAX: u32> Param<M> for Bounded<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = type_schema("integer");
        schema.insert("minimum".to_owned(), MIN.into());
        if MAX < OUT_OF_REACH {
            schema.insert("maximum".to_owned(), MAX.into());
        }
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        value
            .as_u64()
            .and_then(|it| u32::try_from(it).ok())
            .filter(|it| (MIN..=MAX).contains(it))
            .map(Self)
            .ok_or_else(|| {
                InvalidValue::unexpected(value, format!("an integer from {MIN} to {MAX}"))
            })
    }

    fn coerce(value: &Value) -> Option<Value> {
        let integer = integer(value);
        let number = integer.as_ref().unwrap_or(value).as_f64();
        if number.is_some_and(|it| it > f64::from(MAX)) {
            Some(MAX.into())
        } else {
            integer
        }
    }

    fn to_value(&self) -> Value {
        self.0.into()
    }
}

/// The number of something: an integer from `MIN` to `MAX`, both included. Any other is refused, because the nearest
/// one would be the number of something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbered<const MIN: u32, const MAX: u32>(Bounded<MIN, MAX>);

impl<const MIN: u32, const MAX: u32> Numbered<MIN, MAX> {
    /// The number.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0.value()
    }
}

impl<M, const MIN: u32, const MAX: u32> Param<M> for Numbered<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = <Bounded<MIN, MAX> as Param<M>>::schema();
        schema.insert("maximum".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        <Bounded<MIN, MAX> as Param<M>>::read(value).map(Self)
    }

    fn coerce(value: &Value) -> Option<Value> {
        integer(value)
    }

    fn to_value(&self) -> Value {
        Param::<M>::to_value(&self.0)
    }
}

/// A text of `MIN` to `MAX` characters without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as it was read.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<M, const MIN: usize, const MAX: usize> Param<M> for Text<MIN, MAX> {
    fn schema() -> Object {
        let mut schema = type_schema("string");
        schema.insert("minLength".to_owned(), MIN.into());
        schema.insert("maxLength".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, "a text")?;
        let characters = text.chars().count();
        let expected = || format!("{MIN} to {MAX} characters");
        if !(MIN..=MAX).contains(&characters) {
            let problem = format!("has {characters} characters");
            return Err(InvalidValue::new("Invalid argument.", problem, expected()));
        }
        if text.chars().any(char::is_control) {
            let problem = "holds a control character";
            return Err(InvalidValue::new("Invalid argument.", problem, expected()));
        }
        Ok(Self(text.to_owned()))
    }

    /// The digits of a number.
    fn coerce(value: &Value) -> Option<Value> {
        number_as_text(value)
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

/// A list of at most `MAX` values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> List<T, MAX> {
    /// The values in their order.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<M, T: Param<M>, const MAX: usize> Param<M> for List<T, MAX> {
    fn schema() -> Object {
        let mut schema = type_schema("array");
        schema.insert("items".to_owned(), Value::Object(T::schema()));
        schema.insert("minItems".to_owned(), 1.into());
        schema.insert("maxItems".to_owned(), MAX.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected = || format!("a list of 1 to {MAX} values");
        let items = value
            .as_array()
            .ok_or_else(|| InvalidValue::unexpected(value, expected()))?;
        if items.is_empty() || items.len() > MAX {
            let problem = format!("has {} values", items.len());
            return Err(InvalidValue::new("Invalid argument.", problem, expected()));
        }
        let read = items.iter().enumerate().map(|(index, item)| {
            T::read(item).map_err(|mut invalid| {
                invalid.problem = format!("[{index}] {}", invalid.problem);
                invalid
            })
        });
        read.collect::<Result<_, _>>().map(Self)
    }

    fn form() -> &'static str {
        T::form()
    }

    /// A text that is a JSON list, or one value where a list is wanted.
    fn coerce(value: &Value) -> Option<Value> {
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
            .map(|it| T::coerce(it).unwrap_or_else(|| it.clone()));
        Some(Value::Array(items.collect())).filter(|coerced| coerced != value)
    }

    fn to_value(&self) -> Value {
        self.0.iter().map(Param::to_value).collect()
    }
}
