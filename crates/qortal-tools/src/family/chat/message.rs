//! The data of a message in its original form: text, bytes, or ciphertext.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_client::api::chat::Encoding;
use qortal_types::Address;
use tool_schema::choice;

use crate::support::untrusted::Untrusted;

/// The note on every answer about messages.
pub(super) const A_DAY: &str =
    "The node keeps chat for 24 hours only, and less if it was started recently.";

choice! {
    /// How the bytes of a message are written.
    pub(super) enum DataEncoding {
        /// With the Bitcoin alphabet.
        Base58 = "BASE58",
        /// As in RFC 4648.
        Base64 = "BASE64",
    }
}

/// The display format of messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// The encoding that the node sends.
    pub(super) encoding: Encoding,
    /// The encoding of the answer.
    shown: DataEncoding,
    as_text: bool,
}

impl Form {
    /// Creates a form. Text is decoded from Base64, which is cheap. The other encoding matters only if the bytes are shown.
    pub(super) fn of(shown: DataEncoding, decode_text: bool) -> Self {
        let encoding = match shown {
            DataEncoding::Base58 if !decode_text => Encoding::Base58,
            DataEncoding::Base58 | DataEncoding::Base64 => Encoding::Base64,
        };
        Self {
            encoding,
            shown,
            as_text: decode_text,
        }
    }

    /// Writes base64-encoded bytes from the node in the encoding of the answer.
    pub(super) fn written(self, base64: &str) -> String {
        match self.shown {
            DataEncoding::Base64 => base64.to_owned(),
            DataEncoding::Base58 => {
                let bytes = STANDARD.decode(base64).unwrap_or_default();
                bs58::encode(bytes).into_string()
            }
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self.shown {
            DataEncoding::Base58 => "BASE58",
            DataEncoding::Base64 => "BASE64",
        }
    }
}

/// The content of a message: its text, or its bytes, or neither if they are ciphertext.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) text: Option<String>,
    pub(super) data: Option<String>,
}

impl Said {
    pub(super) fn of(data: String, is_encrypted: bool, form: Form) -> Self {
        if !form.as_text {
            return Self {
                data: Some(data),
                ..Self::default()
            };
        }
        if is_encrypted {
            return Self::default();
        }
        let Ok(bytes) = STANDARD.decode(&data) else {
            return Self::default();
        };
        match str::from_utf8(&bytes) {
            Ok(text) if !text.contains('\0') => Self {
                text: Some(text.to_owned()),
                data: None,
            },
            Ok(_) | Err(_) => Self {
                text: None,
                data: Some(form.written(&data)),
            },
        }
    }
}

/// Minimum length of ciphertext. Shorter texts can be a long word.
const SHORTEST_CIPHERTEXT: usize = 64;

/// Returns whether a message looks encrypted by Qortal's programs: Base64 of bytes that are not text. It may still be
/// shown as bytes.
pub(super) fn is_ciphertext(data: &str, form: Form) -> bool {
    let message = match form.encoding {
        Encoding::Base58 => bs58::decode(data).into_vec().ok(),
        Encoding::Base64 => STANDARD.decode(data).ok(),
    };
    let written = message
        .as_deref()
        .and_then(|it| str::from_utf8(it).ok())
        .filter(|it| it.len() >= SHORTEST_CIPHERTEXT);
    let hidden = written.and_then(|it| STANDARD.decode(it).ok());
    hidden.is_some_and(|it| str::from_utf8(&it).is_err())
}

/// Returns the name, unless it is the address, which the Core writes if there is no name.
pub(super) fn name_unless_address(name: Option<String>, address: &Address) -> Option<Untrusted> {
    name.filter(|it| it != address.as_str()).map(Untrusted)
}
