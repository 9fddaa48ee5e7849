//! The settings of who may call over HTTP, and how they are reached: tokens of an authorization server, TLS, proxies.

use std::path::PathBuf;

use super::{error::ConfigError, setting::Setting, settings::Settings};
use crate::permit::ScopeRules;

/// Who may call, and how they are reached.
#[derive(Debug, Clone, Default)]
pub(crate) struct AccessConfig {
    /// The authorization server, as its tokens name it.
    pub(crate) oauth_issuer: Option<String>,
    pub(crate) oauth_audience: Vec<String>,
    pub(crate) oauth_scopes: ScopeRules,
    /// Whether the authorization server may be asked by plain HTTP, on this machine.
    pub(crate) oauth_http_issuer: bool,
    /// The files of the certificate and of its key.
    pub(crate) tls: Option<(PathBuf, PathBuf)>,
    pub(crate) trusted_proxy: Vec<String>,
}

impl AccessConfig {
    pub(super) fn new(settings: &Settings) -> Result<Self, ConfigError> {
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
        let tls = match (&settings.tls_cert, &settings.tls_key) {
            (Some(certificate), Some(key)) => Some((certificate.clone(), key.clone())),
            (Some(_), None) => return Err(ConfigError::Alone("tls_cert", "tls_key")),
            (None, Some(_)) => return Err(ConfigError::Alone("tls_key", "tls_cert")),
            (None, None) => None,
        };
        Ok(Self {
            oauth_issuer: issuer.cloned(),
            oauth_audience: settings.oauth_audience.clone().unwrap_or_default(),
            oauth_scopes: settings.oauth_scopes.clone().unwrap_or_default(),
            oauth_http_issuer: settings.oauth_http_issuer == Some(true),
            tls,
            trusted_proxy: settings.trusted_proxy.clone().unwrap_or_default(),
        })
    }
}

/// A variable has commas, the file a list.
impl Setting for ScopeRules {
    fn expected() -> String {
        "scopes such as qortal:read, or qortal:trade=trade+get_balance with toolsets and tools"
            .to_owned()
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::parse(text.split(','))
    }

    fn from_toml(value: &toml::Value) -> Option<Self> {
        let rules = Vec::<String>::from_toml(value)?;
        Self::parse(rules.iter().map(String::as_str))
    }
}
