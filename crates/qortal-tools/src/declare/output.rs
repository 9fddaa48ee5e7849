//! Values of the chain as members of answers, and how much of an answer is returned: signatures, public keys and milliseconds only
//! where they are asked for.

use std::collections::BTreeMap;

use qortal_types::{Address, Amount, AssetId, Height, Timestamp};
use serde_json::Value;
use tool_schema::{
    JsonWriter, Object, Output, OutputDetail, OutputRecord, Param, Property, choice, object_schema,
    type_schema,
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
    Amount => "string", |it, json| json.ascii_string(it);
    Address => "string", |it, json| json.ascii_string(&it.as_str());
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
                json.begin_field(&name);
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
        members.push(Property::new(name, doc, schema).optional());
        let doc = "The same in ISO 8601, UTC.";
        members.push(Property::new(
            format!("{name}{ISO}"),
            doc,
            type_schema("string"),
        ));
    }
}

/// A record whose members are members of the record around it, as `#[flatten]` does for parameters.
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

/// A length as answers return it.
pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// How often each key occurs.
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
        /// What most questions need.
        Summary = "summary",
        /// Everything.
        Full = "full",
    }
}

/// The parameter that every tool with members [in full](Member::in_full) has.
pub(crate) const DETAIL: &str = "detail";

/// The published parameter [`DETAIL`] of tools that do not declare one themselves.
pub(super) fn detail_parameter() -> Property {
    let doc = "full adds signatures, keys.";
    Property::parameter::<Detail, Qortal>(DETAIL, doc, None).optional()
}

/// Whether these arguments ask for everything.
pub(crate) fn wants_full(arguments: &Object) -> bool {
    arguments.get(DETAIL) == Some(&Param::<Qortal>::to_value(&Detail::Full))
}

/// A member that is only there with `detail` full, or where it is part of an answer that has no less.
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

/// Whether a member, or one of those in it, is only there in full.
pub(super) fn has_full(members: &[Property]) -> bool {
    members.iter().any(|it| it.in_full || has_full(&it.members))
}

/// The end of the name of the member that says in ISO 8601 what another one says in milliseconds.
pub(crate) const ISO: &str = "Iso";

/// The members of a tool's answer without the milliseconds in lists.
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

/// Drops the members of an object that another one says in ISO 8601; the others stay in their order.
fn drop_millis(object: &mut Object) {
    let names = object.keys().filter_map(|it| it.strip_suffix(ISO));
    let names: Vec<_> = names.map(str::to_owned).collect();
    object.retain(|name, _| !names.contains(name));
}
