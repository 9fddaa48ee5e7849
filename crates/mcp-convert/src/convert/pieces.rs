//! The parts of a result for a model, whatever the target: the common half of [`crate::convert()`].

use std::borrow::Cow;

use mcp_protocol::{LossKind, Losses};
use serde_json::Value;

use super::{
    block::{BlockRef, Body},
    carrier::{Carrier, Linked, NO_MESSAGE},
    converted::{Conversion, ConvertError, dropped, member_lost},
    loss,
    media::{Media, What, canonical},
    piece::{Piece, PieceOf, clip, instead, named},
    policy::{ConvertOptions, ErrorMark, Prefer},
    said::{Said, said},
    view::ResultView,
};
/// Replaces the blocks of a result if all are for the user alone.
const FOR_USER: &str = "(output shown to the user only)";

/// The pieces for the result, and those for the message after it.
pub(super) type Collected<'a> = (Conversion<'a, Vec<PieceOf<'a>>>, Vec<PieceOf<'a>>);

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
        out.output.push(PieceOf::text(None, FOR_USER));
    }
    let pieces = std::mem::take(&mut out.output);
    let losses = &mut out.losses;
    let (mut pieces, beside) = carry(pieces, view, policy, carrier, losses)?;
    if view.is_error && carrier.marks_failures {
        pieces = mark_error(pieces, policy, losses);
    }
    if carrier.drops_blank {
        pieces.retain(|it| !it.is_blank());
    }
    let says_nothing = view.is_error && pieces.iter().all(PieceOf::is_blank);
    if let Some(words) = carrier.no_message.filter(|_| says_nothing) {
        pieces = vec![PieceOf::text(None, words)];
    }
    let limits = &policy.limits;
    out.output = limits.apply(pieces, view.is_error, carrier.text_chars, losses);
    let mut left = out.output.iter();
    let is_empty = left.all(|it| carrier.drops_blank && it.is_blank());
    if let Some(words) = carrier.no_output.filter(|_| is_empty) {
        out.output = vec![PieceOf::text(None, words)];
    }
    Ok((out, beside))
}

/// Turns what the target has no form for into text.
fn carry<'a>(
    pieces: Vec<PieceOf<'a>>,
    view: &ResultView<'a>,
    policy: &ConvertOptions,
    carrier: &Carrier,
    losses: &mut Losses,
) -> Result<(Vec<PieceOf<'a>>, Vec<PieceOf<'a>>), ConvertError> {
    let (mut inside, mut beside) = (Vec::with_capacity(pieces.len()), Vec::new());
    let (mut images, mut files) = (0, 0);
    for mut piece in pieces {
        policy.limits.limit_media(&mut piece, losses);
        if let Some(reason) = carrier.refuses(&piece, policy.has_linked_images, (images, files)) {
            let text = match piece.as_text(carrier.documents, losses) {
                Some(text) => Some(text),
                None => instead(policy, piece.of(), piece.described(), reason, losses)?,
            };
            inside.extend(text.map(|it| PieceOf { piece: it, ..piece }));
            continue;
        }
        match &mut piece.piece {
            Piece::Media(What::Image, _) => images += 1,
            Piece::Media(What::File, media) => {
                files += 1;
                if media.uri.is_some() && !carrier.addresses {
                    member_lost(losses, piece.index, "resource.uri");
                }
            }
            Piece::Document(_) => piece.said_as_text(losses),
            Piece::Link(link) if carrier.links != Linked::All => {
                for (member, is_lost) in [
                    ("name", link.name.is_some()),
                    ("title", link.title.is_some()),
                    ("description", link.description.is_some()),
                    ("size or icons", link.has_more),
                ] {
                    if is_lost {
                        member_lost(losses, piece.index, member);
                    }
                }
            }
            _ => (),
        }
        if piece.media().is_some_and(|it| carrier.is_beside(it, view)) {
            let (index, kind) = piece.of();
            losses.push(loss::BLOCK_FOLLOWS, index, kind);
            let text = format!("[{} attached]", piece.named());
            inside.push(PieceOf::text(piece.index, text));
            beside.push(piece);
            continue;
        }
        if carrier.announces_sounds && matches!(piece.piece, Piece::Media(What::Audio, _)) {
            let text = format!("[{}, attached]", piece.described());
            inside.push(PieceOf::text(piece.index, text));
        }
        inside.push(piece);
    }
    Ok((inside, beside))
}

fn push_block<'a>(
    out: &mut Conversion<'a, Vec<PieceOf<'a>>>,
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
        Body::Text(text) => (Some(Piece::Text(text)), None),
        Body::Media(what, it) => {
            let said = it.text.map(|text| Piece::Document(text.into()));
            (said, it.blob.map(|data| (what, data, it.mime_type, it.uri)))
        }
        Body::ResourceLink(link) => (Some(Piece::Link(link)), None),
        Body::Other(value) => (Some(Piece::Other(value)), None),
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
    let pieces = said.into_iter().chain(held).map(|piece| PieceOf {
        index: Some(index),
        kind: kind.clone(),
        piece,
        meta: block.meta,
    });
    out.output.extend(pieces);
    Ok(())
}

/// Bytes are what they are, not what the block that brings them is called.
fn media_piece<'a>(
    losses: &mut Losses,
    index: usize,
    mut media: Media<'a>,
    named: What,
) -> Piece<'a> {
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
    Piece::Media(what, media)
}

fn push_structure<'a>(
    out: &mut Conversion<'a, Vec<PieceOf<'a>>>,
    value: &'a Value,
    prefer: Prefer,
    as_json: bool,
) {
    let is_text = |it: &PieceOf<'_>| matches!(it.piece, Piece::Text(_));
    let texts = out.output.iter().map(|it| match &it.piece {
        Piece::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    let said = said(texts, value);
    let structured = PieceOf::new(None, "structuredContent", Piece::Structured(value));
    match (prefer, said) {
        (Prefer::StructuredOnly, said) => {
            for (position, piece) in std::mem::take(&mut out.output).into_iter().enumerate() {
                let is_said = match said {
                    Said::Nowhere => false,
                    Said::By { position: by, .. } => by == position,
                    Said::ByEach { .. } => is_text(&piece),
                };
                if !is_said {
                    dropped(&mut out.losses, piece.index.unwrap_or(0), &piece.kind);
                }
            }
            out.output.push(structured);
        }
        (Prefer::Both, Said::Nowhere) => out.output.push(structured),
        (Prefer::Both, Said::By { position, as_is }) => {
            // A text that was wrapped only to be an object is better as it was.
            let piece = out.output.get_mut(position);
            if let Some(piece) = piece.filter(|_| as_json && !as_is) {
                *piece = structured;
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
    mut pieces: Vec<PieceOf<'a>>,
    policy: &ConvertOptions,
    losses: &mut Losses,
) -> Vec<PieceOf<'a>> {
    pieces.retain(|it| !it.is_blank());
    let words = |piece: &PieceOf<'a>| match &piece.piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Structured(value) => Some(Cow::Owned(value.to_string())),
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
            let text = pieces.iter_mut().find_map(|it| Some((words(it)?, it)));
            match text {
                Some((text, piece)) => piece.piece = Piece::Text(format!("{prefix}{text}").into()),
                None => pieces.insert(0, PieceOf::text(None, format!("{prefix}{NO_MESSAGE}"))),
            }
        }
        ErrorMark::None if pieces.is_empty() => pieces.push(PieceOf::text(None, NO_MESSAGE)),
        ErrorMark::None => (),
    }
    pieces
}

/// Annotations are for hosts; no target carries them.
pub(super) fn annotations_lost(losses: &mut Losses, index: usize, block: &BlockRef<'_>) {
    if block.has_annotations {
        member_lost(losses, Some(index), "annotations");
    }
}
