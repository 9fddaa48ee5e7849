//! Claims as authorization servers write them, and the grants or faults that follow.

use serde_json::json;

use super::*;

const ISSUER: &str = "https://auth.example.org";
const MCP: &str = "https://a/mcp";
const CORE: &str = "https://a/mcp/x/core";
const LONG: &str = "api://11111111-2222-3333-4444-555555555555/orders:read";
/// The time of these tests, in seconds.
const NOW: u64 = 1_800_000_000;

fn expected() -> Expected {
    let endpoints = [MCP, CORE].map(str::to_owned);
    let scopes = [LONG, "api://b/trade", "api://c/trade", "plain"].map(str::to_owned);
    Expected::new(ISSUER, &["api".to_owned()], endpoints.into()).with_expanded_scopes(scopes.into())
}

/// The grant of a token that is valid but for what `other` has.
fn grant(other: Value) -> Result<AuthInfo, TokenFault> {
    let Value::Object(mut claims) = json!({"iss": ISSUER, "aud": MCP, "exp": NOW + 600}) else {
        unreachable!("an object is written here")
    };
    for (name, value) in other.as_object().unwrap() {
        match value {
            Value::Null => claims.remove(name),
            value => claims.insert(name.clone(), value.clone()),
        };
    }
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW);
    expected().grant(claims, now)
}

#[test]
fn grant_has_the_subject_the_scopes_and_the_endpoints_of_the_token() {
    for (claims, subject, scopes, at) in [
        (
            json!({"sub": "alice", "scope": "a b  a"}),
            Some("alice"),
            &["a", "b"][..],
            &[MCP, CORE][..],
        ),
        (
            json!({"client_id": "bot", "aud": ["x", "api"], "scp": ["b", "c d"]}),
            Some("bot"),
            &["b", "c", "d"],
            &[MCP, CORE],
        ),
        // One for an endpoint alone.
        (json!({"aud": CORE, "scope": 7}), None, &[], &[CORE]),
    ] {
        let grant = grant(claims.clone()).unwrap();
        assert_eq!(grant.subject.as_deref(), subject, "{claims}");
        assert_eq!(grant.scopes, scopes, "{claims}");
        let urls = grant.audiences.iter().filter(|it| it.starts_with("https:"));
        let urls: BTreeSet<_> = urls.map(String::as_str).collect();
        assert_eq!(urls, at.iter().copied().collect(), "{claims}");
        assert_eq!(grant.claims["iss"], ISSUER, "{claims}");
    }
}

#[test]
fn short_scope_of_entra_stands_for_the_only_long_one_that_ends_with_it() {
    for (claims, expected) in [
        (json!({"scp": "orders:read"}), &[LONG, "orders:read"][..]),
        (json!({"scp": ["orders:read"]}), &[LONG, "orders:read"]),
        (json!({"scp": "read"}), &["read"]),
        (json!({"scp": "plain"}), &["plain"]),
        // Two long ones end with it.
        (json!({"scp": "trade"}), &["trade"]),
        // Other issuers write whole scopes, in the standard claim.
        (json!({"scope": "orders:read"}), &["orders:read"]),
        (json!({"scope": LONG}), &[LONG]),
    ] {
        assert_eq!(grant(claims.clone()).unwrap().scopes, expected, "{claims}");
    }
}

#[test]
fn claim_that_does_not_fit_is_named() {
    for (claims, expected) in [
        (json!({"exp": NOW - 30}), None),
        (json!({"exp": NOW - 30}), None),
        (json!({"exp": 1_800_000_600.5}), None),
        (json!({"exp": u64::MAX}), Some(TokenFault::Claim("exp"))),
        (json!({"nbf": NOW + 30}), None),
        (json!({"exp": NOW - 60}), Some(TokenFault::Expired)),
        (json!({"exp": 0}), Some(TokenFault::Expired)),
        (json!({"exp": -1}), Some(TokenFault::Claim("exp"))),
        (json!({"exp": "tomorrow"}), Some(TokenFault::Claim("exp"))),
        (json!({"exp": null}), Some(TokenFault::Claim("exp"))),
        (json!({"nbf": NOW + 120}), Some(TokenFault::NotYetValid)),
        (json!({"nbf": "later"}), Some(TokenFault::Claim("nbf"))),
        (json!({"iss": null}), Some(TokenFault::Claim("iss"))),
        (json!({"iss": [ISSUER]}), Some(TokenFault::Claim("iss"))),
        (
            json!({"iss": "https://auth.example.org/"}),
            Some(TokenFault::Issuer(
                "\"https://auth.example.org/\"".to_owned(),
            )),
        ),
        (json!({"aud": null}), Some(TokenFault::Claim("aud"))),
        (json!({"aud": []}), Some(TokenFault::Claim("aud"))),
        (
            json!({"aud": "https://b/mcp"}),
            Some(TokenFault::Audience {
                found: "\"https://b/mcp\"".to_owned(),
                expected: "\"api\" or \"https://a/mcp\"".to_owned(),
            }),
        ),
    ] {
        assert_eq!(grant(claims.clone()).err(), expected, "{claims}");
    }
}
