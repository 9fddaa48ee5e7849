//! A client for the OAuth scenarios of the official conformance suite, which starts it with the URL of a server: `cargo xtask conformance`.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite says in the environment what it is about"
)]

use std::env::{args, var};

use mcp_client::{
    Client, ClientConfig, Endpoint,
    mcp_protocol::{Object, Tool},
};
use oauth_client::{
    AnyError, App, Browser, Registration, SignIn,
    oauth2::{AuthType, ClientSecret, url::Url},
};
use serde_json::Value;

/// The document that the suite expects by name.
const METADATA_URL: &str = "https://conformance-test.local/client-metadata.json";
const REDIRECT: &str = "http://127.0.0.1:9/callback";

/// Follows the only redirect of the suite's authorization servers.
struct Redirect;

impl Browser for Redirect {
    async fn visit(&self, page: Url) -> Result<Url, AnyError> {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let response = client.build()?.get(page).send().await?;
        let location = response.headers().get("location").ok_or("no redirect")?;
        Ok(location.to_str()?.parse()?)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), AnyError> {
    let url = args().nth(1).unwrap_or_default();
    let context = var("MCP_CONFORMANCE_CONTEXT").unwrap_or_else(|_| "{}".to_owned());
    let context: Value = context.parse()?;
    let given = |name: &str| context.get(name).and_then(Value::as_str).map(str::to_owned);
    let registered = given("issuer").zip(given("client_id"));
    let app = App {
        name: "conformance".to_owned(),
        redirect: REDIRECT.to_owned(),
        metadata_url: Some(METADATA_URL.to_owned()),
        registered: registered.map(|(issuer, client_id)| Registration {
            issuer,
            client_id,
            client_secret: given("client_secret").map(ClientSecret::new),
            auth: AuthType::BasicAuth,
        }),
    };
    let endpoint = Endpoint::new(&url)?.with_token_source(SignIn::new(&url, app, Redirect)?);
    let config = ClientConfig::new("conformance", env!("CARGO_PKG_VERSION"));
    let client = Client::connect(endpoint, config).await?;
    for tool in client.list_all::<Tool>().await? {
        client.call_tool(&tool.name, Object::new()).await?;
    }
    client.close().await;
    Ok(())
}
