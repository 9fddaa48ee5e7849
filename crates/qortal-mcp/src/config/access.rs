//! The settings of who may call over HTTP, and how they are reached: which of them go together, and how scopes are written.

use mcp_operate::ScopeRules;

use super::{error::ConfigError, setting::Setting, settings::Settings};
use crate::permit;

/// Refuses settings that do not go together.
pub(super) fn check(settings: &Settings) -> Result<(), ConfigError> {
    let issuer = settings.oauth_issuer.as_ref();
    if issuer.is_some() && settings.token_file.is_some() {
        return Err(ConfigError::TwoKindsOfTokens);
    }
    let needs_issuer = [
        ("oauth_audience", settings.oauth_audience.is_some()),
        ("oauth_scopes", settings.oauth_scopes.is_some()),
        (
            "oauth_http_issuer",
            settings.oauth_http_issuer == Some(true),
        ),
    ];
    let alone = needs_issuer.into_iter().find(|(_, is_set)| *is_set);
    if let (None, Some((alone, _))) = (issuer, alone) {
        return Err(ConfigError::Alone(alone, "oauth_issuer"));
    }
    match (&settings.tls_cert, &settings.tls_key) {
        (Some(_), None) => Err(ConfigError::Alone("tls_cert", "tls_key")),
        (None, Some(_)) => Err(ConfigError::Alone("tls_key", "tls_cert")),
        _ => Ok(()),
    }
}

/// A variable has commas, the file a list.
impl Setting for ScopeRules {
    fn expected() -> String {
        "scopes such as qortal:read, or qortal:trade=trade+get_balance with toolsets and tools"
            .to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        permit::rules(text.split(','))
    }

    fn from_toml(value: &toml::Value) -> Option<Self> {
        let rules = Vec::<String>::from_toml(value)?;
        permit::rules(rules.iter().map(String::as_str))
    }
}
