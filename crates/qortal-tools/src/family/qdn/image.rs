//! Images shown by hosts, recognized by their first bytes. A name or media type may be wrong.

/// Maximum size of an image in a result, in bytes. Base64-encoded, it stays below the million that some hosts accept.
pub(super) const MOST_BYTES: usize = 700_000;

/// Returns the media type of an image in one of the four formats that models read. SVG is excluded because it can
/// contain programs.
pub(super) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
        Some("image/png")
    } else if bytes.starts_with(b"\xFF\xD8\xFF") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some("image/gif")
    } else if is_webp {
        Some("image/webp")
    } else {
        None
    }
}
