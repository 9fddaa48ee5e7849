//! Failures in the text of targets that have no flag for them.

use std::borrow::Cow;

use super::{
    piece::{Piece, PieceOf},
    policy::ErrorMark,
};
use crate::loss::{Losses, Lost};

/// Says that the tool failed, if it did not say anything itself.
pub(super) const NO_MESSAGE: &str = "the tool reported an error without a message";

pub(super) fn mark_error<'a>(
    mut pieces: Vec<PieceOf<'a>>,
    mark: &ErrorMark,
    losses: &mut Losses,
) -> Vec<PieceOf<'a>> {
    pieces.retain(|it| !it.is_blank());
    let words = |piece: &PieceOf<'a>| match &piece.piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Structured(value) => Some(Cow::Owned(value.to_string())),
        _ => None,
    };
    match mark {
        ErrorMark::Prefix(prefix) => {
            losses.push(Lost::ErrorFlagAsText);
            let text = pieces.iter_mut().find_map(|it| Some((words(it)?, it)));
            match text {
                Some((text, piece)) => piece.piece = Piece::Text(format!("{prefix}{text}").into()),
                None => pieces.insert(0, PieceOf::text(None, format!("{prefix}{NO_MESSAGE}"))),
            }
        }
        ErrorMark::Json => {
            losses.push(Lost::ErrorFlagAsText);
            let mut all: Vec<Cow<'_, str>> = pieces.iter().filter_map(words).collect();
            if all.is_empty() {
                all.push(NO_MESSAGE.into());
            }
            pieces.retain(|it| words(it).is_none());
            let json = serde_json::json!({"error": all.join("\n")}).to_string();
            pieces.insert(0, PieceOf::text(None, json));
        }
        ErrorMark::None => {
            losses.push(Lost::ErrorFlagDropped);
            if pieces.is_empty() {
                pieces.push(PieceOf::text(None, NO_MESSAGE));
            }
        }
    }
    pieces
}
