//! What a program is told of each request, to measure, log and trace them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use mcp_protocol::{Method, Object, RequestId, Revision};
use serde_json::Value;

use crate::context::{Extensions, RequestContext};

/// Where a message of a revision without a handshake names its client (2026-07-28 `basic/index`, "_meta").
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

/// A request that begins.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RequestStart<'a> {
    /// The revision it is answered in.
    pub revision: Revision,
    /// Its method, as this server knows it; `None` for an unknown one, so that no client invents names here.
    pub method: Option<&'a str>,
    /// The name of the tool or prompt that it asks for, as the client wrote it.
    pub name: Option<&'a str>,
    /// Its `_meta`, as the client wrote it.
    pub meta: Option<&'a Object>,
    /// Facts of the transport about the request.
    pub extensions: &'a Extensions,
}

/// A request that was answered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RequestEnd<'a> {
    /// The revision it was answered in.
    pub revision: Revision,
    /// Its id, as the client wrote it.
    pub id: &'a RequestId,
    /// Its method, as this server knows it; `None` for an unknown one, so that no client invents names here.
    pub method: Option<&'a str>,
    /// The name of the tool or prompt that it asked for, as the client wrote it.
    pub name: Option<&'a str>,
    /// The name of its client, as the client wrote it: in `_meta`, in the request that opens a session, or when that was
    /// opened.
    pub client: Option<&'a str>,
    /// What came of it.
    pub outcome: RequestOutcome,
    /// How long it took, without reading and writing.
    pub duration: Duration,
    /// Facts of the transport about the request, and those that [`on_request`](RequestObserver::on_request) added.
    pub extensions: &'a Extensions,
}

/// The call of a tool that was answered with a task, which has now ended.
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
    /// The revision of the call.
    pub revision: Revision,
    /// Its id.
    pub id: &'a str,
    /// The name of the tool.
    pub tool: &'a str,
    /// What came of it.
    pub outcome: RequestOutcome,
    /// How long it took since the call began.
    pub duration: Duration,
    /// Facts of the transport about the call, and those that [`on_request`](RequestObserver::on_request) added.
    pub extensions: &'a Extensions,
}

/// What came of a request, or of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestOutcome {
    /// A result.
    Result,
    /// The result of a tool that failed.
    ToolError,
    /// The result of a tool that was not called, because of a limit.
    Refused,
    /// A JSON-RPC error with this code.
    Error(i64),
    /// A task, whose end [`on_task_end`](RequestObserver::on_task_end) receives.
    Task,
    /// A task that was cancelled.
    Cancelled,
}

/// A hook that receives each request, to measure, log or trace it. It must not block.
///
/// A function of an [`RequestEnd`] is one.
pub trait RequestObserver: Send + Sync {
    /// Whether the observer receives requests now. A request that no observer receives costs nothing.
    fn is_enabled(&self) -> bool {
        true
    }

    /// Handles the start of a request. Its call and [`on_response`](Self::on_response) find the values that this inserts into its
    /// extensions. A cancelled request drops them.
    fn on_request(&self, request: &RequestStart<'_>, extensions: &mut Extensions) {
        let _ = (request, extensions);
    }

    /// Handles the response to a request.
    fn on_response(&self, request: &RequestEnd<'_>);

    /// Handles the end of a task. A server that no transport serves any more need not report it.
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

    /// What is known of a request that begins, with what they add.
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
    /// The context with what the observers have added; `None` if they have added nothing.
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

    /// Returns the context with what the observers have added, if they have added anything.
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

/// The names in a request that an observer is told, copied before the request is taken apart.
#[derive(Debug)]
pub(crate) struct Names {
    /// Of the tool or prompt that it asks for.
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

/// Returns the params field with the name of the tool or prompt that requests of a method are for.
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
