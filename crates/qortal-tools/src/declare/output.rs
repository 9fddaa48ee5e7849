//! Values of the chain as members of answers.

use std::collections::BTreeMap;

use qortal_types::{Address, Amount, AssetId, Height, Timestamp};
use tool_schema::{Extent, JsonWriter, Member, Object, Output, Record, object_schema, type_schema};

use crate::{
    declare::{ISO, Qortal},
    untrusted::{plain, write_plain_members},
};

macro_rules! outputs {
    ($($Ty:ty => $kind:literal, |$it:ident, $json:ident| $write:expr;)+) => {
        $(
            impl Output<Qortal> for $Ty {
                fn schema() -> Object {
                    type_schema($kind)
                }

                fn write(&self, _: &str, $json: &mut JsonWriter) {
                    let $it = self;
                    $write;
                }
            }
        )+
    };
}

outputs! {
    Height => "integer", |it, json| json.unsigned(it.number().into());
    AssetId => "integer", |it, json| json.unsigned(it.number());
    Amount => "string", |it, json| json.plain(it);
    Address => "string", |it, json| json.plain(&it.as_str());
}

/// A text that is not marked as written by strangers may still be one: a node sends what it likes.
impl Output<Qortal> for String {
    fn schema() -> Object {
        type_schema("string")
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        let text = plain(self, member, &mut json.notes);
        json.string(&text);
    }
}

impl Output<Qortal> for BTreeMap<String, u64> {
    fn schema() -> Object {
        type_schema("object")
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        json.object(|json| {
            for (name, count) in self {
                let name = plain(name, member, &mut json.notes);
                json.name(&name);
                json.unsigned(*count);
            }
        });
    }
}

impl Output<Qortal> for Object {
    fn schema() -> Object {
        type_schema("object")
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        write_plain_members(self, member, json);
    }
}

/// Milliseconds since 1970, and the same in ISO 8601: `timestamp` and `timestampIso`. The milliseconds are left out of lists
/// and summaries.
impl Output<Qortal> for Timestamp {
    fn schema() -> Object {
        type_schema("integer")
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.integer(self.millis());
    }

    fn put(&self, name: &str, json: &mut JsonWriter) {
        let has_millis = match json.extent() {
            Extent::Full => true,
            Extent::Summary => false,
            _ => !json.is_in_list(),
        };
        let millis = |json: &mut JsonWriter| {
            json.name(name);
            json.integer(self.millis());
        };
        match has_millis {
            true => millis(json),
            false => json.leave_out(millis),
        }
        json.name_in_two(name, ISO);
        json.plain(self);
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

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.object(|json| self.0.write(json));
    }

    fn put(&self, _: &str, json: &mut JsonWriter) {
        self.0.write(json);
    }

    fn describe(_: &str, _: &'static str, members: &mut Vec<Member>) {
        members.extend(T::members());
    }
}

/// A length as answers return it.
pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
