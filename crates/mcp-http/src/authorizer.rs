//! OAuth 2.1 access tokens (2025-06-18 and later, `basic/authorization`): the part of a resource server. The
//! host verifies the tokens; an authorization server issues them.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, Response, StatusCode, Uri,
    header::{AUTHORIZATION, HeaderValue},
};
use mcp_protocol::Object;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    authorization::{Authorization, Grant, TokenVerifier},
    body::Body,
    config::ConfigError,
    header,
    refusal::{self, Refusal},
};

/// The path of the protected resource metadata (RFC 9728 §3.1); the path of an endpoint may follow.
const METADATA: &str = "/.well-known/oauth-protected-resource";
/// How long the host may take to verify a token: issuers answer within seconds, and clients give up after a
/// minute.
const VERIFY_TIMEOUT: Duration = Duration::from_secs(10);

/// Authorizes the requests to all endpoints.
#[derive(Debug)]
pub(crate) struct Authorizer {
    token_verifier: Arc<dyn TokenVerifier>,
    scopes: Vec<String>,
    resources: Vec<Resource>,
}

/// An endpoint as a protected resource (RFC 9728).
#[derive(Debug)]
pub(crate) struct Resource {
    path: String,
    uri: String,
    /// Its metadata (RFC 9728 §2).
    document: Bytes,
    /// The parameters of its challenges.
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
        let invalid = |text: &str| Err(ConfigError::Authorization(text.to_owned()));
        if !is_absolute(base) || base.parse::<Uri>().is_ok_and(|it| it.path().len() > 1) {
            return invalid(&public_url);
        }
        if let Some(issuer) = authorization_servers.iter().find(|it| !is_absolute(it)) {
            return invalid(issuer);
        }
        if authorization_servers.is_empty() {
            return invalid("");
        }
        if let Some(scope) = scopes.iter().find(|it| !is_scope(it)) {
            return invalid(scope);
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

    /// Returns the resource whose metadata are at this path. The metadata path alone is that of the first.
    pub(crate) fn described_at(&self, path: &str) -> Option<&Resource> {
        let endpoint = path.strip_prefix(METADATA)?;
        match endpoint {
            "" => self.resources.first(),
            endpoint => self.resources.iter().find(|it| it.path == endpoint),
        }
    }

    /// Checks the token of a request to the endpoint at `path`, and returns what it grants.
    pub(crate) async fn check(
        &self,
        path: &str,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Grant, Refusal> {
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
        let grant = match timeout(VERIFY_TIMEOUT, self.token_verifier.verify(token)).await {
            Ok(Ok(grant)) => grant,
            Ok(Err(err)) => {
                tracing::warn!(err, "a token could not be verified");
                return Err(refusal::token_unchecked());
            }
            Err(_) => {
                tracing::warn!(
                    seconds = VERIFY_TIMEOUT.as_secs(),
                    "verifying a token timed out"
                );
                return Err(refusal::token_unchecked());
            }
        };
        let grant = grant.filter(|it| it.audiences.contains(&resource.uri));
        let Some(grant) = grant else {
            let what = "the token is not valid for this resource, request a new one";
            let status = StatusCode::UNAUTHORIZED;
            return Err(resource.challenge(status, Some("invalid_token"), what));
        };
        if let Some(scope) = self.scopes.iter().find(|it| !grant.scopes.contains(it)) {
            let what = format!("the token lacks the scope {scope}");
            let status = StatusCode::FORBIDDEN;
            return Err(resource.challenge(status, Some("insufficient_scope"), &what));
        }
        Ok(grant)
    }
}

impl Resource {
    /// Returns its metadata.
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

    /// RFC 6750 §3: a request without a token gets no `error`.
    fn challenge(&self, status: StatusCode, error: Option<&str>, what: &str) -> Refusal {
        let error = error.map_or_else(String::new, |error| format!("error=\"{error}\", "));
        let challenge = format!("Bearer {error}{}", self.parameters);
        // `new` has checked its parts, so this does not fail.
        match HeaderValue::try_from(challenge) {
            Ok(challenge) => refusal::not_authorized(status, challenge, what),
            Err(_) => refusal::fault(None),
        }
    }
}

/// Returns the bearer token of a request; `None` if it has none.
///
/// # Errors
/// Fails with the reason if the header is malformed.
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
    match !token.is_empty() && token.bytes().all(allowed) {
        true => Ok(Some(token)),
        false => Err("Authorization must be Bearer followed by a token"),
    }
}

/// Whether this is an absolute URL that a challenge can quote as it is.
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

#[cfg(test)]
mod tests {
    use std::error::Error;

    use mcp_server::BoxFuture;

    use super::*;

    #[derive(Debug)]
    struct Echo;

    impl TokenVerifier for Echo {
        fn verify<'a>(
            &'a self,
            token: &'a str,
        ) -> BoxFuture<'a, Result<Option<Grant>, Box<dyn Error + Send + Sync>>> {
            Box::pin(async move { Ok(Some(grant(token))) })
        }
    }

    fn grant(subject: &str) -> Grant {
        let claims = Object::from_iter([("sub".to_owned(), json!(subject))]);
        Grant::new("https://mcp.example.org/mcp")
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
        let checked = authorizer.check("/mcp", &uri, &headers).await;
        assert_eq!(checked.unwrap(), grant("alice"));
    }
}
