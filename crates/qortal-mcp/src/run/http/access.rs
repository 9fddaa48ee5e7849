//! Who may call over HTTP: those with a token of the operator's file, those with one of an authorization server, or everyone.

use std::sync::Arc;

use mcp_http::Authorization;

use super::{HttpError, Listen, tls::TlsFiles};
use crate::{
    config::{AccessConfig, HttpConfig},
    oauth::{Issuer, IssuerUrl, SharedIssuer, StartError},
    run::reload::ReadAgain,
    token_file::TokenFile,
};

/// What is read before the server listens.
#[derive(Debug)]
pub(super) struct Access {
    tokens: Option<Arc<TokenFile>>,
    issuer: Option<IssuerUrl>,
    pub(super) tls: Option<Arc<TlsFiles>>,
}

impl Access {
    pub(super) fn read(http: &HttpConfig) -> Result<Self, HttpError> {
        let tokens = http.token_file.as_deref().map(TokenFile::read);
        let AccessConfig {
            oauth_issuer,
            oauth_http_issuer,
            tls,
            ..
        } = &http.access;
        let issuer = oauth_issuer.as_deref();
        let issuer = issuer.map(|it| IssuerUrl::new(it, *oauth_http_issuer));
        let tls = tls.as_ref().map(TlsFiles::read);
        Ok(Self {
            tokens: tokens.transpose()?.map(Arc::new),
            issuer: issuer.transpose()?,
            tls: tls.transpose()?.map(Arc::new),
        })
    }

    /// Whether a client needs a token.
    pub(super) fn needs_token(&self) -> bool {
        self.tokens.is_some() || self.issuer.is_some()
    }

    /// The files that are read again without a restart.
    pub(super) fn files(&self) -> Vec<Arc<dyn ReadAgain>> {
        let tokens = self.tokens.clone().map(|it| it as Arc<dyn ReadAgain>);
        let tls = self.tls.clone().map(|it| it as Arc<dyn ReadAgain>);
        tokens.into_iter().chain(tls).collect()
    }

    /// What a URL of the server begins with.
    pub(super) fn scheme(&self) -> &'static str {
        match self.tls {
            Some(_) => "https",
            None => "http",
        }
    }

    /// The authorization server, once it is known where this one listens; the first path covers the others.
    pub(super) fn issuer(
        &self,
        http: &HttpConfig,
        address: &Listen,
        paths: &[String],
    ) -> Result<Option<Arc<Issuer>>, HttpError> {
        let Some(url) = &self.issuer else {
            return Ok(None);
        };
        let base = self.base(http, address)?;
        let endpoints = paths.iter().map(|path| format!("{base}{path}"));
        let audiences = &http.access.oauth_audience;
        let issuer = Issuer::new(url, audiences, endpoints.collect())?;
        Ok(Some(Arc::new(issuer)))
    }

    /// What requests need; `None` if everyone may call.
    pub(super) fn authorization(
        &self,
        http: &HttpConfig,
        address: &Listen,
        issuer: Option<&Arc<Issuer>>,
    ) -> Result<Option<Authorization>, HttpError> {
        let (Some(url), Some(issuer)) = (&self.issuer, issuer) else {
            let tokens = self.tokens.clone();
            return Ok(tokens.map(|it| Authorization::preshared(it)));
        };
        let verifier = Arc::new(SharedIssuer(Arc::clone(issuer)));
        let base = self.base(http, address)?;
        let authorization = Authorization::new(base, url.as_str(), verifier);
        let scopes = http.access.oauth_scopes.scopes();
        Ok(Some(scopes.fold(
            authorization,
            Authorization::with_alternative_scope,
        )))
    }

    /// The URL of the server without a path, which tokens are issued for: where only this machine reaches it, its address.
    fn base(&self, http: &HttpConfig, address: &Listen) -> Result<String, HttpError> {
        match (&http.public_url, address) {
            (Some(url), _) => Ok(url.clone()),
            (None, Listen::Tcp(address)) if address.ip().is_loopback() => {
                Ok(format!("{}://{address}", self.scheme()))
            }
            (None, _) => Err(HttpError::NoPublicUrl),
        }
    }
}

impl From<StartError> for HttpError {
    fn from(err: StartError) -> Self {
        Self::Issuer(err)
    }
}
