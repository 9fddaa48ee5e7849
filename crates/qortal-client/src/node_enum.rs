//! Enumerations in answers: known values have names, others are kept as text.

/// Declares an enumeration that a newer Core may extend.
macro_rules! node_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
            /// A value that this version does not know.
            Other(Box<str>),
        }

        impl $name {
            /// Returns the value as the Core writes it.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(text) => text,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <Box<str> as serde::Deserialize>::deserialize(deserializer)?;
                Ok(match &*text {
                    $($text => Self::$variant,)+
                    _ => Self::Other(text),
                })
            }
        }
    };
}

pub(crate) use node_enum;
