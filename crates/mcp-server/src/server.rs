//! One request in, one response out.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use mcp_protocol::{
    ErrorObject, LogLevel, Object, Request, RequestId, Revision, Rules, ServerInfo, render,
};
use serde_json::Value;
use tracing::Instrument;

use crate::{
    builder::{Builder, Sets},
    changes::Changes,
    context::CallContext,
    feed::{Audience, Feed, Offered},
    header_parameter::HeaderParameter,
    limits::{Gate, Limits},
    lists::{Catalog, List, Listing, Lists},
    panics::caught,
    response::{Reply, Response},
    seal::Sealer,
    session::Session,
};

/// A server, ready to answer. Shared by all transports and connections.
pub struct Server {
    pub(crate) server_info: ServerInfo,
    pub(crate) sets: Sets,
    pub(crate) offered: Offered,
    pub(crate) catalog: Catalog,
    pub(crate) changes: Option<Changes>,
    pub(crate) logging: bool,
    pub(crate) asks_clients: bool,
    pub(crate) older_names: bool,
    pub(crate) limits: Limits,
    pub(crate) gate: Arc<Gate>,
    /// Clients of the handshake lifecycle may have sessions.
    pub(crate) sessions: bool,
    pub(crate) sealer: Sealer,
    /// Answers that depend on the revision alone, serialized; one row a revision.
    pub(crate) constants: Vec<Constants>,
}

pub(crate) struct Constants {
    pub(crate) opening: Bytes,
    pub(crate) empty: Bytes,
}

impl Server {
    /// Starts to set up a server.
    #[must_use]
    pub fn builder(server_info: ServerInfo) -> Builder {
        Builder::new(server_info)
    }

    /// The bounds it keeps.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Who is serving.
    #[must_use]
    pub fn server_info(&self) -> &ServerInfo {
        &self.server_info
    }

    /// The parameters of a tool that clients repeat in HTTP headers, if it has any.
    #[must_use]
    pub fn header_parameters(&self, tool: &str) -> Option<Arc<[HeaderParameter]>> {
        self.with_lists(|lists| lists.header_parameters(tool))
    }

    /// Whether any tool has such parameters.
    #[must_use]
    pub fn has_header_parameters(&self) -> bool {
        self.with_lists(Lists::has_header_parameters)
    }

    /// Whether clients of the handshake lifecycle gain by a session, and may have one: the server tells
    /// them of changes, writes logs for them, or asks them.
    #[must_use]
    pub fn needs_sessions(&self) -> bool {
        self.sessions && (self.changes.is_some() || self.logging || self.asks_clients)
    }

    /// Whether the answer to this request may be preceded by other messages, so that it needs a
    /// [`crate::Link`]; `in_session` if it came in a session.
    #[must_use]
    pub fn may_speak_first(&self, request: &Request, in_session: bool) -> bool {
        match request.method.as_str() {
            "tools/call" | "prompts/get" | "resources/read" if in_session => true,
            "resources/subscribe" | "resources/unsubscribe" | "logging/setLevel" => in_session,
            "subscriptions/listen" => true,
            _ => {
                let meta = request.params.as_ref().and_then(|it| it.get("_meta"));
                meta.is_some_and(|it| it.get("progressToken").is_some())
            }
        }
    }

    /// News of what changes, for a session; `None` if nothing ever does, or there are none.
    #[must_use]
    pub fn feed(&self, session: &Arc<Session>) -> Option<Feed> {
        let changes = self.changes.as_ref().filter(|_| self.sessions)?.subscribe();
        let audience = Audience::Session(Arc::clone(session), self.offered);
        Some(Feed::new(changes, audience))
    }

    /// Answers one request, read as one of `revision`; for `initialize` that is the negotiated one.
    ///
    /// # Cancel safety
    /// Dropping the future ends the request and whatever it asked of others; nothing is answered.
    pub async fn handle(&self, revision: Revision, request: Request, cx: &CallContext) -> Response {
        let span = tracing::debug_span!(
            "request",
            method = request.method,
            id = ?request.id,
            revision = revision.name(),
            what = tracing::field::Empty,
        );
        let Request { id, method, params } = request;
        let reply = self.reply(revision, &id, &method, params, cx);
        let reply = caught(reply).instrument(span).await;
        Response {
            id: Some(id),
            reply: reply.unwrap_or_else(Reply::Error),
        }
    }

    async fn reply(
        &self,
        revision: Revision,
        id: &RequestId,
        method: &str,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let handshake = revision.has_handshake();
        let older = handshake && self.older_names;
        let in_session = handshake && self.sessions;
        // What is asked for seldom is boxed, so that what is asked for often has little to move.
        let list = |list| self.list(list, method, revision, params.as_ref());
        match (method, &self.sets) {
            ("initialize", _) if handshake => self.opening(revision),
            ("server/discover", _) if !handshake => self.opening(revision),
            ("ping", _) if handshake => self.empty(revision),
            ("initialized", _) if older => self.empty(revision),
            ("tools/list", _) => list(List::Tools),
            ("list_tools", _) if older => list(List::Tools),
            ("prompts/list", _) => list(List::Prompts),
            ("resources/list", _) => list(List::Resources),
            ("resources/templates/list", _) => list(List::Templates),
            (
                "tools/call",
                Sets {
                    tools: Some(tools), ..
                },
            ) => {
                let members = ["name", "arguments"];
                self.tools_call(&**tools, revision, params, members, cx)
                    .await
            }
            (
                "call_tool",
                Sets {
                    tools: Some(tools), ..
                },
            ) if older => {
                let members = ["tool", "params"];
                self.tools_call(&**tools, revision, params, members, cx)
                    .await
            }
            (
                "prompts/get",
                Sets {
                    prompts: Some(prompts),
                    ..
                },
            ) => Box::pin(self.prompts_get(&**prompts, revision, params, cx)).await,
            (
                "resources/read",
                Sets {
                    resources: Some(resources),
                    ..
                },
            ) => Box::pin(self.resources_read(&**resources, revision, params, cx)).await,
            (
                "completion/complete",
                Sets {
                    completer: Some(completer),
                    ..
                },
            ) => Box::pin(self.complete(&**completer, revision, params, cx)).await,
            (
                "resources/subscribe",
                Sets {
                    resources: Some(resources),
                    ..
                },
            ) if in_session && self.offered.updates => {
                Box::pin(self.subscribe(&**resources, revision, params, cx)).await
            }
            ("resources/unsubscribe", _) if in_session && self.offered.updates => {
                self.unsubscribe(revision, params, cx)
            }
            ("logging/setLevel", _) if in_session && self.logging => {
                self.set_level(revision, params.as_ref(), cx)
            }
            ("subscriptions/listen", _) if !handshake => match &self.changes {
                Some(changes) => Box::pin(self.listen(changes, revision, id, params, cx)).await,
                None => Err(ErrorObject::method_not_found(method)),
            },
            _ => Err(ErrorObject::method_not_found(method)),
        }
    }

    fn opening(&self, revision: Revision) -> Result<Reply, ErrorObject> {
        let constants = self.constants.get(revision.index());
        let constants = constants.ok_or_else(ErrorObject::internal)?;
        Ok(Reply::Result(constants.opening.clone()))
    }

    pub(crate) fn empty(&self, revision: Revision) -> Result<Reply, ErrorObject> {
        let constants = self.constants.get(revision.index());
        let constants = constants.ok_or_else(ErrorObject::internal)?;
        Ok(Reply::Result(constants.empty.clone()))
    }

    fn list(
        &self,
        list: List,
        method: &str,
        revision: Revision,
        params: Option<&Object>,
    ) -> Result<Reply, ErrorObject> {
        let listing = self.listing();
        let page = self.catalog.with(&listing, |lists| {
            lists.page(list, revision, params, &listing)
        });
        page.unwrap_or_else(|| Err(ErrorObject::method_not_found(method)))
            .map(Reply::Result)
    }

    /// Without a session there is nothing to remember the level, and nothing is logged.
    fn set_level(
        &self,
        revision: Revision,
        params: Option<&Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let level = params
            .and_then(|it| it.get("level"))
            .and_then(Value::as_str);
        let level = level.and_then(LogLevel::parse).ok_or_else(|| {
            let names: Vec<_> = LogLevel::ALL.iter().map(|it| it.name()).collect();
            ErrorObject::invalid_params(format_args!("level must be one of {}", names.join(", ")))
        })?;
        if let Some(session) = cx.link().and_then(|it| it.session()) {
            session.set_log_level(level);
        }
        self.empty(revision)
    }

    pub(crate) fn with_lists<T>(&self, look: impl FnOnce(&Lists) -> T) -> T {
        self.catalog.with(&self.listing(), look)
    }

    fn listing(&self) -> Listing<'_> {
        Listing {
            sets: &self.sets,
            server_info: &self.server_info,
            sealer: &self.sealer,
            live: self.catalog.is_live(),
        }
    }

    /// A result of the revision, complete.
    pub(crate) fn finish(&self, result: Object, rules: &Rules) -> Result<Reply, ErrorObject> {
        self.serialize(result, rules).map(Reply::Result)
    }

    pub(crate) fn serialize(&self, result: Object, rules: &Rules) -> Result<Bytes, ErrorObject> {
        let result = render::finish_result(result, &self.server_info, rules);
        let mut bytes = Vec::with_capacity(512);
        serde_json::to_writer(&mut bytes, &result).map_err(|_| ErrorObject::internal())?;
        Ok(Bytes::from(bytes))
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("server_info", &self.server_info)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
