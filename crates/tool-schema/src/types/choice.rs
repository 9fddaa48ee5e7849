//! One of a few words.

/// Declares a parameter that is one of a few words, each with what it means. Words are accepted in any case, and another word
/// for the same, such as `Day = "day" | "1d"`.
///
/// ```
/// use tool_schema::{Param, Standard, choice};
///
/// choice! {
///     /// The order of a list.
///     enum Order {
///         /// Newest first.
///         Newest = "newest",
///         /// Oldest first.
///         Oldest = "oldest",
///     }
/// }
///
/// let schema = <Order as Param<Standard>>::schema();
/// assert_eq!(schema["enum"], serde_json::json!(["newest", "oldest"]));
/// ```
#[macro_export]
macro_rules! choice {
    (
        $(#[doc = $outer:literal])+
        $vis:vis enum $Name:ident {
            $( $(#[doc = $doc:literal])+ $Variant:ident = $word:literal $(| $other:literal)? ),+ $(,)?
        }
    ) => {
        $(#[doc = $outer])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $Name {
            $( $(#[doc = $doc])+ $Variant ),+
        }

        impl<M> $crate::Param<M> for $Name {
            fn schema() -> $crate::Object {
                let words = [$($word),+].map($crate::__private::Value::from);
                let mut schema = $crate::type_schema("string");
                schema.insert("enum".to_owned(), words.into_iter().collect());
                schema
            }

            fn read(
                value: &$crate::__private::Value,
            ) -> ::core::result::Result<Self, $crate::InvalidValue> {
                match value.as_str() {
                    $( Some($word) => Ok(Self::$Variant), )+
                    _ => Err($crate::InvalidValue::unexpected(
                        value,
                        format!("one of {}", [$($word),+].join(", ")),
                    )),
                }
            }

            fn coerce(
                value: &$crate::__private::Value,
            ) -> ::core::option::Option<$crate::__private::Value> {
                $(
                    $(
                        if value.as_str().is_some_and(|it| it.trim().eq_ignore_ascii_case($other)) {
                            return Some($word.into());
                        }
                    )?
                )+
                $crate::word(value, &[$($word),+])
            }

            fn to_value(&self) -> $crate::__private::Value {
                match self {
                    $( Self::$Variant => $word.into() ),+
                }
            }
        }
    };
}
