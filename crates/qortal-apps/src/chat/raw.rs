//! The raw form of a message, without secrets.

use crate::{embed, qdn};

/// Returns the data of a message as text in which keys are replaced by `…`. Returns `None` if it is not text.
#[must_use]
pub fn without_keys(data: &[u8]) -> Option<String> {
    let text = str::from_utf8(data).ok()?;
    let raw = text
        .trim_start()
        .starts_with('{')
        .then(|| qdn::raw(data, true));
    let json = raw.flatten().map(|it| it.json);
    Some(json.unwrap_or_else(|| embed::without_keys(text).into_owned()))
}
