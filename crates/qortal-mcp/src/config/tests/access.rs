//! The setting of who may call.

use super::config;
use crate::config::choice::Auth;

#[test]
fn auth_is_required_unless_it_is_none_which_excludes_tokens() {
    let auth = |line: &str, environment: &[_]| {
        let config = config(&format!("qortal-mcp http {line}"), environment);
        config
            .map(|it| it.values.auth)
            .map_err(|err| err.to_string())
    };
    let none = ("QORTAL_MCP_AUTH", "none");
    assert_eq!(auth("", &[]), Ok(Auth::Required));
    assert_eq!(auth("--auth none", &[]), Ok(Auth::None));
    assert_eq!(auth("", &[none]), Ok(Auth::None));
    assert_eq!(
        auth("--auth required --token-file tokens", &[none]),
        Ok(Auth::Required)
    );
    for (line, key) in [
        ("--auth none --token-file tokens", "token_file"),
        ("--token-file tokens", "token_file"),
        ("--oauth-issuer https://auth.example", "oauth_issuer"),
    ] {
        let expected = format!(
            "auth is none, and {key} is set\nhint: unset auth to require tokens, or {key} to admit every client"
        );
        assert_eq!(auth(line, &[none]), Err(expected), "{line}");
    }
}
