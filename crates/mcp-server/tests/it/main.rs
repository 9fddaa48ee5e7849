//! The dispatch core, asked without any transport.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should say so"
)]

mod asking;
mod bounds;
mod capabilities;
mod composed;
mod elicitation;
mod errors;
mod guards;
mod joined;
mod layers;
mod notifications;
mod observer;
mod pages;
mod router;
mod scopes;
mod sets;
mod skills;
mod state;
mod subscriptions;
mod tasks;
mod testing;
mod typed;
mod views;
mod written;

use std::sync::Arc;

use mcp_protocol::{Request, RequestId, Revision, Tool, ToolAnnotations, lifecycle};
use mcp_server::{
    RequestContext, Server,
    transport::{ChannelEvent, ClientChannel, Session},
};
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;

fn tool(name: &str) -> Tool {
    let schema = json!({"type": "object"});
    Tool::new(name, "For tests.", schema, ToolAnnotations::PURE)
}

fn request(revision: Revision, method: &str, mut params: Value) -> Request {
    if !revision.has_handshake() {
        params["_meta"][lifecycle::PROTOCOL_VERSION] = revision.name().into();
        if params["_meta"]
            .get(lifecycle::CLIENT_CAPABILITIES)
            .is_none()
        {
            params["_meta"][lifecycle::CLIENT_CAPABILITIES] = json!({"elicitation": {}});
        }
    }
    Request {
        id: RequestId::Integer(1),
        method: method.to_owned(),
        params: params.as_object().cloned(),
    }
}

async fn ask(server: &Server, revision: Revision, method: &str, params: Value) -> Value {
    let cx = RequestContext::default();
    ask_over(server, revision, method, params, &cx).await
}

async fn ask_over(
    server: &Server,
    revision: Revision,
    method: &str,
    params: Value,
    cx: &RequestContext,
) -> Value {
    let request = request(revision, method, params);
    let response = server.handle(revision, request, cx).await;
    serde_json::from_slice(&response.to_vec()).unwrap()
}

/// The context of a session whose client declared that it can ask its user.
fn session(revision: Revision) -> (RequestContext, Receiver<ChannelEvent>, Arc<Session>) {
    session_of(revision, &json!({"elicitation": {}}))
}

/// The context of a session whose client declared these capabilities.
fn session_of(
    revision: Revision,
    capabilities: &Value,
) -> (RequestContext, Receiver<ChannelEvent>, Arc<Session>) {
    let params = json!({"capabilities": capabilities});
    let initialize = request(revision, "initialize", params);
    let session = Arc::new(Session::open(revision, &initialize));
    let (channel, outgoing) = ClientChannel::new(CancellationToken::new());
    let channel = Arc::new(channel.with_session(Arc::clone(&session)));
    let cx = RequestContext::default().with_channel(channel);
    (cx, outgoing, session)
}

fn said(outgoing: ChannelEvent) -> Value {
    match outgoing {
        ChannelEvent::Message(message) => serde_json::from_slice(&message).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn handshake() -> impl Iterator<Item = Revision> {
    Revision::ALL
        .iter()
        .copied()
        .filter(|it| it.has_handshake())
}
