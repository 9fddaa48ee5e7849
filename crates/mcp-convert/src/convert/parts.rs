//! The parts of a result for a model, whatever the target: the common half of [`crate::convert()`].

use std::borrow::Cow;

use mcp_protocol::{LossKind, Losses};
use serde_json::Value;

use super::{
    block::{BlockRef, Body},
    carrier::{Carrier, Linked, NO_MESSAGE},
    converted::{Conversion, ConvertError, dropped, member_lost},
    duplicates::{Said, said},
    loss,
    media::{Media, What, canonical},
    part::{Part, PartOf, clip, instead, named},
    policy::{ConvertOptions, ErrorMark, Prefer},
    view::ResultView,
};
/// Replaces the blocks of a result if all are for the user alone.
const FOR_USER: &str = "(output shown to the user only)";

/// The parts for the result, and those for the message after it.
pub(super) type Collected<'a> = (Conversion<'a, Vec<PartOf<'a>>>, Vec<PartOf<'a>>);

/// What a model should get of a result: blocks for the user held back, equal text and structure merged, limits applied. What the
/// target has no form for is text.
pub(super) fn collect<'a>(
    view: &ResultView<'a>,
    policy: &ConvertOptions,
    carrier: &Carrier,
) -> Result<Collected<'a>, ConvertError> {
    let mut out = Conversion::new(Vec::with_capacity(view.len() + 1), view);
    for (place, block) in view.blocks().enumerate() {
        let index = view.first + place;
        if policy.respects_audience && block.for_user_only {
            out.for_user.push(index);
        } else {
            push_block(&mut out, index, block, policy)?;
        }
    }
    if let Some(value) = view.non_null_structured() {
        push_structure(&mut out, value, policy.prefer, carrier.as_json);
    }
    if out.output.is_empty() && !out.for_user.is_empty() {
        out.output.push(PartOf::text(None, FOR_USER));
    }
    let parts = std::mem::take(&mut out.output);
    let losses = &mut out.losses;
    let (mut parts, beside) = carry(parts, view, policy, carrier, losses)?;
    if view.is_error && carrier.marks_failures {
        parts = mark_error(parts, policy, losses);
    }
    if carrier.drops_blank {
        parts.retain(|it| !it.is_blank());
    }
    let says_nothing = view.is_error && parts.iter().all(PartOf::is_blank);
    if let Some(words) = carrier.no_message.filter(|_| says_nothing) {
        parts = vec![PartOf::text(None, words)];
    }
    let limits = &policy.limits;
    out.output = limits.apply(parts, view.is_error, carrier.text_chars, losses);
    let mut left = out.output.iter();
    let is_empty = left.all(|it| carrier.drops_blank && it.is_blank());
    if let Some(words) = carrier.no_output.filter(|_| is_empty) {
        out.output = vec![PartOf::text(None, words)];
    }
    Ok((out, beside))
}

/// Turns what the target has no form for into text.
fn carry<'a>(
    parts: Vec<PartOf<'a>>,
    view: &ResultView<'a>,
    policy: &ConvertOptions,
    carrier: &Carrier,
    losses: &mut Losses,
) -> Result<(Vec<PartOf<'a>>, Vec<PartOf<'a>>), ConvertError> {
    let (mut inside, mut beside) = (Vec::with_capacity(parts.len()), Vec::new());
    let (mut images, mut files) = (0, 0);
    for mut part in parts {
        policy.limits.limit_media(&mut part, losses);
        if let Some(reason) = carrier.refuses(&part, policy.has_linked_images, (images, files)) {
            let text = match part.as_text(carrier.documents, losses) {
                Some(text) => Some(text),
                None => instead(policy, part.of(), part.described(), reason, losses)?,
            };
            inside.extend(text.map(|it| PartOf { part: it, ..part }));
            continue;
        }
        match &mut part.part {
            Part::Media(What::Image, _) => images += 1,
            Part::Media(What::File, media) => {
                files += 1;
                if media.uri.is_some() && !carrier.addresses {
                    member_lost(losses, part.index, "resource.uri");
                }
            }
            Part::Document(_) => part.said_as_text(losses),
            Part::Link(link) if carrier.links != Linked::All => {
                for (member, is_lost) in [
                    ("name", link.name.is_some()),
                    ("title", link.title.is_some()),
                    ("description", link.description.is_some()),
                    ("size or icons", link.has_more),
                ] {
                    if is_lost {
                        member_lost(losses, part.index, member);
                    }
                }
            }
            _ => (),
        }
        if part.media().is_some_and(|it| carrier.is_beside(it, view)) {
            let (index, kind) = part.of();
            losses.push(loss::BLOCK_FOLLOWS, index, kind);
            let text = format!("[{} attached]", part.named());
            inside.push(PartOf::text(part.index, text));
            beside.push(part);
            continue;
        }
        if carrier.announces_sounds && matches!(part.part, Part::Media(What::Audio, _)) {
            let text = format!("[{}, attached]", part.described());
            inside.push(PartOf::text(part.index, text));
        }
        inside.push(part);
    }
    Ok((inside, beside))
}

fn push_block<'a>(
    out: &mut Conversion<'a, Vec<PartOf<'a>>>,
    index: usize,
    block: BlockRef<'a>,
    policy: &ConvertOptions,
) -> Result<(), ConvertError> {
    let kind: Cow<'a, str> = match &block.body {
        Body::Other(_) => Cow::Owned(clip(block.kind()).to_owned()),
        _ => Cow::Borrowed(block.known_kind()),
    };
    let losses = &mut out.losses;
    annotations_lost(losses, index, &block);
    // A resource may have both text and bytes.
    let (said, bytes) = match block.body {
        Body::Text(text) => (Some(Part::Text(text)), None),
        Body::Media(what, it) => {
            let said = it.text.map(|text| Part::Document(text.into()));
            (said, it.blob.map(|data| (what, data, it.mime_type, it.uri)))
        }
        Body::ResourceLink(link) => (Some(Part::Link(link)), None),
        Body::Other(value) => (Some(Part::Other(value)), None),
    };
    let mut held = None;
    let mut is_said = said.is_some();
    if let Some((what, data, mime_type, uri)) = bytes.filter(|(_, data, ..)| !data.is_empty()) {
        match Media::read(data, mime_type, uri) {
            Some(media) if media.data.is_empty() => (),
            Some(media) => held = Some(media_piece(losses, index, media, what)),
            None => {
                losses.push(loss::INVALID_BASE64, index, "");
                let mime_type = mime_type.and_then(canonical);
                let what = named(what, mime_type.as_deref(), uri);
                let reason = "not shown: the data is not Base64";
                held = instead(policy, (index, kind.to_string()), what, reason, losses)?;
                is_said = true;
            }
        }
    }
    if !is_said && held.is_none() {
        dropped(losses, index, &kind);
    }
    let parts = said.into_iter().chain(held).map(|part| PartOf {
        index: Some(index),
        kind: kind.clone(),
        part,
        meta: block.meta,
    });
    out.output.extend(parts);
    Ok(())
}

/// Bytes are what they are, not what the block that brings them is called.
fn media_piece<'a>(
    losses: &mut Losses,
    index: usize,
    mut media: Media<'a>,
    named: What,
) -> Part<'a> {
    if let Some(mime_type) = media.correct_type() {
        losses.push(loss::TYPE_CORRECTED, index, mime_type);
    }
    let what = match media.mime_type.as_deref() {
        Some(it) => What::of(it),
        None => named,
    };
    if what != What::File && media.uri.is_some() {
        member_lost(losses, Some(index), "resource.uri");
    }
    Part::Media(what, media)
}

fn push_structure<'a>(
    out: &mut Conversion<'a, Vec<PartOf<'a>>>,
    value: &'a Value,
    prefer: Prefer,
    as_json: bool,
) {
    let is_text = |it: &PartOf<'_>| matches!(it.part, Part::Text(_));
    let texts = out.output.iter().map(|it| match &it.part {
        Part::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    let said = said(texts, value);
    let structured = PartOf::new(None, "structuredContent", Part::Structured(value));
    match (prefer, said) {
        (Prefer::StructuredOnly, said) => {
            for (position, part) in std::mem::take(&mut out.output).into_iter().enumerate() {
                let is_said = match said {
                    Said::Nowhere => false,
                    Said::By { position: by, .. } => by == position,
                    Said::ByEach { .. } => is_text(&part),
                };
                if !is_said {
                    dropped(&mut out.losses, part.index.unwrap_or(0), &part.kind);
                }
            }
            out.output.push(structured);
        }
        (Prefer::Both, Said::Nowhere) => out.output.push(structured),
        (Prefer::Both, Said::By { position, as_is }) => {
            // A text that was wrapped only to be an object is better as it was.
            let part = out.output.get_mut(position);
            if let Some(part) = part.filter(|_| as_json && !as_is) {
                *part = structured;
            }
        }
        (Prefer::Both, Said::ByEach { is_flat }) if is_flat || as_json => {
            let first = out.output.iter().position(is_text);
            out.output.retain(|it| !is_text(it));
            out.output.insert(first.unwrap_or(0), structured);
        }
        (Prefer::ContentUnlessEmpty, _) if out.output.is_empty() => out.output.push(structured),
        (Prefer::ContentOnly | Prefer::ContentUnlessEmpty, Said::Nowhere) => {
            out.losses.push(LossKind::STRUCTURED_DROPPED, None, "");
        }
        (Prefer::Both | Prefer::ContentOnly | Prefer::ContentUnlessEmpty, _) => (),
    }
}

/// Says that the tool failed in the text of targets that have no flag for it.
pub(super) fn mark_error<'a>(
    mut parts: Vec<PartOf<'a>>,
    policy: &ConvertOptions,
    losses: &mut Losses,
) -> Vec<PartOf<'a>> {
    parts.retain(|it| !it.is_blank());
    let words = |part: &PartOf<'a>| match &part.part {
        Part::Text(text) => Some(text.clone()),
        Part::Structured(value) => Some(Cow::Owned(value.to_string())),
        _ => None,
    };
    let lost = match policy.error_mark {
        ErrorMark::Prefix => loss::ERROR_FLAG_AS_TEXT,
        ErrorMark::None => loss::ERROR_FLAG_DROPPED,
    };
    losses.push(lost, None, "");
    match policy.error_mark {
        ErrorMark::Prefix => {
            let prefix = policy.error_prefix.as_deref().unwrap_or("Error: ");
            let text = parts.iter_mut().find_map(|it| Some((words(it)?, it)));
            match text {
                Some((text, part)) => part.part = Part::Text(format!("{prefix}{text}").into()),
                None => parts.insert(0, PartOf::text(None, format!("{prefix}{NO_MESSAGE}"))),
            }
        }
        ErrorMark::None if parts.is_empty() => parts.push(PartOf::text(None, NO_MESSAGE)),
        ErrorMark::None => (),
    }
    parts
}

/// Annotations are for hosts; no target carries them.
pub(super) fn annotations_lost(losses: &mut Losses, index: usize, block: &BlockRef<'_>) {
    if block.has_annotations {
        member_lost(losses, Some(index), "annotations");
    }
}
