//! Structs of options with setters.

/// Declares a struct that may get more fields, and the methods that set them: `into` takes what can be converted.
macro_rules! options {
    (
        $(#[$attribute:meta])+
        pub struct $Name:ident {
            $( $(#[doc = $doc:literal])+ $field:ident: $type:ty $(=> $($setter:ident)+)? ),+ $(,)?
        }
    ) => {
        $(#[$attribute])+
        #[non_exhaustive]
        pub struct $Name {
            $( $(#[doc = $doc])+ pub $field: $type ),+
        }

        impl $Name {
            $($( options! { @$field: $type => $($setter)+ } )?)+
        }
    };
    (@$field:ident: $type:ty => into $method:ident) => {
        #[doc = concat!("Sets [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
        #[must_use]
        pub fn $method(mut self, $field: impl Into<$type>) -> Self {
            self.$field = $field.into();
            self
        }
    };
    (@$field:ident: $type:ty => $method:ident) => {
        #[doc = concat!("Sets [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
        #[must_use]
        pub fn $method(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    };
}

pub(crate) use options;
