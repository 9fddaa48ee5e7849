//! Values of the chain as fields of answers, and the level of detail. Signatures, public keys and milliseconds are
//! included only on request.

use std::collections::BTreeMap;

use qortal_types::{Address, Amount, AssetId, Height, Timestamp};
use serde_json::Value;
use tool_schema::{
    JsonWriter, Object, Output, OutputDetail, OutputRecord, Param, Property, choice, object_schema,
    schema_with_type,
};

use crate::{
    declare::Qortal,
    support::untrusted::{plain, write_plain_members},
};

macro_rules! outputs {
    ($($Ty:ty => $kind:literal, |$it:ident, $json:ident| $write:expr;)+) => {
        $(
            impl Output<Qortal> for $Ty {
                fn schema() -> Object {
                    schema_with_type($kind)
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
    Amount => "string", |it, json| json.ascii_string(it);
    Address => "string", |it, json| json.ascii_string(&it.as_str());
}

/// A text that is not marked as written by strangers may still be, because a node can send any text.
impl Output<Qortal> for String {
    fn schema() -> Object {
        schema_with_type("string")
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        let text = plain(self, member, &mut json.notes);
        json.string(&text);
    }
}

impl Output<Qortal> for BTreeMap<String, u64> {
    fn schema() -> Object {
        schema_with_type("object")
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        json.object(|json| {
            for (name, count) in self {
                let name = plain(name, member, &mut json.notes);
                json.begin_field(&name);
                json.unsigned(*count);
            }
        });
    }
}

impl Output<Qortal> for Object {
    fn schema() -> Object {
        schema_with_type("object")
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        write_plain_members(self, member, json);
    }
}

/// Milliseconds since 1970 and ISO 8601: `timestamp` and `timestampIso`. Lists and summaries leave out the
/// milliseconds.
impl Output<Qortal> for Timestamp {
    fn schema() -> Object {
        schema_with_type("integer")
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.integer(self.millis());
    }

    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        let has_millis = match json.detail_level() {
            OutputDetail::Full => true,
            OutputDetail::Summary => false,
            _ => !json.is_in_list(),
        };
        let millis = |json: &mut JsonWriter| {
            json.begin_field(name);
            json.integer(self.millis());
        };
        if has_millis {
            millis(json);
        } else {
            json.skip(millis);
        }
        json.name_parts(name, ISO);
        json.ascii_string(self);
    }

    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        let doc = format!("{} In milliseconds since 1970.", doc.trim());
        let schema = <Self as Output<Qortal>>::schema();
        members.push(Property::new(name, doc, schema).into_optional());
        let doc = "The same in ISO 8601, UTC.";
        members.push(Property::new(
            format!("{name}{ISO}"),
            doc,
            schema_with_type("string"),
        ));
    }
}

/// A record whose fields become fields of the surrounding record, as `#[flatten]` does for parameters.
#[derive(Debug)]
pub(crate) struct Flat<T>(pub(crate) T);

impl<T: OutputRecord> Output<Qortal> for Flat<T> {
    fn schema() -> Object {
        object_schema(T::properties())
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.object(|json| self.0.write(json));
    }

    fn write_field(&self, _: &str, json: &mut JsonWriter) {
        self.0.write(json);
    }

    fn add_properties(_: &str, _: &'static str, members: &mut Vec<Property>) {
        members.extend(T::properties());
    }
}

/// Converts a length to the type used in answers.
pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Counts the occurrences of each key.
pub(crate) fn count_by<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, u32> {
    let mut counts = BTreeMap::<K, u32>::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

choice! {
    /// How much of an answer is returned.
    pub(crate) enum Detail {
        /// Enough for most questions.
        Summary = "summary",
        /// Everything.
        Full = "full",
    }
}

/// The parameter of every tool with fields [in full](Member::in_full).
pub(crate) const DETAIL: &str = "detail";

/// Returns the published parameter [`DETAIL`] of tools that do not declare one themselves.
pub(super) fn detail_parameter() -> Property {
    let doc = "full adds signatures, keys.";
    Property::parameter::<Detail, Qortal>(DETAIL, doc, None).into_optional()
}

/// Returns whether these arguments request the full answer.
pub(crate) fn wants_full(arguments: &Object) -> bool {
    arguments.get(DETAIL) == Some(&Param::<Qortal>::to_value(&Detail::Full))
}

/// A field that is present only with `detail` full, or in an answer that has no summary.
#[derive(Debug)]
pub(crate) struct Full<T>(pub(crate) T);

impl<T: Output<Qortal>> Output<Qortal> for Full<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn nested_properties() -> Vec<Property> {
        T::nested_properties()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        self.0.write(member, json);
    }

    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        match json.detail_level() {
            OutputDetail::Summary => json.skip(|json| self.0.write_field(name, json)),
            _ => self.0.write_field(name, json),
        }
    }

    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        let first = members.len();
        T::add_properties(name, doc, members);
        for member in members.split_off(first) {
            members.push(member.only_in_full());
        }
    }
}

/// Returns whether a field, or one nested in it, is present only in full.
pub(super) fn has_full(members: &[Property]) -> bool {
    members.iter().any(|it| it.in_full || has_full(&it.members))
}

/// The suffix of a field that repeats the milliseconds of another one in ISO 8601.
pub(crate) const ISO: &str = "Iso";

/// Removes the milliseconds in lists from the fields of a tool's answer.
pub(super) fn members_without_millis(members: &mut Vec<Property>, in_list: bool) {
    if in_list {
        let names = members.iter().filter_map(|it| it.name.strip_suffix(ISO));
        let names: Vec<_> = names.map(str::to_owned).collect();
        members.retain(|it| !names.contains(&it.name));
    }
    for member in members {
        let is_list = member.schema.contains_key("items");
        members_without_millis(&mut member.members, in_list || is_list);
        schema_without_millis(&mut member.schema, in_list);
    }
}

fn schema_without_millis(schema: &mut Object, in_list: bool) {
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        schema_without_millis(items, true);
    }
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    if in_list {
        drop_millis(properties);
    }
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        schema_without_millis(property, in_list);
    }
}

/// Drops the milliseconds of an object that another field repeats in ISO 8601. The order of the other fields is kept.
fn drop_millis(object: &mut Object) {
    let names = object.keys().filter_map(|it| it.strip_suffix(ISO));
    let names: Vec<_> = names.map(str::to_owned).collect();
    object.retain(|name, _| !names.contains(name));
}
