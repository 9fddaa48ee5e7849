//! Tests of `error`.

use std::time::Duration;

use super::{NodeError, NodeErrorKind, excerpt};
use crate::{ApiError, CoreVersion, Endpoint, KeyUse};

#[test]
fn every_kind_reads_after_failed_to() {
    let refused = |code, message: &str| NodeErrorKind::Refused {
        status: 404,
        code,
        message: message.to_owned(),
        key_use: KeyUse::NotConfigured,
    };
    let unreadable = NodeErrorKind::Unreadable {
        what: "an amount",
        excerpt: "<html>".to_owned(),
    };
    let vectors = [
        (
            NodeErrorKind::Unreachable,
            "node unreachable for GET /names/{name}",
        ),
        (
            NodeErrorKind::TimedOut {
                after: Duration::from_secs(10),
            },
            "no response to GET /names/{name} within 10s",
        ),
        (
            NodeErrorKind::Overloaded {
                limit: 8,
                waited: Duration::ZERO,
            },
            "GET /names/{name} was not sent because 8 requests are in progress",
        ),
        (
            refused(Some(ApiError::NAME_UNKNOWN), "name unknown"),
            "node refused GET /names/{name} with HTTP 404, code 401 NAME_UNKNOWN: name unknown",
        ),
        (
            refused(Some(ApiError::from_code(77)), ""),
            "node refused GET /names/{name} with HTTP 404, code 77",
        ),
        (
            refused(None, ""),
            "node refused GET /names/{name} with HTTP 404",
        ),
        (
            NodeErrorKind::NotInThisVersion {
                needs: CoreVersion::new(6, 1, 5),
                has: Some(CoreVersion::new(5, 0, 0)),
            },
            "GET /names/{name} needs Qortal Core 6.1.5, the node has 5.0.0",
        ),
        (
            NodeErrorKind::NotInThisVersion {
                needs: CoreVersion::new(6, 1, 5),
                has: None,
            },
            "GET /names/{name} needs Qortal Core 6.1.5",
        ),
        (
            NodeErrorKind::NoNetworkTime,
            "node failed at GET /names/{name}, and has no network time yet",
        ),
        (
            NodeErrorKind::TooLarge { limit: 100 },
            "response to GET /names/{name} has more than 100 bytes",
        ),
        (
            unreadable,
            "response to GET /names/{name} is not an amount: \"<html>\"",
        ),
        (
            NodeErrorKind::BadParameter {
                name: "name",
                problem: "is empty",
            },
            "GET /names/{name} was not sent because its name is empty",
        ),
    ];
    for (kind, text) in vectors {
        assert_eq!(NodeError::new(Endpoint::Name, kind).to_string(), text);
    }
}

#[test]
fn an_excerpt_is_short_and_on_one_line() {
    assert_eq!(excerpt(b"a\r\nb\tc\0"), "a\\r\\nb\\tc\\u{0}");
    assert_eq!(excerpt("naïve ☕".as_bytes()), "naïve ☕");
    assert_eq!(
        excerpt("\u{2066}x\u{202e}".as_bytes()),
        "\\u{2066}x\\u{202e}"
    );
    assert_eq!(excerpt("😀".repeat(1_000).as_bytes()), "😀".repeat(200));
    assert_eq!(excerpt(b"\xff"), "\u{fffd}");
}

#[test]
fn codes_have_the_cores_names() {
    assert_eq!(ApiError::ALL.len(), 35);
    assert!(ApiError::ALL.is_sorted());
    assert_eq!(ApiError::NAME_UNKNOWN, ApiError::from_code(401));
    assert_eq!(ApiError::from_code(1101).to_string(), "1101 GROUP_UNKNOWN");
    assert_eq!(ApiError::from_code(3).name(), None);
}
