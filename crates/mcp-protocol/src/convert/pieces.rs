//! What a model should get of a result, whatever the target: the common half of [`super::convert()`].

use std::borrow::Cow;

use serde_json::Value;

use super::{
    block::{BlockRef, Body, MediaRef, ResourceRef},
    carrier::{Carrier, Linked},
    converted::{ConvertError, Converted, dropped, member_lost},
    failure::mark_error,
    media::Media,
    piece::{Document, Piece, PieceOf, clip, describe_invalid, unsupported},
    policy::{Policy, Prefer},
    said::{Said, said},
    view::ResultView,
};
use crate::loss::{Losses, Lost};

/// Replaces the blocks of a result if all are for the user alone.
const FOR_USER: &str = "(output shown to the user only)";

/// What a model should get of a result: blocks for the user held back, equal text and structure merged, limits applied. The pieces for
/// the result, and those for the message after it. What the target has no form for is text.
pub(super) type Collected<'a> = (Converted<'a, Vec<PieceOf<'a>>>, Vec<PieceOf<'a>>);

pub(super) fn collect<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
    carrier: &Carrier,
) -> Result<Collected<'a>, ConvertError> {
    let mut out = Converted::new(Vec::with_capacity(view.len() + 1), view);
    for (place, block) in view.blocks().enumerate() {
        let index = view.first() + place;
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
    if view.is_error() && carrier.marks_failures {
        pieces = mark_error(pieces, &policy.error_mark, losses);
    }
    if carrier.drops_blank {
        pieces.retain(|it| !it.is_blank());
    }
    let says_nothing = view.is_error() && pieces.iter().all(PieceOf::is_blank);
    if let Some(words) = carrier.no_message.filter(|_| says_nothing) {
        pieces = vec![PieceOf::text(None, words)];
    }
    let limits = &policy.limits;
    out.output = limits.apply(pieces, view.is_error(), carrier.text_chars, losses)?;
    let is_empty = out
        .output
        .iter()
        .all(|it| carrier.drops_blank && it.is_blank());
    if let Some(words) = carrier.no_output.filter(|_| is_empty) {
        out.output = vec![PieceOf::text(None, words)];
    }
    Ok((out, beside))
}

/// Turns what the target has no form for into text.
fn carry<'a>(
    pieces: Vec<PieceOf<'a>>,
    view: &ResultView<'a>,
    policy: &Policy,
    carrier: &Carrier,
    losses: &mut Losses,
) -> Result<(Vec<PieceOf<'a>>, Vec<PieceOf<'a>>), ConvertError> {
    let (mut inside, mut beside) = (Vec::with_capacity(pieces.len()), Vec::new());
    let (mut images, mut files) = (0, 0);
    for mut piece in pieces {
        policy.limits.limit_media(&mut piece, losses);
        if let Some(reason) = carrier.refuses(&piece, policy.has_linked_images, (images, files)) {
            let text = match piece.as_text(carrier.uri, losses) {
                Some(text) => Some(as_document(&piece, text, carrier)),
                None => piece
                    .unsupported(policy, reason, losses)?
                    .map(|it| Piece::Text(it.into())),
            };
            inside.extend(text.map(|it| PieceOf { piece: it, ..piece }));
            continue;
        }
        match &mut piece.piece {
            Piece::Image(_) => images += 1,
            Piece::File(_) => files += 1,
            Piece::Document(document) if !carrier.uri => document.uri = None,
            _ => (),
        }
        if matches!(piece.piece, Piece::Document(_)) && !carrier.uri {
            piece.said_as_text(losses);
        }
        if let (Piece::File(Media { uri: Some(_), .. }), Some(index), false) =
            (&piece.piece, piece.index, carrier.addresses)
        {
            member_lost(losses, Some(index), "resource.uri");
        }
        if let (Piece::Link(link), false) = (&piece.piece, carrier.links == Linked::All) {
            let sent_alone = [
                ("name", link.name.is_some()),
                ("title", link.title.is_some()),
                ("description", link.description.is_some()),
                ("size or icons", link.has_more),
            ];
            for (member, _) in sent_alone.into_iter().filter(|(_, is_lost)| *is_lost) {
                member_lost(losses, piece.index, member);
            }
        }
        if piece.media().is_some_and(|it| carrier.is_beside(it, view)) {
            let (index, kind) = piece.of();
            losses.push(Lost::BlockFollows { index, kind });
            inside.push(PieceOf::text(piece.index, piece.attached()));
            beside.push(piece);
        } else {
            if carrier.announces_sounds && matches!(piece.piece, Piece::Audio(_)) {
                let text = format!("[{}, attached]", piece.describe());
                inside.push(PieceOf::text(piece.index, text));
            }
            inside.push(piece);
        }
    }
    Ok((inside, beside))
}

/// A file that turned out to be text is a document where there are such.
fn as_document<'a>(piece: &PieceOf<'a>, text: Cow<'a, str>, carrier: &Carrier) -> Piece<'a> {
    match &piece.piece {
        Piece::File(media) if carrier.documents => Piece::Document(Document {
            text,
            mime_type: None,
            uri: media.uri.filter(|_| carrier.uri),
        }),
        _ => Piece::Text(text),
    }
}

fn push_block<'a>(
    out: &mut Converted<'a, Vec<PieceOf<'a>>>,
    index: usize,
    block: BlockRef<'a>,
    policy: &Policy,
) -> Result<(), ConvertError> {
    let kind: Cow<'a, str> = match &block.body {
        Body::Other(_) => Cow::Owned(clip(block.kind()).to_owned()),
        _ => Cow::Borrowed(block.known_kind()),
    };
    annotations_lost(&mut out.losses, index, &block);
    // A resource may have both text and bytes.
    let (mut said, mut held, mut bytes) = (None, None, None);
    match block.body {
        Body::Text(text) => said = Some(Piece::Text(text)),
        Body::Image(media) => bytes = Some((media, None, "image")),
        Body::Audio(media) => bytes = Some((media, None, "audio")),
        Body::ResourceLink(link) => said = Some(Piece::Link(link)),
        Body::Resource(resource) => {
            let ResourceRef { mime_type, uri, .. } = resource;
            said = resource.text.map(|text| {
                let text = Cow::Borrowed(text);
                Piece::Document(Document {
                    text,
                    mime_type,
                    uri,
                })
            });
            let media = |data| (MediaRef { data, mime_type }, uri, "file");
            bytes = resource.blob.map(media);
        }
        Body::Other(value) => said = Some(Piece::Other(value)),
    }
    let mut is_said = false;
    if let Some((media, uri, what)) = bytes.filter(|(media, ..)| !media.data.is_empty()) {
        match Media::read(media, uri) {
            Some(media) if media.data.is_empty() => (),
            Some(media) => held = Some(media_piece(&mut out.losses, index, media, what)),
            None => {
                out.losses.push(Lost::InvalidBase64 { index });
                let what = describe_invalid(what, media.mime_type, uri);
                let reason = "not shown: the data is not Base64";
                let note = unsupported(policy, index, &kind, what, reason, &mut out.losses)?;
                held = note.map(|it| Piece::Text(it.into()));
                is_said = true;
            }
        }
    }
    if said.is_none() && held.is_none() && !is_said {
        dropped(&mut out.losses, index, &kind);
    }
    out.output
        .extend(said.into_iter().chain(held).map(|piece| PieceOf {
            index: Some(index),
            kind: kind.clone(),
            piece,
            meta: block.meta,
        }));
    Ok(())
}

/// Bytes are what they are, not what the block that brings them is called.
fn media_piece<'a>(
    losses: &mut Losses,
    index: usize,
    mut media: Media<'a>,
    what: &str,
) -> Piece<'a> {
    if let Some(mime_type) = media.correct_type() {
        losses.push(Lost::TypeCorrected { index, mime_type });
    }
    let is_image = media.is_of("image/") || (what == "image" && media.mime_type.is_none());
    let is_audio = media.is_of("audio/") || (what == "audio" && media.mime_type.is_none());
    if (is_image || is_audio) && media.uri.is_some() {
        member_lost(losses, Some(index), "resource.uri");
    }
    if is_image {
        Piece::Image(media)
    } else if is_audio {
        Piece::Audio(media)
    } else {
        Piece::File(media)
    }
}

fn push_structure<'a>(
    out: &mut Converted<'a, Vec<PieceOf<'a>>>,
    value: &'a Value,
    prefer: Prefer,
    as_json: bool,
) {
    let texts = out.output.iter().map(|it| match &it.piece {
        Piece::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    let said = said(texts, value);
    let structured = PieceOf {
        index: None,
        kind: Cow::Borrowed("structuredContent"),
        piece: Piece::Structured(value),
        meta: None,
    };
    match (prefer, said) {
        (Prefer::StructuredOnly, said) => {
            for (position, piece) in std::mem::take(&mut out.output).into_iter().enumerate() {
                let is_said = match said {
                    Said::Nowhere => false,
                    Said::By { position: by, .. } => by == position,
                    Said::ByEach { .. } => matches!(piece.piece, Piece::Text(_)),
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
            let is_text = |it: &PieceOf<'_>| matches!(it.piece, Piece::Text(_));
            let first = out.output.iter().position(is_text);
            out.output.retain(|it| !is_text(it));
            out.output.insert(first.unwrap_or(0), structured);
        }
        (Prefer::ContentUnlessEmpty, _) if out.output.is_empty() => out.output.push(structured),
        (Prefer::ContentOnly | Prefer::ContentUnlessEmpty, Said::Nowhere) => {
            out.losses.push(Lost::StructuredDropped);
        }
        (Prefer::Both | Prefer::ContentOnly | Prefer::ContentUnlessEmpty, _) => (),
    }
}

/// Annotations are for hosts; no target carries them.
pub(super) fn annotations_lost(losses: &mut Losses, index: usize, block: &BlockRef<'_>) {
    if block.has_annotations {
        member_lost(losses, Some(index), "annotations");
    }
}
