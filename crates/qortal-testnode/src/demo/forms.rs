//! Readable forms of the message and file data in the demo's tables.
//!
//! Apps publish JSON documents, text and ciphertext. A table holds each as an object with one field that a person can edit: `json` (a
//! document, written without whitespace), `text`, `cipher` (pseudo-random bytes after a readable head), or `base64` around one of these.

use data_encoding::BASE64;
use serde_json::Value;

use crate::chain::{Row, pseudo_random};

/// The sequence of the ciphertext.
const CIPHER: u64 = 116;
/// The sequence of the images.
const PICTURE: u64 = 117;
/// Length of the key that group encryption adds for each reader, in bytes.
const READER_KEY: usize = 48;

/// Returns the bytes of a readable form, or `None` if the value is not one.
pub(super) fn bytes(form: &Value) -> Option<Vec<u8>> {
    let (kind, content) = form.as_object()?.iter().next()?;
    match kind.as_str() {
        "json" => Some(content.to_string().into_bytes()),
        "text" => Some(content.as_str()?.as_bytes().to_vec()),
        "cipher" => Some(cipher(content)),
        "base64" => Some(BASE64.encode(&bytes(content)?).into_bytes()),
        _ => None,
    }
}

/// Returns `head` followed by `length` pseudo-random bytes. With `readers`, a key for each of them and their number follow, as in data
/// encrypted for several accounts.
fn cipher(content: &Value) -> Vec<u8> {
    let length = |name: &str| usize::try_from(content.number(name)).unwrap_or_default();
    let readers = length("readers");
    let mut bytes = content.text("head").as_bytes().to_vec();
    let drawn_length = length("length") + readers * READER_KEY;
    bytes.extend(pseudo_random(content.number("place"), CIPHER, drawn_length));
    if let Ok(count) = u32::try_from(readers)
        && count > 0
    {
        bytes.extend(count.to_le_bytes());
    }
    bytes
}

/// Returns an image of this length as a data URL, as apps write it into their documents. Its content is random.
pub(super) fn picture(place: i64, length: usize) -> String {
    let mut bytes = b"RIFF\0\0\0\0WEBPVP8 ".to_vec();
    bytes.extend(pseudo_random(
        place,
        PICTURE,
        length.saturating_sub(bytes.len()),
    ));
    bytes.truncate(length);
    format!("data:image/webp;base64,{}", BASE64.encode(&bytes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{bytes, picture};

    #[test]
    fn readable_form_of_each_kind_becomes_its_bytes() {
        let text = |form| String::from_utf8(bytes(&form).unwrap()).unwrap();
        assert_eq!(text(json!({"json": {"a": [1, "é"]}})), r#"{"a":[1,"é"]}"#);
        assert_eq!(text(json!({"text": "D"})), "D");
        assert_eq!(text(json!({"base64": {"text": "4001"}})), "NDAwMQ==");
        let cipher = json!({"cipher": {"head": "0000000002002", "place": 1, "length": 24}});
        let cipher = bytes(&cipher).unwrap();
        assert!(cipher.starts_with(b"0000000002002") && cipher.len() == 37);
        let key = json!({"cipher": {"head": "x", "place": 1, "length": 8, "readers": 2}});
        let key = bytes(&key).unwrap();
        assert!(key.ends_with(&[2, 0, 0, 0]) && key.len() == 1 + 8 + 2 * 48 + 4);
        assert_eq!(bytes(&json!({"message": "another object"})), None);
        assert_eq!(bytes(&json!("text")), None);
    }

    #[test]
    fn picture_of_a_length_is_a_data_url_of_webp() {
        let url = picture(3, 30);
        assert!(url.starts_with("data:image/webp;base64,UklGR"), "{url}");
        assert_eq!(url.len(), "data:image/webp;base64,".len() + 40);
    }
}
