//! Identifiers of mails, from which the recipient can be read (Qortal/q-mail ddf3aa9, src/pages/Mail/NewMessage.tsx;
//! Q-Shop writes them to the owner of a shop without the first part: Qortal/q-shop 0738e27, src/pages/Cart/Cart.tsx).

use std::fmt;

use super::{Item, Kind};

/// The recipient of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// A registered name: the identifier has its first 20 characters.
    Account {
        /// The name, or its first 20 characters.
        name: String,
        /// Whether the name may be longer.
        is_cut: bool,
        /// The last six characters of the address.
        address_end: String,
    },
    /// A word known to sender and recipient.
    Alias(String),
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account {
                name,
                is_cut,
                address_end,
            } => {
                let more = if *is_cut { "…" } else { "" };
                write!(f, "{name}{more} (address ends in {address_end})")
            }
            Self::Alias(alias) => write!(f, "the alias {alias}"),
        }
    }
}

/// Characters of a name in an identifier.
const NAME: usize = 20;

/// Characters of an address in an identifier.
const ADDRESS: usize = 6;

pub(super) fn read(service: &str, identifier: &str) -> Option<Item> {
    if !matches!(service, "MAIL_PRIVATE" | "MAIL") {
        return None;
    }
    let rest = identifier.strip_prefix("_mail_").unwrap_or(identifier);
    let rest = rest.strip_prefix("qortal_qmail_")?;
    // Threads of groups have forms of their own.
    if rest.starts_with("thread_group") || rest.starts_with("thmsg_") {
        return None;
    }
    // Names have underscores as well, so the last part counts.
    let recipient = rest.rsplit_once("_mail_").map(|(recipient, _)| recipient);
    Some(Item {
        recipient: recipient.and_then(of),
        ..Item::of(Kind::Mail)
    })
}

fn of(text: &str) -> Option<Recipient> {
    let is_base58 =
        |end: &str| end.len() == ADDRESS && end.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match text.rsplit_once('_') {
        Some((name, end)) if !name.is_empty() && is_base58(end) => Some(Recipient::Account {
            name: name.to_owned(),
            is_cut: name.encode_utf16().count() >= NAME,
            address_end: end.to_owned(),
        }),
        _ if text.is_empty() => None,
        _ => Some(Recipient::Alias(text.to_owned())),
    }
}
