//! Faults of access tokens, as named in the operator's log.

use std::borrow::Cow;

use mcp_http::VerifyError;

/// The most characters of a value from a token in the log.
const MAX_VALUE_CHARS: usize = 80;

/// A reason to reject a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum TokenFault {
    #[error(
        "the token is not a JWT, and the authorization server must issue JWT access tokens for this server"
    )]
    NotJwt,
    #[error("the algorithm {0} is not accepted, expected {accepted}", accepted = super::jwt::accepted())]
    Algorithm(String),
    #[error("the type {0} is not that of an access token, expected JWT or at+jwt")]
    Type(String),
    #[error("the token has an unsupported critical extension (crit)")]
    Critical,
    #[error("the authorization server has no key {0} for the token's algorithm")]
    UnknownKey(String),
    #[error("the signature does not match the key of the authorization server")]
    Signature,
    #[error("the claim {0} is missing or has the wrong type")]
    Claim(&'static str),
    #[error("the token was issued by {0}, not by the authorization server of this server")]
    Issuer(String),
    #[error("the audience is {found}, not {expected}")]
    Audience { found: String, expected: String },
    #[error("the token has expired")]
    Expired,
    #[error(
        "the token is not valid yet, because the clocks of this machine and of the authorization server differ"
    )]
    NotYetValid,
}

impl From<TokenFault> for VerifyError {
    fn from(fault: TokenFault) -> Self {
        match fault {
            TokenFault::Expired => Self::Expired,
            TokenFault::UnknownKey(_) | TokenFault::Signature => {
                Self::Invalid(fault.to_string().into())
            }
            TokenFault::NotJwt
            | TokenFault::Algorithm(_)
            | TokenFault::Type(_)
            | TokenFault::Critical
            | TokenFault::Claim(_)
            | TokenFault::Issuer(_)
            | TokenFault::Audience { .. }
            | TokenFault::NotYetValid => Self::Unsuitable(fault.to_string().into()),
        }
    }
}

/// A value of a token for the log: short, quoted, and without control characters.
pub(super) fn quoted(text: &str) -> String {
    let short: Cow<'_, str> = match text.char_indices().nth(MAX_VALUE_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    };
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_of_a_token_is_short_and_escaped() {
        assert_eq!(quoted("a\n\u{202e}b"), r#""a\n\u{202e}b""#);
        let long = quoted(&"é".repeat(100));
        assert_eq!(long, format!("\"{}…\"", "é".repeat(80)));
    }

    #[test]
    fn fault_that_a_new_token_would_have_asks_for_none() {
        for (fault, is_unsuitable) in [
            (TokenFault::NotJwt, true),
            (TokenFault::Algorithm("HS256".to_owned()), true),
            (TokenFault::Signature, false),
            (TokenFault::UnknownKey("a".to_owned()), false),
        ] {
            let found = matches!(fault.clone().into(), VerifyError::Unsuitable(_));
            assert_eq!(found, is_unsuitable, "{fault}");
        }
        assert!(matches!(TokenFault::Expired.into(), VerifyError::Expired));
    }
}
