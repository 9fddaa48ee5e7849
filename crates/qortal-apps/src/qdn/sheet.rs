//! The text of a document, line by line.

use serde_json::Value;

use super::json::text;
use crate::{
    embed::without_keys,
    link::ResourceLink,
    text::{has_tags, html},
};

/// The most lines.
const LINES: usize = 4_000;

/// The most bytes.
const BYTES: usize = 1 << 20;

/// A document as it is read: its title, its text, and links to what it refers to.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) title: Option<String>,
    lines: Vec<String>,
    bytes: usize,
    pub(super) links: Vec<ResourceLink>,
    pub(super) is_cut: bool,
}

impl Sheet {
    pub(super) fn title(&mut self, document: &Value, name: &str) {
        if let Some(title) = text(document, name) {
            self.title = Some(title.to_owned());
        }
    }

    /// Adds a paragraph. HTML becomes text.
    pub(super) fn text(&mut self, paragraph: &str) {
        self.text_as_it_is(words(paragraph));
    }

    /// Adds a paragraph behind its label: "say: hello".
    pub(super) fn labeled(&mut self, label: &str, paragraph: &str) {
        self.fact(label, &words(paragraph));
    }

    /// Adds a paragraph that is text already.
    pub(super) fn text_as_it_is(&mut self, paragraph: String) {
        if !paragraph.is_empty() {
            self.line(without_keys(&paragraph).into_owned());
        }
    }

    /// Adds one line for all of several pictures.
    pub(super) fn pictures_in_one_line(&mut self, pictures: &[Value], noun: &str) {
        let sources = pictures.iter().filter_map(Value::as_str);
        let bytes: usize = sources.map(str::len).sum();
        if !pictures.is_empty() {
            let size = bytes_in_words(u64::try_from(bytes / 4 * 3).unwrap_or(u64::MAX));
            let plural = if pictures.len() == 1 { "" } else { "s" };
            self.line(format!("[{} {noun}{plural}, {size}]", pictures.len()));
        }
    }

    /// Adds the text of the first of these members that has some.
    pub(super) fn first_text(&mut self, document: &Value, names: &[&str]) {
        if let Some(paragraph) = names.iter().find_map(|name| text(document, name)) {
            self.text(paragraph);
        }
    }

    /// Adds a line with a fact: "File: clip.mp4".
    pub(super) fn fact(&mut self, label: &str, fact: &str) {
        if !fact.is_empty() {
            self.line(format!("{label}: {}", without_keys(fact)));
        }
    }

    /// Adds a fact if the document has it as text or number.
    pub(super) fn member(&mut self, label: &str, document: &Value, name: &str) {
        match document.get(name) {
            Some(Value::String(fact)) => self.fact(label, fact.trim()),
            Some(Value::Number(fact)) => self.fact(label, &fact.to_string()),
            _ => {}
        }
    }

    /// Adds a picture, a list of pictures, or nothing if there is none.
    pub(super) fn picture(&mut self, picture: Option<&Value>, caption: Option<&str>) {
        match picture {
            Some(Value::String(source)) if !source.is_empty() => {
                let words = data_in_words(source);
                let words = words.unwrap_or_else(|| format!("[picture {source}]"));
                let caption = caption.map(|caption| format!(" {caption}"));
                self.line(format!("{words}{}", caption.unwrap_or_default()));
            }
            Some(Value::Array(pictures)) => {
                for picture in pictures {
                    self.picture(Some(picture), None);
                }
            }
            Some(Value::Object(picture)) => {
                self.picture(picture.get("src").or_else(|| picture.get("image")), caption);
            }
            _ => {}
        }
    }

    /// Adds a link to the resource that `{name, identifier, service}` refers to.
    pub(super) fn reference(&mut self, label: &str, reference: &Value) {
        let Some(name) = text(reference, "name") else {
            return;
        };
        let Some(service) = text(reference, "service") else {
            return;
        };
        let link = ResourceLink::new(service, name, text(reference, "identifier"));
        let title = ["title", "filename", "fileName"];
        let title = title.iter().find_map(|member| text(reference, member));
        let title = title.map(|title| format!(" {title}")).unwrap_or_default();
        self.line(format!("{label}:{title} {link}"));
        self.links.push(link);
    }

    pub(super) fn line(&mut self, line: String) {
        let bytes = self.bytes.saturating_add(line.len() + 1);
        if self.lines.len() >= LINES || bytes > BYTES {
            self.is_cut = true;
            return;
        }
        self.bytes = bytes;
        self.lines.push(line);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.title.is_none()
    }

    pub(super) fn into_text(self) -> String {
        self.lines.join("\n")
    }
}

/// A paragraph as text: HTML is read, anything else stays.
fn words(paragraph: &str) -> String {
    if has_tags(paragraph) {
        html(paragraph).text
    } else {
        paragraph.trim().to_owned()
    }
}

/// Returns the words that stand for data inside a text: "[picture, 34 KB]"; `None` if it is not data.
pub(super) fn data_in_words(text: &str) -> Option<String> {
    let (media_type, data) = text.strip_prefix("data:")?.split_once(',')?;
    if media_type.len() > 200 || media_type.contains(char::is_whitespace) {
        return None;
    }
    let bytes = match media_type.ends_with(";base64") {
        true => data.len() / 4 * 3,
        false => data.len(),
    };
    let essence = media_type.split(['/', ';']).next().unwrap_or_default();
    let noun = match essence {
        "image" => "picture",
        "video" => "video",
        "audio" => "audio",
        _ => "data",
    };
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    Some(format!("[{noun}, {}]", bytes_in_words(bytes)))
}

/// Returns a number of bytes as people read it, with units of 1024: "34 KB".
#[must_use]
pub fn bytes_in_words(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut units = UNITS.iter();
    let mut unit = units.next();
    let mut size = bytes;
    // The next unit as soon as four digits would be shown.
    while size >= 1000 * 1024 {
        let Some(next) = units.next() else { break };
        unit = Some(next);
        size /= 1024;
    }
    let rounded = size.saturating_add(512) / 1024;
    format!("{} {}", rounded.max(1), unit.unwrap_or(&"TB"))
}
