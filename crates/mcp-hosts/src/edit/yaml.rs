//! YAML, for the configuration of goose. The parser locates each value, and an edit changes only its lines.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};
use serde_json::{Map, Value, json};

use crate::{file::FileError, snippet};

/// Values within values that are read.
const MOST_LEVELS: usize = 64;

pub(super) fn with_entry(
    text: &str,
    place: [&str; 2],
    members: &Map<String, Value>,
) -> Result<String, FileError> {
    let [servers, name] = place;
    let entry = Value::Object(members.clone());
    let root = match parsed(text)? {
        Some(root) if !root.is_nothing() => root,
        _ => return Ok(appended(text, servers, &json!({name: entry}))),
    };
    if root.members.is_none() {
        return Err(FileError::NotAnObject("(the whole file)".to_owned()));
    }
    let list = match root.member(servers) {
        Some((_, list)) if !list.is_nothing() => list,
        // A block reads better than what could be put into the line of an empty value.
        empty if !root.is_flow(text) => {
            let rest = empty.map(|_| root.without(text, servers));
            let rest = rest.as_deref().unwrap_or(text);
            return Ok(appended(rest, servers, &json!({name: entry})));
        }
        _ => return Ok(root.with(text, servers, &json!({name: entry}))),
    };
    if list.members.is_none() {
        return Err(FileError::NotAnObject(servers.to_owned()));
    }
    if list.member(name).is_none_or(|(_, it)| it.members.is_none()) {
        return Ok(list.with(text, name, &entry));
    }
    let mut text = text.to_owned();
    for (member, value) in members {
        text = edited(&text, place, |text, entry| {
            let is_same = entry
                .member(member)
                .is_some_and(|(_, it)| it.value == *value);
            (!is_same).then(|| entry.with(text, member, value))
        })?;
    }
    for member in super::superseded(members) {
        text = edited(&text, place, |text, entry| {
            entry.member(member)?;
            Some(entry.without(text, member))
        })?;
    }
    Ok(text)
}

pub(super) fn without_entry(
    text: &str,
    [servers, name]: [&str; 2],
) -> Result<Option<String>, FileError> {
    let root = parsed(text)?;
    let list = root.as_ref().and_then(|it| it.member(servers));
    let Some((_, list)) = list.filter(|(_, it)| it.member(name).is_some()) else {
        return Ok(None);
    };
    let rest = list.without(text, name);
    // A name without a value is null, which a host need not accept for a mapping.
    let root = parsed(&rest)?;
    let emptied = root.as_ref().and_then(|it| it.member(servers));
    match (&root, emptied) {
        (Some(root), Some((place, list))) if list.value.is_null() => {
            let line = rest.get(line_of(&rest, &place)).unwrap_or_default();
            let is_alone = line.trim_end() == format!("{servers}:");
            let colon = place.end + 1;
            Ok(Some(if is_alone {
                root.without(&rest, servers)
            } else {
                replaced(&rest, colon..colon, " {}")
            }))
        }
        _ => Ok(Some(rest)),
    }
}

/// Returns what a host reads; null for an empty text.
pub(super) fn value(text: &str) -> Result<Value, FileError> {
    Ok(parsed(text)?.map_or(Value::Null, |it| it.value))
}

/// The text after an edit of the entry, if there is anything to edit.
fn edited(
    text: &str,
    [servers, name]: [&str; 2],
    edit: impl FnOnce(&str, &Node) -> Option<String>,
) -> Result<String, FileError> {
    let root = parsed(text)?;
    let entry = root
        .as_ref()
        .and_then(|it| it.member(servers)?.1.member(name));
    let edited = entry.and_then(|(_, entry)| edit(text, entry));
    Ok(edited.unwrap_or_else(|| text.to_owned()))
}

/// The text with a member after the last line of its first document.
fn appended(text: &str, name: &str, value: &Value) -> String {
    let (document, rest) = text
        .split_at_checked(document_end(text))
        .unwrap_or((text, ""));
    let is_ended = document.is_empty() || document.ends_with('\n');
    let newline = if is_ended { "" } else { "\n" };
    let member = snippet::yaml(&json!({name: value}), 0);
    format!("{document}{newline}{member}\n{rest}")
}

/// Returns the place of the marker that ends the first document, or the length of the text. A line that begins so is a marker wherever it
/// stands (YAML 1.2.2, 9.1.4).
fn document_end(text: &str) -> usize {
    let mut has_content = false;
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let is_marker = |marker: &str| {
            let rest = line.strip_prefix(marker);
            rest.is_some_and(|it| it.is_empty() || it.starts_with(char::is_whitespace))
        };
        if is_marker("...") || is_marker("---") && has_content {
            return place;
        }
        let content = line.strip_prefix("---").unwrap_or(line).trim();
        has_content |= !content.is_empty() && !content.starts_with(['#', '%']);
        place += line.len();
    }
    place
}

/// A value, and its bytes in the text.
pub(super) struct Node {
    pub(super) value: Value,
    place: Range<usize>,
    /// The members of a mapping: the bytes of the name, which `value` has too, and the value.
    members: Option<Vec<(String, Range<usize>, Self)>>,
}

impl Node {
    fn is_nothing(&self) -> bool {
        let empty = self.members.as_ref().is_some_and(Vec::is_empty);
        empty || self.value.is_null()
    }

    /// A name that two members of this mapping have, or of one in it.
    fn duplicate(&self) -> Option<&str> {
        let members = self.members.as_deref().unwrap_or_default();
        let is_first = |name: &str, place: usize| {
            members.iter().position(|(it, ..)| it == name) == Some(place)
        };
        members
            .iter()
            .enumerate()
            .find_map(|(place, (name, _, value))| {
                (!is_first(name, place))
                    .then_some(&**name)
                    .or_else(|| value.duplicate())
            })
    }

    /// A member, and its bytes with its name.
    fn member(&self, name: &str) -> Option<(Range<usize>, &Self)> {
        let mut members = self.members.iter().flatten();
        let (_, key, value) = members.find(|(it, ..)| it == name)?;
        // An absent value has a place of its own somewhere after its name.
        let end = if value.place.is_empty() {
            key.end
        } else {
            value.place.end
        };
        Some((key.start..end, value))
    }

    /// Whether it is written between braces.
    fn is_flow(&self, text: &str) -> bool {
        text.get(self.place.clone())
            .is_some_and(|it| it.starts_with('{'))
    }

    /// The text with a member of this mapping, in the place of one of this name or after the others.
    fn with(&self, text: &str, name: &str, value: &Value) -> String {
        let old = self.member(name);
        let last = self.members.iter().flatten().last();
        if self.is_flow(text) {
            let end = self.place.end.saturating_sub(1);
            let place = old.map_or(end..end, |(place, _)| place);
            let comma = if place.is_empty() && last.is_some() {
                ", "
            } else {
                ""
            };
            return replaced(text, place, &format!("{comma}{name}: {value}"));
        }
        let indent = last.map_or(0, |(_, key, _)| key.start - line_of(text, key).start);
        let indent = " ".repeat(indent);
        let lines = snippet::yaml(&json!({name: value}), 0);
        let lines: String = lines.lines().map(|it| format!("{indent}{it}\n")).collect();
        let after_last = || {
            let last = last.and_then(|(name, ..)| self.member(name));
            let end = last.map_or(text.len(), |(place, _)| line_of(text, &place).end);
            end..end
        };
        let place = old.map_or_else(after_last, |(place, _)| line_of(text, &place));
        let is_unended = !text
            .get(..place.start)
            .is_none_or(|it| it.is_empty() || it.ends_with('\n'));
        let newline = if is_unended { "\n" } else { "" };
        replaced(text, place, &format!("{newline}{lines}"))
    }

    /// The text without a member of this mapping.
    fn without(&self, text: &str, name: &str) -> String {
        let Some((place, _)) = self.member(name) else {
            return text.to_owned();
        };
        if !self.is_flow(text) {
            return replaced(text, line_of(text, &place), "");
        }
        let (before, after) = (text.get(..place.start), text.get(place.end..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        match after.trim_start().strip_prefix(',') {
            Some(after) => format!("{before}{}", after.trim_start()),
            None => format!("{}{after}", before.trim_end().trim_end_matches(',')),
        }
    }
}

/// The lines that a place is in.
fn line_of(text: &str, place: &Range<usize>) -> Range<usize> {
    let before = text.get(..place.start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    // A block of text ends with its last line.
    let end = place.end.saturating_sub(1).max(place.start);
    let rest = text.get(end..).unwrap_or_default();
    start..rest.find('\n').map_or(text.len(), |it| end + it + 1)
}

fn replaced(text: &str, place: Range<usize>, new: &str) -> String {
    let mut text = text.to_owned();
    text.replace_range(place, new);
    text
}

/// The first document of a text; `None` if it has none.
pub(super) fn parsed(text: &str) -> Result<Option<Node>, FileError> {
    let syntax = |reason: String| FileError::Syntax("YAML", reason);
    let events = Parser::new_from_str(text).collect::<Result<Vec<_>, ScanError>>();
    let events = events.map_err(|err| syntax(err.to_string()))?;
    let is_value = |event: &Event<'_>| {
        !matches!(
            event,
            Event::StreamStart
                | Event::StreamEnd
                | Event::DocumentStart(_)
                | Event::DocumentEnd
                | Event::Nothing
        )
    };
    let characters: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
    let byte = |character: usize| characters.get(character).copied().unwrap_or(text.len());
    let events = events.into_iter().filter(|(event, _)| is_value(event));
    let mut events =
        events.map(|(event, span)| (event, byte(span.start.index())..byte(span.end.index())));
    let Some(first) = events.next() else {
        return Ok(None);
    };
    let root = node(first, &mut events, MOST_LEVELS);
    let root = root.ok_or_else(|| syntax(format!("more than {MOST_LEVELS} levels")))?;
    match root.duplicate() {
        // Some hosts read the first one, some the last one, and some refuse the file.
        Some(name) => Err(syntax(format!("the key `{name}` occurs twice"))),
        None => Ok(Some(root)),
    }
}

type Spanned<'a> = (Event<'a>, Range<usize>);

/// The value that begins with an event; `None` if it has more levels than are left.
fn node<'a>(
    (first, place): Spanned<'a>,
    events: &mut impl Iterator<Item = Spanned<'a>>,
    levels: usize,
) -> Option<Node> {
    let levels = levels.checked_sub(1)?;
    let mut all = place;
    let mut members = None;
    let value = match first {
        Event::Scalar(text, style, ..) => scalar(&text, style),
        Event::SequenceStart(..) | Event::MappingStart(..) => {
            let mut children = Vec::new();
            let end = loop {
                match events.next()? {
                    (Event::SequenceEnd | Event::MappingEnd, end) => break end,
                    child => children.push(node(child, events, levels)?),
                }
            };
            // A block ends with its last value; the event comes after comments.
            let last = children.last().map_or(all.end, |it| it.place.end);
            all.end = if end.is_empty() { last } else { end.end };
            if matches!(first, Event::MappingStart(..)) {
                let mut children = children.into_iter();
                let mut pairs = Vec::new();
                while let (Some(name), Some(value)) = (children.next(), children.next()) {
                    let text = name
                        .value
                        .as_str()
                        .map_or_else(|| name.value.to_string(), str::to_owned);
                    pairs.push((text, name.place, value));
                }
                let object = pairs
                    .iter()
                    .map(|(name, _, it)| (name.clone(), it.value.clone()));
                let object = Value::Object(object.collect());
                members = Some(pairs);
                object
            } else {
                children.into_iter().map(|it| it.value).collect()
            }
        }
        // What an alias stands for cannot be changed here.
        _ => "*".into(),
    };
    Some(Node {
        value,
        place: all,
        members,
    })
}

/// What a text means in the core schema of YAML 1.2, as far as entries have such values.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    match text {
        _ if style != ScalarStyle::Plain => text.into(),
        "" | "~" | "null" => Value::Null,
        "true" => true.into(),
        "false" => false.into(),
        _ => text
            .parse::<i64>()
            .map_or_else(|_| text.into(), Value::from),
    }
}
