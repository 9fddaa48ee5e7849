//! Slate documents, which the editor of Q-Blog writes (Qortal/q-blog `src/components/editor/BlogEditor.tsx`, commit 3695fce).
//!
//! Besides the elements of that editor, lists and pictures are read by the names that Slate's examples give them.

use serde_json::Value;

use super::{RichText, writer::Writer};

/// The deepest nesting of elements that is read. Q-Blog nests three.
const DEEPEST: usize = 64;

/// Returns the text of a Slate document (a list of elements), or `None` if the value is not one.
#[must_use]
pub fn slate(document: &Value) -> Option<RichText> {
    let elements = document.as_array().filter(|it| !it.is_empty())?;
    if !elements.iter().all(is_node) {
        return None;
    }
    let mut writer = Writer::default();
    for element in elements {
        read(element, None, DEEPEST, &mut writer);
    }
    Some(writer.finish())
}

fn is_node(value: &Value) -> bool {
    { value.get("children") }.is_some_and(Value::is_array) || text(value).is_some()
}

fn read(node: &Value, number: Option<u64>, depth: usize, writer: &mut Writer) {
    if let Some(text) = text(node) {
        writer.text(text);
        return;
    }
    match node.get("type").and_then(Value::as_str).unwrap_or_default() {
        "link" => {
            let start = writer.begin_link();
            children(node, depth, writer);
            let address = node.get("url").and_then(Value::as_str);
            writer.end_link(start, address.unwrap_or_default());
        }
        "image" => {
            let source = node.get("url").and_then(Value::as_str);
            writer.picture(source.unwrap_or_default(), "");
        }
        "block-quote" => {
            writer.begin_quote();
            children(node, depth, writer);
            writer.end_level();
        }
        "list-item" => {
            writer.begin_item(number);
            children(node, depth, writer);
            writer.end_level();
        }
        "bulleted-list" | "code-block" => {
            writer.end_block();
            children(node, depth, writer);
            writer.end_block();
        }
        "numbered-list" => {
            writer.end_block();
            numbered(node, depth, writer);
        }
        // Paragraphs, headings and lines of code.
        _ => {
            writer.end_block();
            children(node, depth, writer);
            writer.end_line();
        }
    }
}

fn children(node: &Value, depth: usize, writer: &mut Writer) {
    for child in nested(node, depth, writer) {
        read(child, None, depth.saturating_sub(1), writer);
    }
}

fn numbered(list: &Value, depth: usize, writer: &mut Writer) {
    for (number, child) in (1..).zip(nested(list, depth, writer)) {
        read(child, Some(number), depth.saturating_sub(1), writer);
    }
}

fn nested<'a>(node: &'a Value, depth: usize, writer: &mut Writer) -> &'a [Value] {
    let children = { node.get("children") }.and_then(Value::as_array);
    let children = children.map(Vec::as_slice).unwrap_or_default();
    if depth == 0 && !children.is_empty() {
        writer.cut();
        return &[];
    }
    children
}

fn text(node: &Value) -> Option<&str> {
    node.get("text")?.as_str()
}
