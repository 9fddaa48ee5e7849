//! Fits what was converted into its limits.

use std::borrow::Cow;

use mcp_protocol::{LossKind, Losses};

use super::{
    converted::{dropped, member_lost},
    cut,
    limits::{Cut, Measure, OutputLimits},
    loss,
    media::{Media, What},
    piece::{Piece, PieceOf, in_bytes, link_text},
};
impl OutputLimits {
    /// `most` is what the target itself allows, in characters.
    pub(super) fn apply<'a>(
        &self,
        mut pieces: Vec<PieceOf<'a>>,
        is_error: bool,
        most: usize,
        losses: &mut Losses,
    ) -> Vec<PieceOf<'a>> {
        let cut = if is_error { Cut::Head } else { self.cut };
        for piece in &mut pieces {
            let text = text_of(&piece.piece).zip(self.lines);
            if let Some((shorter, bytes)) = text.and_then(|(it, max)| cut::lines(&it, max, cut)) {
                losses.push(loss::TRUNCATED, piece.index, in_bytes(bytes));
                piece.piece = Piece::Text(shorter.into());
            }
        }
        let most = (most < usize::MAX).then(|| OutputLimits::chars(most).text);
        for budget in [&self.text, &most.flatten()].into_iter().flatten() {
            pieces = limit_text(pieces, budget, cut, losses);
        }
        pieces
    }

    /// A note for a picture, sound or file over the limit.
    pub(super) fn limit_media(&self, piece: &mut PieceOf<'_>, losses: &mut Losses) {
        let Some(bytes) = piece.media().map(Media::bytes) else {
            return;
        };
        if self.media_bytes.is_some_and(|max| bytes > max) {
            let note = format!("[{}, omitted: over the size limit]", piece.described());
            let (index, kind) = piece.of();
            losses.push(LossKind::BLOCK_NOTED, index, kind);
            piece.piece = Piece::Text(note.into());
        }
    }
}

/// Cuts the texts to a budget. A structured value that does not fit is never cut inside: a note takes its place.
fn limit_text<'a>(
    pieces: Vec<PieceOf<'a>>,
    (amount, measure): &(usize, Measure),
    cut: Cut,
    losses: &mut Losses,
) -> Vec<PieceOf<'a>> {
    let sizes: Vec<usize> = pieces.iter().map(|it| size(&it.piece, measure)).collect();
    let total = sizes.iter().copied().fold(0, usize::saturating_add);
    if total <= *amount {
        return pieces;
    }
    let is_text = |it: &PieceOf<'_>| text_of(&it.piece).is_some();
    let mut texts = pieces.iter().filter(|it| is_text(it)).count();
    let (mut left, mut is_cut) = (*amount, false);
    let mut out = Vec::with_capacity(pieces.len());
    for (mut piece, size) in pieces.into_iter().zip(sizes) {
        let index = piece.index;
        let Some(text) = text_of(&piece.piece) else {
            match &mut piece.piece {
                Piece::Structured(value) if size > left => {
                    let bytes = value.to_string().len();
                    losses.push(LossKind::STRUCTURED_DROPPED, None, "");
                    let what = format!("structured value, {bytes} bytes");
                    piece.piece =
                        Piece::Text(format!("[{what}, omitted: over the size limit]").into());
                }
                // The address of a file is the only text that it has, and no file needs it.
                Piece::Media(What::File, media) if size > left => {
                    media.uri = None;
                    member_lost(losses, index, "resource.uri");
                }
                _ => left -= size.min(left),
            }
            out.push(piece);
            continue;
        };
        if is_cut {
            dropped(losses, index.unwrap_or(0), &piece.kind);
            continue;
        }
        texts -= 1;
        // Room for the note about what follows, unless that fits as well.
        let note = (texts > 0).then(|| omitted(texts));
        let reserve = note.as_deref().map_or(0, |it| measure.count(it));
        if size.saturating_add(reserve) <= left {
            left -= size;
            out.push(piece);
            continue;
        }
        is_cut = true;
        let room = left.saturating_sub(reserve);
        if out.iter().any(is_text) && room < measure.count(&cut::marker(text.len())) {
            // Nothing of it would be left but the marker.
            dropped(losses, index.unwrap_or(0), &piece.kind);
            out.push(PieceOf::text(index, omitted(texts + 1)));
            continue;
        }
        if size > room {
            let (shorter, bytes) = cut::text(&text, room, measure, cut);
            losses.push(loss::TRUNCATED, index, in_bytes(bytes));
            piece.piece = Piece::Text(shorter.into());
        }
        out.push(piece);
        if let Some(note) = note {
            out.push(PieceOf::text(index, note));
        }
    }
    out
}

fn omitted(texts: usize) -> String {
    let plural = if texts == 1 { "" } else { "s" };
    format!("[{texts} more text block{plural} omitted]")
}

/// What a model reads of a piece.
fn text_of<'p>(piece: &'p Piece<'_>) -> Option<Cow<'p, str>> {
    match piece {
        Piece::Text(text) | Piece::Document(text) => Some(Cow::Borrowed(text)),

        Piece::Link(link) => Some(link_text(link)),
        _ => None,
    }
}

/// Shorter texts count one more, for what separates them from the next.
const SHORT: usize = 5;

/// How much of the budget a piece takes.
fn size(piece: &Piece<'_>, measure: &Measure) -> usize {
    match piece {
        Piece::Structured(value) => measure.count_json(value).max(1),
        Piece::Media(What::File, media) => media.uri.map_or(0, |it| measure.count(it)),
        other => text_of(other).map_or(0, |it| {
            let separator = usize::from(it.len() < SHORT);
            measure.count(&it).saturating_add(separator)
        }),
    }
}
