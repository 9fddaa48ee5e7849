//! tokens of an authorization server, and what their scopes allow.

mod faults;
pub(crate) mod issuer;
mod start;

use serde_json::{Value, json};
use tokio::process::Child;

use crate::{
    access::send,
    http::{exchange, start},
};
use issuer::{Issuer, Signer, seconds, signed_with_public_key, unsigned};

/// The server, and the URL that tokens are issued for.
struct Site {
    _child: Child,
    address: String,
    resource: String,
}

async fn site(issuer: &Issuer, options: &str) -> Site {
    let line = format!(
        "http --demo=recorded --listen 127.0.0.1:0 --oauth-issuer {} {options}",
        issuer.url
    );
    let (child, address, _) = start(&line).await;
    Site {
        _child: child,
        resource: format!("http://{address}/mcp"),
        address,
    }
}

impl Site {
    /// The status, the challenge, and the body of the answer to a message.
    async fn ask(&self, path: &str, token: Option<&str>, message: &Value) -> (u16, String, Value) {
        let answer = send(&self.address, path, token, message).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let challenge = head
            .lines()
            .find_map(|it| it.strip_prefix("www-authenticate: "));
        let challenge = challenge.unwrap_or_default().to_owned();
        (
            status,
            challenge,
            serde_json::from_str(body).unwrap_or_default(),
        )
    }

    async fn status(&self, token: &str) -> u16 {
        self.ask("/mcp", Some(token), &ping()).await.0
    }
}

fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
}

/// Claims of a token that is good for ten minutes, with some that are other or missing.
fn claims(issuer: &Issuer, resource: &str, other: Value) -> Value {
    let mut claims = json!({
        "iss": issuer.url,
        "sub": "alice",
        "aud": resource,
        "exp": seconds(600),
        "nbf": seconds(0),
        "scope": "qortal:read",
    });
    for (name, value) in other.as_object().unwrap() {
        match value {
            Value::Null => claims.as_object_mut().unwrap().remove(name),
            value => claims
                .as_object_mut()
                .unwrap()
                .insert(name.clone(), value.clone()),
        };
    }
    claims
}

#[tokio::test]
async fn r076_only_tokens_of_the_issuer_for_this_server_are_accepted() {
    let (rsa, ec, ed) = (Signer::rsa("rsa"), Signer::ec("ec"), Signer::ed("ed"));
    let (pss, ec384) = (Signer::pss("pss"), Signer::ec384("ec384"));
    let issuer = Issuer::start(&[&rsa, &ec, &ed, &pss, &ec384]).await;
    let site = site(&issuer, "").await;
    let claims = |other: Value| claims(&issuer, &site.resource, other);
    let good = claims(json!({}));
    for signer in [&rsa, &ec, &ed, &pss, &ec384] {
        assert_eq!(site.status(&signer.token(&good)).await, 200);
    }
    for (other, status) in [
        (
            json!({"aud": ["https://other.example", site.resource]}),
            200,
        ),
        (json!({"exp": seconds(-30)}), 200),
        (json!({"exp": seconds(-120)}), 401),
        (json!({"exp": "tomorrow"}), 401),
        (json!({"exp": null}), 401),
        (json!({"nbf": seconds(30)}), 200),
        (json!({"nbf": seconds(120)}), 401),
        (json!({"nbf": null}), 200),
        (json!({"aud": "https://other.example/mcp"}), 401),
        (json!({"aud": format!("http://{}", site.address)}), 401),
        (json!({"aud": format!("{}/", site.resource)}), 401),
        (json!({"aud": []}), 401),
        (json!({"aud": null}), 401),
        (json!({"iss": "https://other.example"}), 401),
        (json!({"iss": format!("{}/", issuer.url)}), 401),
        (json!({"iss": [issuer.url, "https://other.example"]}), 401),
        (json!({"iss": null}), 401),
        (json!({"scope": null}), 200),
    ] {
        let token = ec.token(&claims(other.clone()));
        assert_eq!(site.status(&token).await, status, "{other}");
    }
    let forged = Signer::ec("ec").token(&good);
    let as_rsa = ec.token_with(&json!({"alg": "RS256", "kid": "ec"}), &good);
    let as_ec = rsa.token_with(&json!({"alg": "ES256", "kid": "rsa"}), &good);
    let other_key = ec.token_with(&json!({"alg": "ES256", "kid": "ed"}), &good);
    let weaker = rsa.token_with(&json!({"alg": "RS1", "kid": "rsa"}), &good);
    let critical = ec.token_with(
        &json!({"alg": "ES256", "kid": "ec", "crit": ["b64"], "b64": false}),
        &good,
    );
    let typed = |typ: &str| ec.token_with(&json!({"alg": "ES256", "kid": "ec", "typ": typ}), &good);
    assert_eq!(site.status(&typed("JWT")).await, 200);
    let mut altered = ec.token(&good);
    altered.insert(altered.rfind('.').unwrap(), 'A');
    for (token, what) in [
        (forged, "signed by another key of this id"),
        (as_rsa, "another algorithm than its key's"),
        (as_ec, "another algorithm than its key's"),
        (other_key, "the id of another key"),
        (weaker, "an algorithm that is not accepted"),
        (critical, "an extension that must be understood"),
        (altered, "other claims than were signed"),
        (typed("logout+jwt"), "the type of a logout token"),
        (typed("dpop+jwt"), "the type of a DPoP proof"),
        (unsigned(&good), "no signature"),
        (
            signed_with_public_key(&rsa, &good),
            "a public key as a secret",
        ),
        ("a.b.c".to_owned(), "no token"),
        ("a".repeat(8_000), "no token"),
    ] {
        let (status, challenge, _) = site.ask("/mcp", Some(&token), &ping()).await;
        assert_eq!(status, 401, "{what}");
        assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
    }
    let huge = ec.token(&claims(json!({"padding": "x".repeat(20_000)})));
    assert_eq!(site.status(&huge).await, 431);
}

#[tokio::test]
async fn r076_a_client_without_a_token_is_led_to_the_issuer() {
    let signer = Signer::ed("ed");
    let issuer = Issuer::start(&[&signer]).await;
    let site = site(&issuer, "--oauth-scopes qortal:read,qortal:trade=trade").await;
    let address = &site.address;
    for path in ["/mcp", "/mcp/x/core"] {
        let (status, challenge, _) = site.ask(path, None, &ping()).await;
        assert_eq!(status, 401);
        let metadata = format!("http://{address}/.well-known/oauth-protected-resource{path}");
        let expected = format!("Bearer resource_metadata=\"{metadata}\", scope=\"qortal:read\"");
        assert_eq!(challenge, expected);
        let request = format!(
            "GET /.well-known/oauth-protected-resource{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        );
        let answer = exchange(address, &request).await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let expected = json!({
            "resource": format!("http://{address}{path}"),
            "authorization_servers": [issuer.url],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["qortal:read", "qortal:trade"],
        });
        assert_eq!(serde_json::from_str::<Value>(body).unwrap(), expected);
    }
    // A token for /mcp is good at its surfaces; one for a surface is for that alone.
    for (audience, at_mcp, at_core) in [("/mcp", 200, 200), ("/mcp/x/core", 401, 200)] {
        let audience = format!("http://{address}{audience}");
        let token = signer.token(&claims(&issuer, &audience, json!({})));
        let found = [
            site.ask("/mcp", Some(&token), &ping()).await.0,
            site.ask("/mcp/x/core", Some(&token), &ping()).await.0,
        ];
        assert_eq!(found, [at_mcp, at_core], "{audience}");
    }
}

#[tokio::test]
async fn tokens_can_be_for_an_audience_that_the_operator_names() {
    let signer = Signer::ed("ed");
    let issuer = Issuer::start(&[&signer]).await;
    let site = site(&issuer, "--oauth-audiences api://qortal").await;
    for (audience, status) in [
        ("api://qortal", 200),
        (site.resource.as_str(), 200),
        ("api://other", 401),
    ] {
        let token = signer.token(&claims(&issuer, audience, json!({})));
        assert_eq!(site.status(&token).await, status, "{audience}");
    }
}

/// Clients of Entra ID request `api://ID/qortal:read`, and the token has the short name.
#[tokio::test]
async fn short_scope_of_entra_grants_the_long_one_that_is_advertised() {
    let signer = Signer::rsa("rsa");
    let issuer = Issuer::start(&[&signer]).await;
    let long = "api://11111111-2222-3333-4444-555555555555/qortal:read";
    let site = site(&issuer, &format!("--oauth-scopes {long}")).await;
    let (_, challenge, _) = site.ask("/mcp", None, &ping()).await;
    assert!(
        challenge.ends_with(&format!("scope=\"{long}\"")),
        "{challenge}"
    );
    for (scp, status) in [("qortal:read", 200), (long, 200), ("read", 403)] {
        let claims = claims(&issuer, &site.resource, json!({"scope": null, "scp": scp}));
        assert_eq!(site.status(&signer.token(&claims)).await, status, "{scp}");
    }
}

/// A fault that a new token would have as well is named to the operator and to the client, which is not asked for a new one.
#[tokio::test]
async fn a_rotated_key_is_found_and_invented_ones_are_no_flood_for_the_issuer() {
    let (old, new) = (Signer::ed("old"), Signer::ed("new"));
    let issuer = Issuer::start(&[&old]).await;
    let site = site(&issuer, "").await;
    let good = claims(&issuer, &site.resource, json!({}));
    assert_eq!(site.status(&old.token(&good)).await, 200);
    assert_eq!(issuer.fetches(), 1);
    issuer.publish(&[&new]);
    assert_eq!(site.status(&new.token(&good)).await, 200);
    assert_eq!(site.status(&old.token(&good)).await, 401);
    let begun = std::time::Instant::now();
    for n in 0..100 {
        let token = new.token_with(&json!({"alg": "EdDSA", "kid": format!("{n}")}), &good);
        assert_eq!(site.status(&token).await, 401);
    }
    // One each half a minute, however slow the machine is.
    let allowed = 2 + begun.elapsed().as_secs() / 30 + 1;
    assert!(issuer.fetches() as u64 <= allowed, "{}", issuer.fetches());
    // Known keys need no issuer.
    issuer.set_away(true);
    assert_eq!(site.status(&new.token(&good)).await, 200);
}

#[tokio::test]
async fn without_its_issuer_a_server_says_that_it_cannot_tell() {
    let signer = Signer::ed("ed");
    for claims_to_be_another in [false, true] {
        let issuer = Issuer::start(&[&signer]).await;
        match claims_to_be_another {
            true => issuer.claim_to_be("https://other.example"),
            false => issuer.set_away(true),
        }
        let site = site(&issuer, "").await;
        let token = signer.token(&claims(&issuer, &site.resource, json!({})));
        let (status, challenge, _) = site.ask("/mcp", Some(&token), &ping()).await;
        assert_eq!((status, &*challenge), (503, ""));
        // What is no token needs no issuer.
        assert_eq!(site.status("a.b.c").await, 401);
    }
}

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
