//! Access: whose tokens are accepted over HTTP, and what a caller is granted.

use std::{path::Path, sync::Arc};

use mcp_http::{AuthInfo, Authorization, TokenVerifier, VerifyError};
use mcp_operate::{TokenFile, TokenFileError};
use mcp_server::BoxFuture;

/// What a caller may do. Staff may see the measurements, too: a verifier adds what a name or a scope implies.
#[must_use]
pub fn granted(grant: AuthInfo) -> AuthInfo {
    match grant.subject.as_deref() {
        Some("staff") => grant.with_scope("staff").with_scope("measurements"),
        _ => grant,
    }
}

/// The tokens of a file.
#[derive(Debug)]
struct StaffTokens(TokenFile);

impl TokenVerifier for StaffTokens {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        Box::pin(async move { Ok(granted(self.0.verify(token).await?)) })
    }
}

/// Requires a token of every request: one from a file with lines such as `staff TOKEN`.
///
/// # Errors
/// Fails if the file is not one of tokens.
pub fn tokens(file: &Path) -> Result<Authorization, TokenFileError> {
    let tokens = TokenFile::read(file, Vec::new())?;
    Ok(Authorization::preshared_tokens(Arc::new(StaffTokens(
        tokens,
    ))))
}
