//! Who may call over HTTP: those with a token of the operator's file, those with one of an authorization server, or everyone.

use std::sync::Arc;

use mcp_http::Authorization;
use mcp_operate::{FileWatcher, Issuer, IssuerUrl, ListenAddr, TlsFiles, TokenFile};

use crate::{config::Values, exit::Failure, run::scopes::token_words};

/// What is read before the server listens.
#[derive(Debug)]
pub(super) struct Credentials {
    tokens: Option<TokenFile>,
    issuer: Option<IssuerUrl>,
    pub(super) tls: Option<TlsFiles>,
}

impl Credentials {
    pub(super) fn read(settings: &Values) -> Result<Self, Failure> {
        let tokens = settings.token_file.as_deref();
        let tokens = tokens.map(|it| TokenFile::read(it, token_words()));
        let issuer = settings.oauth_issuer.as_deref();
        let issuer = issuer.map(IssuerUrl::new);
        let tls = settings.tls_cert.as_ref().zip(settings.tls_key.as_ref());
        let tls = tls.map(|(certificate, key)| TlsFiles::read(certificate, key));
        Ok(Self {
            tokens: tokens.transpose()?,
            issuer: issuer.transpose()?,
            tls: tls.transpose()?,
        })
    }

    /// The files that are read again without a restart.
    pub(super) fn files(&self) -> Vec<FileWatcher> {
        let tokens = self.tokens.as_ref().map(TokenFile::watcher);
        let tls = self.tls.as_ref().map(TlsFiles::watcher);
        tokens.into_iter().chain(tls).cloned().collect()
    }

    /// What a URL of the server begins with.
    pub(super) fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// What requests need, once it is known where this server listens, and the authorization server whose keys are read meanwhile;
    /// `None` if everyone may call. The first path covers the others.
    pub(super) fn authorization(
        &self,
        settings: &Values,
        address: &ListenAddr,
        paths: &[String],
    ) -> Result<(Option<Authorization>, Option<Arc<Issuer>>), Failure> {
        let Some(url) = &self.issuer else {
            let tokens = self.tokens.clone().map(Arc::new);
            return Ok((tokens.map(|it| Authorization::preshared_tokens(it)), None));
        };
        // Where only this machine reaches the server, its address is the URL that tokens are issued for.
        let base = match (settings.public_url(), address) {
            (Some(url), _) => url.to_owned(),
            (None, ListenAddr::Tcp(address)) if address.ip().is_loopback() => {
                format!("{}://{address}", self.scheme())
            }
            (None, _) => {
                return Err(Failure::new(
                    "tokens are issued for the URL of this server, which is unknown\nhint: pass the URL that clients use, such as --public-url https://mcp.example.org",
                ));
            }
        };
        let endpoints = paths.iter().map(|path| format!("{base}{path}"));
        let agent = concat!("qortal-mcp/", env!("CARGO_PKG_VERSION"));
        let issuer = Issuer::new(url, &settings.oauth_audiences, endpoints.collect(), agent)?;
        let scopes = settings.oauth_scopes.scopes().map(str::to_owned);
        let issuer = Arc::new(issuer.with_expanded_scopes(scopes.collect()));
        let authorization = Authorization::new(base, url.as_str(), issuer.clone());
        let scopes = settings.oauth_scopes.scopes();
        let authorization = scopes.fold(authorization, Authorization::with_any_of_scope);
        Ok((Some(authorization), Some(issuer)))
    }
}
