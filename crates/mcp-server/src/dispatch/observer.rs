//! Hooks for measuring, logging and tracing requests.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use mcp_protocol::{Method, Object, RequestId, Revision};
use serde_json::Value;

use crate::context::{Extensions, RequestContext};

/// The `_meta` key for the client's name in revisions without a handshake (2026-07-28 `basic/index`, "_meta").
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// The start of a request, passed to [`RequestObserver::on_request`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RequestStart<'a> {
    /// The protocol revision of the request.
    pub revision: Revision,
    /// The method, or `None` if this server does not support it. Clients therefore cannot inject arbitrary method
    /// names.
    pub method: Option<&'a str>,
    /// The name of the requested tool or prompt, as the client sent it.
    pub name: Option<&'a str>,
    /// The request's `_meta`, as the client sent it.
    pub meta: Option<&'a Object>,
    /// The transport's facts about the request.
    pub extensions: &'a Extensions,
}

/// The end of a request, passed to [`RequestObserver::on_response`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RequestEnd<'a> {
    /// The protocol revision of the request.
    pub revision: Revision,
    /// The request ID, as the client sent it.
    pub id: &'a RequestId,
    /// The method, or `None` if this server does not support it. Clients therefore cannot inject arbitrary method
    /// names.
    pub method: Option<&'a str>,
    /// The name of the requested tool or prompt, as the client sent it.
    pub name: Option<&'a str>,
    /// The client's name, as the client sent it: in `_meta`, in the request that opens a session, or when the session
    /// was opened.
    pub client: Option<&'a str>,
    /// The outcome of the request.
    pub outcome: RequestOutcome,
    /// Processing time, excluding transport reads and writes.
    pub duration: Duration,
    /// The transport's facts about the request, and the values from [`on_request`](RequestObserver::on_request).
    pub extensions: &'a Extensions,
}

/// The end of a task, passed to [`RequestObserver::on_task_end`]. The task was started by a tool call.
///
/// ```
/// use mcp_server::{RequestEnd, TaskEnd, RequestObserver, RequestOutcome};
///
/// struct Log;
///
/// impl RequestObserver for Log {
///     fn on_response(&self, request: &RequestEnd<'_>) {
///         println!("{:?}: {:?}", request.method, request.outcome);
///     }
///
///     fn on_task_end(&self, task: &TaskEnd<'_>) {
///         if task.outcome != RequestOutcome::Result {
///             println!("{} came to nothing after {:?}", task.tool, task.duration);
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TaskEnd<'a> {
    /// The protocol revision of the call.
    pub revision: Revision,
    /// The task ID.
    pub id: &'a str,
    /// The name of the tool.
    pub tool: &'a str,
    /// The outcome of the task.
    pub outcome: RequestOutcome,
    /// Time since the call started.
    pub duration: Duration,
    /// The transport's facts about the call, and the values from [`on_request`](RequestObserver::on_request).
    pub extensions: &'a Extensions,
}

/// The outcome of a request or a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestOutcome {
    /// A result.
    Result,
    /// The result of a failed tool call.
    ToolError,
    /// The result of a tool call rejected because of a limit.
    Refused,
    /// A JSON-RPC error with this code.
    Error(i64),
    /// A task. Its end is reported to [`on_task_end`](RequestObserver::on_task_end).
    Task,
    /// A cancelled task.
    Cancelled,
}

/// A hook for measuring, logging and tracing requests. It must not block.
///
/// Functions that take a [`RequestEnd`] are observers.
pub trait RequestObserver: Send + Sync {
    /// Returns whether the observer is currently enabled. A request incurs no cost if all observers are disabled.
    fn is_enabled(&self) -> bool {
        true
    }

    /// Handles the start of a request. Its call and [`on_response`](Self::on_response) can read the values inserted
    /// into the extensions here. If the request is cancelled, the values are dropped.
    fn on_request(&self, request: &RequestStart<'_>, extensions: &mut Extensions) {
        let _ = (request, extensions);
    }

    /// Handles the response to a request.
    fn on_response(&self, request: &RequestEnd<'_>);

    /// Handles the end of a task. A server may omit this event once no transport serves it any more.
    fn on_task_end(&self, task: &TaskEnd<'_>) {
        let _ = task;
    }
}

impl<F: Fn(&RequestEnd<'_>) + Send + Sync> RequestObserver for F {
    fn on_response(&self, request: &RequestEnd<'_>) {
        self(request);
    }
}

impl<T: RequestObserver + ?Sized> RequestObserver for Arc<T> {
    fn is_enabled(&self) -> bool {
        (**self).is_enabled()
    }

    fn on_request(&self, request: &RequestStart<'_>, extensions: &mut Extensions) {
        (**self).on_request(request, extensions);
    }

    fn on_response(&self, request: &RequestEnd<'_>) {
        (**self).on_response(request);
    }

    fn on_task_end(&self, task: &TaskEnd<'_>) {
        (**self).on_task_end(task);
    }
}

/// The observers of a server.
#[derive(Clone, Default)]
pub(crate) struct Observers(Vec<Arc<dyn RequestObserver>>);

impl Observers {
    pub(crate) fn add(&mut self, observer: Arc<dyn RequestObserver>) {
        self.0.push(observer);
    }

    pub(crate) fn listen(&self) -> bool {
        self.0.iter().any(RequestObserver::is_enabled)
    }

    /// Returns the extensions of a request that starts, with the values that the observers add.
    pub(crate) fn begun(&self, request: &RequestStart<'_>) -> Extensions {
        let mut extensions = request.extensions.clone();
        for observer in self.0.iter().filter(|it| it.is_enabled()) {
            observer.on_request(request, &mut extensions);
        }
        extensions
    }

    pub(crate) fn on_response(&self, request: &RequestEnd<'_>) {
        for observer in self.0.iter().filter(|it| it.is_enabled()) {
            observer.on_response(request);
        }
    }

    pub(crate) fn on_task_end(&self, task: &TaskEnd<'_>) {
        for observer in self.0.iter().filter(|it| it.is_enabled()) {
            observer.on_task_end(task);
        }
    }
}

/// The observation of one request, from its start to its end.
pub(crate) struct Observation<'a> {
    observers: &'a Observers,
    revision: Revision,
    method: Option<&'a str>,
    names: Names,
    start: Instant,
    /// The context with the values that the observers added, or `None` if they added nothing.
    cx: Option<Box<RequestContext>>,
}

impl<'a> Observation<'a> {
    /// Reports the start of a request to the observers.
    pub(crate) fn start(
        observers: &'a Observers,
        revision: Revision,
        method: Option<&'a str>,
        names: Names,
        params: Option<&Object>,
        cx: &RequestContext,
    ) -> Self {
        let start = Instant::now();
        let extensions = observers.begun(&RequestStart {
            revision,
            method,
            name: names.asked.as_deref(),
            meta: params.and_then(|params| params.get("_meta")?.as_object()),
            extensions: cx.extensions(),
        });
        let has_more = !extensions.is_same(cx.extensions());
        Self {
            observers,
            revision,
            method,
            names,
            start,
            cx: has_more.then(|| Box::new(cx.with_extensions(extensions))),
        }
    }

    /// Returns the context with the values that the observers added, or `None` if they added nothing.
    pub(crate) fn context(&self) -> Option<&RequestContext> {
        self.cx.as_deref()
    }

    /// Reports the end of the request to the observers.
    pub(crate) fn end(self, id: &RequestId, outcome: RequestOutcome, cx: &RequestContext) {
        self.observers.on_response(&RequestEnd {
            revision: self.revision,
            id,
            method: self.method,
            name: self.names.asked.as_deref(),
            client: self.names.client.as_deref(),
            outcome,
            duration: self.start.elapsed(),
            extensions: self.context().unwrap_or(cx).extensions(),
        });
    }
}

/// The names in a request that observers receive, copied before the request is taken apart.
#[derive(Debug)]
pub(crate) struct Names {
    /// The name of the requested tool or prompt.
    pub(crate) asked: Option<String>,
    pub(crate) client: Option<String>,
}

impl Names {
    pub(crate) fn of(method: Option<Method>, params: Option<&Object>, cx: &RequestContext) -> Self {
        let text = |object: &Object, member| {
            let text = object.get(member).and_then(Value::as_str);
            text.map(str::to_owned)
        };
        let field = method.and_then(named_field);
        let info = if method == Some(Method::Initialize) {
            params.and_then(|it| it.get("clientInfo"))
        } else {
            params.and_then(|it| it.get("_meta")?.get(CLIENT_INFO))
        };
        let info = info.and_then(Value::as_object);
        let of_session = || Some(cx.session()?.client_name()?.to_owned());
        Self {
            asked: params.zip(field).and_then(|(it, field)| text(it, field)),
            client: info.and_then(|it| text(it, "name")).or_else(of_session),
        }
    }
}

/// Returns the field of the params that names the tool or prompt, for requests of this method.
fn named_field(method: Method) -> Option<&'static str> {
    match method {
        Method::ToolsCall | Method::LegacyToolsCall | Method::PromptsGet => method.target_field(),
        Method::Initialize
        | Method::Discover
        | Method::Ping
        | Method::ToolsList
        | Method::PromptsList
        | Method::ResourcesList
        | Method::ResourcesTemplatesList
        | Method::ResourcesRead
        | Method::ResourcesDirectoryRead
        | Method::ResourcesSubscribe
        | Method::ResourcesUnsubscribe
        | Method::CompletionComplete
        | Method::LoggingSetLevel
        | Method::SubscriptionsListen
        | Method::SkillsList
        | Method::SkillsGet
        | Method::TasksGet
        | Method::TasksUpdate
        | Method::TasksCancel
        | Method::TasksResult
        | Method::TasksList
        | Method::LegacyInitialized
        | Method::LegacyToolsList => None,
    }
}
