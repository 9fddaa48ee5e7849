//! Pictures that hosts show, recognized by their first bytes: a name or media type may be wrong.

/// The most bytes of a picture in an answer: in Base64 it stays below the million that some hosts accept.
pub(super) const MOST_BYTES: usize = 700_000;

/// The media type of a picture in one of the four forms that models read, and of no other: not of SVG, which is a
/// program as well.
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

#[cfg(test)]
mod tests {
    use super::media_type;

    #[test]
    fn pictures_are_told_by_their_first_bytes() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], Some("image/png")),
            (b"\xFF\xD8\xFF\xE0\0\x10JFIF", Some("image/jpeg")),
            (b"GIF87a", Some("image/gif")),
            (b"GIF89a\x01\0", Some("image/gif")),
            (b"RIFF\x24\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\x24\0\0\0WAVEfmt ", None),
            (b"RIFF", None),
            (b"\x89PNG", None),
            (b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", None),
            (b"BM\x46\0", None),
            (b"", None),
        ] {
            assert_eq!(media_type(bytes), expected, "{bytes:?}");
        }
    }
}
