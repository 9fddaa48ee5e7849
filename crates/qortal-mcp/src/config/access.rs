//! The settings of who may call over HTTP, and how they are reached: which of them go together, and how scopes are written.

use mcp_operate::ScopeGrants;

use super::{choice::Auth, error::ConfigError, setting::Setting, settings::Settings};
use crate::permit;

/// Rejects settings that exclude each other, and those that need another one.
pub(super) fn check(settings: &Settings) -> Result<(), ConfigError> {
    let has_issuer = settings.oauth_issuer.is_some();
    if has_issuer && settings.token_file.is_some() {
        return Err(ConfigError::Wrong(
            "token_file and oauth_issuer are both set\nhint: set only one, because tokens come either from a file or from an authorization server".to_owned(),
        ));
    }
    let tokens = [
        ("token_file", settings.token_file.is_some()),
        ("oauth_issuer", has_issuer),
    ];
    let tokens = tokens.iter().find(|(_, is_set)| *is_set);
    if let (Some(Auth::None), Some((key, _))) = (settings.auth, tokens) {
        return Err(ConfigError::Wrong(format!(
            "auth is none, and {key} is set\nhint: unset auth to require tokens, or {key} to admit every client"
        )));
    }
    let (has_cert, has_key) = (settings.tls_cert.is_some(), settings.tls_key.is_some());
    let issuer = ("oauth_issuer", has_issuer);
    let needed = [
        (
            "oauth_audiences",
            settings.oauth_audiences.is_some(),
            issuer,
        ),
        ("oauth_scopes", settings.oauth_scopes.is_some(), issuer),
        ("tls_cert", has_cert, ("tls_key", has_key)),
        ("tls_key", has_key, ("tls_cert", has_cert)),
    ];
    for (key, is_set, (other, is_other_set)) in needed {
        if is_set && !is_other_set {
            return Err(ConfigError::Wrong(format!(
                "{key} is set, but {other} is not\nhint: set both or neither"
            )));
        }
    }
    Ok(())
}

/// A variable has commas, the file a list.
impl Setting for ScopeGrants {
    const EXPECTED: &str =
        "scopes such as qortal:read, or qortal:trade=trade+get_balance with toolsets and tools";

    fn from_text(text: &str) -> Option<Self> {
        permit::rules(text.split(','))
    }

    fn from_toml(value: &toml::Value) -> Option<Self> {
        let rules = Vec::<String>::from_toml(value)?;
        permit::rules(rules.iter().map(String::as_str))
    }
}
