//! Discovery: from the server to its authorization server (RFC 9728, RFC 8414, OpenID Connect Discovery).

use mcp_client::Challenge;
use oauth2::{AuthUrl, TokenUrl, url::Url};
use serde::Deserialize;

use crate::http::{AnyError, Http};

/// The metadata of the server, which is a protected resource (RFC 9728 §2).
#[derive(Debug, Deserialize)]
pub(crate) struct Resource {
    /// Its name at the authorization server, to be sent exactly as it is written here.
    pub(crate) resource: String,
    #[serde(default)]
    pub(crate) authorization_servers: Vec<String>,
    #[serde(default)]
    pub(crate) scopes_supported: Vec<String>,
}

/// The metadata of an authorization server (RFC 8414 §2).
#[derive(Debug, Deserialize)]
pub(crate) struct AuthorizationServer {
    pub(crate) issuer: String,
    pub(crate) authorization_endpoint: AuthUrl,
    pub(crate) token_endpoint: TokenUrl,
    pub(crate) registration_endpoint: Option<Url>,
    #[serde(default)]
    pub(crate) scopes_supported: Vec<String>,
    #[serde(default)]
    pub(crate) token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    pub(crate) code_challenge_methods_supported: Vec<String>,
    #[serde(default)]
    pub(crate) client_id_metadata_document_supported: bool,
    #[serde(default)]
    pub(crate) authorization_response_iss_parameter_supported: bool,
}

/// Finds the metadata of a server and of the first authorization server that it names.
pub(crate) async fn discover(
    http: &Http,
    server: &Url,
    challenge: &Challenge,
) -> Result<(Resource, AuthorizationServer), AnyError> {
    let places = match &challenge.resource_metadata {
        Some(url) => vec![url.parse()?],
        None => vec![
            well_known(server, "oauth-protected-resource"),
            server.join("/.well-known/oauth-protected-resource")?,
        ],
    };
    let Some(resource) = http.first::<Resource>(&places).await? else {
        return legacy(http, server).await;
    };
    if !is_resource_of(&resource.resource, server) {
        return Err(format!("the metadata of {server} are of {}", resource.resource).into());
    }
    let issuer = resource.authorization_servers.first();
    let issuer = issuer.ok_or("the server names no authorization server")?;
    let Some(found) = metadata(http, issuer).await? else {
        return Err(format!("{issuer} has no metadata").into());
    };
    let methods = &found.code_challenge_methods_supported;
    if !methods.iter().any(|it| it == "S256") {
        return Err(format!("{issuer} does not support PKCE with S256").into());
    }
    Ok((resource, found))
}

/// Reads the metadata of an authorization server, which must name the same issuer (RFC 8414 §3.3).
async fn metadata(http: &Http, issuer: &str) -> Result<Option<AuthorizationServer>, AnyError> {
    let url: Url = issuer.parse()?;
    let mut places = vec![
        well_known(&url, "oauth-authorization-server"),
        well_known(&url, "openid-configuration"),
    ];
    let path = url.path().trim_end_matches('/');
    if !path.is_empty() {
        places.push(url.join(&format!("{path}/.well-known/openid-configuration"))?);
    }
    let found: Option<AuthorizationServer> = http.first(&places).await?;
    match found {
        Some(found) if found.issuer != issuer => {
            Err(format!("the metadata of {issuer} are of {}", found.issuer).into())
        }
        found => Ok(found),
    }
}

/// Finds the authorization server of a server of revision 2025-03-26: itself, with or without metadata.
async fn legacy(http: &Http, server: &Url) -> Result<(Resource, AuthorizationServer), AnyError> {
    let issuer = server.origin().ascii_serialization();
    let at = |path: &str| format!("{issuer}{path}");
    let found = match metadata(http, &issuer).await? {
        Some(found) => found,
        None => AuthorizationServer {
            authorization_endpoint: AuthUrl::new(at("/authorize"))?,
            token_endpoint: TokenUrl::new(at("/token"))?,
            registration_endpoint: Some(at("/register").parse()?),
            scopes_supported: Vec::new(),
            token_endpoint_auth_methods_supported: Vec::new(),
            code_challenge_methods_supported: Vec::new(),
            client_id_metadata_document_supported: false,
            authorization_response_iss_parameter_supported: false,
            issuer,
        },
    };
    let resource = Resource {
        resource: server.to_string(),
        authorization_servers: Vec::new(),
        scopes_supported: Vec::new(),
    };
    Ok((resource, found))
}

/// Returns `https://host/.well-known/NAME/path` for `https://host/path`.
fn well_known(url: &Url, name: &str) -> Url {
    let mut place = url.clone();
    let path = url.path().trim_end_matches('/');
    place.set_path(&format!("/.well-known/{name}{path}"));
    place
}

/// Whether a token for `resource` is one for the server: they are the same URL, or the server is below it.
fn is_resource_of(resource: &str, server: &Url) -> bool {
    let Ok(resource) = resource.parse::<Url>() else {
        return false;
    };
    let above = resource.path().trim_end_matches('/');
    let rest = server.path().strip_prefix(above);
    resource.origin() == server.origin()
        && rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}
