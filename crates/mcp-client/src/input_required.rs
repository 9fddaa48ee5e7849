//! Results that require input before the server can complete the request (2026-07-28 `basic/patterns/mrtr`).

use mcp_protocol::{Object, ServerRequest};
use serde_json::Value;

use crate::ClientError;

/// A result of type `input_required`.
#[derive(Debug)]
pub(crate) struct InputRequired {
    /// The requests, by the keys under which the client returns the responses.
    pub(crate) requests: Vec<(String, ServerRequest)>,
    /// Requests that this crate does not support, by key.
    pub(crate) unknown: Object,
    /// The state to return unchanged with the responses.
    pub(crate) state: Option<String>,
}

impl InputRequired {
    /// Reads a result.
    ///
    /// # Errors
    /// Returns [`ClientError::Decode`] if the result has another type.
    pub(crate) fn read(result: &Value) -> Result<Self, ClientError> {
        let text = |name: &str| result.get(name).and_then(Value::as_str);
        if text("resultType") != Some("input_required") {
            return Err(ClientError::Decode(
                "the result is not input_required".to_owned(),
            ));
        }
        let (mut requests, mut unknown) = (Vec::new(), Object::new());
        let asked = result.get("inputRequests").and_then(Value::as_object);
        for (key, asked) in asked.into_iter().flatten() {
            let params = asked.get("params").and_then(Value::as_object);
            let method = asked.get("method").and_then(Value::as_str);
            let params = params.cloned().unwrap_or_default();
            match method.and_then(|it| ServerRequest::read(it, params)) {
                Some(request) => requests.push((key.clone(), request)),
                None => _ = unknown.insert(key.clone(), asked.clone()),
            }
        }
        let state = text("requestState").map(str::to_owned);
        Ok(Self {
            requests,
            unknown,
            state,
        })
    }
}

#[cfg(test)]
mod tests {
    use mcp_protocol::{Revision, render};
    use serde_json::json;

    use super::*;

    #[test]
    fn questions_are_read_as_they_were_asked() {
        let asked = vec![
            (
                "form".to_owned(),
                ServerRequest::elicit("?", json!({"type": "object"})),
            ),
            ("model".to_owned(), ServerRequest::sample("?", 5)),
            ("roots".to_owned(), ServerRequest::ListRoots),
        ];
        let rules = Revision::V2026_07_28.features();
        let mut wire = render::input_required_result(&asked, Some("state".to_owned()), rules);
        let later = json!({"method": "later/ask", "params": {}});
        wire["inputRequests"]["later"] = later.clone();
        let read = InputRequired::read(&wire.into()).unwrap();
        assert_eq!(read.requests, asked);
        assert_eq!(read.state.as_deref(), Some("state"));
        assert_eq!(read.unknown.get("later"), Some(&later));
        assert!(InputRequired::read(&json!({"resultType": "complete"})).is_err());
    }
}
