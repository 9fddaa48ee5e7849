//! Detection of image types and PDF files by their first bytes.

/// How many bytes tell the type.
pub(super) const BYTES: usize = 18;
/// How many bytes tell the size of a picture: those of a JPEG file may come after a preview of 64 KiB.
pub(super) const HEADER: usize = 128 * 1024;

/// The type, if the bytes are those of one that providers tell apart.
pub(super) fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some("image/bmp"),
        [b'I', b'I', 0x2A, 0, ..] | [b'M', b'M', 0, 0x2A, ..] => Some("image/tiff"),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("application/pdf"),
        _ => {
            let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
            is_webp.then_some("image/webp")
        }
    }
}

/// The longer side of a PNG, GIF, JPEG or WebP picture in pixels.
pub(super) fn pixels(bytes: &[u8]) -> Option<u32> {
    let size = imagesize::blob_size(bytes).ok()?;
    u32::try_from(size.width.max(size.height)).ok()
}

#[cfg(test)]
mod tests {
    use super::pixels;

    #[test]
    fn the_longer_side_is_read_from_the_header() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\x23\x28";
        let gif = b"GIF89a\x01\0\x02\x01\0\0\0";
        let jpeg = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xC0\0\x11\x08\x00\x10\x1F\x41\x03";
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x10\0\x20\0";
        let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xFF\x3F\0\0";
        let extended = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x0F\0\0\x1F\0\0";
        for (bytes, longer) in [
            (&png[..], Some(9000)),
            (gif, Some(258)),
            (jpeg, Some(8001)),
            (lossy, Some(32)),
            (lossless, Some(16384)),
            (extended, Some(32)),
            (b"hello", None),
            (b"\xFF\xD8\xFF", None),
            (b"\xFF\xD8\xFF\xE0\0\0", None),
            (b"\x89PNG\r\n\x1a\n", None),
        ] {
            assert_eq!(pixels(bytes), longer, "{bytes:?}");
        }
    }
}
