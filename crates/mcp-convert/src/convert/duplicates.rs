//! Detection of texts that repeat the structured value. Servers send most results twice, in one of these ways:
//!
//! * one text is the value's JSON, in any layout: most SDKs;
//! * one text is the value wrapped in it as `{"result": …}`: values that are not objects, by the official SDKs;
//! * each text is one element of the list that is the value or is wrapped in it: FastMCP of the Python SDK, which omits lists in
//!   the list and nulls, so the value then holds more than the texts;
//! * each block is one element of that list, or the only block is the value: FastMCP of the Python SDK 1.x for tools that return
//!   blocks.

use mcp_protocol::content::text_equals;
use serde_json::Value;

use super::{
    block::{BlockRef, Body},
    view::ResultView,
};

/// How texts say a structured value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// They do not.
    Nowhere,
    /// One does.
    By {
        /// Which, among all that was looked at.
        position: usize,
        /// The text is itself the string that is wrapped, not its JSON.
        as_is: bool,
    },
    /// All do, in order: an element of the list each.
    ByEach {
        /// The value has lists in its list or nulls, which the texts do not say.
        is_flat: bool,
    },
    /// It is the blocks themselves.
    ByBlocks,
}

/// The value in an object that was made for it.
fn wrapped(value: &Value) -> Option<&Value> {
    let object = value.as_object().filter(|it| it.len() == 1)?;
    object.get("result")
}

/// Compares the texts with the value, in time that grows with the texts alone. What is no text is `None`.
pub(super) fn said<'t, 'v>(
    texts: impl Iterator<Item = Option<&'t str>> + Clone,
    view: &ResultView<'_>,
    value: &'v Value,
) -> Said {
    let wrapped = wrapped(value);
    for (position, text) in texts.clone().enumerate() {
        let Some(text) = text else { continue };
        let as_is = wrapped.is_some_and(|it| it.as_str() == Some(text));
        if as_is || text_equals(text, value) || wrapped.is_some_and(|it| text_equals(text, it)) {
            return Said::By { position, as_is };
        }
    }
    let value = wrapped.unwrap_or(value);
    let texts = texts.flatten().map(|it| move |of: &Value| is_text(of, it));
    let blocks = || {
        view.blocks
            .iter()
            .map(|it| move |of: &Value| is_block(of, it))
    };
    let leaves = |list: &'v [Value]| Leaves(vec![list.iter()]);
    match value.as_array() {
        Some(list) if is_said_by_each(texts.clone(), list.iter()) => {
            Said::ByEach { is_flat: false }
        }
        Some(list) if is_said_by_each(texts.clone(), leaves(list)) => {
            Said::ByEach { is_flat: true }
        }
        Some(list) if is_said_by_each(blocks(), leaves(list)) => Said::ByBlocks,
        None if is_said_by_each(blocks(), std::iter::once(value)) => Said::ByBlocks,
        Some(_) | None => Said::Nowhere,
    }
}

/// Whether the texts of a result say its structured value, or it has none.
pub(super) fn is_in_texts(view: &ResultView<'_>) -> bool {
    let Some(value) = view.non_null_structured() else {
        return true;
    };
    let texts = view.blocks.iter().map(|it| match &it.body {
        Body::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    said(texts, view, value) != Said::Nowhere
}

/// Whether each element is what one of these, in their order, compares it with.
fn is_said_by_each<'v>(
    parts: impl Iterator<Item = impl Fn(&Value) -> bool>,
    mut elements: impl Iterator<Item = &'v Value>,
) -> bool {
    let mut has_part = false;
    for is_it in parts {
        has_part = true;
        if !elements.next().is_some_and(is_it) {
            return false;
        }
    }
    has_part && elements.next().is_none()
}

fn is_text(value: &Value, text: &str) -> bool {
    value.as_str() == Some(text) || text_equals(text, value)
}

fn is_block(value: &Value, block: &BlockRef<'_>) -> bool {
    let is_of_type = value.get("type").and_then(Value::as_str) == Some(block.kind());
    if is_of_type && is_alike(value, &block.to_json()) {
        return true;
    }
    matches!(&block.body, Body::Text(text) if is_text(value, text))
}

/// Whether two blocks differ in nulls alone, and in what is for the host.
fn is_alike(a: &Value, b: &Value) -> bool {
    let (Value::Object(a), Value::Object(b)) = (a, b) else {
        return a == b;
    };
    let is_for_model = |(name, value): &(&String, &Value)| {
        !value.is_null() && !matches!(name.as_str(), "annotations" | "_meta")
    };
    let members = a.iter().filter(is_for_model);
    let is_in =
        |(name, value): (&String, &Value)| b.get(name).is_some_and(|it| is_alike(value, it));
    members.clone().count() == b.iter().filter(is_for_model).count() && members.clone().all(is_in)
}

/// The elements of lists in lists, without nulls: FastMCP makes one text of each.
struct Leaves<'v>(Vec<std::slice::Iter<'v, Value>>);

impl<'v> Iterator for Leaves<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        while let Some(list) = self.0.last_mut() {
            match list.next() {
                Some(Value::Array(inner)) => self.0.push(inner.iter()),
                Some(Value::Null) => (),
                Some(leaf) => return Some(leaf),
                None => {
                    self.0.pop();
                }
            }
        }
        None
    }
}
