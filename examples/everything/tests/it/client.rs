//! A client of any revision on either transport.

use std::{future::Future, time::Duration};

use mcp_protocol::{Revision, lifecycle};
use mcp_schema::Conversation;
use serde_json::{Value, json};

use crate::{http::Http, stdio::Stdio};

/// Nothing in these tests takes long; what does has hung.
const DEADLINE: Duration = Duration::from_secs(20);

/// The outcome of what has to happen soon.
pub(crate) async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(DEADLINE, future).await.unwrap()
}

/// How a client reaches its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
}

impl Transport {
    pub(crate) const BOTH: [Self; 2] = [Self::Stdio, Self::Http];
}

/// A client that has opened as its revision asks for. Everything it receives is validated against the schema of its revision.
pub(crate) struct Client {
    pub(crate) revision: Revision,
    conversation: Conversation,
    way: Way,
    last_id: i64,
}

enum Way {
    Stdio(Stdio),
    Http(Http),
}

/// What came back for one request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
    /// Notifications and requests, before the response.
    pub(crate) before: Vec<Value>,
    pub(crate) response: Value,
}

impl Client {
    pub(crate) async fn open(transport: Transport, revision: Revision) -> Self {
        Self::open_with(transport, revision, json!({})).await
    }

    /// A client that declares these extensions when it opens, if its revision has a handshake.
    pub(crate) async fn open_with(
        transport: Transport,
        revision: Revision,
        extensions: Value,
    ) -> Self {
        let way = match transport {
            Transport::Stdio => Way::Stdio(Stdio::start()),
            Transport::Http => Way::Http(Http::start(revision).await),
        };
        let mut client = Self {
            revision,
            conversation: Conversation::new(revision),
            way,
            last_id: 0,
        };
        if revision.has_handshake() {
            let opened = client
                .request("initialize", initialize(revision, extensions))
                .await;
            assert_eq!(opened["result"]["protocolVersion"], revision.name());
            let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            client.say(&done).await;
        }
        client
    }

    /// Continues as a client of another revision, on the same stream or endpoint.
    pub(crate) fn speak(&mut self, revision: Revision) {
        self.revision = revision;
        if let Way::Http(http) = &mut self.way {
            http.revision = revision;
        }
    }

    /// Sends a request, and returns its response.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        self.converse(method, params).await.response
    }

    /// Sends a request, answers the server's requests, and returns all messages received.
    pub(crate) async fn converse(&mut self, method: &str, params: Value) -> Heard {
        self.last_id += 1;
        let request = message(self.revision, json!(self.last_id), method, params);
        self.exchange(&request).await
    }

    /// Sends any message that has an answer.
    pub(crate) async fn exchange(&mut self, message: &Value) -> Heard {
        self.conversation.sent(message);
        let heard = match &mut self.way {
            Way::Stdio(stdio) => stdio.exchange(message).await,
            Way::Http(http) => http.exchange(message).await,
        };
        for it in &heard.before {
            self.judge(it);
        }
        self.judge(&heard.response);
        heard
    }

    fn judge(&mut self, message: &Value) {
        let exception = self.conversation.heard(message);
        let silent = matches!(self.way, Way::Stdio(_));
        let is_of_http = exception.is_some_and(|it| it.http_only);
        assert!(!is_of_http || !silent, "{message}");
    }

    /// Sends a message that has no answer.
    pub(crate) async fn say(&mut self, message: &Value) {
        match &mut self.way {
            Way::Stdio(stdio) => stdio.say(message).await,
            Way::Http(http) => assert_eq!(http.post(message).await.status, 202),
        }
    }

    /// Begins to listen for what belongs to no request, and waits until it does.
    pub(crate) async fn listen(&mut self, wanted: Value) -> Value {
        self.last_id += 1;
        let request = match self.revision.has_handshake() {
            true => None,
            false => {
                let params = json!({"notifications": wanted});
                let id = json!(self.last_id);
                Some(message(self.revision, id, "subscriptions/listen", params))
            }
        };
        if let Some(request) = &request {
            self.conversation.sent(request);
        }
        let first = match &mut self.way {
            Way::Stdio(stdio) => match &request {
                Some(request) => {
                    stdio.say(request).await;
                    stdio.hear().await
                }
                None => Value::Null,
            },
            Way::Http(http) => http.listen(request.as_ref()).await,
        };
        if request.is_some() {
            self.judge(&first);
        }
        first
    }

    /// The next message on the stream that [`Client::listen`] opened.
    pub(crate) async fn next_notification(&mut self) -> Value {
        let notification = match &mut self.way {
            Way::Stdio(stdio) => stdio.hear().await,
            Way::Http(http) => http.next_notification().await,
        };
        self.judge(&notification);
        notification
    }

    /// Ends the server, which has to end well.
    pub(crate) async fn finish(self) {
        match self.way {
            Way::Stdio(stdio) => stdio.finish().await,
            Way::Http(http) => http.finish().await,
        }
    }
}

fn initialize(revision: Revision, extensions: Value) -> Value {
    json!({
        "protocolVersion": revision.name(),
        "capabilities": {"elicitation": {}, "sampling": {}, "roots": {}, "extensions": extensions},
        "clientInfo": {"name": "test", "version": "0"},
    })
}

/// A request as a client of the revision writes it.
pub(crate) fn message(revision: Revision, id: Value, method: &str, mut params: Value) -> Value {
    if !revision.has_handshake() {
        params["_meta"][lifecycle::PROTOCOL_VERSION] = revision.name().into();
        if params["_meta"]
            .get(lifecycle::CLIENT_CAPABILITIES)
            .is_none()
        {
            params["_meta"][lifecycle::CLIENT_CAPABILITIES] =
                json!({"elicitation": {}, "sampling": {}, "roots": {}});
        }
    }
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The answer of a cooperative client.
pub(crate) fn answer_to(question: &Value) -> Value {
    match question["method"].as_str().unwrap() {
        "elicitation/create" => {
            let content = json!({"name": "Ada", "color": "blue", "ok": true, "confirm": true, "context": "tests"});
            json!({"action": "accept", "content": content})
        }
        "sampling/createMessage" => json!({
            "role": "assistant",
            "content": {"type": "text", "text": "Paris"},
            "model": "none",
        }),
        "roots/list" => json!({"roots": [{"uri": "file:///tmp"}]}),
        other => panic!("asked {other}"),
    }
}

/// The response of this client to a request of the server.
pub(crate) fn response_to(request: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": answer_to(request)})
}

/// Whether it wants an answer.
pub(crate) fn is_request(message: &Value) -> bool {
    message.get("method").is_some() && message.get("id").is_some()
}
