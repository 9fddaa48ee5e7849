//! Results for other MCP peers. One block that a peer's SDK refuses costs the whole message, so that what it would refuse is
//! sent in another form.

use mcp_protocol::{
    CallToolResult, ContentBlock, Losses, Object,
    content::{Annotations, Role},
};
use serde_json::{Number, Value};

use crate::{BlockRef, Call, PlainText, Policy, ResultView, convert, convert::media::Media};

/// Members that the schema of a block knows: among the others they are of a wrong kind.
const KNOWN: &str = "_meta annotations blob description icons mimeType size text title uri";
const KNOWN_OF_ANNOTATIONS: [&str; 3] = ["audience", "priority", "lastModified"];

/// The result as the SDKs of all peers read it, to be given to [`mcp_protocol::render::project`] or
/// [`mcp_protocol::render::sampling_tool_result`], and what is not in it as it was: Base64 in other spellings becomes standard, a block
/// of an unknown type or without what its type needs becomes text or a note, a member of a wrong kind is left out.
///
/// ```
/// use mcp_protocol::{CallToolResult, read::Reading};
///
/// let sent = serde_json::json!({"content": [{"type": "video"}]});
/// let result = CallToolResult::read(sent, Reading::default())?.result;
/// let (result, losses) = mcp_convert::for_peers(result);
/// assert_eq!(result.content[0].kind(), "text");
/// assert_eq!(losses.iter().count(), 1);
/// # Ok::<(), mcp_protocol::read::NotAToolResult>(())
/// ```
#[must_use]
pub fn for_peers(mut result: CallToolResult) -> (CallToolResult, Losses) {
    let mut losses = Losses::default();
    let blocks = std::mem::take(&mut result.content);
    for (index, mut block) in blocks.into_iter().enumerate() {
        let mut lose = |member: String| {
            losses.push_field(format!("content[{index}].{member}"));
        };
        if is_right(&mut block, &mut lose).is_some() {
            result.content.push(block);
        } else {
            result.content.extend(as_text(&block, index, &mut losses));
        }
    }
    (result, losses)
}

/// What a model can use of the block, in the one type that every peer has.
fn as_text(block: &ContentBlock, index: usize, losses: &mut Losses) -> Option<ContentBlock> {
    let view = ResultView::new(vec![BlockRef::of(block)]).starting_at(index);
    let (call, policy) = (Call::new("", ""), Policy::default());
    // The policy makes no block an error.
    let plain = convert(&view, call, &PlainText::default(), &policy).ok()?;
    losses.extend(plain.losses.iter().cloned());
    let text = plain.output.to_value();
    let text = text.as_str().filter(|it| !it.is_empty())?;
    Some(ContentBlock::text(text))
}

/// Some if a peer reads the block once members of a wrong kind are left out and its Base64 is standard.
fn is_right(block: &mut ContentBlock, lose: &mut dyn FnMut(String)) -> Option<()> {
    let attributes = match block {
        ContentBlock::Text(text) => &mut text.attributes,
        ContentBlock::Image(media) | ContentBlock::Audio(media) => {
            let read = Media::read(&media.data, Some(&media.mime_type), None)?;
            if media.data != read.data {
                let read = (read.data.into_owned(), read.mime_type?.into_owned());
                (media.data, media.mime_type) = read;
            }
            &mut media.attributes
        }
        ContentBlock::ResourceLink(link) => {
            is_address(&link.uri).then_some(())?;
            let has_source = |it: &Value| it.get("src").is_some_and(Value::is_string);
            if !link.icons.iter().flatten().all(has_source) {
                link.icons = None;
                lose("icons".to_owned());
            }
            &mut link.attributes
        }
        ContentBlock::Resource(embedded) => {
            let contents = &mut embedded.resource;
            is_address(&contents.uri).then_some(())?;
            match (&contents.text, contents.blob.as_deref()) {
                (Some(_), None) => (),
                (None, Some(blob)) => {
                    let blob = Media::read(blob, None, None)?.data;
                    contents.blob = Some(blob.into_owned());
                }
                (None, None) | (Some(_), Some(_)) => return None,
            }
            drop_known(&mut contents.extra, "resource.", lose);
            &mut embedded.attributes
        }
        _ => return None,
    };
    drop_known(&mut attributes.extra, "", lose);
    if !attributes.annotations.iter().all(is_readable) {
        attributes.annotations = None;
        lose("annotations".to_owned());
    }
    Some(())
}

fn is_readable(annotations: &Annotations) -> bool {
    let mut audience = annotations.audience.iter().flatten();
    let priority = annotations.priority.as_ref().and_then(Number::as_f64);
    audience.all(|it| !matches!(it, Role::Other(_)))
        && priority.is_none_or(|it| (0.0..=1.0).contains(&it))
        && annotations.last_modified.as_deref().is_none_or(is_time)
        && KNOWN_OF_ANNOTATIONS
            .iter()
            .all(|it| !annotations.extra.contains_key(*it))
}

fn drop_known(extra: &mut Object, path: &str, lose: &mut dyn FnMut(String)) {
    for name in KNOWN.split(' ').filter(|it| extra.remove(*it).is_some()) {
        lose(format!("{path}{name}"));
    }
}

/// Whether it has a scheme and something after it.
fn is_address(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    let is_letter = |it: char| it.is_ascii_alphanumeric() || "+-.".contains(it);
    scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.chars().all(is_letter)
        && !rest.is_empty()
}

/// A time of ISO 8601 as `2025-01-31T12:00:00Z`, with a fraction or an offset if it has one.
fn is_time(text: &str) -> bool {
    let digit = |it: char| if it.is_ascii_digit() { '0' } else { it };
    let shape: String = text.chars().map(digit).collect();
    let rest = shape.strip_prefix("0000-00-00T00:00:00").unwrap_or("");
    let fraction = rest.strip_prefix('.');
    let zone = fraction.map_or(rest, |it| it.trim_start_matches('0'));
    matches!(zone, "Z" | "+00:00" | "-00:00")
}
