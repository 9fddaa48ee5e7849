//! How often one client may call, which is told apart by its address or by its token.

use std::{num::NonZeroU32, sync::Arc};

use http_body_util::BodyExt;
use hyper::Request;
use mcp_http::{HttpConfig, Service};
use mcp_protocol::{CallToolResult, Revision, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{PeerIp, Server, ServerLimits, ToolRouter};
use serde_json::{Value, json};

use crate::{post::Post, site::Site};

fn server(limits: ServerLimits) -> Arc<Server> {
    let schema = json!({"type": "object"});
    let whoami = Tool::new("whoami", "For tests.", schema, ToolAnnotations::PURE);
    let tools = ToolRouter::new().raw_tool_with_context(whoami, |_, cx| {
        let peer = cx.extensions().get::<PeerIp>();
        let address = peer.map(|it| it.ip().to_string());
        Box::pin(async { Ok(CallToolResult::text(address.unwrap_or_default())) })
    });
    let server = Server::builder(ServerInfo::new("rates", "1.0.0"));
    Arc::new(server.tools(tools).limits(limits).build().unwrap())
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn a_request_has_the_address_of_its_client() {
    let server = server(ServerLimits::default());
    let site =
        Site::start_with(|config| config.endpoints = vec![("/mcp".to_owned(), server)]).await;
    let mut client = site.client().await;
    for &revision in Revision::ALL {
        let call = Post::call(revision, "whoami", json!({}));
        let answer = client.ask(call.to_bytes()).await.json();
        assert_eq!(text(&answer), "127.0.0.1");
    }
    site.end().await;
}

/// A client hangs on 429, or takes the server for gone.
#[tokio::test]
async fn r112_too_many_calls_of_one_address_are_failures_of_the_call_with_200() {
    for &revision in Revision::ALL {
        let limits = ServerLimits::default().with_calls_per_client(Some(NonZeroU32::MIN));
        let service = Service::new(HttpConfig::new(server(limits))).unwrap();
        for (address, is_refused) in [
            ("10.0.0.1", false),
            ("10.0.0.1", true),
            ("10.0.0.2", false),
            ("2001:db8::1", false),
            ("2001:db8::2", true),
        ] {
            let post = Post::call(revision, "whoami", json!({}));
            let mut request = Request::post("/mcp");
            for (name, value) in &post.headers {
                request = request.header(name, value);
            }
            let body = String::from_utf8(post.body).unwrap();
            let mut request = request.body(body).unwrap();
            let peer = PeerIp::new(address.parse().unwrap());
            request.extensions_mut().insert(peer);
            let response = service.answer(request).await;
            assert_eq!(response.status(), 200, "{address}");
            let body = response.into_body().collect().await.unwrap().to_bytes();
            let answer: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(answer["result"]["isError"], is_refused, "{address}");
            assert_eq!(answer["id"], 1);
            let refusal = "Too many calls: this server allows 1 a second from one client. Try again in a second.";
            let expect = if is_refused { refusal } else { address };
            assert_eq!(text(&answer), expect);
        }
    }
}
