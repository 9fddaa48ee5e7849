//! One of a few words.

/// Declares a parameter that is one of a few words, each with what it means. Words may come in any case.
macro_rules! choice {
    (
        $(#[doc = $outer:literal])+
        $vis:vis enum $Name:ident {
            $( $(#[doc = $doc:literal])+ $Variant:ident = $word:literal ),+ $(,)?
        }
    ) => {
        $(#[doc = $outer])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $Name {
            $( $(#[doc = $doc])+ $Variant ),+
        }

        impl $crate::declare::Param for $Name {
            fn schema() -> $crate::Object {
                let mut schema = $crate::declare::typed("string");
                schema.insert("enum".to_owned(), serde_json::json!([$($word),+]));
                schema
            }

            fn read(value: &serde_json::Value) -> Result<Self, $crate::declare::Wrong> {
                match value.as_str() {
                    $( Some(word) if word.eq_ignore_ascii_case($word) => Ok(Self::$Variant), )+
                    _ => Err($crate::declare::Wrong::new(
                        "Invalid argument.",
                        format!("is {}", $crate::declare::shown(value)),
                        format!("one of {}", [$($word),+].join(", ")),
                    )),
                }
            }

            fn mend(value: &serde_json::Value) -> Option<serde_json::Value> {
                $crate::declare::spelled(value, [$($word),+].into_iter())
            }

            fn to_value(&self) -> serde_json::Value {
                match self {
                    $( Self::$Variant => $word.into() ),+
                }
            }
        }
    };
}
