//! The server with the tokens of an authorization server that others wrote.

use reqwest::{Client, RequestBuilder};
use serde_json::Value;

use xtask::npm;
use xtask::server::{Server, free_address};
use xtask::tree::root;

use crate::client::whole;
use crate::site::Site;

/// The authorization server, as its lockfile pins it.
const FOLDER: &str = "tests/oauth";
/// What the server is told of scopes.
const SCOPES: &str = "qortal:read,qortal:trade=trade";
/// What is asked: by scope `qortal:trade` the first alone.
const TRADE: &str = "get_market_overview";
const HEIGHT: &str = "get_block_height";

#[tokio::test]
async fn right_tokens_are_accepted_and_others_are_not() {
    let site = Site::begin("oauth").await;
    let packages = root().join(FOLDER);
    npm::install(&packages).unwrap();
    let node = npm::node(&packages);
    let address = free_address().unwrap();
    let script = packages.join("issuer.mjs").display().to_string();
    let port = address.port().to_string();
    let log = site.folder.join("issuer.log");
    let _issuer = Server::start_at(address, &node, &[&script, &port], &log).unwrap();
    // It names itself so, wherever it listens.
    let issuer = format!("http://localhost:{port}");
    let mut arguments = vec!["http", "--demo", "--listen", "ADDRESS"];
    arguments.extend(["--oauth-issuer", &issuer, "--oauth-scopes", SCOPES]);
    let server = site.server(&arguments);
    let client = Client::builder().no_proxy().build().unwrap();
    let (_, status) = ask(client.post(server.url()), HEIGHT).await;
    assert_eq!(status, 401, "no token");
    for (audience, scope, tool, expected) in [
        // Five times, since each token has a key of another algorithm.
        (server.url(), "qortal:read", HEIGHT, 200),
        (server.url(), "qortal:read", HEIGHT, 200),
        (server.url(), "qortal:read", HEIGHT, 200),
        (server.url(), "qortal:read", HEIGHT, 200),
        (server.url(), "qortal:read", TRADE, 200),
        (server.url(), "qortal:trade", TRADE, 200),
        (server.url(), "qortal:trade", HEIGHT, 403),
        (server.url(), "other", HEIGHT, 403),
        ("http://127.0.0.1:1/mcp", "qortal:read", HEIGHT, 401),
    ] {
        let token = token(&client, &issuer, audience, scope).await;
        let request = client.post(server.url());
        let request = request.header("Authorization", format!("Bearer {token}"));
        let (body, status) = ask(request, tool).await;
        assert_eq!(
            status, expected,
            "scope {scope} for {audience}, {tool}: {body}"
        );
    }
}

/// A token from the authorization server.
async fn token(client: &Client, issuer: &str, audience: &str, scope: &str) -> String {
    let form = format!("grant_type=client_credentials&scope={scope}&aud={audience}");
    let request = client.post(format!("{issuer}/token")).body(form);
    let request = request.header("Content-Type", "application/x-www-form-urlencoded");
    let (status, body) = whole(request).await.unwrap();
    let answer: Value = serde_json::from_str(&body).unwrap_or_default();
    let token = answer.get("access_token").and_then(Value::as_str);
    assert!(token.is_some(), "no token: {status} {body}");
    token.unwrap_or_default().to_owned()
}

/// Calls a tool: the answer, and its status.
async fn ask(request: RequestBuilder, tool: &str) -> (String, u16) {
    let call =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}"}}}}"#);
    let request = request.header("Content-Type", "application/json");
    let (status, body) = whole(request.body(call)).await.unwrap();
    (body, status)
}
