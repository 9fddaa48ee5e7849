//! Links and web addresses that people paste: native links, cards, the API of a node, gateways and block explorers.
//!
//! Native links are those of Qortal Hub (Qortal/Qortal-Hub c93f78a2, src/components/Chat/MessageDisplay.tsx,
//! src/components/Embeds/embed-utils.ts and src/components/Group/ManageMembers.tsx).

mod percent;
mod resource;
mod web;

pub use self::{
    percent::encoded,
    resource::{Form, ResourceLink},
    web::{Page, Subject},
};
use crate::{embed::Embed, text};

#[cfg(test)]
mod tests;

/// The scheme of native links.
pub const SCHEME: &str = "qortal://";

/// The longest link that is read, in bytes: a card has a name, an identifier and a key, each percent-encoded.
const LONGEST: usize = 4_000;

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// A QDN resource, or a place inside it.
    Resource(ResourceLink),
    /// The Hub's dialog to join the group with this number.
    JoinGroup(u32),
    /// A card in a chat message.
    Embed(Embed),
    /// A page about something on the chain.
    Page(Page),
}

impl Link {
    /// Reads a link. Returns `None` if the text is more than a link.
    ///
    /// ```
    /// use qortal_apps::link::Link;
    ///
    /// let Some(Link::Resource(link)) = Link::read("qortal://app/Q-Tube/video/x") else {
    ///     unreachable!("the Hub takes a service in any case");
    /// };
    /// assert_eq!((link.service.as_str(), link.name.as_str()), ("APP", "Q-Tube"));
    /// assert_eq!(link.path, ["video", "x"]);
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > LONGEST || text.chars().any(is_no_part) {
            return None;
        }
        let scheme = |scheme: &str| {
            let (start, rest) = text.split_at_checked(scheme.len())?;
            start.eq_ignore_ascii_case(scheme).then_some(rest)
        };
        if let Some(rest) = scheme(SCHEME) {
            return Self::native(rest.trim_start());
        }
        let web = scheme("https://").or_else(|| scheme("http://"));
        match web {
            Some(rest) => Self::web(rest),
            // People leave the scheme out.
            None if has_host(text) => Self::web(text).filter(Self::is_explicit),
            None => None,
        }
    }

    /// Finds the first native link or web address in a text, and reads it. Punctuation behind it is not a part of it.
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        text::links(text).find_map(|place| {
            let link = text.get(place)?.split(',').next()?;
            Self::read(link.trim_end_matches(['.', ')', ']', ';', ':', '!', '?', '\'']))
        })
    }

    fn native(rest: &str) -> Option<Self> {
        if let Some(rest) = rest.strip_prefix("use-group/action-join/groupid-") {
            let digits = rest.split(['/', '?']).next()?;
            return digits.parse().ok().map(Self::JoinGroup);
        }
        if let Some(embed) = Embed::read(&format!("{SCHEME}{rest}")) {
            return Some(Self::Embed(embed));
        }
        if rest.starts_with("use-") {
            return None;
        }
        ResourceLink::native(rest).map(Self::Resource)
    }

    /// Whether its form alone shows its meaning.
    fn is_explicit(&self) -> bool {
        !matches!(self, Self::Resource(link) if link.form == Form::GatewayName)
    }
}

/// Whether a text begins with a domain and a slash.
fn has_host(text: &str) -> bool {
    let Some((host, _)) = text.split_once('/') else {
        return false;
    };
    let domain = host.split(':').next().unwrap_or_default();
    let top = domain.rsplit('.').next().unwrap_or_default();
    let is_domain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let is_named = domain.contains('.') && top.bytes().all(|byte| byte.is_ascii_alphabetic());
    domain == "localhost" || (is_named && top.len() >= 2 && domain.bytes().all(is_domain))
}

/// Whether a character ends a link. Names have blanks, which people do not always encode.
fn is_no_part(c: char) -> bool {
    c.is_control() || matches!(c, '<' | '>' | '"' | '\\')
}
