//! The same server over both transports: callers see and can call the tools that are theirs.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

use std::{fs, sync::Arc};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Request, Response};
use mcp_http::{Body, Config, Service};
use mcp_server::{Extensions, Grant, Stop};
use serde_json::{Value, json};
use weather_server::{
    access::{granted, tokens},
    builder,
};

const LIST: &str = "tools/list";
const CALL: &str = "tools/call";
/// A token is the name of its caller and this.
const TOKEN: &str = "-correct-horse-battery";

fn staff() -> Grant {
    granted(Grant::of("staff"))
}

fn request(method: &str) -> String {
    request_of("get_raw_forecast", method)
}

fn request_of(tool: &str, method: &str) -> String {
    let params = json!({"name": tool, "arguments": {"city": "Oslo", "days": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

async fn over_stdio(caller: Extensions, method: &str) -> Value {
    exchange_over_stdio(caller, &request(method)).await
}

async fn exchange_over_stdio(caller: Extensions, request: &str) -> Value {
    let server = Arc::new(builder().build().unwrap());
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    }});
    let input = format!("{initialize}\n{request}\n");
    let (mut output, stop) = (Vec::new(), Stop::new());
    let limits = mcp_stdio::Limits::default();
    let served = mcp_stdio::serve_with_extensions(
        server,
        caller,
        input.as_bytes(),
        &mut output,
        stop,
        limits,
    );
    served.await.unwrap();
    let last = output.split(|it| *it == b'\n').rfind(|it| !it.is_empty());
    serde_json::from_slice(last.unwrap()).unwrap()
}

async fn over_http(token: &str, method: &str) -> Value {
    let answer = exchange_over_http(token, request(method)).await;
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&body).unwrap()
}

async fn exchange_over_http(token: &str, request: String) -> Response<Body> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    fs::write(&file, format!("staff staff{TOKEN}\nguest guest{TOKEN}\n")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let server = Arc::new(builder().build().unwrap());
    let config = Config::new(server).with_authorization(tokens(&file).unwrap());
    let service = Service::new(config).unwrap();
    let post = Request::post("/mcp")
        .header("Host", "127.0.0.1")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", "2025-11-25")
        .header("Authorization", format!("Bearer {token}{TOKEN}"))
        .body(Full::new(Bytes::from(request)));
    service.answer(post.unwrap()).await
}

fn names(answer: &Value) -> Vec<&str> {
    let tools = answer.pointer("/result/tools").and_then(Value::as_array);
    let tools = tools.unwrap().iter();
    tools.filter_map(|it| it.get("name")?.as_str()).collect()
}

fn check_staff(list: &Value, call: &Value) {
    assert_eq!(
        names(list),
        ["get_forecast", "get_raw_forecast", "get_measurements"]
    );
    assert_eq!(
        call.pointer("/result/structuredContent"),
        Some(&json!({
            "city": "Oslo",
            "highest": [18.5],
            "notes": ["days was sent as \"1\" and read as 1."],
        }))
    );
}

fn check_guest(list: &Value, call: &Value) {
    assert_eq!(names(list), ["get_forecast", "get_measurements"]);
    assert_eq!(call.pointer("/error/code"), Some(&json!(-32602)));
}

#[tokio::test]
async fn staff_sees_and_calls_every_tool() {
    let owner = || {
        let mut caller = Extensions::new();
        caller.insert(staff());
        caller
    };
    check_staff(
        &over_stdio(owner(), LIST).await,
        &over_stdio(owner(), CALL).await,
    );
    check_staff(
        &over_http("staff", LIST).await,
        &over_http("staff", CALL).await,
    );
}

#[tokio::test]
async fn guests_see_and_call_the_public_tool_alone() {
    let guest = Extensions::new;
    check_guest(
        &over_stdio(guest(), LIST).await,
        &over_stdio(guest(), CALL).await,
    );
    check_guest(
        &over_http("guest", LIST).await,
        &over_http("guest", CALL).await,
    );
}

#[tokio::test]
async fn a_call_that_needs_a_scope_says_which() {
    let request = request_of("get_measurements", CALL);
    let mut caller = Extensions::new();
    let refused = exchange_over_stdio(caller.clone(), &request).await;
    assert_eq!(
        refused.pointer("/error/message"),
        Some(&json!(
            "Insufficient scope: this request needs access with the scope measurements"
        ))
    );
    caller.insert(staff());
    let answered = exchange_over_stdio(caller, &request).await;
    assert!(answered.get("result").is_some(), "{answered}");

    let answered = exchange_over_http("staff", request.clone()).await;
    assert_eq!(answered.status(), 200);
    let refused = exchange_over_http("guest", request).await;
    assert_eq!(refused.status(), 403);
    let challenge = refused.headers().get("www-authenticate").unwrap();
    let challenge = challenge.to_str().unwrap();
    assert!(
        challenge.starts_with(r#"Bearer error="insufficient_scope", "#)
            && challenge.ends_with(r#", scope="measurements""#),
        "{challenge}"
    );
}
