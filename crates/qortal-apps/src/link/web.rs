//! Web addresses: the API of a node, gateways, and block explorers.

use super::{
    Link,
    percent::{decoded, pairs},
    resource::{Form, ResourceLink},
};

/// A page of a block explorer, or an address of a node's API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The subject of the page.
    pub subject: Subject,
    /// The value of the subject. Only its form is checked.
    pub value: String,
}

/// The kinds of subjects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// An account or an automated transaction, by its address.
    Address,
    /// A block, by its height or signature.
    Block,
    /// A transaction, by its signature.
    Transaction,
    /// A registered name.
    Name,
    /// A group, by its number.
    Group,
}

/// The words in paths and queries that precede a subject.
const WORDS: [(Subject, &[&str]); 5] = [
    (
        Subject::Address,
        &[
            "address",
            "addresses",
            "account",
            "accounts",
            "wallet",
            "at",
        ],
    ),
    (
        Subject::Transaction,
        &[
            "tx",
            "txs",
            "txid",
            "transaction",
            "transactions",
            "signature",
        ],
    ),
    (Subject::Block, &["block", "blocks", "height"]),
    (Subject::Name, &["name", "names"]),
    (Subject::Group, &["group", "groups", "groupid"]),
];

/// The most segments and query parameters that are looked at.
const PARTS: usize = 12;

impl Link {
    /// Reads a web address without its scheme.
    pub(super) fn web(rest: &str) -> Option<Self> {
        // Explorers that are one page have their path in the fragment.
        let rest = rest.replacen("/#!/", "/", 1).replacen("/#/", "/", 1);
        let rest = rest.split('#').next().unwrap_or_default();
        let (base, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut parts = base.split('/');
        let host = parts.next().filter(|host| !host.is_empty())?;
        let segments = parts.filter(|part| !part.is_empty()).map(decoded);
        let segments: Vec<_> = segments.take(PARTS).collect();
        let resource = match segments.as_slice() {
            [first, rest @ ..] if first == "render" => ResourceLink::of_segments(rest, Form::Node),
            [first, rest @ ..] if first == "arbitrary" => {
                // `/arbitrary/resource/status/SERVICE/name/ID` and others: the service is the part in upper case.
                let at = rest.iter().position(|part| is_service(part))?;
                let rest = rest.get(at..).unwrap_or_default();
                let link = ResourceLink::of_segments(rest, Form::Node);
                link.map(ResourceLink::with_identifier_in_path)
            }
            [first, _, ..] if is_service(first) => {
                ResourceLink::of_segments(&segments, Form::Gateway)
            }
            _ => None,
        };
        if let Some(resource) = resource {
            return Some(Self::Resource(resource.with_query(query)));
        }
        if let Some(page) = Page::read(&segments, query) {
            return Some(Self::Page(page));
        }
        match segments.as_slice() {
            [name] => Some(Self::Resource(ResourceLink::website(name, &[]))),
            [name, path @ ..] if is_of_qortal(host) => {
                Some(Self::Resource(ResourceLink::website(name, path)))
            }
            _ => None,
        }
    }
}

/// Whether a part of a path has the form of a service: in upper case, which names seldom are.
fn is_service(part: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    part.len() >= 3 && part.bytes().all(is_word) && !part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a host is probably a gateway: its name has the word, or it is the port of one.
fn is_of_qortal(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let (domain, port) = host.split_once(':').unwrap_or((&host, ""));
    ["qort", "qdn"].iter().any(|word| domain.contains(word)) || port == "8080"
}

impl Page {
    fn read(segments: &[String], query: &str) -> Option<Self> {
        let mut pairs = pairs(query);
        pairs.truncate(PARTS);
        let values = segments.iter().chain(pairs.iter().map(|(_, value)| value));
        let named = WORDS.iter().find_map(|(subject, words)| {
            let is_word = |part: &String| words.contains(&part.to_ascii_lowercase().as_str());
            let at = segments.iter().position(is_word);
            let mut behind = segments.iter().skip(at.map_or(segments.len(), |at| at + 1));
            let in_query = || {
                let mut found = pairs.iter().filter(|(name, _)| is_word(name));
                found.find_map(|(_, value)| subject.fits(value).then_some(value))
            };
            let value = behind.find(|value| subject.fits(value)).or_else(in_query)?;
            Some((*subject, value))
        });
        // A text with the form of an address or a signature needs no word before it.
        let unnamed = || {
            let is_plain = |subject: &Subject, value: &str| {
                subject.fits(value) && value.bytes().any(|byte| byte.is_ascii_alphabetic())
            };
            values.clone().find_map(|value| {
                let subjects = [Subject::Address, Subject::Transaction, Subject::Block];
                let mut subjects = subjects.into_iter();
                Some((subjects.find(|subject| is_plain(subject, value))?, value))
            })
        };
        let (subject, value) = named.or_else(unnamed)?;
        Some(Self {
            subject,
            value: value.clone(),
        })
    }
}

impl Subject {
    /// Whether a value has the form of this subject.
    fn fits(self, value: &str) -> bool {
        let is_base58 = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_number = value.len() <= 10 && value.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::Address => {
                is_base58 && (33..=35).contains(&value.len()) && value.starts_with(['Q', 'A'])
            }
            Self::Transaction => is_base58 && (85..=88).contains(&value.len()),
            Self::Block => is_number || (is_base58 && (168..=178).contains(&value.len())),
            Self::Name => (1..=200).contains(&value.len()),
            Self::Group => is_number,
        }
    }
}
