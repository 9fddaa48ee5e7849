//! Whether an API accepts a tool result: what its documentation forbids, and what public threads show it to refuse.
//!
//! For tests of your own converter, and as a last check before a request is sent. The output of [`crate::convert()`] passes:
//! whatever an API refuses is sent in another form, and reported. A validator sees one result, so it cannot judge what
//! depends on the whole request (its size, names of documents in other results), nor whether bytes with the right
//! beginning are a whole picture.
//!
//! ```
//! use mcp_convert::{Anthropic, validate};
//!
//! let block = serde_json::json!({"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": [
//!     {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
//! ]});
//! let refusals = validate::result(&block, &Anthropic::default());
//! assert_eq!(refusals[0].to_string(), "content[0]: all content must be text if is_error is true");
//! ```

pub(super) mod found;
mod tools;

use serde_json::Value;

use self::found::Found;
pub use self::{found::Rejection, tools::tools};
use super::target::Target;

/// What the target refuses of a result.
#[must_use]
pub fn result(result: &Value, target: &(impl Target + ?Sized)) -> Vec<Rejection> {
    let mut found = Found::default();
    target.check(result, &target.carrier(false), &mut found);
    found.into_refusals()
}

/// What the target refuses of a part of a user message: text, a picture or a file.
#[must_use]
pub fn message_part(part: &Value, target: &(impl Target + ?Sized)) -> Vec<Rejection> {
    let mut found = Found::default();
    found.part(part, "", &target.carrier(false).of_message());
    found.into_refusals()
}
