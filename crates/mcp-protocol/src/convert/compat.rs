//! What vendors' own converters make of a result, as observed. The outputs of other vendors are in the corpus.

mod ai_sdk;
mod anthropic;
mod copilot;
mod langchain;

use super::{
    converted::{ConvertError, Converted},
    said::is_in_texts,
    view::ResultView,
};
use crate::loss::{Losses, Lost, shown};

/// The output, with what was lost of its blocks and whether its structured value is.
fn converted<'a, T>(output: T, mut losses: Losses, view: &ResultView<'a>) -> Converted<'a, T> {
    if !is_in_texts(view) {
        losses.push(Lost::StructuredDropped);
    }
    Converted {
        losses,
        ..Converted::new(output, view)
    }
}

fn unsupported(index: usize, kind: &str) -> ConvertError {
    let what = format!("{} block", shown(kind));
    ConvertError::Unsupported { index, what }
}
