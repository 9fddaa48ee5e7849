//! Access tokens (2025-06-18 and later, `basic/authorization`): the part of a resource server. Who issues
//! tokens, and what is in them, is the host's.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, Response, StatusCode, Uri,
    header::{AUTHORIZATION, HeaderValue},
};
use mcp_protocol::Object;
use mcp_server::BoxFuture;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    body::Body,
    config::ConfigError,
    header,
    refusal::{self, Refusal},
};

/// Where clients look for who issues tokens (RFC 9728 §3.1); the path of an endpoint may follow.
const METADATA: &str = "/.well-known/oauth-protected-resource";
/// How long a host may take to check a token.
const CHECKED_WITHIN: Duration = Duration::from_secs(10);

/// Lets in only those who bring a token that was issued for this server.
///
/// Clients that bring none learn from the answer, and from the metadata below `/.well-known/`, who issues
/// them. Tokens are taken from the `Authorization` header alone, and each is checked with every request.
#[derive(Debug, Clone)]
pub struct Authorization {
    /// How clients address this server, without a path: `https://mcp.example.org`. With the path of an
    /// endpoint it is what tokens are issued for, the resource of RFC 8707.
    pub public_url: String,
    /// The issuers, at least one: `https://auth.example.org`.
    pub authorization_servers: Vec<String>,
    /// What every token has to allow; nothing in particular if there are none.
    pub scopes: Vec<String>,
    /// Checks the tokens.
    pub token_verifier: Arc<dyn TokenVerifier>,
}

/// Verifies access tokens: by their signature, or by asking whoever issued them.
pub trait TokenVerifier: fmt::Debug + Send + Sync {
    /// What a token allows; `None` if it is forged, has expired, or was never issued.
    ///
    /// Errors if that cannot be found out now; the request is then answered with 503. It is also given up
    /// after ten seconds.
    fn verify<'a>(
        &'a self,
        token: &'a str,
    ) -> BoxFuture<'a, Result<Option<Grant>, Box<dyn Error + Send + Sync>>>;
}

/// What a token allows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grant {
    /// For whom it was issued (`aud`); the address of the endpoint has to be among them.
    pub audiences: Vec<String>,
    /// What for (`scope`), with everything that follows from it.
    pub scopes: Vec<String>,
}

/// Authorizes requests to all endpoints.
#[derive(Debug)]
pub(crate) struct Authorizer {
    token_verifier: Arc<dyn TokenVerifier>,
    scopes: Vec<String>,
    resources: Vec<Resource>,
}

/// One endpoint as clients know it.
#[derive(Debug)]
pub(crate) struct Resource {
    path: String,
    uri: String,
    /// Its metadata (RFC 9728 §2).
    document: Bytes,
    /// What a challenge says of it.
    parameters: String,
}

impl Authorizer {
    pub(crate) fn new<'a>(
        authorization: Authorization,
        paths: impl Iterator<Item = &'a str>,
    ) -> Result<Self, ConfigError> {
        let Authorization {
            public_url,
            authorization_servers,
            scopes,
            token_verifier,
        } = authorization;
        let base = public_url.trim_end_matches('/');
        let wrong = |text: &str| Err(ConfigError::Authorization(text.to_owned()));
        if !is_absolute(base) || base.parse::<Uri>().is_ok_and(|it| it.path().len() > 1) {
            return wrong(&public_url);
        }
        if let Some(issuer) = authorization_servers.iter().find(|it| !is_absolute(it)) {
            return wrong(issuer);
        }
        if authorization_servers.is_empty() {
            return wrong("");
        }
        if let Some(scope) = scopes.iter().find(|it| !is_scope(it)) {
            return wrong(scope);
        }
        let resources = paths.map(|path| {
            let uri = format!("{base}{path}");
            let mut document = Object::new();
            document.insert("resource".to_owned(), json!(uri));
            let issuers = json!(authorization_servers);
            document.insert("authorization_servers".to_owned(), issuers);
            let methods = json!(["header"]);
            document.insert("bearer_methods_supported".to_owned(), methods);
            let mut parameters = format!("resource_metadata=\"{base}{METADATA}{path}\"");
            if !scopes.is_empty() {
                document.insert("scopes_supported".to_owned(), json!(scopes));
                parameters.push_str(&format!(", scope=\"{}\"", scopes.join(" ")));
            }
            Resource {
                path: path.to_owned(),
                uri,
                document: Bytes::from(Value::Object(document).to_string()),
                parameters,
            }
        });
        Ok(Self {
            resources: resources.collect(),
            token_verifier,
            scopes,
        })
    }

    /// The endpoint whose metadata are at this path; without a path of its own it is the first one's.
    pub(crate) fn described_at(&self, path: &str) -> Option<&Resource> {
        let endpoint = path.strip_prefix(METADATA)?;
        match endpoint {
            "" => self.resources.first(),
            endpoint => self.resources.iter().find(|it| it.path == endpoint),
        }
    }

    /// Whether a request to an endpoint may go on.
    pub(crate) async fn check(
        &self,
        path: &str,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
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
        let grant = match timeout(CHECKED_WITHIN, self.token_verifier.verify(token)).await {
            Ok(Ok(grant)) => grant,
            Ok(Err(err)) => {
                tracing::warn!(err, "a token could not be checked");
                return Err(refusal::token_unchecked());
            }
            Err(_) => {
                tracing::warn!(
                    seconds = CHECKED_WITHIN.as_secs(),
                    "a token was not checked"
                );
                return Err(refusal::token_unchecked());
            }
        };
        let grant = grant.filter(|it| it.audiences.contains(&resource.uri));
        let Some(grant) = grant else {
            let what = "the token is not valid here, ask for a new one for this resource";
            let status = StatusCode::UNAUTHORIZED;
            return Err(resource.challenge(status, Some("invalid_token"), what));
        };
        if let Some(scope) = self.scopes.iter().find(|it| !grant.scopes.contains(it)) {
            let what = format!("the token does not allow {scope}");
            let status = StatusCode::FORBIDDEN;
            return Err(resource.challenge(status, Some("insufficient_scope"), &what));
        }
        Ok(())
    }
}

impl Resource {
    /// Its metadata, for whoever asks.
    pub(crate) fn describe(&self, method: &Method) -> Result<Response<Body>, Refusal> {
        match *method {
            Method::GET | Method::HEAD => {
                let body = Body::from(self.document.clone());
                Ok(refusal::json(StatusCode::OK, body))
            }
            _ => Err(refusal::method_not_allowed("GET, HEAD")),
        }
    }

    fn malformed(&self, what: &str) -> Refusal {
        self.challenge(StatusCode::BAD_REQUEST, Some("invalid_request"), what)
    }

    /// RFC 6750 §3: without a token there is no error to tell.
    fn challenge(&self, status: StatusCode, error: Option<&str>, what: &str) -> Refusal {
        let error = error.map_or_else(String::new, |error| format!("error=\"{error}\", "));
        let challenge = format!("Bearer {error}{}", self.parameters);
        // Its parts were checked when the authorizer was made.
        match HeaderValue::try_from(challenge) {
            Ok(challenge) => refusal::not_authorized(status, challenge, what),
            Err(_) => refusal::fault(None),
        }
    }
}

/// The token of a request; `None` if it brings none. Errors with what is wrong with the header.
fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, &'static str> {
    let header = header::single_value(headers, &AUTHORIZATION)
        .map_err(|header::DuplicateHeader| "there is more than one Authorization header")?;
    let Some(header) = header else {
        return Ok(None);
    };
    let header = std::str::from_utf8(header).map_err(|_| "the Authorization header is no text")?;
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    let token = token.trim();
    // RFC 6750 §2.1, b64token.
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    match !token.is_empty() && token.bytes().all(allowed) {
        true => Ok(Some(token)),
        false => Err("after Bearer the Authorization header must have a token"),
    }
}

/// Whether it is an address that stands for itself in a challenge.
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

/// RFC 6749 §3.3, scope-token.
fn is_scope(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_graphic() && !b"\"\\".contains(&byte);
    !text.is_empty() && text.bytes().all(allowed)
}
