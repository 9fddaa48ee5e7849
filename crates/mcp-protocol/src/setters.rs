//! A macro for builder methods, which change one field of a value and return it.

/// Declares builder methods. `with_size(size: u64) { size = Some(size) }` declares a method that sets `self.size`.
/// After `const`, the methods are const. A struct of limits lists the name, type, default and setter of each limit in
/// one line.
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
