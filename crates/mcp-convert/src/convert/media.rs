//! Images, audio and files in the form that strict receivers require: standard Base64, and the type that the bytes have.

mod signature;

use std::borrow::Cow;

use mcp_protocol::content::decoded_len;
use percent_encoding::percent_decode_str;

use super::phrases;
use crate::encoding;

/// Longer names of files are cut: they reach the model.
const MAX_NAME: usize = 100;
/// RFC 6838 §4.2 allows 127 letters on each side of the slash.
const MAX_TYPE: usize = 255;

/// What bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Image,
    Audio,
    File,
}

/// A picture, a sound or a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Media<'a> {
    /// Standard Base64 with padding (RFC 4648 §4), however it was spelled.
    pub(crate) data: Cow<'a, str>,
    /// In lower case, by its registered name and without parameters: what the first bytes say, else what the block
    /// says. `None` if neither does.
    pub(crate) mime_type: Option<Cow<'a, str>>,
    /// The address of the resource that it is the contents of.
    pub(crate) uri: Option<&'a str>,
}

impl What {
    /// By the type.
    pub(super) fn of(mime_type: &str) -> Self {
        match mime_type.split_once('/') {
            Some(("image", _)) => Self::Image,
            Some(("audio", _)) => Self::Audio,
            Some(_) | None => Self::File,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Audio => "audio",
            Self::File => "file",
        }
    }
}

impl<'a> Media<'a> {
    /// `None` if the data is not Base64. Some servers send a data URL, whose type counts.
    pub(crate) fn read(
        data: &'a str,
        mime_type: Option<&'a str>,
        uri: Option<&'a str>,
    ) -> Option<Self> {
        let url = data.strip_prefix("data:");
        let (declared, data) = match url.and_then(|it| it.split_once(',')) {
            Some((head, data)) => {
                let of_url = head.strip_suffix(";base64")?;
                (Some(of_url).filter(|it| !it.is_empty()), data)
            }
            None => (None, data),
        };
        let data = encoding::normalized(data)?;
        let of_block = || mime_type.and_then(canonical);
        let mime_type = declared.and_then(canonical).or_else(of_block);
        Some(Self {
            data,
            mime_type,
            uri,
        })
    }

    /// The type of the first bytes, if that is another than was declared. Bytes that are text in some other format
    /// too (a JSON file that begins with `%PDF`) keep their type.
    pub(super) fn correct_type(&mut self) -> Option<&'static str> {
        let found = signature::mime_type(&encoding::first_bytes(&self.data, signature::BYTES))?;
        let is_open = self.mime_type.as_deref().is_none_or(|it| {
            it.starts_with("image/") || matches!(it, "application/octet-stream" | "application/pdf")
        });
        if !is_open || self.is(found) {
            return None;
        }
        let is_correction = self.mime_type.is_some();
        self.mime_type = Some(Cow::Borrowed(found));
        is_correction.then_some(found)
    }

    /// Whether it has this type.
    pub(super) fn is(&self, mime_type: &str) -> bool {
        self.mime_type.as_deref() == Some(mime_type)
    }

    /// The type, or the one for bytes of which nothing is known.
    pub(super) fn type_or_bytes(&self) -> Cow<'a, str> {
        self.mime_type
            .clone()
            .unwrap_or(Cow::Borrowed("application/octet-stream"))
    }

    /// How many bytes there are.
    pub(super) fn bytes(&self) -> usize {
        decoded_len(&self.data)
    }

    /// The longer side of a picture, where its first bytes tell.
    pub(super) fn pixels(&self) -> Option<u32> {
        signature::pixels(&encoding::first_bytes(&self.data, signature::HEADER))
    }

    /// The contents, if they are text by their type, or have none, and are UTF-8.
    pub(super) fn text(&self) -> Option<String> {
        let is_text = self.mime_type.as_deref().is_none_or(|it| {
            let application = it.strip_prefix("application/");
            let is_known = matches!(application, Some("json" | "xml" | "yaml"));
            is_known || it.starts_with("text/") || it.ends_with("+json") || it.ends_with("+xml")
        });
        let bytes = encoding::decode(&self.data).filter(|_| is_text)?;
        String::from_utf8(bytes).ok()
    }

    /// The name of the file, or some name, because an API asks for one.
    pub(super) fn name_or_some(&self) -> String {
        self.name().unwrap_or_else(|| {
            let is_pdf = self.is("application/pdf");
            if is_pdf { "file.pdf" } else { "file" }.to_owned()
        })
    }

    /// The name of the file: the last segment of its address.
    pub(super) fn name(&self) -> Option<String> {
        file_name(self.uri?)
    }
}

/// The last segment of an address, decoded and cut to a bearable length, if it has one that is more than blanks.
pub(super) fn file_name(uri: &str) -> Option<String> {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    let name = path.rsplit(['/', '\\']).next()?;
    if name.is_empty() || name == path {
        return None;
    }
    // Enough letters for the name, should each of its bytes be three of them.
    let name: String = name.chars().take(MAX_NAME * 3 * 4).collect();
    // A name that is not UTF-8 stays encoded.
    let decoded = percent_decode_str(&name).decode_utf8();
    let decoded = decoded.as_deref().unwrap_or(&name).chars().take(MAX_NAME);
    let is_plain = |it: &char| !it.is_control() && !matches!(it, '/' | '\\');
    let plain: String = decoded.filter(is_plain).collect();
    (!plain.trim().is_empty()).then_some(plain)
}

/// The registered name of a type, without parameters; `None` for what is no type.
pub(super) fn canonical(mime_type: &str) -> Option<Cow<'_, str>> {
    let essence = mime_type.split(';').next().unwrap_or("").trim();
    // The letters of RFC 6838 §4.2.
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&it);
    let is_name = |it: &str| !it.is_empty() && it.bytes().all(is_letter);
    let (kind, subtype) = essence.split_once('/')?;
    if essence.len() > MAX_TYPE || !is_name(kind) || !is_name(subtype) {
        return None;
    }
    let lower = if essence.bytes().any(|it| it.is_ascii_uppercase()) {
        Cow::Owned(essence.to_ascii_lowercase())
    } else {
        Cow::Borrowed(essence)
    };
    let alias = phrases::named(ALIASES).find(|(it, _)| *it == lower);
    Some(alias.map_or(lower, |(_, name)| Cow::Borrowed(name)))
}

/// The names that servers use, and those that providers know.
const ALIASES: &str = "image/jpg:image/jpeg image/pjpeg:image/jpeg image/x-png:image/png image/apng:image/png \
    image/svg:image/svg+xml image/x-ms-bmp:image/bmp audio/x-wav:audio/wav audio/wave:audio/wav \
    audio/vnd.wave:audio/wav audio/mp3:audio/mpeg audio/x-m4a:audio/mp4 application/x-pdf:application/pdf \
    text/x-markdown:text/markdown text/md:text/markdown application/csv:text/csv text/json:application/json \
    text/xml:application/xml application/x-yaml:application/yaml text/yaml:application/yaml \
    text/x-yaml:application/yaml";

#[cfg(test)]
mod tests {
    use super::Media;
    use super::{canonical, file_name};

    #[test]
    fn types_have_one_name() {
        for (given, name) in [
            ("image/png", Some("image/png")),
            ("image/jpg", Some("image/jpeg")),
            ("IMAGE/PNG", Some("image/png")),
            (" Image/JPG ; q=1", Some("image/jpeg")),
            ("image/png; charset=binary", Some("image/png")),
            ("text/x-markdown", Some("text/markdown")),
            ("", None),
            ("png", None),
            ("image/", None),
            ("a/b/c", None),
            ("image/p g", None),
        ] {
            assert_eq!(canonical(given).as_deref(), name, "{given:?}");
        }
        let long = format!("image/{}", "x".repeat(300));
        assert_eq!(canonical(&long), None);
    }

    #[test]
    fn names_of_files_are_short_and_plain() {
        for (uri, name) in [
            ("file:///tmp/a.pdf", Some("a.pdf")),
            ("file:///tmp/b%20c.pdf", Some("b c.pdf")),
            ("https://x.test/r.pdf?v=1#p", Some("r.pdf")),
            ("file:///C:\\a\\b.txt", Some("b.txt")),
            ("file:///a%2Fb", Some("ab")),
            ("file:///%ff", Some("%ff")),
            ("file:///%+1%4", Some("%+1%4")),
            ("file:///%", Some("%")),
            ("report.pdf", None),
            ("file:///tmp/", None),
            ("file:/ ", None),
            ("file:///tmp/%20", None),
        ] {
            assert_eq!(file_name(uri).as_deref(), name, "{uri}");
        }
        let long = format!("file:///{}", "é".repeat(1000));
        assert_eq!(file_name(&long).map(|it| it.chars().count()), Some(100));
    }

    #[test]
    fn the_bytes_decide_the_type() {
        const JPEG: &str = "/9j/4AAQSkZJRg==";
        const PDF: &str = "JVBERi0xLjcK";
        for (data, declared, found, corrected) in [
            (JPEG, "image/png", "image/jpeg", true),
            (JPEG, "image/jpg", "image/jpeg", false),
            (JPEG, "", "image/jpeg", false),
            ("R0lGODlhAQABAAAAACw=", "image/png", "image/gif", true),
            (PDF, "application/octet-stream", "application/pdf", true),
            (PDF, "text/plain", "text/plain", false),
            ("aGVsbG8=", "image/png", "image/png", false),
            (
                "data:image/gif;base64,aGk=",
                "image/png",
                "image/gif",
                false,
            ),
            ("data:;base64,aGk=", "image/png", "image/png", false),
        ] {
            let mut media = Media::read(data, Some(declared), None).unwrap();
            let row = format!("{data} {declared}");
            assert_eq!(media.correct_type().is_some(), corrected, "{row}");
            assert_eq!(media.mime_type.as_deref(), Some(found), "{row}");
        }
        let no_base64 = Media::read("data:image/svg+xml,<svg/>", None, None);
        assert_eq!(no_base64, None);
    }
}
