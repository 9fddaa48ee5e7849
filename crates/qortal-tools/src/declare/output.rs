//! Values of the chain as members of answers.

use std::collections::BTreeMap;

use qortal_types::{Address, Amount, AssetId, Height, Timestamp};
use serde_json::Value;
use tool_schema::{Member, Notes, Object, Output, Record, object_schema, type_schema};

use crate::{
    declare::{ISO, Qortal},
    untrusted::{plain, plain_json},
};

macro_rules! outputs {
    ($($Ty:ty => $kind:literal, |$it:ident| $json:expr;)+) => {
        $(
            impl Output<Qortal> for $Ty {
                fn schema() -> Object {
                    type_schema($kind)
                }

                fn json(self, _: &str, _: &mut Notes) -> Value {
                    let $it = self;
                    $json.into()
                }
            }
        )+
    };
}

outputs! {
    Height => "integer", |it| it.number();
    AssetId => "integer", |it| it.number();
    Amount => "string", |it| it.to_string();
    Address => "string", |it| it.as_str();
}

/// A text that is not marked as written by strangers may still be one: a node sends what it likes.
impl Output<Qortal> for String {
    fn schema() -> Object {
        type_schema("string")
    }

    fn json(self, member: &str, notes: &mut Notes) -> Value {
        plain(self, member, notes).into()
    }
}

impl Output<Qortal> for BTreeMap<String, u64> {
    fn schema() -> Object {
        type_schema("object")
    }

    fn json(self, member: &str, notes: &mut Notes) -> Value {
        let counts = self
            .into_iter()
            .map(|(name, count)| (plain(name, member, notes), count.into()));
        Value::Object(counts.collect())
    }
}

impl Output<Qortal> for Object {
    fn schema() -> Object {
        type_schema("object")
    }

    fn json(self, member: &str, notes: &mut Notes) -> Value {
        plain_json(Value::Object(self), member, notes)
    }
}

/// Milliseconds since 1970, and the same in ISO 8601: `timestamp` and `timestampIso`. The milliseconds are left out of lists
/// and summaries.
impl Output<Qortal> for Timestamp {
    fn schema() -> Object {
        type_schema("integer")
    }

    fn json(self, _: &str, _: &mut Notes) -> Value {
        self.millis().into()
    }

    fn put(self, name: &str, object: &mut Object, _: &mut Notes) {
        object.insert(name.to_owned(), self.millis().into());
        object.insert(format!("{name}{ISO}"), self.to_string().into());
    }

    fn describe(name: &str, doc: &'static str, members: &mut Vec<Member>) {
        let doc = format!("{} In milliseconds since 1970.", doc.trim());
        let schema = <Self as Output<Qortal>>::schema();
        members.push(Member::new(name, doc, schema).optional());
        let doc = "The same in ISO 8601, UTC.";
        members.push(Member::new(
            format!("{name}{ISO}"),
            doc,
            type_schema("string"),
        ));
    }
}

/// A record whose members are members of the record around it, as `#[flatten]` does for parameters.
#[derive(Debug)]
pub(crate) struct Flat<T>(pub(crate) T);

impl<T: Record> Output<Qortal> for Flat<T> {
    fn schema() -> Object {
        object_schema(T::members())
    }

    fn json(self, _: &str, notes: &mut Notes) -> Value {
        let mut object = Object::new();
        self.0.write(&mut object, notes);
        Value::Object(object)
    }

    fn put(self, _: &str, object: &mut Object, notes: &mut Notes) {
        self.0.write(object, notes);
    }

    fn describe(_: &str, _: &'static str, members: &mut Vec<Member>) {
        members.extend(T::members());
    }
}

/// A length as answers return it.
pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
