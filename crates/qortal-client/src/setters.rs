//! Methods that set the fields of non-exhaustive structs.

/// Declares a method for each field named, such as `with_types(types: impl Into<Vec<TransactionType>>)`.
macro_rules! setters {
    ($name:ident { $($method:ident($field:ident: $type:ty),)+ }) => {
        impl $name {
            $(
                #[doc = concat!("Returns the same with another [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $method(mut self, $field: $type) -> Self {
                    self.$field = $field.into();
                    self
                }
            )+
        }
    };
}

pub(crate) use setters;
