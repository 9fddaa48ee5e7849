//! TipTap documents, which the chat editors of Qortal Hub and qortal-ui write.
//!
//! Nodes and marks are those of StarterKit 2 with Underline, Highlight, TextStyle and Mention
//! (Qortal/Qortal-Hub `src/components/Chat/TipTap.tsx` and `MessageItem.tsx`, commit c93f78a2; Qortal/qortal-ui
//! `plugins/plugins/core/components/ChatTextEditor.js`, commit 94835b51). Link marks and pictures, which those editors do
//! not write, are read too.

use serde_json::Value;

use super::{RichText, writer::Writer};

/// The deepest nesting of nodes that is read. A list in ten lists has a depth of 22.
const DEEPEST: usize = 64;

/// Returns the text of a TipTap document, or `None` if the value is not one.
#[must_use]
pub fn tiptap(document: &Value) -> Option<RichText> {
    if field(document, "type") != Some("doc") {
        return None;
    }
    let mut writer = Writer::default();
    children(document, DEEPEST, &mut writer);
    Some(writer.finish())
}

fn children(node: &Value, depth: usize, writer: &mut Writer) {
    let content = node.get("content").and_then(Value::as_array);
    let Some(content) = content.filter(|it| !it.is_empty()) else {
        return;
    };
    if depth == 0 {
        writer.cut();
        return;
    }
    for child in content {
        read(child, depth - 1, writer);
    }
}

fn read(node: &Value, depth: usize, writer: &mut Writer) {
    match field(node, "type").unwrap_or_default() {
        "text" => text(node, writer),
        "mention" => {
            let label = attribute(node, "label").filter(|it| !it.is_empty());
            writer.mention(label.or_else(|| attribute(node, "id")).unwrap_or_default());
        }
        "hardBreak" => writer.end_line(),
        "horizontalRule" => {
            writer.end_block();
            writer.text("---\n");
        }
        "image" | "imageResize" => writer.picture(
            attribute(node, "src").unwrap_or_default(),
            attribute(node, "alt").unwrap_or_default(),
        ),
        "blockquote" => {
            writer.begin_quote();
            children(node, depth, writer);
            writer.end_level();
        }
        "bulletList" => items(node, None, depth, writer),
        "orderedList" => {
            let start = { node.get("attrs") }.and_then(|it| it.get("start"));
            let start = start.and_then(Value::as_u64).unwrap_or(1);
            items(node, Some(start), depth, writer);
        }
        // Its line is ended even if it is empty: people separate paragraphs by empty ones.
        "paragraph" | "heading" | "codeBlock" => {
            writer.end_block();
            children(node, depth, writer);
            writer.end_line();
        }
        _ => {
            text(node, writer);
            children(node, depth, writer);
        }
    }
}

fn items(list: &Value, start: Option<u64>, depth: usize, writer: &mut Writer) {
    let content = { list.get("content") }.and_then(Value::as_array);
    let mut number = start;
    for item in content.into_iter().flatten() {
        writer.begin_item(number);
        if depth == 0 {
            writer.cut();
        } else {
            children(item, depth - 1, writer);
        }
        writer.end_level();
        number = number.map(|it| it.saturating_add(1));
    }
}

fn text(node: &Value, writer: &mut Writer) {
    let Some(text) = field(node, "text") else {
        return;
    };
    let marks = { node.get("marks") }.and_then(Value::as_array);
    let link = { marks.into_iter().flatten() }.find(|it| field(it, "type") == Some("link"));
    let start = writer.begin_link();
    writer.text(text);
    if let Some(address) = link.and_then(|it| attribute(it, "href")) {
        writer.end_link(start, address);
    }
}

fn field<'a>(node: &'a Value, name: &str) -> Option<&'a str> {
    node.get(name)?.as_str()
}

fn attribute<'a>(node: &'a Value, name: &str) -> Option<&'a str> {
    node.get("attrs")?.get(name)?.as_str()
}
