//! The binding of request state. State is rejected with any other request, and from any other caller (2026-07-28
//! `basic/patterns/mrtr`, "Server Requirements").

use mcp_protocol::Object;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    context::{ListVariant, RequestContext},
    dispatch::params::capabilities,
};

/// The method, arguments and caller that request state is bound to.
#[derive(Debug)]
pub(crate) struct StateBinding<'a> {
    method: &'a str,
    /// The name of the tool, prompt or resource, which may be empty.
    pub(crate) name: &'a str,
    /// The digest of the arguments, or `None` if the request cannot have state.
    digest: Option<[u8; 32]>,
    scope: &'a ListVariant,
    caller: Option<&'a str>,
}

impl<'a> StateBinding<'a> {
    /// Creates the binding of a request with these arguments and the remaining `params`. In a revision whose requests
    /// have no state, there is no binding.
    pub(crate) fn new(
        [method, name]: [&'a str; 2],
        arguments: &Object,
        params: &Object,
        cx: &'a RequestContext,
    ) -> Self {
        Self {
            method,
            name,
            digest: can_be_asked(params).then(|| digest(arguments)),
            scope: cx.list_variant(),
            caller: cx.subject(),
        }
    }

    /// Returns the purpose that the state is signed for. It is JSON, so different bindings never have equal strings.
    pub(crate) fn purpose(&self) -> String {
        let scope = [
            self.scope.is_shared().to_string(),
            self.scope.key().to_owned(),
        ];
        json!([self.method, self.name, self.digest, scope, self.caller]).to_string()
    }
}

/// Returns whether the client returns state, or can receive server requests that need some. Hashing is not free.
fn can_be_asked(params: &Object) -> bool {
    params.contains_key("requestState") || capabilities(params).is_some_and(|it| !it.is_empty())
}

fn digest(arguments: &Object) -> [u8; 32] {
    let mut hash = Sha256::new();
    add_object(&mut hash, arguments);
    hash.finalize().into()
}

/// Adds an object to the hash. The order of JSON fields is irrelevant, and a client may change it in a repeated
/// request.
fn add_object(hash: &mut Sha256, object: &Object) {
    let mut members: Vec<_> = object.iter().collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    hash.update(b"{");
    for (name, value) in members {
        add(hash, &Value::from(name.as_str()));
        add(hash, value);
    }
    hash.update(b"}");
}

fn add(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(object) => add_object(hash, object),
        Value::Array(items) => {
            hash.update(b"[");
            for item in items {
                add(hash, item);
            }
            hash.update(b"]");
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            hash.update(value.to_string());
            hash.update(b",");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &Value) -> [u8; 32] {
        digest(arguments.as_object().unwrap())
    }

    #[test]
    fn arguments_have_a_digest_of_their_own_whatever_their_order() {
        let text = r#"{"b":[1,"2"],"a":{"d":null,"c":true}}"#;
        let reordered: Value = serde_json::from_str(text).unwrap();
        let arguments = json!({"a": {"c": true, "d": null}, "b": [1, "2"]});
        assert_eq!(of(&reordered), of(&arguments));
        let others = [
            json!({}),
            json!({"a": {"c": true, "d": null}, "b": [1, 2]}),
            json!({"a": {"c": true, "d": null}, "b": [[1, "2"]]}),
            json!({"a": {"c": true}, "b": [1, "2"]}),
            json!({"a": {"c": true, "d": null, "b": [1, "2"]}}),
            json!({"a": {"c": true, "d": null}, "b": [12]}),
            json!({"a": {"c": true, "d": null}, "b": ["1", "2"]}),
        ];
        for other in others {
            assert_ne!(of(&other), of(&arguments), "{other}");
        }
    }
}
