//! Judges messages by the official JSON Schema of their protocol revision. For tests: what is wrong ends them.
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should say so"
)]

mod schemas;

use std::collections::HashMap;

use mcp_protocol::{Revision, lifecycle};
use serde_json::{Value, json};

/// One conversation as its client sees it: what was asked decides what each answer has to be.
#[derive(Debug)]
pub struct Conversation {
    /// What a message is read as that belongs to nothing that was asked.
    revision: Revision,
    /// Requests without a response yet, by their ids as JSON.
    asked: HashMap<String, Asked>,
    /// Requests that wanted to hear of their progress, by their tokens as JSON.
    tokens: HashMap<String, Revision>,
}

#[derive(Debug)]
struct Asked {
    method: String,
    revision: Revision,
}

/// A contradiction within the specification that no message can resolve.
#[derive(Debug)]
pub struct Exception {
    /// What is not as the schema wants it.
    pub what: &'static str,
    /// Why it is written all the same.
    pub why: &'static str,
    /// Makes of the message one that the schema accepts; `false` if the exception has nothing to do with it.
    mend: fn(&mut Value) -> bool,
}

/// The exceptions. The list only shrinks: the snapshots have to show each of them.
pub const EXCEPTIONS: &[Exception] = &[Exception {
    what: "an error without an id before 2025-11-25",
    why: "the id could not be read, and JSON-RPC's null is an id that all schemas forbid; over HTTP there has to be an answer",
    mend: |message| {
        let fits = message.get("error").is_some() && message.get("id").is_none();
        if fits {
            message["id"] = json!(0);
        }
        fits
    },
}];

/// What the result of a method is, by the names in the schemas.
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
];

/// Errors that have a shape of their own, by their codes.
const ERRORS: &[(i64, &str)] = &[
    (-32020, "HeaderMismatchError"),
    (-32021, "MissingRequiredClientCapabilityError"),
    (-32022, "UnsupportedProtocolVersionError"),
];

impl Conversation {
    /// One in which a message that says nothing of its revision is read as this one.
    #[must_use]
    pub fn new(revision: Revision) -> Self {
        Self {
            revision,
            asked: HashMap::new(),
            tokens: HashMap::new(),
        }
    }

    /// Remembers what the client has sent, which may be anything.
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
            // What cannot be spoken is answered by a revision whose requests name one.
            Some(named) => named
                .as_str()
                .and_then(Revision::parse)
                .filter(|it| !it.has_handshake())
                .unwrap_or(Revision::V2026_07_28),
            None => self.revision,
        };
        if let Some(token) = meta.get("progressToken") {
            self.tokens.insert(token.to_string(), revision);
        }
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        self.asked
            .insert(id.to_string(), Asked { method, revision });
    }

    /// Judges what the server has said, and returns the exception that it needs, if any.
    ///
    /// # Panics
    ///
    /// If the message is not what the schema of its revision wants, or answers nothing that was asked.
    pub fn heard(&mut self, message: &Value) -> Option<&'static Exception> {
        if let Value::Array(messages) = message {
            let batches = schemas::defines(self.revision, "JSONRPCBatchResponse");
            let revision = self.revision.name();
            assert!(batches, "there are no batches at {revision}: {message}");
            assert!(!messages.is_empty(), "an empty batch");
            return messages.iter().filter_map(|it| self.heard(it)).last();
        }
        let (revision, definitions) = self.expect(message);
        let judge = |message: &Value| -> Vec<String> {
            let results = definitions.iter().flat_map(|(part, definition)| {
                let value = message.get(part).unwrap_or(message);
                schemas::problems(revision, definition, value)
            });
            results.collect()
        };
        let found = judge(message);
        if found.is_empty() {
            return None;
        }
        let excepted = EXCEPTIONS.iter().find(|exception| {
            let mut mended = message.clone();
            (exception.mend)(&mut mended) && judge(&mended).is_empty()
        });
        match excepted {
            Some(exception) => Some(exception),
            None => panic!("{}\nin {message:#}", found.join("\n")),
        }
    }

    /// The revision of a message, and what it or its members have to be.
    fn expect(&mut self, message: &Value) -> (Revision, Vec<(&'static str, &'static str)>) {
        if let Some(method) = message["method"].as_str() {
            let revision = self.revision_of_news(message);
            let asks = message.get("id").is_some();
            let [envelope, what] = match asks {
                true => ["JSONRPCRequest", "ServerRequest"],
                false => ["JSONRPCNotification", "ServerNotification"],
            };
            let known = schemas::defines(revision, what);
            assert!(known, "no server says {method} at {}", revision.name());
            return (revision, vec![("", envelope), ("", what)]);
        }
        let asked = message.get("id").map(|id| {
            let asked = self.asked.remove(&id.to_string());
            asked.unwrap_or_else(|| panic!("this answers nothing that was asked: {message}"))
        });
        let result = message.get("result");
        if let Some(agreed) = result.and_then(|it| it["protocolVersion"].as_str()) {
            self.revision = Revision::parse(agreed)
                .unwrap_or_else(|| panic!("{agreed} is no revision: {message}"));
        }
        let (method, revision) = match asked {
            Some(asked) if asked.method == "initialize" && result.is_some() => {
                (asked.method, self.revision)
            }
            Some(asked) => (asked.method, asked.revision),
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
            _ => RESULTS
                .iter()
                .find(|(name, _)| *name == method)
                .map_or("Result", |(_, definition)| definition),
        };
        (revision, vec![("", envelope), ("result", definition)])
    }

    /// The revision of a notification, or of a request of the server.
    fn revision_of_news(&self, message: &Value) -> Revision {
        let params = &message["params"];
        if params["_meta"].get(lifecycle::SUBSCRIPTION_ID).is_some() {
            return Revision::V2026_07_28;
        }
        let token = params.get("progressToken").map(Value::to_string);
        let asked = token.and_then(|it| self.tokens.get(&it));
        asked.copied().unwrap_or(self.revision)
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
