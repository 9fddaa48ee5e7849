//! Access over HTTP: which tokens are accepted, and what they grant.

use std::{error::Error, sync::Arc};

use mcp_http::{Authorization, Grant, TokenVerifier};
use mcp_server::BoxFuture;

/// The public URL, which tokens are issued for.
const URL: &str = "https://weather.example.org";

/// Accepts the tokens `staff` and `guest`. A real verifier checks a signature, or asks the authorization server.
#[derive(Debug)]
struct KnownTokens;

impl TokenVerifier for KnownTokens {
    fn verify<'a>(
        &'a self,
        token: &'a str,
    ) -> BoxFuture<'a, Result<Option<Grant>, Box<dyn Error + Send + Sync>>> {
        let is_known = matches!(token, "staff" | "guest");
        let grant = Grant::new(format!("{URL}/mcp")).with_scope(token);
        Box::pin(async move { Ok(is_known.then_some(grant)) })
    }
}

/// Requires a token of every request.
#[must_use]
pub fn tokens() -> Authorization {
    Authorization::new(URL, "https://auth.example.org", Arc::new(KnownTokens))
}
