//! How much of an answer is returned: signatures, public keys and milliseconds only where they are asked for.

use serde_json::Value;
use tool_schema::{Extent, JsonWriter, Member, Object, Output, Param, choice};

use crate::declare::Qortal;

choice! {
    /// How much of an answer is returned.
    pub(super) enum Detail {
        /// What most questions need.
        Summary = "summary",
        /// Everything.
        Full = "full",
    }
}

/// The parameter that every tool with members [in full](Member::in_full) has.
pub(crate) const DETAIL: &str = "detail";

/// The published parameter [`DETAIL`] of tools that do not declare one themselves.
pub(super) fn detail_parameter() -> Member {
    let doc = "full adds signatures, keys. Default summary.";
    Member::parameter::<Detail, Qortal>(DETAIL, doc, None).optional()
}

/// Whether these arguments ask for everything.
pub(super) fn wants_full(arguments: &Object) -> bool {
    arguments.get(DETAIL) == Some(&Param::<Qortal>::to_value(&Detail::Full))
}

/// A member that is only there with `detail` full, or where it is part of an answer that has no less.
#[derive(Debug)]
pub(crate) struct Full<T>(pub(crate) T);

impl<T: Output<Qortal>> Output<Qortal> for Full<T> {
    fn schema() -> Object {
        T::schema()
    }

    fn nested() -> Vec<Member> {
        T::nested()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        self.0.write(member, json);
    }

    fn put(&self, name: &str, json: &mut JsonWriter) {
        match json.extent() {
            Extent::Summary => json.leave_out(|json| self.0.put(name, json)),
            _ => self.0.put(name, json),
        }
    }

    fn describe(name: &str, doc: &'static str, members: &mut Vec<Member>) {
        let first = members.len();
        T::describe(name, doc, members);
        for member in members.split_off(first) {
            members.push(member.in_full());
        }
    }
}

/// Whether a member, or one of those in it, is only there in full.
pub(super) fn has_full(members: &[Member]) -> bool {
    members.iter().any(|it| it.in_full || has_full(&it.members))
}

/// The end of the name of the member that says in ISO 8601 what another one says in milliseconds.
pub(crate) const ISO: &str = "Iso";

/// The members of a tool's answer without the milliseconds in lists.
pub(super) fn members_without_millis(members: &mut Vec<Member>, in_list: bool) {
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
