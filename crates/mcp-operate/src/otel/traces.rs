//! A span for each request, in its caller's trace.

use std::error::Error;

use mcp_http::Parts;
use mcp_protocol::{Object, RequestId};
use mcp_server::{
    Extensions, PeerIp, RequestEnd, RequestOutcome, RequestStart, TaskEnd, TraceParent,
};
use opentelemetry::{
    Context, KeyValue,
    trace::{
        Link, Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags,
        TraceId, TraceState, Tracer as _, TracerProvider as _,
    },
};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider, Span},
};
use parking_lot::Mutex;
use serde_json::Value;

use super::{
    attributes::{OTHER, OtelServiceInfo, attributes, failure},
    collector::Collector,
};

/// `_meta` and the header have these names (2026-07-28 `basic/index`, "_meta"; W3C Trace Context).
const TRACE_PARENT: &str = "traceparent";
const TRACE_STATE: &str = "tracestate";
/// A longer one may be dropped (W3C Trace Context, "tracestate Limits").
const TRACE_STATE_BYTES: usize = 512;

/// The traces of a process.
#[derive(Debug)]
pub(super) struct Traces {
    pub(super) provider: SdkTracerProvider,
    tracer: SdkTracer,
}

/// The span of a request in progress, or of its task. One that is dropped ends there: its request was cancelled.
struct OpenSpan(Mutex<Option<Span>>);

impl Traces {
    pub(super) fn start(
        program: &OtelServiceInfo,
        resource: Resource,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Collector::new()?)
            .build()?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        Ok(Self {
            tracer: provider.tracer(program.name),
            provider,
        })
    }

    /// Begins the span of a request; what is added is the place of that in the trace, and the span itself.
    pub(super) fn begun(
        &self,
        program: &OtelServiceInfo,
        request: &RequestStart<'_>,
        extensions: &mut Extensions,
    ) {
        let parts: Option<&Parts> = request.extensions.get();
        let header = |name: &str| parts?.headers.get(name)?.to_str().ok();
        let of_meta = |name: &str| request.meta.and_then(|it| text(it, name));
        let of_message = remote(of_meta(TRACE_PARENT), of_meta(TRACE_STATE));
        let of_carrier = remote(header(TRACE_PARENT), header(TRACE_STATE));
        // What MCP says of the request is its parent, and the HTTP request that carried it is linked.
        let (parent, linked) = match of_message {
            Some(_) => (of_message, of_carrier),
            None => (of_carrier, None),
        };
        let method = request.method.unwrap_or(OTHER);
        let name = match request.name {
            Some(name) => format!("{method} {}", program.known(request.method, name)),
            None => method.to_owned(),
        };
        let mut attributes = attributes(
            program,
            request.method,
            request.name,
            request.revision,
            request.extensions,
        );
        if let Some(peer) = request.extensions.get::<PeerIp>() {
            let address = peer.ip().to_string();
            attributes.push(KeyValue::new("client.address", address));
        }
        let span = self
            .tracer
            .span_builder(name)
            .with_kind(SpanKind::Server)
            .with_links(linked.into_iter().map(Link::with_context).collect())
            .with_attributes(attributes);
        let context = parent.map_or_else(Context::new, |it| {
            Context::new().with_remote_span_context(it)
        });
        let span = self.tracer.build_with_context(span, &context);
        if let Some(place) = place(span.span_context()) {
            extensions.insert(place);
        }
        extensions.insert(OpenSpan(Mutex::new(Some(span))));
    }

    /// Ends the span of a request, unless it became a task.
    pub(super) fn answered(&self, request: &RequestEnd<'_>) {
        let Some(OpenSpan(open)) = request.extensions.get() else {
            return;
        };
        let mut open = open.lock();
        if let Some(span) = &mut *open {
            let id = match request.id {
                RequestId::Integer(number) => number.to_string(),
                RequestId::String(text) => text.chars().take(128).collect(),
            };
            span.set_attribute(KeyValue::new("jsonrpc.request.id", id));
        }
        if request.outcome != RequestOutcome::Task {
            end(open.take(), request.outcome);
        }
    }

    /// Ends the span of a request that became a task.
    pub(super) fn on_task_end(&self, task: &TaskEnd<'_>) {
        if let Some(OpenSpan(open)) = task.extensions.get() {
            end(open.lock().take(), task.outcome);
        }
    }
}

fn end(span: Option<Span>, outcome: RequestOutcome) {
    let Some(mut span) = span else { return };
    let failure = failure(outcome);
    if !failure.is_empty() {
        span.set_attributes(failure);
        span.set_status(Status::error(""));
    }
    span.end();
}

fn text<'a>(object: &'a Object, member: &str) -> Option<&'a str> {
    object.get(member).and_then(Value::as_str)
}

/// The span of the caller.
fn remote(parent: Option<&str>, state: Option<&str>) -> Option<SpanContext> {
    let parent = TraceParent::parse(parent?)?;
    let state = state.filter(|it| it.len() <= TRACE_STATE_BYTES);
    let state = state.and_then(|it| it.parse::<TraceState>().ok());
    let flags = if parent.is_sampled() {
        TraceFlags::SAMPLED
    } else {
        TraceFlags::NOT_SAMPLED
    };
    Some(SpanContext::new(
        TraceId::from_bytes(parent.trace_id().to_be_bytes()),
        SpanId::from_bytes(parent.span_id().to_be_bytes()),
        flags,
        true,
        state.unwrap_or_default(),
    ))
}

/// What the node is told.
fn place(span: &SpanContext) -> Option<TraceParent> {
    let trace = u128::from_be_bytes(span.trace_id().to_bytes());
    let id = u64::from_be_bytes(span.span_id().to_bytes());
    TraceParent::from_ids(trace, id, span.is_sampled())
}
