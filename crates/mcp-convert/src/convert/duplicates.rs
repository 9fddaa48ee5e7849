//! Whether texts say what a structured value says: servers send most results twice, in one of these ways.
//!
//! * one text is its JSON, however it is laid out: most SDKs;
//! * one text is what is wrapped in it as `{"result": …}`: values that are no objects, by the official SDKs;
//! * each text is one element of the list that it is, or that is wrapped in it: FastMCP of the Python SDK, which
//!   leaves out lists in the list and nulls, so that the value then says more than the texts.

use mcp_protocol::content::text_equals;
use serde_json::Value;

use super::{block::Body, view::ResultView};
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
}

/// Compares the texts with the value, in time that grows with the texts alone. What is no text is `None`.
pub(super) fn said<'t>(
    texts: impl Iterator<Item = Option<&'t str>> + Clone,
    value: &Value,
) -> Said {
    let wrapped = match value {
        Value::Object(object) if object.len() == 1 => object.get("result"),
        _ => None,
    };
    for (position, text) in texts.clone().enumerate() {
        let Some(text) = text else { continue };
        let as_is = wrapped.is_some_and(|it| it.as_str() == Some(text));
        if as_is || text_equals(text, value) || wrapped.is_some_and(|it| text_equals(text, it)) {
            return Said::By { position, as_is };
        }
    }
    let list = wrapped.unwrap_or(value).as_array();
    let texts = texts.flatten();
    let Some(list) = list else {
        return Said::Nowhere;
    };
    if is_said_by_each(texts.clone(), list.iter()) {
        Said::ByEach { is_flat: false }
    } else if is_said_by_each(texts, Leaves(vec![list.iter()])) {
        Said::ByEach { is_flat: true }
    } else {
        Said::Nowhere
    }
}

/// Whether the texts of a result say its structured value, or it has none.
pub(super) fn is_in_texts(view: &ResultView<'_>) -> bool {
    let Some(value) = view.non_null_structured() else {
        return true;
    };
    let blocks: Vec<_> = view.blocks().collect();
    let texts = blocks.iter().map(|it| match &it.body {
        Body::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    said(texts, value) != Said::Nowhere
}

fn is_said_by_each<'t, 'v>(
    texts: impl Iterator<Item = &'t str>,
    mut elements: impl Iterator<Item = &'v Value>,
) -> bool {
    let mut has_text = false;
    for text in texts {
        has_text = true;
        let is_it = |it: &Value| it.as_str() == Some(text) || text_equals(text, it);
        if !elements.next().is_some_and(is_it) {
            return false;
        }
    }
    has_text && elements.next().is_none()
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
