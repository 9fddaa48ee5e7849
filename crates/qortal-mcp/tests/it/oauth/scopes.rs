//! The rights that the scopes of a token give, in both eras of the protocol.

use serde_json::{Value, json};

use super::{
    Site, claims,
    issuer::{Issuer, Signer},
    site,
};
use crate::http::exchange;

/// A request of an era: after a handshake, or on its own.
fn request(is_modern: bool, method: &str, mut params: Value) -> Value {
    if is_modern {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// The same over HTTP, with the headers that it needs.
async fn ask_as(
    site: &Site,
    is_modern: bool,
    token: &str,
    method: &str,
    params: Value,
) -> (u16, String, Value) {
    let message = request(is_modern, method, params);
    let body = message.to_string();
    let mut headers = format!(
        "Host: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nConnection: close\r\n",
        site.address
    );
    if is_modern {
        headers.push_str(&format!(
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n"
        ));
        let name = ["name", "uri"]
            .iter()
            .find_map(|it| message["params"][*it].as_str());
        if let Some(name) = name {
            headers.push_str(&format!("Mcp-Name: {name}\r\n"));
        }
    } else {
        headers.push_str("MCP-Protocol-Version: 2025-11-25\r\n");
    }
    let request = format!(
        "POST /mcp HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = exchange(&site.address, &request).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let challenge = head
        .lines()
        .find_map(|it| it.strip_prefix("www-authenticate: "));
    let body = serde_json::from_str(body).unwrap_or_default();
    (status, challenge.unwrap_or_default().to_owned(), body)
}

#[tokio::test]
async fn r094_a_token_can_do_what_its_scope_says_and_nothing_else() {
    let signer = Signer::ec("ec");
    let issuer = Issuer::start(&[&signer]).await;
    let options = "--oauth-scopes qortal:read,qortal:trade=trade,qortal:node=get_node_status";
    let site = site(&issuer, options).await;
    let token = |scope: &str| {
        let claims = claims(&issuer, &site.resource, json!({"scope": scope}));
        signer.token(&claims)
    };
    let (read, trade) = (token("qortal:read"), token("qortal:trade openid"));
    let call = |name: &str| ("tools/call", json!({"name": name, "arguments": {}}));
    let through = |name: Value| {
        let arguments = json!({"name": name, "arguments": {}});
        (
            "tools/call",
            json!({"name": "call_tool", "arguments": arguments}),
        )
    };
    let reads = |uri: &str| ("resources/read", json!({"uri": uri}));
    let denied = [
        (call("get_block_height"), "qortal:read"),
        (call("get_node_status"), "qortal:node"),
        (through(json!("get_node_status")), "qortal:node"),
        (through(json!("get_block_height")), "qortal:read"),
        (reads("qortal://node/status"), "qortal:node"),
        (reads("qortal://chain/tip"), "qortal:read"),
        (reads("qortal://WEBSITE/chloe"), "qortal:read"),
        (
            ("prompts/get", json!({"name": "getting_started"})),
            "qortal:read",
        ),
    ];
    let allowed = [
        call("get_market_overview"),
        through(json!("get_market_overview")),
        call("find_tools"),
        reads("qortal://trade/offers/LITECOIN"),
    ];
    for is_modern in [false, true] {
        let listed = async |token: &str| {
            let (status, _, body) = ask_as(&site, is_modern, token, "tools/list", json!({})).await;
            assert_eq!(status, 200, "{body}");
            let tools = body["result"]["tools"].as_array().unwrap().clone();
            let names = tools
                .iter()
                .map(|it| it["name"].as_str().unwrap().to_owned());
            (
                names.collect::<Vec<_>>(),
                body["result"]["cacheScope"].clone(),
            )
        };
        let (all, _) = listed(&read).await;
        let (some, cache_scope) = listed(&trade).await;
        assert!(some.len() < all.len() && some.iter().all(|it| all.contains(it)));
        assert!(some.contains(&"get_market_overview".to_owned()), "{some:?}");
        assert!(!some.contains(&"get_block_height".to_owned()), "{some:?}");
        if is_modern {
            assert_eq!(cache_scope, "private");
        }
        for ((method, params), scope) in &denied {
            let ask = |token| ask_as(&site, is_modern, token, method, params.clone());
            let (status, challenge, body) = ask(&trade).await;
            assert_eq!(status, 403, "{params} {body}");
            let expected = format!("scope=\"{scope}\"");
            assert!(
                challenge.starts_with("Bearer error=\"insufficient_scope\", resource_metadata=")
            );
            assert!(challenge.ends_with(&expected), "{challenge}");
            assert!(body["error"]["code"].is_number(), "{body}");
            let (status, _, body) = ask(&read).await;
            assert_ne!(status, 403, "{params} {body}");
        }
        for (method, params) in &allowed {
            let (status, _, body) = ask_as(&site, is_modern, &trade, method, params.clone()).await;
            assert_eq!(status, 200, "{params} {body}");
            assert!(body["error"].is_null(), "{body}");
        }
        // What it may not use is not named to it either.
        let names_tip = async |token: &str| {
            let list = ask_as(&site, is_modern, token, "resources/list", json!({}));
            list.await.2.to_string().contains("qortal://chain/tip")
        };
        assert!(names_tip(&read).await && !names_tip(&trade).await);
        // A name that is not written as in the catalog is not looked up any further.
        for name in [
            json!(" get_node_status"),
            json!("GET_NODE_STATUS"),
            json!(["get_node_status"]),
            Value::Null,
        ] {
            let (method, params) = through(name);
            let (status, _, body) = ask_as(&site, is_modern, &trade, method, params).await;
            assert_eq!(status, 200, "{body}");
            assert_eq!(body["result"]["isError"], true, "{body}");
            assert!(!body.to_string().contains("isSynchronizing"), "{body}");
        }
        // Values of arguments are found by asking the node.
        let complete = json!({
            "ref": {"type": "ref/resource", "uri": "qortal://name/{name}"},
            "argument": {"name": "name", "value": "c"},
        });
        let values = async |token: &str| {
            let answer = ask_as(
                &site,
                is_modern,
                token,
                "completion/complete",
                complete.clone(),
            );
            let (_, _, body) = answer.await;
            body["result"]["completion"]["values"]
                .as_array()
                .unwrap()
                .len()
        };
        assert_eq!(values(&trade).await, 0);
        assert!(values(&read).await > 0);
        for other in ["openid", "qortal:rea", ""] {
            let other_token = token(other);
            let answer = ask_as(&site, is_modern, &other_token, "tools/list", json!({}));
            let (status, challenge, _) = answer.await;
            assert_eq!(status, 403, "{other}");
            assert!(challenge.ends_with("scope=\"qortal:read\""), "{challenge}");
        }
    }
}
