//! Parameters that carry their own schema: what is published is what is read. And what implementations of [`Param`] need to read,
//! coerce and show JSON values; and the macro that declares the parameters of a tool, whose names on the wire are computed from
//! Rust identifiers when the program is compiled.

use std::{borrow::Cow, fmt};

use serde_json::Value;

use crate::{Arguments, InvalidArguments, Member, Object, input_schema};

/// Characters of a value that a message shows.
const SHOWN: usize = 60;

/// The marker of [`Param`] and [`Output`](crate::Output) for types of this crate and of your own.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Standard;

/// A type that a tool can take as a parameter.
///
/// `M` is a marker without meaning of its own. A crate that implements the trait for types of another crate names a
/// type of its own there, as Rust's orphan rule asks.
pub trait Param<M = Standard>: Sized {
    /// Its JSON Schema, in the keywords every host understands.
    fn schema() -> Object;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong with the value, and what would be accepted.
    fn read(value: &Value) -> Result<Self, InvalidValue>;

    /// What a description has to say of the values, for hosts whose models do not see the bounds of a schema.
    #[must_use]
    fn form() -> &'static str {
        ""
    }

    /// The value that one which [`Param::schema`] refuses plainly means, if it does: 10 for `"10"`.
    fn coerce(_: &Value) -> Option<Value> {
        None
    }

    /// The published form, as in `default`.
    fn to_value(&self) -> Value;

    /// What an omitted parameter means; `None` makes it required.
    fn omitted() -> Option<Self> {
        None
    }
}

impl<M, T: Param<M>> Param<M> for Option<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        T::read(value).map(Some)
    }

    fn form() -> &'static str {
        T::form()
    }

    fn coerce(value: &Value) -> Option<Value> {
        T::coerce(value)
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, Param::to_value)
    }

    fn omitted() -> Option<Self> {
        Some(None)
    }
}

/// What is wrong with one value, in words that a model can act upon.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidValue {
    /// A plain message, a sentence: `Invalid address.`
    pub message: &'static str,
    /// What is wrong, to be read after the parameter's name: `has 12 characters`.
    pub problem: String,
    /// What would be accepted, to be read after `Expected`.
    pub expected: String,
}

impl InvalidValue {
    /// What is wrong with a value.
    #[must_use]
    pub fn new(
        message: &'static str,
        problem: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            message,
            problem: problem.into(),
            expected: expected.into(),
        }
    }

    /// A value of the wrong type or beyond the bounds.
    #[must_use]
    pub fn unexpected(value: &Value, expected: impl Into<String>) -> Self {
        Self::new(
            "Invalid argument.",
            format!("is {}", excerpt(value)),
            expected,
        )
    }

    /// The same with another plain message.
    #[must_use]
    pub fn with_message(mut self, message: &'static str) -> Self {
        self.message = message;
        self
    }
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A problem may end with a question: did you mean this?
        let stop = if self.problem.ends_with('?') { "" } else { "." };
        write!(f, "{}{stop} Expected {}.", self.problem, self.expected)
    }
}

impl std::error::Error for InvalidValue {}

/// The value as a text.
///
/// # Errors
///
/// Fails if it is anything else; `expected` says what would be accepted.
pub fn text<'a>(value: &'a Value, expected: &str) -> Result<&'a str, InvalidValue> {
    value
        .as_str()
        .ok_or_else(|| InvalidValue::unexpected(value, expected))
}

/// A value as a message shows it: on one line, at most 60 characters of it.
#[must_use]
pub fn excerpt(value: &Value) -> String {
    let text = match value {
        Value::Array(_) => return "a list".to_owned(),
        Value::Object(_) => return "an object".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() <= SHOWN {
        return text;
    }
    let beginning: String = text.chars().take(SHOWN - 4).collect();
    format!("{beginning}...\"")
}

/// The integer that a text of digits means, or a number with a fraction of zero.
#[must_use]
pub fn integer(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => {
            let digits = without_separators(text.trim());
            digits.parse::<i64>().ok().map(Value::from)
        }
        Value::Number(number) if number.is_f64() => {
            let number = number
                .as_f64()
                .filter(|it| it.fract() == 0.0 && it.abs() < 9e15)?;
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
            let integer = number as i64;
            Some(integer.into())
        }
        _ => None,
    }
}

/// A number without the commas between its thousands.
fn without_separators(text: &str) -> Cow<'_, str> {
    let mut groups = text.split(',');
    let first = groups.next().unwrap_or_default();
    let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let is_grouped = (1..=3).contains(&first.len()) && is_digits(first);
    if is_grouped && groups.all(|it| it.len() == 3 && is_digits(it)) {
        text.replace(',', "").into()
    } else {
        text.into()
    }
}

/// The text of a number, if it surely has the digits that were sent: a JSON number with a fraction is a
/// 64-bit float by the time it is seen, which below 2^26 tells all decimals of 8 places apart, and above does not.
#[must_use]
pub fn number_as_text(value: &Value) -> Option<Value> {
    const EXACT: f64 = 67_108_864.0;
    match value {
        Value::Number(number) => {
            let is_exact = !number.is_f64() || number.as_f64().is_some_and(|it| it.abs() < EXACT);
            is_exact.then(|| number.to_string().into())
        }
        _ => None,
    }
}

/// The one of `words` that a text spells in another case or with spaces around it.
#[must_use]
pub fn word(value: &Value, words: &[&str]) -> Option<Value> {
    let text = value.as_str()?;
    let word = words
        .iter()
        .find(|word| word.eq_ignore_ascii_case(text.trim()))?;
    (*word != text).then(|| Value::from(*word))
}

/// A tool's parameters: a closed JSON object. Declared with [`params!`](crate::params).
pub trait Params: Sized + Send {
    /// The parameters in the order they are published.
    fn members() -> Vec<Member>;

    /// Takes the parameters out of the arguments of a call; `None` if one of them has a problem.
    fn take(arguments: &mut Arguments<'_>) -> Option<Self>;

    /// The published schema of the arguments.
    #[must_use]
    fn input_schema() -> Value {
        input_schema(&Self::members())
    }

    /// Reads the arguments of a call. They are changed to what they are read as; sentences say what was coerced.
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_schema::{Bounded, Params, params};
    ///
    /// params! {
    ///     struct ForecastParams {
    ///         /// How many days, 1 to 7.
    ///         days: Bounded<1, 7> = Bounded::new(3),
    ///     }
    /// }
    ///
    /// let mut arguments = json!({"days": "2"}).as_object().cloned().unwrap_or_default();
    /// let (params, notes) = ForecastParams::from_arguments(&mut arguments)?;
    /// assert_eq!(params.days.value(), 2);
    /// assert_eq!(notes, [r#"days was sent as "2" and read as 2."#]);
    /// assert_eq!(arguments["days"], 2);
    /// # Ok::<(), tool_schema::InvalidArguments>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails with everything that is wrong with the arguments.
    fn from_arguments(arguments: &mut Object) -> Result<(Self, Vec<String>), InvalidArguments> {
        let mut arguments = Arguments::new(arguments);
        let read = Self::take(&mut arguments);
        arguments.finish(read)
    }
}

/// The parameters of a tool that takes none.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "it stays empty")]
pub struct NoParams;

impl Params for NoParams {
    fn members() -> Vec<Member> {
        Vec::new()
    }

    fn take(_: &mut Arguments<'_>) -> Option<Self> {
        Some(Self)
    }
}

/// Declares a tool's parameters: the struct, the schema and the reader.
///
/// Every parameter needs a doc comment. Its published description is that, and then the default and the bounds, because
/// some hosts drop those from a schema. `Option<T>` and `= default` make it
/// optional. `#[flatten]` before a field puts the parameters of another declaration in its place. With words, as in
/// `#[flatten("offers")]`, these replace `{}` in their descriptions; without, `{}` is left out.
///
/// ```
/// use tool_schema::{Bounded, Params, Text, params};
///
/// params! {
///     struct Paging {
///         /// How many {} to return.
///         limit: Bounded<1, 100> = Bounded::new(20),
///         /// How many {} to skip.
///         offset: Bounded<0, 10_000> = Bounded::new(0),
///     }
/// }
///
/// params! {
///     struct SearchParams {
///         /// A part of the title.
///         query: Text<1, 80>,
///         #[flatten("books")]
///         page: Paging,
///     }
/// }
///
/// let names: Vec<_> = SearchParams::members().into_iter().map(|it| it.name).collect();
/// assert_eq!(names, ["query", "limit", "offset"]);
/// let limit = &SearchParams::members()[1].doc;
/// assert_eq!(limit, "How many books to return. Default 20, at most 100.");
/// ```
#[macro_export]
macro_rules! params {
    (
        in $Marker:ty;
        $(#[doc = $outer:literal])*
        $vis:vis struct $Name:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[flatten $(($words:literal))?])?
                $field:ident: $Ty:ty $(= $default:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $outer])*
        #[derive(Debug, Clone)]
        $vis struct $Name {
            $( $(#[doc = $doc])* $vis $field: $Ty ),+
        }

        impl $crate::Params for $Name {
            fn members() -> ::std::vec::Vec<$crate::Member> {
                let mut members = ::std::vec::Vec::new();
                $(
                    $crate::params!(
                        @members members, $Marker, $field, [$($doc)*], [$(flatten $($words)?)?],
                        $Ty $(, $default)?
                    );
                )+
                members
            }

            fn take(arguments: &mut $crate::Arguments<'_>) -> ::core::option::Option<Self> {
                $(
                    let $field = $crate::params!(
                        @take arguments, $Marker, $field, [$(flatten $($words)?)?],
                        $Ty $(, $default)?
                    );
                )+
                // Only after all of them were taken, so that all problems are reported at once.
                ::core::option::Option::Some(Self { $( $field: $field? ),+ })
            }
        }
    };

    (@members $members:ident, $M:ty, $field:ident, [$($doc:literal)+], [], $Ty:ty $(, $default:expr)?) => {
        $members.push($crate::Member::parameter::<$Ty, $M>(
            $crate::__private::plain(stringify!($field)),
            concat!($($doc),+),
            $crate::params!(@omitted $M, $Ty $(, $default)?).as_ref(),
        ));
    };
    (@members $members:ident, $M:ty, $field:ident, [$($doc:literal)*], [flatten $($wordss:literal)?], $Ty:ty) => {
        let flattened = <$Ty as $crate::Params>::members().into_iter();
        $members.extend(flattened.map(|it| it.about(concat!($($wordss)?))));
    };

    (@take $arguments:ident, $M:ty, $field:ident, [], $Ty:ty $(, $default:expr)?) => {
        $arguments.take::<$Ty, $M>(
            $crate::__private::plain(stringify!($field)),
            $crate::params!(@omitted $M, $Ty $(, $default)?),
        )
    };
    (@take $arguments:ident, $M:ty, $field:ident, [flatten $($words:literal)?], $Ty:ty) => {
        <$Ty as $crate::Params>::take($arguments)
    };

    (@omitted $M:ty, $Ty:ty) => { <$Ty as $crate::Param<$M>>::omitted() };
    (@omitted $M:ty, $Ty:ty, $default:expr) => { ::core::option::Option::Some::<$Ty>($default) };

    ($(#[doc = $outer:literal])* $vis:vis struct $($declaration:tt)+) => {
        $crate::params! { in $crate::Standard; $(#[doc = $outer])* $vis struct $($declaration)+ }
    };
}

/// The bytes that [`camel_case`] returns for an identifier.
#[must_use]
pub const fn camel_case_len(identifier: &str) -> usize {
    let name = plain(identifier).as_bytes();
    let mut len = 0;
    let mut at = 0;
    while at < name.len() {
        #[expect(clippy::indexing_slicing, reason = "the loop ends at its length")]
        if name[at] != b'_' {
            len += 1;
        }
        at += 1;
    }
    len
}

/// An identifier in `snake_case` as the bytes of its `camelCase` form. `N` is its [`camel_case_len`].
#[must_use]
pub const fn camel_case<const N: usize>(identifier: &str) -> [u8; N] {
    let name = plain(identifier).as_bytes();
    let mut out = [0; N];
    let mut upper = false;
    let (mut from, mut to) = (0, 0);
    #[expect(clippy::indexing_slicing, reason = "the loop ends at both lengths")]
    while from < name.len() && to < N {
        if name[from] == b'_' {
            upper = true;
        } else {
            out[to] = if upper {
                name[from].to_ascii_uppercase()
            } else {
                name[from]
            };
            upper = false;
            to += 1;
        }
        from += 1;
    }
    out
}

/// An identifier without the prefix that makes it a raw one: `type` for `r#type`.
#[must_use]
pub const fn plain(identifier: &str) -> &str {
    match identifier.as_bytes() {
        [b'r', b'#', ..] => identifier.split_at(2).1,
        _ => identifier,
    }
}

/// The `camelCase` form of an identifier as a `&'static str`.
#[doc(hidden)]
#[macro_export]
macro_rules! __camel_case {
    ($identifier:ident) => {{
        const IDENTIFIER: &str = stringify!($identifier);
        const BYTES: [u8; $crate::__private::camel_case_len(IDENTIFIER)] =
            $crate::__private::camel_case(IDENTIFIER);
        const NAME: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        };
        NAME
    }};
}

#[cfg(test)]
mod tests {

    #[test]
    fn names_are_those_of_the_wire() {
        assert_eq!(__camel_case!(height), "height");
        assert_eq!(__camel_case!(is_for_sale), "isForSale");
        assert_eq!(__camel_case!(r#type), "type");
        assert_eq!(__camel_case!(größe_2_b), "größe2B");
    }
}
