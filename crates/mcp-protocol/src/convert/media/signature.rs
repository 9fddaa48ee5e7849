//! What the first bytes of a picture or a PDF file say of it.

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
    let big = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let little = |at: usize| {
        Some(u32::from(u16::from_le_bytes(
            bytes.get(at..at + 2)?.try_into().ok()?,
        )))
    };
    match mime_type(bytes)? {
        "image/png" => Some(big(16)?.max(big(20)?)),
        "image/gif" => Some(little(6)?.max(little(8)?)),
        "image/jpeg" => jpeg(bytes),
        "image/webp" => match bytes.get(12..16)? {
            b"VP8 " => Some((little(26)? & 0x3FFF).max(little(28)? & 0x3FFF)),
            b"VP8L" => {
                let bits = u32::from_le_bytes(bytes.get(21..25)?.try_into().ok()?);
                Some(((bits & 0x3FFF) + 1).max(((bits >> 14) & 0x3FFF) + 1))
            }
            b"VP8X" => {
                let long = |at: usize| Some(little(at)? | (u32::from(*bytes.get(at + 2)?) << 16));
                Some((long(24)? + 1).max(long(27)? + 1))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The frame header is one of the segments of the file (ITU-T T.81 §B.2).
fn jpeg(bytes: &[u8]) -> Option<u32> {
    let short = |at: usize| {
        Some(u32::from(u16::from_be_bytes(
            bytes.get(at..at + 2)?.try_into().ok()?,
        )))
    };
    let mut at = 2;
    loop {
        if *bytes.get(at)? != 0xFF {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        let is_frame = matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC);
        if is_frame {
            return Some(short(at + 5)?.max(short(at + 7)?));
        }
        // Each step is at least two bytes, so that the end is reached.
        at += match marker {
            0xFF => 1,
            0x01 | 0xD0..=0xD9 => 2,
            _ => 2 + usize::try_from(short(at + 2)?).ok()?,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::pixels;

    #[test]
    fn the_longer_side_is_read_from_the_header() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\x23\x28";
        let gif = b"GIF89a\x01\0\x02\x01";
        let jpeg = b"\xFF\xD8\xFF\xE0\0\x04ab\xFF\xFF\xC0\0\x11\x08\x00\x10\x1F\x41\x03";
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
