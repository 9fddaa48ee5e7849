//! Losses that targets cause. [`LossKind`] defines the losses of protocol revisions.

use mcp_protocol::LossKind;

/// It is not in the output, but among the parts that are to be sent after it.
pub(super) const BLOCK_FOLLOWS: LossKind = LossKind::new(
    "block_follows",
    "{place}: the {} block is sent after the result",
);
/// About how much of it.
pub(super) const TRUNCATED: LossKind = LossKind::new("truncated", "{place}: {} of text cut");
/// The model gets the block, or a note of it, in its own place.
pub(super) const BASE64_REPLACED: LossKind = LossKind::new(
    "base64_replaced",
    "{place}: a note replaces the Base64 of a block",
);
/// It is so in no alphabet, and cannot be sent.
pub(super) const INVALID_BASE64: LossKind =
    LossKind::new("invalid_base64", "{place}: the data is not Base64");
/// The MIME type of a block is not that of its first bytes, about which it is.
pub(super) const TYPE_CORRECTED: LossKind = LossKind::new(
    "type_corrected",
    "{place}: the bytes are sent as the {} they are",
);
/// The target has no flag for it.
pub(super) const ERROR_FLAG_AS_TEXT: LossKind =
    LossKind::new("error_flag_as_text", "isError is said as text");
pub(super) const ERROR_FLAG_DROPPED: LossKind =
    LossKind::new("error_flag_dropped", "isError is left out");
