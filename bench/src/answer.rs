//! What a server must do at the least: parse a JSON-RPC request and write a response with its id.

use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'static str,
    id: &'a Value,
    result: &'a Value,
}

/// The response to `request` with `result`, or a parse error without an id.
#[must_use]
pub fn to(request: &[u8], result: &Value) -> Vec<u8> {
    let answer = serde_json::from_slice::<Value>(request).and_then(|request| {
        serde_json::to_vec(&Answer {
            jsonrpc: "2.0",
            id: request.get("id").unwrap_or(&Value::Null),
            result,
        })
    });
    answer.unwrap_or_else(|_| {
        br#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#.to_vec()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::to;

    fn check(request: &str, expected: &str) {
        let answer = String::from_utf8(to(request.as_bytes(), &json!({"ok": true}))).unwrap();
        assert_eq!(answer, expected, "{request}");
    }

    #[test]
    fn the_id_comes_back() {
        check(
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{"ok":true}}"#,
        );
        check(
            "{",
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
        );
    }
}
