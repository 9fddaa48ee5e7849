//! Cutting text to a budget at character boundaries, and lists in JSON at their elements.

use serde_json::{Value, json};

use super::limits::{Cut, Measure};
use crate::{json::Object, loss::in_bytes};

/// How often a count that is not additive (tokens) is corrected before only the marker is kept.
const MAX_CORRECTIONS: usize = 8;

/// A text that was cut.
pub(super) struct Shorter {
    pub(super) text: String,
    /// How many bytes were cut.
    pub(super) gone: usize,
}

/// The text within `budget`, with a marker that counts what was cut; the marker alone if there is room for no
/// more, nothing if the budget is zero.
pub(super) fn text(text: &str, budget: usize, measure: &Measure, cut: Cut) -> Shorter {
    let all_gone = |marker: String| Shorter {
        text: marker,
        gone: text.len(),
    };
    if budget == 0 {
        return all_gone(String::new());
    }
    let list = (cut == Cut::JsonAware).then(|| json_list(text, budget, measure));
    if let Some(shorter) = list.flatten() {
        return Shorter {
            gone: text.len().saturating_sub(shorter.len()),
            text: shorter,
        };
    }
    // The marker goes after what is left of JSON, not inside it.
    let place = match cut {
        Cut::Middle | Cut::JsonAware if looks_like_json(text) => Cut::Head,
        other => other,
    };
    // The longest marker is the one for the whole text.
    let mut room = budget.saturating_sub(measure.count(&marker(text.len())));
    for _ in 0..MAX_CORRECTIONS {
        if room == 0 {
            break;
        }
        let (head, tail) = split(room, place);
        let end = measure.prefix(text, head);
        let start = measure.suffix(text, tail).max(end);
        let (before, after) = (
            text.get(..end).unwrap_or(""),
            text.get(start..).unwrap_or(""),
        );
        let shorter = format!("{before}{}{after}", marker(start - end));
        let over = measure.count(&shorter).saturating_sub(budget);
        if over == 0 {
            return Shorter {
                text: shorter,
                gone: start - end,
            };
        }
        room = room.saturating_sub(over);
    }
    all_gone(marker(text.len()))
}

/// The marker for bytes that were cut.
pub(super) fn marker(bytes: usize) -> String {
    format!("[… {} omitted …]", in_bytes(bytes))
}

/// The text in at most `max` lines, one of which is a marker that counts the others.
pub(super) fn lines(text: &str, max: usize, cut: Cut) -> Option<Shorter> {
    let lines: Vec<&str> = text.split('\n').collect();
    if lines.len() <= max {
        return None;
    }
    let (head, tail) = split(max.saturating_sub(1), cut);
    let gone = lines.len() - head - tail;
    let marker = format!("[… {gone} lines omitted …]");
    let before = lines.iter().take(head).copied();
    let after = lines.iter().skip(lines.len() - tail).copied();
    let kept: Vec<&str> = before.chain([marker.as_str()]).chain(after).collect();
    let text_left = kept.join("\n");
    Some(Shorter {
        gone: text.len().saturating_sub(text_left.len() - marker.len()),
        text: text_left,
    })
}

fn looks_like_json(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('{') && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'))
}

/// How much is kept before the cut, and how much after it: two thirds and one third.
fn split(room: usize, cut: Cut) -> (usize, usize) {
    match cut {
        Cut::Head => (room, 0),
        Cut::Tail => (0, room),
        Cut::Middle | Cut::JsonAware => (room - room / 3, room / 3),
    }
}

/// The list that `text` is, or the longest list among the members of the object that it is, cut to as many
/// of its first elements as fit, and said to be cut in the JSON itself.
fn json_list(text: &str, budget: usize, measure: &Measure) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    let total = list_of(&value)?.len();
    let cut_to = |kept: usize| {
        let mut value = value.clone();
        match &mut value {
            Value::Array(list) => {
                list.truncate(kept);
                list.push(json!({"truncated": true, "total": total}));
            }
            Value::Object(object) => {
                let name = longest_list(object).cloned();
                if let Some(Value::Array(list)) = name.and_then(|it| object.get_mut(&it)) {
                    list.truncate(kept);
                }
                object.insert("truncated".to_owned(), true.into());
                object.insert("total".to_owned(), total.into());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
        value.to_string()
    };
    let fits = |kept: usize| measure.count(&cut_to(kept)) <= budget;
    if !fits(0) {
        return None;
    }
    // The largest number that fits, by halving: zero fits, all of them do not.
    let (mut fitting, mut too_many) = (0, total);
    while fitting + 1 < too_many {
        let middle = fitting.midpoint(too_many);
        if fits(middle) {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    Some(cut_to(fitting))
}

fn list_of(value: &Value) -> Option<&Vec<Value>> {
    match value {
        Value::Array(list) => Some(list).filter(|it| !it.is_empty()),
        Value::Object(object) => object.get(longest_list(object)?)?.as_array(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn longest_list(object: &Object) -> Option<&String> {
    let lists = object
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_array()?.len())));
    let longest = lists
        .filter(|(_, len)| *len > 0)
        .max_by_key(|(_, len)| *len);
    longest.map(|(name, _)| name)
}
