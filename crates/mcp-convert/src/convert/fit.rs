//! Applies output limits to converted content.

use std::borrow::Cow;

use mcp_protocol::Losses;

use super::{
    converted::{dropped, member_lost},
    cut,
    limits::{Measure, OutputLimits, Truncation},
    loss,
    media::{Media, What},
    part::{Part, PartOf, in_bytes, link_text, noted},
};
impl OutputLimits {
    /// `most` is what the target itself allows, in characters.
    pub(super) fn apply<'a>(
        &self,
        mut parts: Vec<PartOf<'a>>,
        is_error: bool,
        most: usize,
        losses: &mut Losses,
    ) -> Vec<PartOf<'a>> {
        let cut = if is_error { Truncation::Head } else { self.cut };
        let most = (most < usize::MAX).then_some((most, Measure::Chars));
        for budget in [self.text, most].into_iter().flatten() {
            parts = limit_text(parts, budget, cut, losses);
        }
        parts
    }

    /// A note for a picture, sound or file over the limit.
    pub(super) fn limit_media(&self, part: &mut PartOf<'_>, losses: &mut Losses) {
        let Some(bytes) = part.media().map(Media::bytes) else {
            return;
        };
        if self.media_bytes.is_some_and(|max| bytes > max) {
            let reason = "omitted: over the size limit";
            part.part = noted(part.of(), &part.described(), reason, losses);
        }
    }
}

/// Cuts the texts to a budget, and a structured value as the JSON that it is.
fn limit_text<'a>(
    parts: Vec<PartOf<'a>>,
    (amount, measure): (usize, Measure),
    cut: Truncation,
    losses: &mut Losses,
) -> Vec<PartOf<'a>> {
    let sizes: Vec<usize> = parts.iter().map(|it| size(&it.part, measure)).collect();
    let total = sizes.iter().copied().fold(0, usize::saturating_add);
    if total <= amount {
        return parts;
    }
    let is_text = |it: &PartOf<'_>| text_of(&it.part).is_some();
    let mut texts = parts.iter().filter(|it| is_text(it)).count();
    // Texts leave half of it to a structured value.
    let values = parts.iter().zip(&sizes);
    let values = values.filter(|(it, _)| matches!(it.part, Part::Structured(_)));
    let mut reserved = values.map(|(_, size)| *size).sum::<usize>().min(amount / 2);
    let (mut left, mut is_cut) = (amount - reserved, false);
    let mut out = Vec::with_capacity(parts.len());
    for (mut part, size) in parts.into_iter().zip(sizes) {
        let index = part.index;
        let Some(text) = text_of(&part.part) else {
            match &mut part.part {
                Part::Structured(value) => {
                    let room = reserved + if texts == 0 { left } else { 0 };
                    if size > room {
                        let (shorter, bytes) =
                            cut::text(&value.to_string(), room, measure, Truncation::JsonAware);
                        losses.push(loss::TRUNCATED, None, in_bytes(bytes));
                        // A list that lost its last elements is a value still.
                        part.part = match serde_json::from_str(&shorter) {
                            Ok(value) => Part::Structured(Cow::Owned(value)),
                            Err(_) => Part::Text(shorter.into()),
                        };
                    }
                    left = (left + reserved).saturating_sub(size.min(room));
                    reserved = 0;
                }
                // The address of a file is the only text that it has, and no file needs it.
                Part::Media(What::File, media) if size > left => {
                    media.uri = None;
                    member_lost(losses, index, "resource.uri");
                }
                _ => left -= size.min(left),
            }
            out.push(part);
            continue;
        };
        if is_cut {
            dropped(losses, index.unwrap_or(0), &part.kind);
            continue;
        }
        texts -= 1;
        // Room for the note about what follows, unless that fits as well.
        let note = (texts > 0).then(|| omitted(texts));
        let reserve = note.as_deref().map_or(0, |it| measure.count(it));
        if size.saturating_add(reserve) <= left {
            left -= size;
            out.push(part);
            continue;
        }
        is_cut = true;
        let room = left.saturating_sub(reserve);
        if out.iter().any(is_text) && room < measure.count(&cut::marker(text.len())) {
            // Nothing of it would be left but the marker.
            dropped(losses, index.unwrap_or(0), &part.kind);
            out.push(PartOf::text(index, omitted(texts + 1)));
            continue;
        }
        if size > room {
            let (shorter, bytes) = cut::text(&text, room, measure, cut);
            losses.push(loss::TRUNCATED, index, in_bytes(bytes));
            part.part = Part::Text(shorter.into());
        }
        out.push(part);
        if let Some(note) = note {
            out.push(PartOf::text(index, note));
        }
    }
    out
}

fn omitted(texts: usize) -> String {
    let plural = if texts == 1 { "" } else { "s" };
    format!("[{texts} more text block{plural} omitted]")
}

/// What a model reads of a part.
fn text_of<'p>(part: &'p Part<'_>) -> Option<Cow<'p, str>> {
    match part {
        Part::Text(text) | Part::Document(text) => Some(Cow::Borrowed(text)),

        Part::Link(link) => Some(link_text(link)),
        _ => None,
    }
}

/// Shorter texts count one more, for what separates them from the next.
const SHORT: usize = 5;

/// How much of the budget a part takes.
fn size(part: &Part<'_>, measure: Measure) -> usize {
    match part {
        Part::Structured(value) => measure.count_json(value).max(1),
        Part::Media(What::File, media) => media.uri.map_or(0, |it| measure.count(it)),
        other => text_of(other).map_or(0, |it| {
            let separator = usize::from(it.len() < SHORT);
            measure.count(&it).saturating_add(separator)
        }),
    }
}
