//! The address of a client behind trusted proxies, from their headers only.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use hyper::{
    HeaderMap,
    header::{FORWARDED, HeaderName, HeaderValue},
};
use mcp_server::PeerIp;

use crate::ConfigError;

/// The older header, which most proxies still send.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The name for peers of a Unix socket, which have no address.
const UNIX: &str = "unix";

/// The trusted proxies.
#[derive(Debug)]
pub(crate) struct Proxies {
    networks: Vec<Network>,
    has_unix: bool,
}

/// A network of addresses with a common prefix. IPv4 addresses are mapped to IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    bits: u128,
    mask: u128,
}

impl Proxies {
    /// Creates the proxies in these networks. Returns `None` without networks.
    ///
    /// # Errors
    /// Returns an error with the first string that is not a network.
    pub(crate) fn new(networks: &[String]) -> Result<Option<Self>, ConfigError> {
        if networks.is_empty() {
            return Ok(None);
        }
        let (unix, networks): (Vec<_>, Vec<_>) = networks.iter().partition(|it| *it == UNIX);
        let networks = networks
            .into_iter()
            .map(|text| Network::parse(text).ok_or_else(|| ConfigError::Proxy(text.clone())));
        Ok(Some(Self {
            networks: networks.collect::<Result<_, _>>()?,
            has_unix: !unix.is_empty(),
        }))
    }

    /// Returns the address of the client: from the headers if the peer is a trusted proxy, or else that of the peer.
    pub(crate) fn client_of(&self, peer: Option<PeerIp>, headers: &HeaderMap) -> Option<PeerIp> {
        let client = self.client(peer.map(PeerIp::ip), headers);
        client.map(PeerIp::new)
    }

    fn client(&self, peer: Option<IpAddr>, headers: &HeaderMap) -> Option<IpAddr> {
        let is_trusted = match peer {
            Some(peer) => self.trust(peer),
            None => self.has_unix,
        };
        if !is_trusted {
            return peer;
        }
        let said = |name: &HeaderName, address: fn(&str) -> Option<IpAddr>| {
            let hops = hops(headers, name)?;
            Some(self.farthest(peer, hops.map(|it| it.and_then(address))))
        };
        let standard = said(&FORWARDED, forwarded_for);
        match (standard, said(&X_FORWARDED_FOR, address)) {
            (None, None) => peer,
            (Some(client), None) | (None, Some(client)) => client,
            // A proxy that sets only one of the headers forwards the client's value of the other.
            (Some(one), Some(other)) if one != other => peer,
            (Some(client), Some(_)) => client,
        }
    }

    /// Returns the first hop, counted from this server, that is not a trusted proxy. Entries beyond it can be forged.
    fn farthest(
        &self,
        peer: Option<IpAddr>,
        hops: impl Iterator<Item = Option<IpAddr>>,
    ) -> Option<IpAddr> {
        let mut nearest = peer;
        for hop in hops {
            let Some(hop) = hop else {
                // The address is unknown or hidden by its proxy, so the proxy's address counts.
                return nearest;
            };
            nearest = Some(hop);
            if !self.trust(hop) {
                break;
            }
        }
        nearest
    }

    fn trust(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|it| it.contains(address))
    }
}

impl Network {
    fn parse(text: &str) -> Option<Self> {
        let (address, length) = match text.split_once('/') {
            None => (text, None),
            Some((address, length)) => (address, Some(length)),
        };
        let address: IpAddr = address.parse().ok()?;
        // The first 96 of the 128 bits of a mapped address mark it as such.
        let (most, before) = match address {
            IpAddr::V4(_) => (32, 96),
            IpAddr::V6(_) => (128, 0),
        };
        let length: u32 = match length {
            None => most,
            Some(length) => length.parse().ok().filter(|it| *it <= most)?,
        };
        let mask = u128::MAX.checked_shl(128 - before - length).unwrap_or(0);
        Some(Self {
            bits: bits(address) & mask,
            mask,
        })
    }

    fn contains(self, address: IpAddr) -> bool {
        bits(address) & self.mask == self.bits
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// Returns the hops of a header, nearest first. A hop that is not text is `None`. Returns `None` without the header.
///
/// Commas inside quotes also separate hops. Otherwise a client could send an open quote to hide the entries that
/// proxies add.
fn hops<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Option<impl Iterator<Item = Option<&'a str>> + use<'a>> {
    let lines: Vec<_> = headers.get_all(name).iter().collect();
    let hops = |line: &'a HeaderValue| {
        let text = line.to_str().ok();
        let hops = text.into_iter().flat_map(|it| it.rsplit(',')).map(Some);
        hops.chain(text.is_none().then_some(None))
    };
    (!lines.is_empty()).then(|| lines.into_iter().rev().flat_map(hops))
}

/// Returns the address of `for=` in one hop of `Forwarded` (RFC 7239 §4).
fn forwarded_for(hop: &str) -> Option<IpAddr> {
    let mut pairs = hop.split(';').filter_map(|it| it.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    address(quoted.unwrap_or(value))
}

/// Parses an address, with or without a port, with or without brackets.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let unbracketed = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let address = match unbracketed {
        Some(address) => address.parse::<Ipv6Addr>().ok()?.into(),
        None => text
            .parse::<IpAddr>()
            .or_else(|_| text.parse::<SocketAddr>().map(|it| it.ip()))
            .ok()?,
    };
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(networks: &[&str]) -> Proxies {
        let networks: Vec<_> = networks.iter().map(|it| (*it).to_owned()).collect();
        Proxies::new(&networks).unwrap().unwrap()
    }

    fn client(peer: Option<&str>, headers: &[(&str, &str)]) -> Option<String> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = HeaderName::try_from(*name).unwrap();
            map.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let peer = peer.map(|it| it.parse().unwrap());
        let proxies = proxies(&["10.0.0.0/8", "fd00::/16", UNIX]);
        proxies.client(peer, &map).map(|it| it.to_string())
    }

    #[test]
    fn the_nearest_hop_that_is_not_trusted_is_the_client() {
        for (value, expect) in [
            ("192.0.2.1", "192.0.2.1"),
            ("192.0.2.1:4711", "192.0.2.1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            // The first is what the client claims.
            ("203.0.113.9, 192.0.2.1", "192.0.2.1"),
            ("10.9.9.9, 192.0.2.1", "192.0.2.1"),
            ("203.0.113.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"),
            ("203.0.113.9,192.0.2.1,fd00::2,10.0.0.2", "192.0.2.1"),
            // A client inside.
            ("10.0.0.7", "10.0.0.7"),
            // Not an address, so the proxy that sent it counts.
            ("unknown", "10.0.0.1"),
            ("203.0.113.9, unknown", "10.0.0.1"),
            ("203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"),
            ("", "10.0.0.1"),
            ("\u{e4}", "10.0.0.1"),
        ] {
            let found = client(Some("10.0.0.1"), &[("x-forwarded-for", value)]);
            assert_eq!(found.as_deref(), Some(expect), "{value}");
        }
        let lines = [
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-for", "192.0.2.1"),
        ];
        assert_eq!(
            client(Some("10.0.0.1"), &lines).as_deref(),
            Some("192.0.2.1")
        );
    }

    #[test]
    fn the_standard_header_says_the_same() {
        for (value, expect) in [
            ("for=192.0.2.1", "192.0.2.1"),
            (
                "For=\"[2001:db8::1]:4711\";proto=https;by=10.0.0.1",
                "2001:db8::1",
            ),
            ("proto=https; for=\"192.0.2.1:80\"", "192.0.2.1"),
            ("for=203.0.113.9, for=192.0.2.1;by=10.0.0.1", "192.0.2.1"),
            // A quote that a client opens hides nothing.
            ("for=\"203.0.113.9, for=192.0.2.1", "192.0.2.1"),
            ("for=_hidden", "10.0.0.1"),
            ("proto=https", "10.0.0.1"),
            ("for=192.0.2.1, proto=https", "10.0.0.1"),
        ] {
            let found = client(Some("10.0.0.1"), &[("forwarded", value)]);
            assert_eq!(found.as_deref(), Some(expect), "{value}");
        }
    }

    #[test]
    fn no_one_else_is_believed() {
        let claim = [
            ("x-forwarded-for", "192.0.2.1"),
            ("forwarded", "for=192.0.2.1"),
        ];
        for (peer, expect) in [
            (Some("10.255.255.255"), "192.0.2.1"),
            (Some("::ffff:10.0.0.1"), "192.0.2.1"),
            (Some("fd00::1"), "192.0.2.1"),
            (None, "192.0.2.1"),
            (Some("11.0.0.1"), "11.0.0.1"),
            (Some("9.255.255.255"), "9.255.255.255"),
            (Some("fd01::1"), "fd01::1"),
            (Some("127.0.0.1"), "127.0.0.1"),
        ] {
            assert_eq!(client(peer, &claim).as_deref(), Some(expect), "{peer:?}");
        }
        let only = proxies(&["10.0.0.1"]);
        assert_eq!(only.client(None, &HeaderMap::new()), None);
        assert!(Proxies::new(&[]).unwrap().is_none());
    }

    /// A proxy that sets one of the headers passes the other on as its client wrote it.
    #[test]
    fn headers_that_disagree_are_not_believed() {
        let both = [
            ("x-forwarded-for", "192.0.2.1"),
            ("forwarded", "for=203.0.113.9"),
        ];
        assert_eq!(client(Some("10.0.0.1"), &both).as_deref(), Some("10.0.0.1"));
        assert_eq!(client(Some("10.0.0.1"), &[]).as_deref(), Some("10.0.0.1"));
    }

    #[test]
    fn a_network_is_an_address_and_the_bits_that_count() {
        for (text, inside, outside) in [
            ("192.0.2.0/24", "192.0.2.255", "192.0.3.0"),
            ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
            ("192.0.2.77/25", "192.0.2.1", "192.0.2.128"),
            ("0.0.0.0/0", "255.255.255.255", "::1"),
            ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
            ("::1", "::1", "::2"),
            ("::/0", "192.0.2.1", ""),
        ] {
            let network = Network::parse(text).unwrap();
            assert!(network.contains(inside.parse().unwrap()), "{text}");
            if let Ok(outside) = outside.parse() {
                assert!(!network.contains(outside), "{text}");
            }
        }
        for text in [
            "",
            "10.0.0.0/33",
            "::/129",
            "10.0.0/8",
            "10.0.0.0/",
            "a",
            "10.0.0.0/-1",
        ] {
            let refused = Proxies::new(&[text.to_owned()]).err();
            assert_eq!(refused, Some(ConfigError::Proxy(text.to_owned())));
        }
    }
}
