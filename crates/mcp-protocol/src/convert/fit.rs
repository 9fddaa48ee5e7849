//! Fits what was converted into its limits.

use std::borrow::Cow;

use super::{
    converted::{ConvertError, dropped},
    cut,
    limits::{Budget, Cut, Limits, Measure, OversizedStructure},
    media::Media,
    piece::{Piece, PieceOf, link_text},
};
use crate::loss::{Loss, Losses};

impl Limits {
    /// `most` is what the target itself allows, in characters.
    pub(super) fn apply<'a>(
        &self,
        pieces: Vec<PieceOf<'a>>,
        is_error: bool,
        most: usize,
        losses: &mut Losses,
    ) -> Result<Vec<PieceOf<'a>>, ConvertError> {
        let cut = if is_error { Cut::Head } else { self.cut };
        let mut pieces = pieces;
        for piece in &mut pieces {
            let text = text_of(&piece.piece);
            let shorter = text
                .zip(self.lines)
                .and_then(|(it, max)| cut::lines(&it, max, cut));
            if let Some(shorter) = shorter {
                losses.push(Loss::Truncated {
                    index: piece.index,
                    bytes: shorter.gone,
                });
                piece.piece = Piece::Text(shorter.text.into());
            }
        }
        if let Some(budget) = &self.text {
            pieces = self.limit_text(pieces, budget, cut, losses)?;
        }
        let budget = Budget {
            amount: most,
            measure: Measure::Chars,
        };
        if most == usize::MAX {
            Ok(pieces)
        } else {
            self.limit_text(pieces, &budget, cut, losses)
        }
    }

    /// A note for a picture, sound or file over the limit.
    pub(super) fn limit_media(&self, piece: &mut PieceOf<'_>, losses: &mut Losses) {
        let Some(bytes) = piece.media().map(Media::bytes) else {
            return;
        };
        if self.media_bytes.is_some_and(|max| bytes > max) {
            let note = format!("[{}, omitted: over the size limit]", piece.describe());
            losses.push(Loss::BlockNoted {
                index: piece.index.unwrap_or(0),
                kind: piece.kind.clone().into_owned(),
            });
            piece.piece = Piece::Text(note.into());
        }
    }

    fn limit_text<'a>(
        &self,
        pieces: Vec<PieceOf<'a>>,
        budget: &Budget,
        cut: Cut,
        losses: &mut Losses,
    ) -> Result<Vec<PieceOf<'a>>, ConvertError> {
        let measure = &budget.measure;
        let sizes: Vec<usize> = pieces.iter().map(|it| size(&it.piece, measure)).collect();
        let total = sizes
            .iter()
            .fold(0, |sum: usize, size| sum.saturating_add(*size));
        if total <= budget.amount {
            return Ok(pieces);
        }
        let mut texts = pieces
            .iter()
            .filter(|it| text_of(&it.piece).is_some())
            .count();
        let mut left = budget.amount;
        let mut is_cut = false;
        let mut out = Vec::with_capacity(pieces.len());
        for (mut piece, size) in pieces.into_iter().zip(sizes) {
            if let Piece::Structured(value) = piece.piece {
                if size <= left {
                    left -= size;
                } else {
                    let bytes = value.to_string().len();
                    if self.structure == OversizedStructure::Error {
                        return Err(ConvertError::StructuredTooLarge { bytes });
                    }
                    losses.push(Loss::StructuredDropped);
                    piece.piece = Piece::Text(
                        format!("[structured value, {bytes} bytes, omitted: over the size limit]")
                            .into(),
                    );
                }
                out.push(piece);
                continue;
            }
            let Some(text) = text_of(&piece.piece) else {
                match &mut piece.piece {
                    // The address of a file is the only text that it has, and no file needs it.
                    Piece::File(media) if size > left => {
                        media.uri = None;
                        let index = piece.index.unwrap_or(0);
                        let path = format!("content[{index}].resource.uri");
                        losses.push(Loss::MemberDropped { path });
                    }
                    _ => left -= size.min(left),
                }
                out.push(piece);
                continue;
            };
            if is_cut {
                dropped(losses, piece.index.unwrap_or(0), &piece.kind);
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
            let is_first = out
                .iter()
                .all(|it: &PieceOf<'_>| text_of(&it.piece).is_none());
            if !is_first && room < measure.count(&cut::marker(text.len())) {
                // Nothing of it would be left but the marker.
                let index = piece.index;
                dropped(losses, index.unwrap_or(0), &piece.kind);
                out.push(PieceOf::text(index, omitted(texts + 1)));
                continue;
            }
            if size > room {
                let shorter = cut::text(&text, room, measure, cut);
                losses.push(Loss::Truncated {
                    index: piece.index,
                    bytes: shorter.gone,
                });
                piece.piece = Piece::Text(Cow::Owned(shorter.text));
            }
            let index = piece.index;
            out.push(piece);
            if let Some(note) = note {
                out.push(PieceOf::text(index, note));
            }
        }
        Ok(out)
    }
}

fn omitted(texts: usize) -> String {
    let plural = if texts == 1 { "" } else { "s" };
    format!("[{texts} more text block{plural} omitted]")
}

/// What a model reads of a piece.
fn text_of<'p>(piece: &'p Piece<'_>) -> Option<Cow<'p, str>> {
    match piece {
        Piece::Text(text) => Some(Cow::Borrowed(text)),
        Piece::Document(document) => Some(match document.uri {
            Some(uri) => Cow::Owned(format!("{uri}\n{}", document.text)),
            None => Cow::Borrowed(&document.text),
        }),
        Piece::Link(link) => Some(link_text(link)),
        Piece::Structured(_)
        | Piece::Image(_)
        | Piece::Audio(_)
        | Piece::File(_)
        | Piece::Other(_) => None,
    }
}

/// Shorter texts count one more, for what separates them from the next.
const SHORT: usize = 5;

/// How much of the budget a piece takes.
fn size(piece: &Piece<'_>, measure: &Measure) -> usize {
    match piece {
        Piece::Structured(value) => measure.count_json(value).max(1),
        Piece::File(media) => media.uri.map_or(0, |it| measure.count(it)),
        other => text_of(other).map_or(0, |it| {
            let separator = usize::from(it.len() < SHORT);
            measure.count(&it).saturating_add(separator)
        }),
    }
}
