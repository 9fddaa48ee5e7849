//! Cuts text to a budget at character boundaries, and JSON lists at their elements.

use std::borrow::Cow;

use mcp_protocol::Object;
use serde_json::Value;

use super::{
    json_ref::Json,
    limits::{Measure, Truncation},
    part::in_bytes,
};

/// The text within `budget`, with a marker that counts what was cut; the marker alone if there is room for no
/// more, nothing if the budget is zero. And how many bytes were cut.
pub(super) fn text(
    text: &str,
    budget: usize,
    measure: Measure,
    cut: Truncation,
) -> (String, usize) {
    if budget == 0 {
        return (String::new(), text.len());
    }
    let list = (cut == Truncation::JsonAware).then(|| json_list(text, budget, measure));
    if let Some(shorter) = list.flatten() {
        let gone = text.len().saturating_sub(shorter.len());
        return (shorter, gone);
    }
    // The marker goes after what is left of JSON, not inside it.
    // The longest marker is the one for the whole text.
    let room = budget.saturating_sub(measure.count(&marker(text.len())));
    let is_at_end = cut == Truncation::Head || looks_like_json(text);
    let tail = if is_at_end { 0 } else { room / 3 };
    let end = measure.prefix(text, room - tail);
    let start = measure.suffix(text, tail).max(end);
    let before = text.get(..end).unwrap_or("");
    let after = text.get(start..).unwrap_or("");
    let gone = start - end;
    (format!("{before}{}{after}", marker(gone)), gone)
}

/// The marker for bytes that were cut.
pub(super) fn marker(bytes: usize) -> String {
    format!("[… {} omitted …]", in_bytes(bytes))
}

fn looks_like_json(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('{') && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'))
}

/// The list that `text` is, or the longest list among the members of the object that it is, cut to as many
/// of its first elements as fit, and said to be cut in the JSON itself.
fn json_list(text: &str, budget: usize, measure: Measure) -> Option<String> {
    let (name, list, mut object) = match serde_json::from_str(text).ok()? {
        Value::Array(list) if !list.is_empty() => (None, list, Object::new()),
        Value::Object(mut object) => {
            let name = longest_list(&object)?.clone();
            let Value::Array(list) = object.get_mut(&name)?.take() else {
                return None;
            };
            (Some(name), list, object)
        }
        _ => return None,
    };
    object.insert("truncated".to_owned(), true.into());
    object.insert("total".to_owned(), list.len().into());
    let json = |value| Json::Value(Cow::Borrowed(value));
    let cut_to = |kept: usize| {
        let mut kept: Vec<_> = list.iter().take(kept).map(json).collect();
        let members = object.iter().map(|(member, value)| {
            let is_list = name.as_ref() == Some(member);
            let list = is_list.then(|| Json::Array(std::mem::take(&mut kept)));
            (member.as_str(), list.unwrap_or(json(value)))
        });
        let object = Json::Object(members.collect());
        if name.is_some() {
            return object;
        }
        kept.push(object);
        Json::Array(kept)
    };
    let mut room = budget.checked_sub(measure.count_json(&cut_to(0)))?;
    let fitting = list.iter().enumerate().take_while(|(place, it)| {
        // Behind each element is a comma, but for the last of a list in an object.
        let comma = usize::from(*place > 0 || name.is_none());
        let left = room.checked_sub(measure.count_json(it) + comma);
        left.inspect(|it| room = *it).is_some()
    });
    serde_json::to_string(&cut_to(fitting.count())).ok()
}

fn longest_list(object: &Object) -> Option<&String> {
    let len = |it: &Value| it.as_array().map_or(0, Vec::len);
    let (name, longest) = object.iter().max_by_key(|(_, it)| len(it))?;
    (len(longest) > 0).then_some(name)
}
