//! Tool parameters, and the macro that declares them. Names in JSON are computed from Rust identifiers at compile time.

use serde_json::Value;

use crate::{
    ArgumentReader, InvalidArguments, Object, Property, property::input_object, with_definitions,
};

/// The parameters of a tool: a closed JSON object. Declare them with [`params!`](crate::params).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the parameters of a tool",
    note = "with the feature `schemars`, write `Json(params): Json<{Self}>` for a type that serde reads and schemars describes",
    note = "or declare it by `params!`; a tool without parameters takes nothing, or `_: NoParams` before `cx: &CallContext`"
)]
pub trait Params: Sized + Send {
    /// Returns the parameters in their published order.
    fn properties() -> Vec<Property>;

    /// Takes the parameters from the arguments of a call. Returns `None` if one of them has a problem.
    fn take(arguments: &mut ArgumentReader<'_>) -> Option<Self>;

    /// Returns the parameters in their published form, for the default of an object with these fields.
    #[must_use]
    fn to_object(&self) -> Object {
        Object::new()
    }

    /// Returns the published schema of the arguments.
    #[must_use]
    fn input_schema() -> Value {
        Value::Object(with_definitions(|| input_object(&Self::properties())))
    }

    /// Reads the arguments of a call, and replaces them with their coerced values. The returned sentences report the
    /// coercions.
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_schema::{CappedInt, Params, params};
    ///
    /// params! {
    ///     struct ForecastParams {
    ///         /// How many days, 1 to 7.
    ///         days: CappedInt<1, 7> = CappedInt::from_const(3),
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
    /// Returns an error with every problem of the arguments.
    fn from_arguments(arguments: &mut Object) -> Result<(Self, Vec<String>), InvalidArguments> {
        let mut arguments = ArgumentReader::new(arguments);
        let read = Self::take(&mut arguments);
        arguments.finish(read)
    }
}

/// The parameters of a tool without parameters.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "it stays empty")]
pub struct NoParams;

impl Params for NoParams {
    fn properties() -> Vec<Property> {
        Vec::new()
    }

    fn take(_: &mut ArgumentReader<'_>) -> Option<Self> {
        Some(Self)
    }
}

/// Declares the parameters of a tool: the struct, the schema and the parser.
///
/// Every parameter needs a doc comment. Its published description consists of the comment, the default and the bounds,
/// because some hosts drop the latter two from a schema. `Option<T>` and `= default` make a parameter optional.
/// `#[flatten]` before a field replaces the field with the parameters of another declaration. `#[flatten("offers")]`
/// also replaces `{}` in their descriptions with the given text. Without a text, `{}` is removed. `#[name("…")]` before
/// a field renames the parameter.
///
/// ```
/// use tool_schema::{CappedInt, Params, BoundedString, params};
///
/// params! {
///     struct Paging {
///         /// How many {} to return.
///         limit: CappedInt<1, 100> = CappedInt::from_const(20),
///         /// How many {} to skip.
///         offset: CappedInt<0, 10_000> = CappedInt::from_const(0),
///     }
/// }
///
/// params! {
///     struct SearchParams {
///         /// A part of the title.
///         query: BoundedString<1, 80>,
///         #[flatten("books")]
///         page: Paging,
///     }
/// }
///
/// let names: Vec<_> = SearchParams::properties().into_iter().map(|it| it.name).collect();
/// assert_eq!(names, ["query", "limit", "offset"]);
/// let limit = &SearchParams::properties()[1].doc;
/// assert_eq!(limit, "How many books to return. Default 20, at most 100.");
/// ```
///
/// The declared type can itself be a parameter, or the item type of a list. Problems with a part then name it by its
/// path, such as `page.limit`.
///
/// The compiler rejects a parameter without a doc comment with a clear message. Here it is "the parameter `query` has
/// no doc comment":
///
/// ```compile_fail
/// tool_schema::params! {
///     struct SearchParams {
///         query: String,
///     }
/// }
/// ```
#[macro_export]
macro_rules! params {
    (
        in $Marker:ty;
        $(#[$outer:meta])*
        $vis:vis struct $Name:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[flatten $(($words:literal))?])?
                $(#[name($name:literal)])?
                $field:ident: $Ty:ty $(= $default:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[$outer])*
        #[derive(Debug, Clone)]
        $vis struct $Name {
            $( $(#[doc = $doc])* $vis $field: $Ty ),+
        }

        impl $crate::Params for $Name {
            fn properties() -> ::std::vec::Vec<$crate::Property> {
                let mut members = ::std::vec::Vec::new();
                $(
                    $crate::params!(
                        @members members, $Marker, $field $($name)?, [$($doc)*], [$(flatten $($words)?)?],
                        $Ty $(, $default)?
                    );
                )+
                members
            }

            fn take(arguments: &mut $crate::ArgumentReader<'_>) -> ::core::option::Option<Self> {
                $(
                    let $field = $crate::params!(
                        @take arguments, $Marker, $field $($name)?, [$(flatten $($words)?)?],
                        $Ty $(, $default)?
                    );
                )+
                // Only after all of them were taken, so that all problems are reported at once.
                ::core::option::Option::Some(Self { $( $field: $field? ),+ })
            }

            fn to_object(&self) -> $crate::Object {
                let mut object = $crate::Object::new();
                $(
                    $crate::params!(
                        @put object, $Marker, $field $($name)?, &self.$field, [$(flatten $($words)?)?], $Ty
                    );
                )+
                object
            }
        }

        impl<M> $crate::Param<M> for $Name {
            fn schema() -> $crate::Object {
                $crate::__private::object_of::<Self>()
            }

            fn read(
                value: &$crate::__private::Value,
            ) -> ::core::result::Result<Self, $crate::InvalidValue> {
                $crate::__private::read_parts::<Self, M>(value)
            }

            fn coerce_and_read(
                value: &mut $crate::__private::Value,
                report: &mut $crate::ValueReport,
            ) -> ::core::option::Option<Self> {
                $crate::__private::take_object(value, report, <Self as $crate::Params>::take)
            }

            fn to_value(&self) -> $crate::__private::Value {
                $crate::__private::Value::Object($crate::Params::to_object(self))
            }
        }
    };

    (@members $members:ident, $M:ty, $field:ident $($name:literal)?, [$($doc:literal)*], [], $Ty:ty $(, $default:expr)?) => {
        let member = <$Ty as $crate::Param<$M>>::member;
        $members.push(member(
            $crate::params!(@name $field $($name)?),
            $crate::__documented!("parameter", $field, $($doc)*),
            $crate::params!(@omitted $M, $Ty $(, $default)?).as_ref(),
        ));
    };
    (@members $members:ident, $M:ty, $field:ident $($name:literal)?, [$($doc:literal)*], [flatten $($wordss:literal)?], $Ty:ty) => {
        let flattened = <$Ty as $crate::Params>::properties().into_iter();
        $members.extend(flattened.map(|it| it.fill_description(concat!($($wordss)?))));
    };

    (@take $arguments:ident, $M:ty, $field:ident $($name:literal)?, [], $Ty:ty $(, $default:expr)?) => {{
        let take = <$Ty as $crate::Param<$M>>::of_arguments;
        take(
            $arguments,
            $crate::params!(@name $field $($name)?),
            $crate::params!(@omitted $M, $Ty $(, $default)?),
        )
    }};
    (@take $arguments:ident, $M:ty, $field:ident $($name:literal)?, [flatten $($words:literal)?], $Ty:ty) => {
        <$Ty as $crate::Params>::take($arguments)
    };

    (@put $object:ident, $M:ty, $field:ident $($name:literal)?, $it:expr, [], $Ty:ty) => {
        let to_value = <$Ty as $crate::Param<$M>>::to_value;
        $object.insert($crate::params!(@name $field $($name)?).to_owned(), to_value($it));
    };
    (@put $object:ident, $M:ty, $field:ident $($name:literal)?, $it:expr, [flatten $($words:literal)?], $Ty:ty) => {
        $object.extend(<$Ty as $crate::Params>::to_object($it));
    };

    (@name $field:ident) => { $crate::__private::plain(::core::stringify!($field)) };
    (@name $field:ident $name:literal) => { $name };

    (@omitted $M:ty, $Ty:ty) => {{
        let omitted = <$Ty as $crate::Param<$M>>::omitted_value;
        omitted()
    }};
    (@omitted $M:ty, $Ty:ty, $default:expr) => { ::core::option::Option::Some::<$Ty>($default) };

    ($(#[$outer:meta])* $vis:vis struct $($declaration:tt)+) => {
        $crate::params! { in $crate::NoMarker; $(#[$outer])* $vis struct $($declaration)+ }
    };
}

/// Returns the length of [`camel_case`] for an identifier, in bytes.
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

/// Converts an identifier from `snake_case` to the bytes of its `camelCase` form. `N` is its [`camel_case_len`].
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

/// Removes the prefix of a raw identifier: `type` for `r#type`.
#[must_use]
pub const fn plain(identifier: &str) -> &str {
    match identifier.as_bytes() {
        [b'r', b'#', ..] => identifier.split_at(2).1,
        _ => identifier,
    }
}

/// Expands to a doc comment as one string, or to a compile error with the remedy if there is none.
#[doc(hidden)]
#[macro_export]
macro_rules! __documented {
    ($what:literal, $name:ident, $($doc:literal)+) => { ::core::concat!($($doc),+) };
    ($what:literal, $name:ident,) => {
        ::core::compile_error!(::core::concat!(
            "the ", $what, " `", ::core::stringify!($name),
            "` has no doc comment: write `/// What it is.` above it, for models and readers"
        ))
    };
}

/// Expands to the `camelCase` form of an identifier as a `&'static str`.
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
