//! Registration: how an authorization server knows the app.

use oauth2::{AuthType, ClientId, ClientSecret, basic::BasicClient};
use serde::Deserialize;
use serde_json::json;

use crate::{
    discovery::AuthorizationServer,
    http::{AnyError, Http},
};

/// The app that a person signs in to.
#[derive(Debug, Clone)]
pub struct App {
    /// The name that the authorization server shows.
    pub name: String,
    /// The URL to which it returns the browser.
    pub redirect: String,
    /// The URL of the app's client ID metadata document, if it has one.
    pub metadata_url: Option<String>,
    /// The registration that somebody made by hand, if there is one.
    pub registered: Option<Registration>,
}

/// The app at one authorization server. It is never used at another.
#[derive(Debug, Clone)]
pub struct Registration {
    /// The issuer of the authorization server.
    pub issuer: String,
    /// The client ID.
    pub client_id: String,
    /// The client secret, if there is one.
    pub client_secret: Option<ClientSecret>,
    /// Whether the secret is sent in the header (`client_secret_basic`) or in the body (`client_secret_post`).
    pub auth: AuthType,
}

/// The answer to dynamic registration (RFC 7591 §3.2.1).
#[derive(Deserialize)]
struct Registered {
    client_id: String,
    client_secret: Option<ClientSecret>,
    token_endpoint_auth_method: Option<String>,
}

impl Registration {
    /// Returns the registration at an authorization server: the one made by hand, the metadata document, or a new one.
    pub(crate) async fn at(
        server: &AuthorizationServer,
        app: &App,
        http: &Http,
    ) -> Result<Self, AnyError> {
        let issuer = server.issuer.clone();
        if let Some(known) = app.registered.as_ref().filter(|it| it.issuer == issuer) {
            return Ok(known.clone());
        }
        if let (true, Some(url)) = (
            server.client_id_metadata_document_supported,
            &app.metadata_url,
        ) {
            return Ok(Self {
                issuer,
                client_id: url.clone(),
                client_secret: None,
                auth: AuthType::RequestBody,
            });
        }
        let Some(endpoint) = &server.registration_endpoint else {
            return Err(format!("{issuer} accepts no unknown apps: register one by hand").into());
        };
        let supported = &server.token_endpoint_auth_methods_supported;
        let ours = ["none", "client_secret_basic", "client_secret_post"];
        let method = ours
            .into_iter()
            .find(|ours| supported.iter().any(|it| it == ours));
        let method = method.unwrap_or("none");
        let document = json!({
            "client_name": app.name,
            "redirect_uris": [app.redirect],
            "application_type": "native",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": method,
        });
        let registered: Registered = http.post(endpoint, &document).await?;
        let chosen = registered.token_endpoint_auth_method;
        let (client_secret, auth) = match chosen.as_deref().unwrap_or(method) {
            "none" => (None, AuthType::RequestBody),
            "client_secret_post" => (registered.client_secret, AuthType::RequestBody),
            _ => (registered.client_secret, AuthType::BasicAuth),
        };
        Ok(Self {
            issuer,
            client_id: registered.client_id,
            client_secret,
            auth,
        })
    }

    /// Returns the client of the OAuth crate.
    pub(crate) fn client(&self) -> BasicClient {
        let client = BasicClient::new(ClientId::new(self.client_id.clone()));
        let client = client.set_auth_type(self.auth.clone());
        match &self.client_secret {
            Some(secret) => client.set_client_secret(secret.clone()),
            None => client,
        }
    }
}
