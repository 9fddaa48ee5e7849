//! HTTP: heads and bodies, mutated one at a time and together.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::{HeaderMap, Method, Request, header::HeaderValue};
use mcp_http::{Body, HttpConfig, Service};
use mcp_protocol::Revision;
use serde_json::{Value, json};

use super::{Dice, SEED, answered_ids, events, messages, mutate, mutated, site, wanted_ids};

const ROUNDS: usize = 4_000;

/// Every status that an endpoint answers with.
const STATUSES: &[u16] = &[200, 202, 204, 400, 403, 404, 405, 406, 413, 415];

pub(crate) fn service() -> Service {
    Service::new(HttpConfig::new(Arc::new(site::server()))).unwrap()
}

/// A request with the headers that a correct client sends with this message.
fn request(revision: Revision, message: &Value, session: &str) -> Request<Vec<u8>> {
    let mut request = Request::post("/mcp")
        .header("host", "localhost")
        .header("origin", "http://localhost:3000")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", revision.name());
    if revision.has_handshake() {
        request = request
            .header("mcp-session-id", session)
            .header("last-event-id", "1");
    } else {
        let params = &message["params"];
        let name = params["name"].as_str().or(params["uri"].as_str());
        request = request.header("mcp-method", message["method"].as_str().unwrap_or_default());
        if let Some(name) = name {
            request = request.header("mcp-name", name);
        }
        if let Some(text) = params["arguments"]["text"].as_str() {
            let encoded = STANDARD.encode(text.as_bytes());
            request = request.header("mcp-param-text", format!("=?base64?{encoded}?="));
        }
    }
    request.body(message.to_string().into_bytes()).unwrap()
}

/// Changes the value of one header, repeats it, or leaves it out.
fn mutate_head(dice: &mut Dice, headers: &mut HeaderMap) {
    let names: Vec<_> = headers.keys().cloned().collect();
    let name = dice.of(&names);
    let mut value = headers[name].as_bytes().to_vec();
    match dice.roll(6) {
        0 => drop(headers.remove(name)),
        1 => drop(headers.append(name, headers[name].clone())),
        _ => {
            mutate(dice, &mut value);
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                headers.insert(name, value);
            }
        }
    }
}

/// The value of `Mcp-Param-Text`, decoded as the specification requires.
fn header_text(headers: &HeaderMap) -> Option<Vec<u8>> {
    let value = headers.get("mcp-param-text")?.as_bytes().trim_ascii();
    let encoded = value
        .strip_prefix(b"=?base64?")
        .and_then(|it| it.strip_suffix(b"?="));
    match encoded {
        Some(encoded) => STANDARD.decode(std::str::from_utf8(encoded).ok()?).ok(),
        None => Some(value.to_vec()),
    }
}

async fn open(service: &Service) -> String {
    let messages = messages::all(Revision::V2025_11_25);
    let initialize = messages.iter().find(|it| it["method"] == "initialize");
    let mut request = request(Revision::V2025_11_25, initialize.unwrap(), "");
    request.headers_mut().remove("mcp-session-id");
    let answer = service.answer(request.map(body)).await;
    let session = answer.headers()["mcp-session-id"].to_str();
    session.unwrap().to_owned()
}

fn body(bytes: Vec<u8>) -> Body {
    Body::from(bytes::Bytes::from(bytes))
}

#[tokio::test]
async fn every_post_gets_a_valid_response_with_its_id() {
    let service = service();
    let mut session = open(&service).await;
    let seeds = Revision::ALL.iter().map(|it| (*it, messages::all(*it)));
    let seeds: Vec<_> = seeds.collect();
    let mut dice = Dice::new();
    let mut statuses = std::collections::BTreeMap::<u16, usize>::new();
    for round in 0..ROUNDS {
        let (revision, seeds) = dice.of(&seeds);
        let message = dice.of(seeds);
        let mut post = request(*revision, message, &session);
        let is_head = dice.one_in(2);
        if is_head {
            mutate_head(&mut dice, post.headers_mut());
        }
        if !is_head || dice.one_in(4) {
            *post.body_mut() = mutated(&mut dice, message);
        }
        match dice.roll(40) {
            0 => *post.method_mut() = Method::DELETE,
            1 => *post.method_mut() = Method::GET,
            2 => *post.method_mut() = Method::PUT,
            _ => (),
        }
        let what = || format!("seed {SEED:#x}, round {round}: {post:?}");
        let answer = service.answer(post.clone().map(body)).await;
        let status = answer.status().as_u16();
        *statuses.entry(status).or_default() += 1;
        assert!(STATUSES.contains(&status), "{status} for {}", what());
        assert!(answer.headers().contains_key("x-request-id"), "{}", what());
        if post.method() == Method::DELETE && status == 204 {
            session = open(&service).await;
        }
        if post.method() == Method::GET && status == 200 {
            // A stream of notifications, which does not end by itself.
            assert_eq!(answer.headers()["content-type"], "text/event-stream");
            continue;
        }
        let is_stream = answer
            .headers()
            .get("content-type")
            .is_some_and(|it| it == "text/event-stream");
        let bytes = events::bytes(answer).await;
        let said = match (is_stream, bytes.is_empty()) {
            (true, _) => events::read(&bytes),
            (false, true) => Vec::new(),
            (false, false) => vec![serde_json::from_slice(&bytes).unwrap()],
        };
        if matches!(status, 405) || bytes.is_empty() {
            continue;
        }
        let answered = answered_ids(&said, &what);
        let wanted = wanted_ids(post.body());
        match status {
            // Refused before or while reading: no id, or the right one.
            400.. => assert!(
                answered.is_empty() || answered == wanted,
                "{said:?} for {}",
                what()
            ),
            _ => assert!(super::same_ids(answered, wanted), "{said:?} for {}", what()),
        }
        if !revision.has_handshake() && said[0].to_string().contains("routed") {
            let sent: Value = serde_json::from_slice(post.body()).unwrap();
            let text = sent["params"]["arguments"]["text"].as_str();
            let routed = header_text(post.headers());
            let named =
                sent["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string();
            assert!(
                !named || routed.as_deref() == text.map(str::as_bytes),
                "{}",
                what()
            );
        }
    }
    // The mutations reach every layer, or this is worth little.
    for status in STATUSES.iter().filter(|it| **it != 413) {
        assert!(statuses.contains_key(status), "no {status} in {statuses:?}");
    }
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let good = request(Revision::V2025_11_25, &ping, &session);
    assert_eq!(service.answer(good.map(body)).await.status(), 200);
}

#[tokio::test]
async fn a_changed_session_id_is_refused() {
    let service = service();
    let session = open(&service).await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let mut dice = Dice::new();
    for round in 0..ROUNDS {
        let mut changed = session.clone().into_bytes();
        mutate(&mut dice, &mut changed);
        let Ok(value) = HeaderValue::from_bytes(&changed) else {
            continue;
        };
        let mut post = request(Revision::V2025_11_25, &ping, "");
        post.headers_mut().insert("mcp-session-id", value);
        let method = dice
            .of(&[Method::POST, Method::GET, Method::DELETE])
            .clone();
        *post.method_mut() = method;
        if changed.trim_ascii() == session.as_bytes() {
            continue;
        }
        let answer = service.answer(post.map(body)).await;
        let what = format!("seed {SEED:#x}, round {round}: {}", changed.escape_ascii());
        assert_eq!(answer.status(), 404, "{what}");
    }
    let good = request(Revision::V2025_11_25, &ping, &session);
    assert_eq!(service.answer(good.map(body)).await.status(), 200);
}

#[tokio::test]
async fn any_last_event_id_gets_a_stream() {
    let service = service();
    let session = open(&service).await;
    let mut dice = Dice::new();
    for round in 0..ROUNDS / 4 {
        let mut id = b"18446744073709551615".to_vec();
        mutate(&mut dice, &mut id);
        let Ok(id) = HeaderValue::from_bytes(&id) else {
            continue;
        };
        let mut get = request(Revision::V2025_11_25, &json!({}), &session);
        *get.method_mut() = Method::GET;
        get.headers_mut().insert("last-event-id", id);
        let answer = service.answer(get.map(body)).await;
        assert_eq!(answer.status(), 200, "seed {SEED:#x}, round {round}");
    }
}
