//! The permissions and the subject of a request.

use std::num::NonZeroU32;

use mcp_protocol::Object;

/// The permissions and the subject of a request.
///
/// Over HTTP with authorization, `mcp-http` adds the `AuthInfo` of the access token to the [`Extensions`] of each
/// request. On other transports, the host may add its own.
///
/// [`Extensions`]: crate::Extensions
///
/// ```
/// use mcp_server::AuthInfo;
///
/// let grant = AuthInfo::for_subject("ada").with_scope("orders:read");
/// assert_eq!(grant.subject.as_deref(), Some("ada"));
/// assert!(AuthInfo::is_valid_scope("orders:read") && !AuthInfo::is_valid_scope("orders read"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AuthInfo {
    /// The user or client named by the token (`sub`), if any. Sessions, server requests and request state belong to the
    /// subject. Callers without a subject cannot be distinguished, so a verifier should always set it.
    pub subject: Option<String>,
    /// The resources named by the token (`aud`). If authorization servers issue the tokens, the URL of the endpoint
    /// must be among them.
    pub audiences: Vec<String>,
    /// The granted scopes (`scope`), including implied ones.
    pub scopes: Vec<String>,
    /// The claims of the token or of the introspection response, as far as the host needs them.
    pub claims: Object,
    /// Maximum number of calls per second for this user or client. Overrides
    /// [`ServerLimits::calls_per_client`](crate::ServerLimits::calls_per_client).
    pub calls_per_second: Option<NonZeroU32>,
}

impl AuthInfo {
    /// Creates the permissions of a token issued to this user or client by the operator.
    #[must_use]
    pub fn for_subject(subject: impl Into<String>) -> Self {
        Self::default().with_subject(subject)
    }

    /// Creates the permissions of a token issued by an authorization server for a resource. The resource is the
    /// server's public URL with the path of an endpoint.
    #[must_use]
    pub fn for_audience(audience: impl Into<String>) -> Self {
        Self {
            audiences: vec![audience.into()],
            ..Self::default()
        }
    }

    mcp_protocol::setters! {
        /// Sets the user or client.
        with_subject(subject: impl Into<String>) { subject = Some(subject.into()) }
        /// Adds a resource.
        with_audience(audience: impl Into<String>) { audiences.push(audience.into()) }
        /// Adds a scope.
        with_scope(scope: impl Into<String>) { scopes.push(scope.into()) }
        /// Sets the claims.
        with_claims(claims: Object) { claims = claims }
    }

    mcp_protocol::setters! { const
        /// Sets the maximum number of calls per second.
        with_calls_per_second(calls: Option<NonZeroU32>) { calls_per_second = calls }
    }

    /// Returns whether the string is a valid scope (RFC 6749 §3.3, scope-token).
    #[must_use]
    pub fn is_valid_scope(text: &str) -> bool {
        let allowed = |byte: u8| byte.is_ascii_graphic() && !b"\"\\".contains(&byte);
        !text.is_empty() && text.bytes().all(allowed)
    }

    /// Returns the required scopes that the caller lacks.
    pub(crate) fn lacks<'a>(
        grant: Option<&'a Self>,
        required: &'a [String],
    ) -> impl Iterator<Item = &'a String> {
        let has = move |scope: &String| grant.is_some_and(|it| it.scopes.contains(scope));
        required.iter().filter(move |scope| !has(scope))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_grant_has_what_it_was_given() {
        let claims = Object::from_iter([("sub".to_owned(), json!("alice"))]);
        let grant = AuthInfo::for_subject("alice")
            .with_audience("a")
            .with_audience("b")
            .with_scope("read")
            .with_claims(claims.clone());
        assert_eq!(grant.subject.as_deref(), Some("alice"));
        assert_eq!(grant.audiences, ["a", "b"]);
        assert_eq!(grant.scopes, ["read"]);
        assert_eq!(grant.claims, claims);
    }

    #[test]
    fn a_scope_is_visible_ascii_without_quotes_and_backslashes() {
        for (text, expect) in [
            ("mcp", true),
            ("a:b/c#!~", true),
            ("", false),
            ("two words", false),
            ("a\"b", false),
            ("a\\b", false),
            ("a\n", false),
            ("\u{e4}", false),
        ] {
            assert_eq!(AuthInfo::is_valid_scope(text), expect, "{text:?}");
        }
    }

    #[test]
    fn a_caller_lacks_the_scopes_that_are_not_granted() {
        let required = ["read".to_owned(), "write".to_owned()];
        let reader = AuthInfo::default().with_scope("read");
        let writer = reader.clone().with_scope("write");
        for (grant, expect) in [
            (None, &["read", "write"][..]),
            (Some(&reader), &["write"]),
            (Some(&writer), &[]),
        ] {
            let lacks: Vec<_> = AuthInfo::lacks(grant, &required).collect();
            assert_eq!(lacks, expect, "{grant:?}");
        }
    }
}
