//! Validation of tool results against the rules of APIs, from their documentation and from rejections in public threads.
//!
//! Use it to test your own converter, or as a last check before sending a request. The output of [`crate::convert()`] passes,
//! because it replaces rejected content with another form and reports the change. A validator sees one result, so it cannot check
//! rules about the entire request, such as its size or document names in other results. It also does not check that bytes with the
//! right signature form a complete image.
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

/// Returns the target's reasons to reject a result.
#[must_use]
pub fn result(result: &Value, target: &(impl Target + ?Sized)) -> Vec<Rejection> {
    let mut found = Found::default();
    target.check(result, &target.carrier(false), &mut found);
    found.into_refusals()
}

/// Returns the target's reasons to reject a part of a user message: text, an image or a file.
#[must_use]
pub fn message_part(part: &Value, target: &(impl Target + ?Sized)) -> Vec<Rejection> {
    let mut found = Found::default();
    found.part(part, "", &target.carrier(false).of_message());
    found.into_refusals()
}
