//! The methods that return the same value with one member changed, in one line each.

/// `with_size(size: u64) { size = Some(size) }` is a method that sets `self.size`; after `const` the methods are that. A struct of
/// limits has them all in one line each: the name, its type, what it is by default, and the method that sets it.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    (
        $(#[$of_struct:meta])+
        pub struct $Limits:ident { $($(#[$doc:meta])+ $limit:ident: $type:ty = $default:expr, $method:ident;)+ }
    ) => {
        $(#[$of_struct])+
        pub struct $Limits { $($(#[$doc])+ pub $limit: $type,)+ }

        impl Default for $Limits {
            fn default() -> Self {
                Self { $($limit: $default,)+ }
            }
        }

        impl $Limits {
            $crate::setters! { const $(
                #[doc = concat!("Sets [`", stringify!($Limits), "::", stringify!($limit), "`].")]
                $method($limit: $type) { $limit = $limit }
            )+ }
        }
    };
    (const $($(#[$doc:meta])+ $method:ident($($value:ident: $type:ty),*) { $($change:tt)+ })+) => {$(
        $(#[$doc])+
        #[must_use]
        pub const fn $method(mut self $(, $value: $type)*) -> Self {
            self.$($change)+;
            self
        }
    )+};
    ($($(#[$doc:meta])+ $method:ident($($value:ident: $type:ty),*) { $($change:tt)+ })+) => {$(
        $(#[$doc])+
        #[must_use]
        pub fn $method(mut self $(, $value: $type)*) -> Self {
            self.$($change)+;
            self
        }
    )+};
}
