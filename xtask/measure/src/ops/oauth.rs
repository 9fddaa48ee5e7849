//! `cargo xtask ops oauth`: the server with the tokens of an authorization server that others wrote.

use std::path::Path;

use reqwest::Client;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::ops::client::whole;
use xtask::command::{progress, say};
use xtask::failure::Failure;
use xtask::npm;
use xtask::server::{Server, free_address};
use xtask::tree::root;

/// The authorization server, as its lockfile pins it.
const FOLDER: &str = "tests/oauth";
/// What the server is told of scopes.
const SCOPES: &str = "qortal:read,qortal:trade=trade";
/// What is asked: by scope `qortal:trade` the first alone.
const TRADE: &str = "get_market_overview";
const HEIGHT: &str = "get_block_height";

/// Fails with what is wrong.
pub(super) fn check(program: &Path, folder: &Path) -> Result<(), Failure> {
    // The client wants a provider even where only plain HTTP is spoken; a second installation changes nothing.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::io("runtime"))?;
    let packages = root().join(FOLDER);
    npm::install(&packages)?;
    let node = npm::node(&packages)?;
    let address = free_address()?;
    let script = packages.join("issuer.mjs").display().to_string();
    let port = address.port().to_string();
    let log = folder.join("issuer.log");
    let _issuer = Server::start_at(address, &node, &[&script, &port], &log)?;
    // It names itself so, wherever it listens.
    let issuer = format!("http://localhost:{port}");
    let arguments = [
        "http",
        "--demo",
        "--listen",
        "ADDRESS",
        "--oauth-http-issuer",
        "--oauth-issuer",
        &issuer,
        "--oauth-scopes",
        SCOPES,
    ];
    let server = Server::start(program, &arguments, &folder.join("server.log"))?;
    let client = Client::builder().no_proxy().build();
    let client = client.map_err(|why| Failure::unreadable("a client", why))?;
    let site = Site {
        runtime,
        client,
        issuer,
        url: server.url().to_owned(),
    };
    progress("asking with tokens of oauth2-mock-server")?;
    site.ask("no token", None, HEIGHT, 401)?;
    for (audience, scope, tool, status) in [
        // Three times, since each token has a key of another algorithm.
        (site.url.as_str(), "qortal:read", HEIGHT, 200),
        (site.url.as_str(), "qortal:read", HEIGHT, 200),
        (site.url.as_str(), "qortal:read", TRADE, 200),
        (site.url.as_str(), "qortal:trade", TRADE, 200),
        (site.url.as_str(), "qortal:trade", HEIGHT, 403),
        (site.url.as_str(), "other", HEIGHT, 403),
        ("http://127.0.0.1:1/mcp", "qortal:read", HEIGHT, 401),
    ] {
        let what = format!("scope {scope} for {audience}");
        let token = site.token(audience, scope)?;
        site.ask(&what, Some(&token), tool, status)?;
    }
    say("tokens of oauth2-mock-server: right ones are accepted, others are not")
}

/// The servers, and a client of both.
struct Site {
    runtime: Runtime,
    client: Client,
    issuer: String,
    url: String,
}

impl Site {
    /// A token from the authorization server.
    fn token(&self, audience: &str, scope: &str) -> Result<String, Failure> {
        let request = self
            .client
            .post(format!("{}/token", self.issuer))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(format!(
                "grant_type=client_credentials&scope={scope}&aud={audience}"
            ));
        let (status, body) = self.answer(request)?;
        let body: Value = serde_json::from_str(&body).unwrap_or_default();
        let token = body.get("access_token").and_then(Value::as_str);
        let token = token.map(str::to_owned);
        token.ok_or_else(|| Failure::Found(format!("no token: {status} {body}")))
    }

    /// Calls a tool, and expects a status.
    fn ask(
        &self,
        what: &str,
        token: Option<&str>,
        tool: &str,
        expected: u16,
    ) -> Result<(), Failure> {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}"}}}}"#
        );
        let request = self.client.post(&self.url);
        let request = request.header("Content-Type", "application/json");
        let request = match token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        };
        let (status, body) = self.answer(request.body(call))?;
        match status == expected {
            true => Ok(()),
            false => Err(Failure::Found(format!(
                "{what}, {tool}: {status} instead of {expected}: {body}"
            ))),
        }
    }

    fn answer(&self, request: reqwest::RequestBuilder) -> Result<(u16, String), Failure> {
        let answer = self.runtime.block_on(whole(request));
        answer.map_err(|why| Failure::unreadable("an answer", why))
    }
}
