//! The size of an answer: one that is longer than hosts show has fewer rows.

use tool_schema::{JsonWriter, OutputDetail};

use crate::{
    context::Context,
    declare::{
        entry::Entry,
        outcome::{Answer, Outcome},
        table::{as_csv, columns},
    },
};

/// Bytes of JSON that every host shows its model of one answer.
const ANSWER_BYTES: usize = 40_000;
/// Bytes of JSON of the rows of one list: with its notes, an answer with such a list has less.
const LIST_BYTES: usize = 38_000;

/// Returns the outcome of a call: the answer with what all tools add to it, within the size that hosts show. A longer answer is
/// written again with fewer rows.
pub(super) fn fit(
    mut answer: Box<dyn Answer>,
    cx: &Context,
    entry: &Entry,
    csv: Option<&str>,
    notes: Vec<String>,
) -> Outcome {
    let signature = entry.signature();
    let extent = signature.extent(cx);
    let mut outcome = answer.outcome();
    cx.complete(&mut outcome);
    let mut noted = outcome.after_notes();
    outcome.note(notes);
    outcome.link(entry.files, &cx.arguments);
    let mut most = usize::MAX;
    loop {
        let mut json = JsonWriter::new(extent);
        if csv.is_none() && !cx.shared.whole_pages {
            (json.pages.most, json.pages.bytes) = (most, LIST_BYTES);
        }
        answer.write(&mut json);
        let longest = json.pages.longest;
        let (members, notes) = json.finish();
        outcome.state(members, notes, &mut noted);
        if let Some(list) = csv {
            let columns = columns(list, &signature.members, extent == OutputDetail::Full);
            outcome.replace_members(|members| as_csv(members, list, &columns));
            return outcome;
        }
        if cx.shared.whole_pages {
            return outcome;
        }
        match outcome.bytes_beyond(ANSWER_BYTES) {
            // Rows differ in length.
            Some(bytes) if longest > 1 => {
                most = (longest * ANSWER_BYTES / bytes * 9 / 10).clamp(1, longest - 1);
            }
            _ => return outcome,
        }
    }
}
