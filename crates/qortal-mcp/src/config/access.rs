//! The settings of who may call over HTTP, and how they are reached: tokens of an authorization server, TLS, proxies.

use std::path::PathBuf;

use clap::Args;

use super::{ConfigError, settings::Settings};
use crate::{
    config::setting::{Setting, of_flag},
    permit::ScopeRules,
};

/// The options of `qortal-mcp http` for these settings.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct AccessOptions {
    /// OAuth 2.1 authorization server whose access tokens (JWT) admit clients, as its tokens name it
    #[arg(long, value_name = "URL", conflicts_with_all = ["token_file", "no_auth"])]
    oauth_issuer: Option<String>,
    /// What tokens are issued for, besides the URL of /mcp; may be repeated
    #[arg(long, value_name = "AUDIENCE")]
    oauth_audience: Option<Vec<String>>,
    /// Scopes, of which a token needs one: SCOPE allows everything, SCOPE=NAME+NAME toolsets and tools. Clients are told
    /// to ask for the first
    #[arg(long, value_name = "SCOPES", value_parser = of_flag::<ScopeRules>)]
    oauth_scopes: Option<ScopeRules>,
    /// Allow http:// for an authorization server on this machine
    #[arg(long)]
    oauth_http_issuer: bool,
    /// File with the certificate to serve HTTPS with, and those that lead to a root, in PEM. A change takes effect without
    /// a restart
    #[arg(long, value_name = "PATH")]
    tls_cert: Option<PathBuf>,
    /// File with the key of the certificate, in PEM
    #[arg(long, value_name = "PATH")]
    tls_key: Option<PathBuf>,
    /// Believe the Forwarded and X-Forwarded-For headers of proxies in this network, such as 10.0.0.0/8, or unix for those
    /// that connect to a Unix socket; may be repeated
    #[arg(long, value_name = "NETWORK")]
    trusted_proxy: Option<Vec<String>>,
}

impl AccessOptions {
    /// Adds the settings on the command line.
    pub(super) fn set(&self, settings: &mut Settings) {
        settings.oauth_issuer.clone_from(&self.oauth_issuer);
        settings.oauth_audience.clone_from(&self.oauth_audience);
        settings.oauth_scopes.clone_from(&self.oauth_scopes);
        settings.oauth_http_issuer = self.oauth_http_issuer.then_some(true);
        settings.tls_cert.clone_from(&self.tls_cert);
        settings.tls_key.clone_from(&self.tls_key);
        settings.trusted_proxy.clone_from(&self.trusted_proxy);
    }
}

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
