//! Access: which tokens are accepted over HTTP, and what a caller is granted.

use std::{error::Error, sync::Arc};

use mcp_http::{Authorization, Grant, TokenVerifier};
use mcp_server::BoxFuture;

/// The public URL, which tokens are issued for.
const URL: &str = "https://weather.example.org";

/// Staff may see the measurements, too: a verifier adds what a scope implies.
#[must_use]
pub fn grant(subject: &str) -> Grant {
    let grant = Grant::new(format!("{URL}/mcp")).with_subject(subject);
    match subject {
        "staff" => grant.with_scope("staff").with_scope("measurements"),
        _ => grant,
    }
}

/// Accepts the tokens `staff` and `guest`. A real verifier checks a signature, or asks the authorization server.
#[derive(Debug)]
struct KnownTokens;

impl TokenVerifier for KnownTokens {
    fn verify<'a>(
        &'a self,
        token: &'a str,
    ) -> BoxFuture<'a, Result<Option<Grant>, Box<dyn Error + Send + Sync>>> {
        let is_known = matches!(token, "staff" | "guest");
        Box::pin(async move { Ok(is_known.then(|| grant(token))) })
    }
}

/// Requires a token of every request.
#[must_use]
pub fn tokens() -> Authorization {
    Authorization::new(URL, "https://auth.example.org", Arc::new(KnownTokens))
}
