//! OAuth 2.1 access tokens (2025-06-18 and later, `basic/authorization`), in the role of a resource server. The host
//! verifies the tokens. An authorization server issues them.

use std::{error::Error, sync::Arc, time::Duration};

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, Response, StatusCode, Uri,
    header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE},
    http::request::Parts,
};
use mcp_protocol::Object;
use mcp_server::AuthInfo;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{
    Authorization, Body, ConfigError, ProtectedResource, TokenVerifier, VerifyError,
    body::InsufficientScope,
    header,
    refusal::{self, Refusal},
    throttle::Throttle,
};

/// The path of the protected resource metadata (RFC 9728 §3.1). The path of an endpoint may follow.
const METADATA: &str = "/.well-known/oauth-protected-resource";
/// Maximum time for the host to verify a token. Issuers respond within seconds, and clients give up after a minute.
const VERIFY_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two verifications of a stream's token, which bounds how long a stream outlives its token.
const VERIFY_AGAIN: Duration = Duration::from_secs(5);

/// The authorization of requests to all endpoints.
#[derive(Debug)]
pub(crate) struct Authorizer {
    token_verifier: Arc<dyn TokenVerifier>,
    resources: Vec<Resource>,
    /// Limits for log lines about rejected tokens: those that a new token replaces, and those that need the operator's
    /// attention.
    renewable: Throttle,
    unsuitable: Throttle,
}

/// The authorization of a client for a long-lived stream.
#[derive(Debug)]
pub(crate) struct Access {
    authorizer: Arc<Authorizer>,
    path: String,
    /// The request head, which contains the token.
    parts: Arc<Parts>,
}

/// An endpoint as a protected resource (RFC 9728).
#[derive(Debug)]
pub(crate) struct Resource {
    path: String,
    /// The resource that tokens are issued for and its metadata (RFC 9728 §2), if authorization servers issue tokens.
    published: Option<Published>,
    /// The parameter of challenges that contains the metadata URL, or the realm.
    place: String,
    /// The scopes that every token must have.
    scopes: Vec<String>,
    /// Alternative scopes. If there are any, every token must have at least one of them.
    alternatives: Vec<String>,
}

#[derive(Debug)]
struct Published {
    uri: String,
    document: Bytes,
}

impl Authorizer {
    pub(crate) fn new<'a>(
        authorization: Authorization,
        paths: impl Iterator<Item = &'a str>,
    ) -> Result<Self, ConfigError> {
        let Authorization {
            protected_resource: issuers,
            scopes,
            alternative_scopes: alternatives,
            token_verifier,
        } = authorization;
        let invalid = |text: &str| ConfigError::Authorization(text.to_owned());
        let mut all = scopes.iter().chain(&alternatives);
        if let Some(scope) = all.find(|it| !AuthInfo::is_valid_scope(it)) {
            return Err(invalid(scope));
        }
        if let Some(issuers) = &issuers {
            check(issuers).map_err(invalid)?;
        }
        let resources =
            paths.map(|path| Resource::new(path, issuers.as_ref(), &scopes, &alternatives));
        Ok(Self {
            resources: resources.collect(),
            token_verifier,
            renewable: Throttle::default(),
            unsuitable: Throttle::default(),
        })
    }

    /// Returns the resource with metadata at this path. The bare metadata path refers to the first resource.
    pub(crate) fn described_at(&self, path: &str) -> Option<&Resource> {
        let endpoint = path.strip_prefix(METADATA)?;
        let mut published = self.resources.iter().filter(|it| it.published.is_some());
        match endpoint {
            "" => published.next(),
            endpoint => published.find(|it| it.path == endpoint),
        }
    }

    /// Checks the token of a request to the endpoint at `path`, and returns its grant.
    pub(crate) async fn check(
        &self,
        path: &str,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(&Resource, AuthInfo), Refusal> {
        let Some(resource) = self.resources.iter().find(|it| it.path == path) else {
            return Err(refusal::fault(None));
        };
        let is_in_query = uri.query().is_some_and(|query| {
            let mut names = query.split('&').map(|it| it.split('=').next());
            names.any(|name| name == Some("access_token"))
        });
        if is_in_query {
            let what = "a token in the query is not accepted, send it in the Authorization header";
            return Err(resource.malformed(what));
        }
        let Some(token) = bearer_token(headers).map_err(|what| resource.malformed(what))? else {
            return Err(resource.challenge(StatusCode::UNAUTHORIZED, None, "a token is required"));
        };
        let verified = match timeout(VERIFY_TIMEOUT, self.token_verifier.verify(token)).await {
            Ok(verified) => verified.and_then(|grant| resource.accept_audience(grant)),
            Err(_) => {
                tracing::warn!(
                    seconds = VERIFY_TIMEOUT.as_secs(),
                    "verifying a token timed out"
                );
                return Err(refusal::token_unchecked());
            }
        };
        let grant = verified.map_err(|err| self.rejected(resource, &err))?;
        let mut required = resource.scopes.iter();
        if let Some(scope) = required.find(|it| !grant.scopes.contains(it)) {
            let what = format!("the token lacks the scope {scope}");
            let status = StatusCode::FORBIDDEN;
            return Err(resource.challenge(status, Some("insufficient_scope"), &what));
        }
        let has_one = resource.alternatives.is_empty()
            || resource
                .alternatives
                .iter()
                .any(|it| grant.scopes.contains(it));
        if !has_one {
            let what = "the token has none of the scopes of this server";
            let status = StatusCode::FORBIDDEN;
            return Err(resource.challenge(status, Some("insufficient_scope"), what));
        }
        Ok((resource, grant))
    }

    /// Logs the reason why a token is not accepted, and returns the response.
    fn rejected(&self, resource: &Resource, err: &VerifyError) -> Refusal {
        let what = match err {
            VerifyError::Unavailable(err) => {
                tracing::warn!(
                    error = &**err as &dyn Error,
                    "a token could not be verified"
                );
                return refusal::token_unchecked();
            }
            VerifyError::Invalid(_) | VerifyError::Expired => {
                if let Some(withheld) = self.renewable.pass() {
                    tracing::info!(reason = %err, withheld, "a token was rejected");
                }
                if matches!(err, VerifyError::Expired) {
                    "the token has expired, request a new one".to_owned()
                } else {
                    "the token is not valid for this resource, request a new one".to_owned()
                }
            }
            VerifyError::Unsuitable(reason) => {
                if let Some(withheld) = self.unsuitable.pass() {
                    tracing::warn!(%reason, withheld, "a token was rejected, and a new one of the same kind will be rejected too");
                }
                format!(
                    "the token is not suitable for this resource, and neither is a new one of the same kind: {reason}"
                )
            }
        };
        resource.challenge(StatusCode::UNAUTHORIZED, Some("invalid_token"), &what)
    }
}

impl Access {
    /// Creates the authorization of the client that sent this request to the endpoint at `path`.
    pub(crate) fn new(authorizer: &Arc<Authorizer>, path: &str, parts: &Arc<Parts>) -> Self {
        Self {
            authorizer: Arc::clone(authorizer),
            path: path.to_owned(),
            parts: Arc::clone(parts),
        }
    }

    /// Waits until the request would be rejected: its token is revoked, expired, or cannot be verified.
    pub(crate) async fn lost(&self) {
        let Parts { uri, headers, .. } = &*self.parts;
        loop {
            sleep(VERIFY_AGAIN).await;
            let checked = self.authorizer.check(&self.path, uri, headers).await;
            if checked.is_err() {
                tracing::debug!("a stream was closed: its token is no longer accepted");
                return;
            }
        }
    }
}

impl Resource {
    fn new(
        path: &str,
        issuers: Option<&ProtectedResource>,
        scopes: &[String],
        alternatives: &[String],
    ) -> Self {
        let supported: Vec<_> = scopes.iter().chain(alternatives).collect();
        let published = issuers.map(|issuers| {
            let uri = format!("{}{path}", issuers.base());
            let mut document = Object::new();
            document.insert("resource".to_owned(), json!(uri));
            let servers = json!(issuers.authorization_servers);
            document.insert("authorization_servers".to_owned(), servers);
            let methods = json!(["header"]);
            document.insert("bearer_methods_supported".to_owned(), methods);
            if !supported.is_empty() {
                document.insert("scopes_supported".to_owned(), json!(supported));
            }
            let document = Bytes::from(Value::Object(document).to_string());
            Published { uri, document }
        });
        let place = match issuers {
            Some(issuers) => format!("resource_metadata=\"{}{METADATA}{path}\"", issuers.base()),
            None => "realm=\"mcp\"".to_owned(),
        };
        Self {
            path: path.to_owned(),
            published,
            place,
            scopes: scopes.to_owned(),
            alternatives: alternatives.to_owned(),
        }
    }

    /// Returns the grant of a token if the token was issued for this resource.
    fn accept_audience(&self, grant: AuthInfo) -> Result<AuthInfo, VerifyError> {
        match &self.published {
            Some(Published { uri, .. }) if !grant.audiences.contains(uri) => {
                let reason = format!("the audience does not include {uri}");
                Err(VerifyError::Unsuitable(reason.into()))
            }
            _ => Ok(grant),
        }
    }

    /// Returns the metadata of the resource.
    pub(crate) fn describe(&self, method: &Method) -> Result<Response<Body>, Refusal> {
        let Some(Published { document, .. }) = &self.published else {
            return Ok(refusal::not_found());
        };
        match *method {
            Method::GET | Method::HEAD => {
                Ok(Body::from(document.clone()).into_json(StatusCode::OK))
            }
            _ => Err(refusal::method_not_allowed("GET, HEAD")),
        }
    }

    fn malformed(&self, what: &str) -> Refusal {
        self.challenge(StatusCode::BAD_REQUEST, Some("invalid_request"), what)
    }

    /// Adds a challenge to the response for a request that needs more scopes. It lists all of them, so the client needs
    /// the user's consent only once (2026-07-28 `basic/authorization`, "Scope Challenge Handling").
    pub(crate) fn challenge_for_scopes(&self, response: &mut Response<Body>) {
        let Some(InsufficientScope(required)) = response.extensions_mut().remove() else {
            return;
        };
        let more = required.iter().filter(|it| !self.scopes.contains(it));
        let scopes = self.scopes.iter().chain(more).map(String::as_str);
        if let Some(challenge) = self.challenge_value(Some("insufficient_scope"), scopes) {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
    }

    fn challenge(&self, status: StatusCode, error: Option<&str>, what: &str) -> Refusal {
        let first = self.alternatives.first();
        let scopes = self.scopes.iter().chain(first).map(String::as_str);
        match self.challenge_value(error, scopes) {
            Some(challenge) => refusal::not_authorized(status, challenge, what),
            None => refusal::fault(None),
        }
    }

    /// RFC 6750 §3: a request without a token gets no `error`.
    fn challenge_value<'a>(
        &self,
        error: Option<&str>,
        scopes: impl Iterator<Item = &'a str>,
    ) -> Option<HeaderValue> {
        let error = error.map_or_else(String::new, |error| format!("error=\"{error}\", "));
        let mut challenge = format!("Bearer {error}{}", self.place);
        let scopes: Vec<_> = scopes.collect();
        if !scopes.is_empty() {
            challenge.push_str(&format!(", scope=\"{}\"", scopes.join(" ")));
        }
        // `new` and the server, which defines the scopes, have validated the parts, so this does not fail.
        HeaderValue::try_from(challenge).ok()
    }
}

impl ProtectedResource {
    fn base(&self) -> &str {
        self.public_url.trim_end_matches('/')
    }
}

/// Returns the first invalid URL, if there is one.
fn check(issuers: &ProtectedResource) -> Result<(), &str> {
    let base = issuers.base();
    let has_path = base.parse::<Uri>().is_ok_and(|it| it.path().len() > 1);
    if !is_absolute(base) || has_path {
        return Err(&issuers.public_url);
    }
    let servers = &issuers.authorization_servers;
    match servers.iter().find(|it| !is_absolute(it)) {
        Some(server) => Err(server),
        None if servers.is_empty() => Err(""),
        None => Ok(()),
    }
}

/// Returns the bearer token of a request. Returns `None` if it has none.
///
/// # Errors
/// Returns the reason if the header is malformed.
fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, &'static str> {
    let header = header::single_value(headers, &AUTHORIZATION)
        .map_err(|header::DuplicateHeader| "Authorization is given more than once")?;
    let Some(header) = header else {
        return Ok(None);
    };
    let header = std::str::from_utf8(header).map_err(|_| "Authorization is not valid UTF-8")?;
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    let token = token.trim();
    // RFC 6750 §2.1, b64token.
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if !token.is_empty() && token.bytes().all(allowed) {
        Ok(Some(token))
    } else {
        Err("Authorization must be Bearer followed by a token")
    }
}

/// Returns whether the string is an absolute URL that needs no escapes in a challenge.
fn is_absolute(text: &str) -> bool {
    let uri: Option<Uri> = text.parse().ok();
    let is_web = uri.is_some_and(|uri| {
        matches!(uri.scheme_str(), Some("https" | "http")) && uri.query().is_none()
    });
    is_web
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte))
}

#[cfg(test)]
mod tests {
    use mcp_server::BoxFuture;

    use super::*;

    #[derive(Debug)]
    struct Echo;

    impl TokenVerifier for Echo {
        fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
            Box::pin(async move { Ok(grant(token)) })
        }
    }

    fn grant(subject: &str) -> AuthInfo {
        let claims = Object::from_iter([("sub".to_owned(), json!(subject))]);
        AuthInfo::for_audience("https://mcp.example.org/mcp")
            .with_subject(subject)
            .with_claims(claims)
    }

    #[tokio::test]
    async fn an_authorized_request_has_the_grant_of_its_token() {
        let issuer = "https://auth.example.org";
        let authorization = Authorization::new("https://mcp.example.org", issuer, Arc::new(Echo));
        let authorizer = Authorizer::new(authorization, ["/mcp"].into_iter()).unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer alice"));
        let uri = Uri::from_static("/mcp");
        let (_, granted) = authorizer.check("/mcp", &uri, &headers).await.unwrap();
        assert_eq!(granted, grant("alice"));
    }
}
