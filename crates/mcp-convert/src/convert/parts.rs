//! The parts of a result for a model, independent of the target: the common half of [`crate::convert()`].

use std::borrow::Cow;

use mcp_protocol::{LossKind, Losses};
use serde_json::Value;

use super::{
    block::{BlockRef, Body, LinkRef, ResourceContentsRef},
    carrier::{Carrier, Linked, NO_MESSAGE},
    converted::{Conversion, dropped, member_lost},
    duplicates::{Said, said},
    loss,
    media::{Media, What, canonical},
    part::{Part, PartOf, clip, link_text, named, noted},
    policy::{ContentPreference as Prefer, ConvertOptions},
    repeated::Repeated,
    view::ResultView,
};
/// Replaces the blocks of a result if all are for the user alone.
const FOR_USER: &str = "(output shown to the user only)";

/// The parts of a result, before a target's form is around them.
pub(super) struct Collected<'a> {
    /// Those for the result.
    pub(super) out: Conversion<'a, Vec<PartOf<'a>>>,
    /// Those for the message after it.
    pub(super) beside: Vec<PartOf<'a>>,
    /// The structured value for programs, unless it is the blocks.
    pub(super) structured: Option<Cow<'a, Value>>,
}

/// The parts of a result that a model should get.
///
/// The stages of a conversion, in their order:
///
/// 1. *read*: a block becomes a part, unless it is for the user alone;
/// 2. *compare*: what the structured value and the blocks share is kept once;
/// 3. *fit the row*: what the target has no form for becomes text, a note, or a part of the message after the result, and a note
///    replaces Base64 in texts;
/// 4. *limit*: texts and values are cut;
/// 5. *write*: the parts get the target's form, by [`super::target::Row::whole`].
pub(super) fn collect<'a>(
    view: &ResultView<'a>,
    policy: &ConvertOptions,
    carrier: &Carrier,
) -> Collected<'a> {
    let mut stages = Stages {
        out: read(view, policy),
        view,
        policy,
        carrier,
    };
    let structured = stages.compare();
    let beside = stages.fit();
    stages.limit();
    Collected {
        out: stages.out,
        beside,
        structured,
    }
}

/// The context that the stages after the first share.
struct Stages<'v, 'a> {
    out: Conversion<'a, Vec<PartOf<'a>>>,
    view: &'v ResultView<'a>,
    policy: &'v ConvertOptions,
    carrier: &'v Carrier,
}

fn read<'a>(view: &ResultView<'a>, policy: &ConvertOptions) -> Conversion<'a, Vec<PartOf<'a>>> {
    let mut out = Conversion::new(Vec::with_capacity(view.blocks.len() + 1), view);
    for (place, block) in view.blocks.iter().cloned().enumerate() {
        let index = view.first + place;
        if policy.respects_audience && block.for_user_only {
            out.for_user.push(index);
        } else {
            push_block(&mut out, index, block);
        }
    }
    out
}

impl<'a> Stages<'_, 'a> {
    /// Returns the structured value for programs.
    fn compare(&mut self) -> Option<Cow<'a, Value>> {
        let value = self.view.non_null_structured()?;
        let said = self.push_structure(value);
        let mut structured = Cow::Borrowed(value);
        Repeated::of(self.view).note_in_value(&mut structured);
        (said != Said::ByBlocks).then_some(structured)
    }

    /// Returns the parts of the message after the result.
    fn fit(&mut self) -> Vec<PartOf<'a>> {
        let (view, carrier) = (self.view, self.carrier);
        if self.out.output.is_empty() && !self.out.for_user.is_empty() {
            self.out.output.push(PartOf::text(None, FOR_USER));
        }
        let (mut parts, beside) = self.carry();
        let losses = &mut self.out.losses;
        let repeated = Repeated::of(view);
        for part in &mut parts {
            let is_noted = match &mut part.part {
                Part::Text(text) | Part::Document(text) => {
                    let noted = repeated.noted_in(text);
                    noted.map(|it| *text = it.into()).is_some()
                }
                Part::Structured(value) => repeated.note_in_value(value),
                Part::Link(link) => {
                    let noted = repeated.noted_in(&link_text(link));
                    noted.map(|it| part.part = Part::Text(it.into())).is_some()
                }
                Part::Media(..) | Part::Other(_) => false,
            };
            if is_noted {
                losses.push(loss::BASE64_REPLACED, part.index, "");
            }
        }
        if view.is_error && carrier.marks_failures {
            parts = mark_error(parts, losses);
        }
        if carrier.drops_blank {
            parts.retain(|it| !it.is_blank());
        }
        let says_nothing = view.is_error && parts.iter().all(PartOf::is_blank);
        if let Some(words) = carrier.no_message.filter(|_| says_nothing) {
            parts = vec![PartOf::text(None, words)];
        }
        self.out.output = parts;
        beside
    }

    fn limit(&mut self) {
        let (out, carrier) = (&mut self.out, self.carrier);
        let parts = std::mem::take(&mut out.output);
        let (limits, is_error) = (&self.policy.limits, self.view.is_error);
        out.output = limits.apply(parts, is_error, carrier.text_chars, &mut out.losses);
        let mut left = out.output.iter();
        let is_empty = left.all(|it| carrier.drops_blank && it.is_blank());
        if let Some(words) = carrier.no_output.filter(|_| is_empty) {
            out.output = vec![PartOf::text(None, words)];
        }
    }

    /// Turns what the target has no form for into text.
    fn carry(&mut self) -> (Vec<PartOf<'a>>, Vec<PartOf<'a>>) {
        let (policy, carrier, losses) = (self.policy, self.carrier, &mut self.out.losses);
        let parts = std::mem::take(&mut self.out.output);
        let (mut inside, mut beside) = (Vec::with_capacity(parts.len()), Vec::new());
        let (mut images, mut files) = (0, 0);
        for mut part in parts {
            policy.limits.limit_media(&mut part, losses);
            if let Some(reason) = carrier.refuses(&part, policy.has_linked_images, (images, files))
            {
                let text = part.as_text(carrier.documents, losses);
                let text =
                    text.unwrap_or_else(|| noted(part.of(), &part.described(), reason, losses));
                inside.push(PartOf { part: text, ..part });
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
            if part
                .media()
                .is_some_and(|it| carrier.is_beside(it, self.view))
            {
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
        (inside, beside)
    }

    /// Returns the form in which the blocks repeat the value.
    fn push_structure(&mut self, value: &'a Value) -> Said {
        let (out, view, carrier) = (&mut self.out, self.view, self.carrier);
        let as_json = carrier.as_json;
        let prefer = match self.policy.prefer {
            // The reason of a failure is in its blocks.
            Prefer::StructuredOnly if view.is_error => Prefer::ContentUnlessEmpty,
            other => other,
        };
        let is_text = |it: &PartOf<'_>| matches!(it.part, Part::Text(_));
        let texts = out.output.iter().map(|it| match &it.part {
            Part::Text(text) => Some(text.as_ref()),
            _ => None,
        });
        let said = said(texts, view, value);
        let value = Part::Structured(Cow::Borrowed(value));
        let structured = PartOf::new(None, "structuredContent", value);
        match (prefer, said) {
            (_, Said::ByBlocks) => (),
            (Prefer::StructuredOnly, said) => {
                for (position, part) in std::mem::take(&mut out.output).into_iter().enumerate() {
                    let is_said = match said {
                        Said::Nowhere | Said::ByBlocks => false,
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
            (Prefer::ContentUnlessEmpty, _)
                if !out.output.iter().any(|it| is_content(it, carrier)) =>
            {
                out.output.retain(|it| !it.is_blank());
                out.output.push(structured);
            }
            (Prefer::ContentOnly | Prefer::ContentUnlessEmpty, Said::Nowhere) => {
                out.losses.push(LossKind::STRUCTURED_DROPPED, None, "");
            }
            (Prefer::Both | Prefer::ContentOnly | Prefer::ContentUnlessEmpty, _) => (),
        }
        said
    }
}

fn push_block<'a>(out: &mut Conversion<'a, Vec<PartOf<'a>>>, index: usize, block: BlockRef<'a>) {
    let kind: Cow<'a, str> = match &block.body {
        Body::Other(_) => Cow::Owned(clip(block.kind()).to_owned()),
        _ => Cow::Borrowed(block.known_kind()),
    };
    let losses = &mut out.losses;
    annotations_lost(losses, index, &block);
    // A resource may have both text and bytes.
    let (said, held) = match block.body.inlined() {
        Body::Text(text) => (Some(Part::Text(text)), None),
        Body::Media(what, it) => {
            let said = it.text.map(|text| Part::Document(text.into()));
            let held = bytes(it, what, said.is_some(), (index, &kind), losses);
            (said, held)
        }
        Body::ResourceLink(link) => (Some(Part::Link(link)), None),
        Body::Other(value) => (Some(Part::Other(value)), None),
    };
    let parts = said.into_iter().chain(held).map(|part| PartOf {
        index: Some(index),
        kind: kind.clone(),
        part,
        meta: block.meta,
    });
    out.output.extend(parts);
}

/// The bytes of a block; without any a link to them or, unless it has a text, a note.
fn bytes<'a>(
    it: ResourceContentsRef<'a>,
    what: What,
    has_text: bool,
    (index, kind): (usize, &str),
    losses: &mut Losses,
) -> Option<Part<'a>> {
    let media = Media::read(it.blob.unwrap_or(""), it.mime_type, it.uri);
    let reason = match media {
        Some(media) if !media.data.is_empty() => {
            return Some(media_piece(losses, index, media, what));
        }
        Some(_) if has_text => return None,
        Some(_) => match it.uri.filter(|it| !it.is_empty()) {
            Some(uri) => {
                let link = LinkRef::new(uri).with_mime_type(it.mime_type);
                return Some(Part::Link(link));
            }
            None => "without data",
        },
        None => {
            losses.push(loss::INVALID_BASE64, index, "");
            "not shown: the data is not Base64"
        }
    };
    let mime_type = it.mime_type.and_then(canonical);
    let what = named(what, mime_type.as_deref(), it.uri);
    Some(noted((index, kind.to_owned()), &what, reason, losses))
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

/// Whether it is something for a model to read, and neither blank nor a note of what could not be read.
fn is_content(part: &PartOf<'_>, carrier: &Carrier) -> bool {
    match &part.part {
        Part::Text(_) => part.kind == "text" && !part.is_blank(),
        Part::Document(text) => !text.trim().is_empty(),
        Part::Media(what, media) => carrier.reads(*what, media.mime_type.as_deref()).0,
        Part::Link(_) => true,
        Part::Structured(_) | Part::Other(_) => false,
    }
}

/// Says that the tool failed in the text of targets that have no flag for it.
pub(super) fn mark_error<'a>(mut parts: Vec<PartOf<'a>>, losses: &mut Losses) -> Vec<PartOf<'a>> {
    parts.retain(|it| !it.is_blank());
    losses.push(loss::ERROR_FLAG_AS_TEXT, None, "");
    let marked = parts.iter_mut().find_map(|it| match &it.part {
        Part::Text(text) => Some((format!("Error: {text}"), it)),
        Part::Structured(value) => Some((format!("Error: {value}"), it)),
        _ => None,
    });
    match marked {
        Some((text, part)) => part.part = Part::Text(text.into()),
        None => parts.insert(0, PartOf::text(None, format!("Error: {NO_MESSAGE}"))),
    }
    parts
}

/// Annotations are for hosts; no target carries them.
pub(super) fn annotations_lost(losses: &mut Losses, index: usize, block: &BlockRef<'_>) {
    if block.has_annotations {
        member_lost(losses, Some(index), "annotations");
    }
}
