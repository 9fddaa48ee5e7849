//! What a tool answers: records that carry their own schema.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Member, Notes, Object, Standard, integer, object_schema, type_schema};

/// A type that an answer can hold. `M` is a marker as in [`Param`](crate::Param).
pub trait Output<M = Standard>: Sized {
    /// Its JSON Schema.
    fn schema() -> Object;

    /// The members of the object that it is, or of the objects in it; none of a plain value.
    #[must_use]
    fn nested() -> Vec<Member> {
        Vec::new()
    }

    /// Its JSON; `member` is the name it is written under.
    fn json(self, member: &str, notes: &mut Notes) -> Value;

    /// Writes it into an object. Some types write nothing, or several members.
    fn put(self, name: &str, object: &mut Object, notes: &mut Notes) {
        let json = self.json(name, notes);
        object.insert(name.to_owned(), json);
    }

    /// Adds the members that [`Output::put`] writes.
    fn describe(name: &str, doc: &'static str, members: &mut Vec<Member>) {
        members.push(Member::new(name, doc.trim(), Self::schema()).with_members(Self::nested()));
    }
}

/// A JSON object with named members: the answer of a tool, or a part of one. Declared with [`record!`](crate::record).
pub trait Record: Sized {
    /// The members in the order they are written.
    fn members() -> Vec<Member>;

    /// Writes the members of one value.
    fn write(self, object: &mut Object, notes: &mut Notes);

    /// The published schema.
    #[must_use]
    fn output_schema() -> Value {
        Value::Object(object_schema(Self::members()))
    }

    /// The JSON object, and what has to be said about it.
    fn into_object(self) -> (Object, Notes) {
        let (mut object, mut notes) = (Object::new(), Notes::default());
        self.write(&mut object, &mut notes);
        (object, notes)
    }
}

impl<M, T: Output<M>> Output<M> for Option<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn nested() -> Vec<Member> {
        T::nested()
    }

    fn json(self, member: &str, notes: &mut Notes) -> Value {
        self.map_or(Value::Null, |it| it.json(member, notes))
    }

    fn put(self, name: &str, object: &mut Object, notes: &mut Notes) {
        if let Some(it) = self {
            it.put(name, object, notes);
        }
    }

    fn describe(name: &str, doc: &'static str, members: &mut Vec<Member>) {
        let first = members.len();
        T::describe(name, doc, members);
        for member in members.iter_mut().skip(first) {
            member.required = false;
        }
    }
}

impl<M, T: Output<M>> Output<M> for Vec<T> {
    fn schema() -> Object {
        let mut schema = type_schema("array");
        schema.insert("items".to_owned(), Value::Object(T::schema()));
        schema
    }

    fn nested() -> Vec<Member> {
        T::nested()
    }

    fn json(self, member: &str, notes: &mut Notes) -> Value {
        self.into_iter().map(|it| it.json(member, notes)).collect()
    }
}

macro_rules! plain_values {
    (@$Ty:ty, [$($M:ident)?], $Marker:ty, $kind:literal, |$it:ident| $json:expr) => {
            impl$(<$M>)? Output<$Marker> for $Ty {
                fn schema() -> Object {
                    type_schema($kind)
                }

                fn json(self, _: &str, _: &mut Notes) -> Value {
                    let $it = self;
                    $json
                }
            }
    };
    (in $Marker:ty; $($Ty:ty => $kind:literal, |$it:ident| $json:expr;)+) => {
        $( plain_values!(@$Ty, [], $Marker, $kind, |$it| $json); )+
    };
    ($($Ty:ty => $kind:literal, |$it:ident| $json:expr;)+) => {
        $( plain_values!(@$Ty, [M], M, $kind, |$it| $json); )+
    };
}

// Counts and durations: what JavaScript cannot hold exactly (above 2^53) does not occur in them.
plain_values! {
    bool => "boolean", |it| it.into();
    u32 => "integer", |it| it.into();
    i64 => "integer", |it| it.into();
    u64 => "integer", |it| it.into();
    // 3 rather than 3.0: hosts in JavaScript write it so, and a text that says otherwise would differ.
    f64 => "number", |it| { let it = Value::from(it); integer(&it).unwrap_or(it) };
    &'static str => "string", |it| it.into();
}

// What may hold text of others: where that has to be checked, a marker of its own does it.
plain_values! {
    in Standard;
    String => "string", |it| it.into();
    BTreeMap<String, u64> => "object", |it| json!(it);
    Object => "object", |it| it.into();
}

/// Declares what a tool answers: the struct, its schema and its JSON.
///
/// Every member needs a doc comment. Members are written in `camelCase`; an `Option` that is `None` is left out.
///
/// ```
/// use tool_schema::{Record, record};
///
/// record! {
///     struct Book {
///         /// Its title.
///         title: String,
///         /// The year of its first edition, if known.
///         first_edition: Option<u32>,
///     }
/// }
///
/// let (book, _) = Book { title: "Emma".to_owned(), first_edition: Some(1815) }.into_object();
/// assert_eq!(serde_json::Value::Object(book), serde_json::json!({"title": "Emma", "firstEdition": 1815}));
/// ```
#[macro_export]
macro_rules! record {
    (
        in $Marker:ty;
        $(#[doc = $outer:literal])*
        $vis:vis struct $Name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $Ty:ty
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $outer])*
        #[derive(Debug)]
        $vis struct $Name {
            $( $(#[doc = $doc])+ $vis $field: $Ty ),+
        }

        impl $crate::Record for $Name {
            fn members() -> ::std::vec::Vec<$crate::Member> {
                let mut members = ::std::vec::Vec::new();
                $(
                    <$Ty as $crate::Output<$Marker>>::describe(
                        $crate::__camel_case!($field),
                        concat!($($doc),+),
                        &mut members,
                    );
                )+
                members
            }

            fn write(self, object: &mut $crate::Object, notes: &mut $crate::Notes) {
                $(
                    <$Ty as $crate::Output<$Marker>>::put(
                        self.$field,
                        $crate::__camel_case!($field),
                        object,
                        notes,
                    );
                )+
            }
        }

        impl<M> $crate::Output<M> for $Name {
            fn schema() -> $crate::Object {
                $crate::object_schema(<Self as $crate::Record>::members())
            }

            fn nested() -> ::std::vec::Vec<$crate::Member> {
                <Self as $crate::Record>::members()
            }

            fn json(
                self,
                _: &str,
                notes: &mut $crate::Notes,
            ) -> $crate::__private::Value {
                let mut object = $crate::Object::new();
                $crate::Record::write(self, &mut object, notes);
                $crate::__private::Value::Object(object)
            }
        }
    };

    ($(#[doc = $outer:literal])* $vis:vis struct $($declaration:tt)+) => {
        $crate::record! { in $crate::Standard; $(#[doc = $outer])* $vis struct $($declaration)+ }
    };
}
