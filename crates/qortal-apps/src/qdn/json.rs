//! JSON of strangers, also if it is cut off.

use serde_json::Value;

/// The deepest nesting that the parser accepts.
const DEEPEST: usize = 128;

/// Parses a JSON object or array; of one that is cut off what is complete.
pub(super) fn parse(bytes: &[u8], is_complete: bool) -> Option<Value> {
    let start = bytes.iter().find(|byte| !byte.is_ascii_whitespace())?;
    if !matches!(start, b'{' | b'[') {
        return None;
    }
    let value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(_) if !is_complete => serde_json::from_slice(&closed(bytes)?).ok()?,
        Err(_) => return None,
    };
    Some(value)
}

/// The beginning up to the last complete member or item, with its brackets closed.
fn closed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut open = [0_u8; DEEPEST];
    let mut depth = 0_usize;
    let mut is_in_string = false;
    let mut is_escaped = false;
    let mut safe = None;
    for (at, byte) in bytes.iter().enumerate() {
        if is_in_string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => is_in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => is_in_string = true,
            b'{' | b'[' => {
                // The closing bracket comes two places later in ASCII.
                *open.get_mut(depth)? = byte + 2;
                depth += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                safe = Some((at + 1, open, depth));
            }
            // What comes before a comma is complete.
            b',' => safe = Some((at, open, depth)),
            _ => {}
        }
    }
    let (end, open, depth) = safe?;
    let mut closed = bytes.get(..end)?.to_vec();
    closed.extend(open.get(..depth)?.iter().rev());
    Some(closed)
}

/// Returns a text member that is not empty.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    let text = value.get(name)?.as_str()?.trim();
    (!text.is_empty()).then_some(text)
}

/// Returns the items of an array, none if there is no such member.
pub(super) fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let items = value.get(name).and_then(Value::as_array);
    items.map_or(&[], Vec::as_slice)
}
