//! The methods that return the same value with one member changed, in one line each.

/// `with_size(size: u64) { size = Some(size) }` is a method that sets `self.size`.
macro_rules! setters {
    ($($(#[$doc:meta])+ $method:ident($value:ident: $type:ty) { $($change:tt)+ })+) => {$(
        $(#[$doc])+
        #[must_use]
        pub fn $method(mut self, $value: $type) -> Self {
            self.$($change)+;
            self
        }
    )+};
}
