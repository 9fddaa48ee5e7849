//! The methods that return the same value with one member changed, in one line each.

/// `with_size(size: u64) { size = Some(size) }` is a method that sets `self.size`; after `const` the methods are that. After
/// `of Limits:` the lines name limits, and that is their documentation too.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    (const $($(#[$doc:meta])+ $method:ident($($value:ident: $type:ty),*) { $($change:tt)+ })+) => {$(
        $(#[$doc])+
        #[must_use]
        pub const fn $method(mut self $(, $value: $type)*) -> Self {
            self.$($change)+;
            self
        }
    )+};
    (of $Limits:ident: $($method:ident($limit:ident: $type:ty),)+) => {
        $crate::setters! { const $(
            #[doc = concat!("Sets [`", stringify!($Limits), "::", stringify!($limit), "`].")]
            $method($limit: $type) { $limit = $limit }
        )+ }
    };
    ($($(#[$doc:meta])+ $method:ident($($value:ident: $type:ty),*) { $($change:tt)+ })+) => {$(
        $(#[$doc])+
        #[must_use]
        pub fn $method(mut self $(, $value: $type)*) -> Self {
            self.$($change)+;
            self
        }
    )+};
}
