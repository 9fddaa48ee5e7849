//! Types with a few keywords, or a few kinds of object.

/// Declares a parameter type with a fixed set of keywords, each with a description. The type can also be a field of a
/// result. Keywords are accepted in any letter case. A variant can have synonyms, such as `Day = "day" | "1d"`.
///
/// ```
/// use tool_schema::{NoMarker, Param, choice};
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
/// let schema = <Order as Param<NoMarker>>::schema();
/// assert_eq!(schema["enum"], serde_json::json!(["newest", "oldest"]));
/// ```
///
/// If the declaration names a field for the keyword, each variant may have its own fields. Some hosts fail on unions,
/// so the published schema has the fields of all variants and describes which variants they belong to. The parser
/// accepts only the fields of the given variant.
///
/// ```
/// use tool_schema::{Params, choice, params};
///
/// choice! {
///     /// What to draw.
///     enum Shape by kind {
///         /// A circle.
///         Circle = "circle" {
///             /// Its radius.
///             radius: f64,
///         },
///         /// A rectangle.
///         Rectangle = "rectangle" {
///             /// How wide it is.
///             width: f64,
///             /// How high it is; a square if omitted.
///             height: Option<f64>,
///         },
///         /// Nothing.
///         Nothing = "nothing",
///     }
/// }
///
/// params! {
///     struct DrawParams {
///         /// What to draw.
///         shape: Shape,
///     }
/// }
///
/// let mut arguments = serde_json::json!({"shape": {"kind": "circle", "width": 2}});
/// let error = DrawParams::from_arguments(arguments.as_object_mut().unwrap()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Missing argument. `shape.radius` is required. Expected a number. `shape.width` does not belong to kind circle. \
///      Expected one of kind, radius."
/// );
/// ```
///
/// The compiler rejects an enum without the name of that field, or a variant without a keyword, with a clear message:
///
/// ```compile_fail
/// tool_schema::choice! {
///     /// What to draw.
///     enum Shape {
///         /// A circle.
///         Circle = "circle" {
///             /// Its radius.
///             radius: f64,
///         },
///     }
/// }
/// ```
#[macro_export]
macro_rules! choice {
    (
        $(#[$outer:meta])*
        $vis:vis enum $Name:ident {
            $( $(#[doc = $doc:literal])* $Variant:ident = $word:literal $(| $other:literal)? ),+ $(,)?
        }
    ) => {
        $( const _: &str = $crate::__documented!("word", $Variant, $($doc)*); )+

        $(#[$outer])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $Name {
            $( $(#[doc = $doc])* $Variant ),+
        }

        impl<M> $crate::Param<M> for $Name {
            fn schema() -> $crate::Object {
                let words = [$($word),+].map($crate::__private::Value::from);
                let mut schema = $crate::schema_with_type("string");
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

            fn coerce_json(
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

        impl<M> $crate::Output<M> for $Name {
            fn schema() -> $crate::Object {
                <Self as $crate::Param<M>>::schema()
            }

            fn write(&self, _: &str, json: &mut $crate::JsonWriter) {
                json.string(match self {
                    $( Self::$Variant => $word ),+
                });
            }
        }
    };

    ($(#[$outer:meta])* $vis:vis enum $Name:ident by $kind:ident { $($variants:tt)+ }) => {
        $crate::choice! {
            in $crate::NoMarker; $(#[$outer])* $vis enum $Name by $kind { $($variants)+ }
        }
    };

    (
        in $Marker:ty;
        $(#[$outer:meta])*
        $vis:vis enum $Name:ident by $kind:ident {
            $(
                $(#[doc = $doc:literal])* $Variant:ident = $word:literal $({
                    $( $(#[doc = $of:literal])* $field:ident: $Ty:ty $(= $default:expr)? ),+ $(,)?
                })?
            ),+ $(,)?
        }
    ) => {
        $(#[$outer])*
        #[derive(Debug, Clone)]
        $vis enum $Name {
            $( $(#[doc = $doc])* $Variant $({ $( $(#[doc = $of])* $field: $Ty ),+ })? ),+
        }

        impl<M> $crate::Param<M> for $Name {
            fn schema() -> $crate::Object {
                $crate::__private::definition_of::<Self>(|| {
                let mut kinds = ::std::vec::Vec::new();
                $(
                    let mut members: ::std::vec::Vec<$crate::Property> = ::std::vec::Vec::new();
                    $($(
                        $crate::params!(@members members, $Marker, $field, [$($of)*], [], $Ty $(, $default)?);
                    )+)?
                    kinds.push(($word, $crate::__documented!("kind", $Variant, $($doc)*), members));
                )+
                $crate::__private::one_of_kinds(::core::stringify!($kind), kinds)
                })
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
                let kind = ::core::stringify!($kind);
                $crate::__private::take_kind(value, report, kind, &[$($word),+], |word, arguments| match word {
                    $(
                        $word => {
                            $($(
                                let $field = $crate::params!(@take arguments, $Marker, $field, [], $Ty $(, $default)?);
                            )+)?
                            ::core::option::Option::Some(Self::$Variant $({ $( $field: $field? ),+ })?)
                        }
                    )+
                    _ => ::core::option::Option::None,
                })
            }

            fn to_value(&self) -> $crate::__private::Value {
                let mut object = $crate::Object::new();
                let word = match self {
                    $(
                        Self::$Variant $({ $($field),+ })? => {
                            $($( $crate::params!(@put object, $Marker, $field, $field, [], $Ty); )+)?
                            $word
                        }
                    )+
                };
                object.insert(::core::stringify!($kind).to_owned(), word.into());
                $crate::__private::Value::Object(object)
            }
        }
    };

    ($(#[$outer:meta])* $vis:vis enum $Name:ident $($by:ident $kind:ident)? { $($variants:tt)* }) => {
        ::core::compile_error!(::core::concat!(
            "each variant of `", ::core::stringify!($Name), "` needs its word: write `Circle = \"circle\"`. Variants with fields \
             also need the name of the field that holds the word: `enum ", ::core::stringify!($Name), " by kind`"
        ));
    };
}
