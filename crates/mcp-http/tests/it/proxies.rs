//! Clients behind proxies: limits are counted by the address that a trusted proxy names.

use std::{num::NonZeroU32, sync::Arc};

use http_body_util::BodyExt;
use hyper::Request;
use mcp_http::{ConfigError, HttpConfig, Service};
use mcp_protocol::{CallToolResult, Revision, ServerInfo};
use mcp_server::{PeerIp, Server, ServerLimits, ToolRouter};
use serde_json::{Value, json};

use crate::{post::Post, site};

/// Answers one call a second of each client, with its address.
fn config() -> HttpConfig {
    let tools = ToolRouter::new().raw_tool_with_context(site::tool("whoami"), |_, cx| {
        let peer = cx.extensions().get::<PeerIp>();
        let address = peer.map(|it| it.ip().to_string());
        Box::pin(async { Ok(CallToolResult::text(address.unwrap_or_default())) })
    });
    let limits = ServerLimits::default().with_calls_per_client(Some(NonZeroU32::MIN));
    let server = Server::builder(ServerInfo::new("proxies", "1.0.0")).tools(tools);
    HttpConfig::new(Arc::new(server.limits(limits).build().unwrap()))
}

/// What a call is answered with that comes from a peer with a header; `None` if its client has called too often.
async fn ask(
    service: &Service,
    revision: Revision,
    peer: &str,
    header: (&str, &str),
) -> Option<String> {
    let post = Post::call(revision, "whoami", json!({})).with(header.0, header.1);
    let mut request = Request::post("/mcp");
    for (name, value) in &post.headers {
        request = request.header(name, value);
    }
    let body = String::from_utf8(post.body).unwrap();
    let mut request = request.body(body).unwrap();
    let peer = PeerIp::new(peer.parse().unwrap());
    request.extensions_mut().insert(peer);
    let response = service.answer(request).await;
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let answer: Value = serde_json::from_slice(&body).unwrap();
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    (!text.starts_with("Too many calls")).then(|| text.to_owned())
}

#[tokio::test(start_paused = true)]
async fn r112_a_client_behind_a_trusted_proxy_has_its_own_rate_and_no_one_elses() {
    for &revision in Revision::ALL {
        let service = Service::new(config().with_trusted_proxy("10.0.0.0/8")).unwrap();
        for (forwarded, expected) in [
            ("192.0.2.1", Some("192.0.2.1")),
            ("192.0.2.2", Some("192.0.2.2")),
            ("192.0.2.1", None),
            // Whatever a client writes before what its proxy adds changes nothing.
            ("203.0.113.1, 192.0.2.1", None),
            ("203.0.113.2, 10.0.0.2, 192.0.2.1", None),
            // The addresses of one network are one client.
            ("2001:db8::1", Some("2001:db8::1")),
            ("2001:db8::ffff", None),
        ] {
            let header = ("X-Forwarded-For", forwarded);
            let found = ask(&service, revision, "10.0.0.1", header).await;
            assert_eq!(found.as_deref(), expected, "{forwarded}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn r112_what_a_client_says_of_its_address_is_not_believed() {
    for config in [config(), config().with_trusted_proxy("10.0.0.0/8")] {
        let service = Service::new(config).unwrap();
        for (header, expected) in [
            (("X-Forwarded-For", "192.0.2.1"), Some("198.51.100.1")),
            (("X-Forwarded-For", "192.0.2.2"), None),
            (("X-Forwarded-For", "10.0.0.1"), None),
            (("Forwarded", "for=192.0.2.3"), None),
        ] {
            let revision = Revision::V2026_07_28;
            let found = ask(&service, revision, "198.51.100.1", header).await;
            assert_eq!(found.as_deref(), expected, "{header:?}");
        }
    }
}

#[test]
fn a_wrong_network_is_refused_at_start() {
    let config = config().with_trusted_proxy("proxy.example.org");
    let refused = Service::new(config).err();
    let expected = ConfigError::Proxy("proxy.example.org".to_owned());
    assert_eq!(refused, Some(expected));
}
