//! Validates messages against the official JSON Schema of their protocol revision. For tests: an invalid one panics.
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    reason = "this is for tests, which fail by a panic"
)]

#[cfg(test)]
mod corpus;
mod schemas;

use std::collections::HashMap;

use mcp_protocol::{Revision, lifecycle};
use serde_json::{Map, Value, json};

/// One conversation as its client sees it: the requests decide which result each response must have.
#[derive(Debug)]
pub struct Conversation {
    /// The revision of messages that belong to no request.
    revision: Revision,
    /// Requests without a response yet, by their ids as JSON.
    pending: HashMap<String, PendingRequest>,
    /// The revisions of requests with a progress token, by the token as JSON.
    tokens: HashMap<String, Revision>,
}

#[derive(Debug)]
struct PendingRequest {
    method: String,
    revision: Revision,
}

/// A contradiction within the specification that no message can resolve.
#[derive(Debug)]
pub struct Exception {
    /// What the schema does not accept.
    pub what: &'static str,
    /// Why it is sent all the same.
    pub why: &'static str,
    /// Whether it can occur over HTTP alone.
    pub http_only: bool,
    /// Changes the message into one that the schema accepts; `false` if the exception does not apply to it.
    correct: fn(&mut Value) -> bool,
}

/// The exceptions. Each must occur in the snapshots, so that the list only shrinks.
pub const EXCEPTIONS: &[Exception] = &[
    Exception {
        what: "an error without an id before 2025-11-25",
        why: "the id could not be read, all schemas forbid JSON-RPC's null as an id, and over HTTP there has to be a response",
        http_only: true,
        correct: |message| {
            let applies = message.get("error").is_some() && message.get("id").is_none();
            if applies {
                message["id"] = json!(0);
            }
            applies
        },
    },
    Exception {
        what: "the extension for views before the revision that has extensions",
        why: "MCP Apps negotiates in initialize of every revision, and hosts of 2025-03-26 read the links of tools",
        http_only: false,
        correct: without_views,
    },
];

/// Removes what the extension adds: its capability, and `_meta` that has nothing else.
fn without_views(message: &mut Value) -> bool {
    let Some(result) = message.get_mut("result").and_then(Value::as_object_mut) else {
        return false;
    };
    let mut applies = false;
    if let Some(Value::Object(capabilities)) = result.get_mut("capabilities") {
        applies |= capabilities.remove("extensions").is_some();
    }
    for list in ["tools", "resources", "contents"] {
        let listed = result.get_mut(list).and_then(Value::as_array_mut);
        for entry in listed
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
        {
            let meta = entry.get("_meta").and_then(Value::as_object);
            let is_ours = |meta: &Map<String, Value>| {
                meta.keys().all(|it| it == "ui" || it.starts_with("ui/"))
            };
            if meta.is_some_and(is_ours) {
                entry.remove("_meta");
                applies = true;
            }
        }
    }
    applies
}

/// The results of the methods, by their names in the schemas.
const RESULTS: &[(&str, &str)] = &[
    ("initialize", "InitializeResult"),
    ("server/discover", "DiscoverResult"),
    ("ping", "EmptyResult"),
    ("tools/list", "ListToolsResult"),
    ("tools/call", "CallToolResult"),
    ("resources/list", "ListResourcesResult"),
    ("resources/templates/list", "ListResourceTemplatesResult"),
    ("resources/read", "ReadResourceResult"),
    ("resources/subscribe", "EmptyResult"),
    ("resources/unsubscribe", "EmptyResult"),
    ("prompts/list", "ListPromptsResult"),
    ("prompts/get", "GetPromptResult"),
    ("completion/complete", "CompleteResult"),
    ("logging/setLevel", "EmptyResult"),
    ("subscriptions/listen", "SubscriptionsListenResult"),
    ("tasks/get", "GetTaskResult"),
    ("tasks/cancel", "CancelTaskResult"),
    ("tasks/list", "ListTasksResult"),
    ("tasks/result", "CallToolResult"),
];

/// Errors with their own definition, by their codes.
const ERRORS: &[(i64, &str)] = &[
    (-32020, "HeaderMismatchError"),
    (-32021, "MissingRequiredClientCapabilityError"),
    (-32022, "UnsupportedProtocolVersionError"),
];

impl Conversation {
    /// A conversation in which messages that do not name their revision are of this one.
    #[must_use]
    pub fn new(revision: Revision) -> Self {
        Self {
            revision,
            pending: HashMap::new(),
            tokens: HashMap::new(),
        }
    }

    /// Records what the client has sent, which may be anything.
    pub fn sent(&mut self, message: &Value) {
        if let Value::Array(messages) = message {
            return messages.iter().for_each(|it| self.sent(it));
        }
        let responds = message.get("result").or(message.get("error")).is_some();
        let Some(id) = message.get("id").filter(|_| !responds) else {
            return;
        };
        let meta = &message["params"]["_meta"];
        let revision = match meta.get(lifecycle::PROTOCOL_VERSION) {
            // Unknown revisions are answered in one whose requests name theirs.
            Some(named) => named
                .as_str()
                .and_then(|it| it.parse::<Revision>().ok())
                .filter(|it| !it.has_handshake())
                .unwrap_or(Revision::V2026_07_28),
            None => self.revision,
        };
        if let Some(token) = meta.get("progressToken") {
            self.tokens.insert(token.to_string(), revision);
        }
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        self.pending
            .insert(id.to_string(), PendingRequest { method, revision });
    }

    /// Validates what the server has sent, and returns the exception that it needs, if any.
    ///
    /// # Panics
    ///
    /// If the message does not conform to the schema of its revision, or responds to no request.
    pub fn heard(&mut self, message: &Value) -> Option<&'static Exception> {
        if let Value::Array(messages) = message {
            let batches = schemas::defines(self.revision, "JSONRPCBatchResponse");
            let revision = self.revision.name();
            assert!(batches, "there are no batches at {revision}: {message}");
            assert!(!messages.is_empty(), "an empty batch");
            return messages.iter().filter_map(|it| self.heard(it)).last();
        }
        let (revision, definitions) = self.expect(message);
        let validate = |message: &Value| -> Vec<String> {
            let results = definitions.iter().flat_map(|(part, definition)| {
                let value = message.get(part).unwrap_or(message);
                schemas::problems(revision, definition, value)
            });
            results.collect()
        };
        let found = validate(message);
        if found.is_empty() {
            return None;
        }
        let excepted = EXCEPTIONS.iter().find(|exception| {
            let mut corrected = message.clone();
            (exception.correct)(&mut corrected) && validate(&corrected).is_empty()
        });
        match excepted {
            Some(exception) => Some(exception),
            None => panic!("{}\nin {message:#}", found.join("\n")),
        }
    }

    /// The revision of a message, and the definitions of it and its members.
    fn expect(&mut self, message: &Value) -> (Revision, Vec<(&'static str, &'static str)>) {
        if let Some(method) = message["method"].as_str() {
            let revision = self.revision_of_unsolicited(message);
            let is_request = message.get("id").is_some();
            let [envelope, what] = match is_request {
                true => ["JSONRPCRequest", "ServerRequest"],
                false => ["JSONRPCNotification", "ServerNotification"],
            };
            let known = schemas::defines(revision, what);
            assert!(known, "{method} at {}", revision.name());
            return (revision, vec![("", envelope), ("", what)]);
        }
        let request = message.get("id").map(|id| {
            let request = self.pending.remove(&id.to_string());
            request.unwrap_or_else(|| panic!("a response without a request: {message}"))
        });
        let result = message.get("result");
        if let Some(agreed) = result.and_then(|it| it["protocolVersion"].as_str()) {
            self.revision = agreed
                .parse()
                .unwrap_or_else(|_| panic!("unknown revision {agreed}: {message}"));
        }
        let (method, revision) = match request {
            Some(request) if request.method == "initialize" && result.is_some() => {
                (request.method, self.revision)
            }
            Some(request) => (request.method, request.revision),
            None => (String::new(), self.revision),
        };
        let Some(result) = result else {
            return (revision, error(revision, message));
        };
        let envelope = match schemas::defines(revision, "JSONRPCResultResponse") {
            true => "JSONRPCResultResponse",
            false => "JSONRPCResponse",
        };
        let definition = match result["resultType"].as_str() {
            Some("input_required") => "InputRequiredResult",
            // Of an extension, which the schema does not know.
            Some("task") => "Result",
            _ if method == "tools/call" && result.get("task").is_some() => "CreateTaskResult",
            _ => RESULTS
                .iter()
                .find(|(name, _)| *name == method)
                .filter(|(name, it)| !name.starts_with("tasks/") || schemas::defines(revision, it))
                .map_or("Result", |(_, definition)| definition),
        };
        (revision, vec![("", envelope), ("result", definition)])
    }

    /// The revision of a notification, or of a request of the server.
    fn revision_of_unsolicited(&self, message: &Value) -> Revision {
        let params = &message["params"];
        if params["_meta"].get(lifecycle::SUBSCRIPTION_ID).is_some() {
            return Revision::V2026_07_28;
        }
        let token = params.get("progressToken").map(Value::to_string);
        let requested = token.and_then(|it| self.tokens.get(&it));
        requested.copied().unwrap_or(self.revision)
    }
}

fn error(revision: Revision, message: &Value) -> Vec<(&'static str, &'static str)> {
    let envelope = match schemas::defines(revision, "JSONRPCErrorResponse") {
        true => "JSONRPCErrorResponse",
        false => "JSONRPCError",
    };
    let code = message["error"]["code"].as_i64();
    let own = ERRORS
        .iter()
        .find(|(it, name)| Some(*it) == code && schemas::defines(revision, name));
    let mut definitions = vec![("", envelope)];
    definitions.extend(own.map(|(_, name)| ("", *name)));
    definitions
}

#[cfg(test)]
mod tests;
