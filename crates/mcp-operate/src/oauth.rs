//! Access tokens that an OAuth 2.1 authorization server issues: JWT (RFC 9068), verified with the server's own keys.

mod discovery;
mod jwt;
mod keys;

use std::{collections::BTreeSet, error::Error};

use mcp_http::TokenVerifier;
use mcp_protocol::Object;
use mcp_server::{AuthInfo, BoxFuture};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use discovery::Discovery;
pub use discovery::{IssuerError, IssuerUrl};
use keys::Keys;

/// The claims that hold scopes: of RFC 8693 and of older servers, as words or as a list.
const SCOPES: [&str; 2] = ["scope", "scp"];

/// The authorization server that issues tokens for this one.
///
/// Its keys are found by its metadata, and kept current while [`run`](Self::run) does.
#[derive(Debug)]
pub struct Issuer {
    discovery: Discovery,
    keys: Keys,
    expected: jwt::Expected,
    /// What a token is issued for that is good at every endpoint.
    everywhere: Vec<String>,
    /// The URLs of all endpoints.
    endpoints: Vec<String>,
}

impl Issuer {
    /// The server at a URL, whose tokens are for `audiences`, or for the endpoints by their URLs, of which the first covers
    /// the others. `user_agent` is what asks it for its keys.
    ///
    /// # Errors
    /// Fails if there are no certificates to trust.
    pub fn new(
        issuer: &IssuerUrl,
        audiences: &[String],
        endpoints: Vec<String>,
        user_agent: &str,
    ) -> Result<Self, IssuerError> {
        let main = endpoints.first().cloned();
        let everywhere: Vec<_> = audiences.iter().cloned().chain(main).collect();
        let audiences = everywhere.iter().chain(&endpoints).cloned();
        Ok(Self {
            discovery: Discovery::new(issuer, user_agent)?,
            keys: Keys::default(),
            expected: jwt::Expected::new(issuer.as_str(), audiences.collect()),
            everywhere,
            endpoints,
        })
    }

    /// Keeps its keys current until `stop`.
    pub async fn run(&self, stop: &CancellationToken) {
        self.keys.run(|| self.discovery.keys(), stop).await;
    }

    fn grant(&self, claims: Object) -> AuthInfo {
        let audiences = texts(claims.get("aud"));
        let is_everywhere = audiences.iter().any(|it| self.everywhere.contains(it));
        let more = self.endpoints.iter().filter(|_| is_everywhere).cloned();
        let mut grant = AuthInfo::default();
        grant.audiences = audiences.iter().cloned().chain(more).collect();
        let scopes = SCOPES.iter().flat_map(|it| texts(claims.get(*it)));
        let scopes: BTreeSet<String> = scopes
            .flat_map(|it| it.split(' ').map(str::to_owned).collect::<Vec<_>>())
            .filter(|it| AuthInfo::is_scope(it))
            .collect();
        grant.scopes = scopes.into_iter().collect();
        // A client that acts for no user has itself as the subject, or only names itself.
        let subject = ["sub", "client_id"].into_iter();
        let mut subject = subject.filter_map(|it| claims.get(it)?.as_str());
        grant.subject = subject.next().map(str::to_owned);
        grant.with_claims(claims)
    }
}

impl TokenVerifier for Issuer {
    fn verify<'a>(
        &'a self,
        token: &'a str,
    ) -> BoxFuture<'a, Result<Option<AuthInfo>, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move {
            let Some(head) = jwt::head(token) else {
                return Ok(None);
            };
            let Some(key) = self.keys.find(&head).await? else {
                return Ok(None);
            };
            let claims = self.expected.verify(token, &head, &key);
            Ok(claims.map(|claims| self.grant(claims)))
        })
    }
}

/// A text, or a list of texts.
fn texts(value: Option<&Value>) -> Vec<String> {
    let texts = match value {
        Some(Value::Array(values)) => values.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    let texts = texts.iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_grant_has_the_subject_the_scopes_and_the_endpoints_of_the_token() {
        let endpoints = ["https://a/mcp", "https://a/mcp/x/core"].map(str::to_owned);
        let issuer = IssuerUrl::new("https://auth.example.org").unwrap();
        let issuer = Issuer::new(&issuer, &["api".to_owned()], endpoints.into(), "test").unwrap();
        let all = ["https://a/mcp", "https://a/mcp/x/core"];
        for (claims, subject, scopes, at) in [
            (
                json!({"sub": "alice", "aud": "https://a/mcp", "scope": "a b  a"}),
                Some("alice"),
                &["a", "b"][..],
                &all[..],
            ),
            (
                json!({"client_id": "bot", "aud": ["x", "api"], "scp": ["b", "c d"]}),
                Some("bot"),
                &["b", "c", "d"],
                &all,
            ),
            // One for an endpoint alone.
            (
                json!({"aud": "https://a/mcp/x/core", "scope": 7}),
                None,
                &[],
                &["https://a/mcp/x/core"],
            ),
        ] {
            let Value::Object(claims) = claims else {
                panic!("not an object")
            };
            let grant = issuer.grant(claims.clone());
            assert_eq!(grant.subject.as_deref(), subject);
            assert_eq!(grant.scopes, scopes);
            let urls = grant.audiences.iter().filter(|it| it.starts_with("https:"));
            let urls: BTreeSet<_> = urls.map(String::as_str).collect();
            assert_eq!(urls, at.iter().copied().collect());
            assert_eq!(grant.claims, claims);
        }
    }
}
