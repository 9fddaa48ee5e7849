//! Traces and durations of requests by OpenTelemetry, sent to a collector as OTLP over HTTP.
//!
//! Configured by the standard `OTEL_*` variables alone: nothing is sent unless an endpoint is named. Spans and metrics have the names
//! and attributes of OpenTelemetry's conventions for MCP servers; arguments and answers are never part of them.

mod collector;
mod durations;

use std::{
    error::Error,
    sync::{Mutex, PoisonError},
};

use mcp_http::Parts;
use mcp_protocol::{Object, RequestId, Revision};
use mcp_server::{
    AnsweredRequest, BegunRequest, Extensions, PeerAddress, RequestOutcome, TraceParent,
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
    error::OTelSdkResult,
    trace::{SdkTracer, SdkTracerProvider, Span},
};
use qortal_tools::Catalog;
use serde_json::Value;
use tokio::task::JoinError;

use crate::env;
use collector::Collector;
pub(crate) use durations::Durations;

/// What this program is called unless `OTEL_SERVICE_NAME` says otherwise.
const NAME: &str = env!("CARGO_PKG_NAME");
/// Where the collector of everything is.
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// `_meta` and the header have these names (2026-07-28 `basic/index`, "_meta"; W3C Trace Context).
const TRACE_PARENT: &str = "traceparent";
const TRACE_STATE: &str = "tracestate";
/// A longer one may be dropped (W3C Trace Context, "tracestate Limits").
const TRACE_STATE_BYTES: usize = 512;
/// What a client named and no table has (OpenTelemetry, "Standard attributes").
const OTHER: &str = "_OTHER";

/// What is sent to a collector.
#[derive(Debug, Clone, Copy)]
enum Signal {
    Traces,
    Metrics,
}

/// The traces of a process.
#[derive(Debug)]
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    transport: &'static str,
}

/// The span of a request in progress. One that is dropped ends there: its request was cancelled.
struct OpenSpan(Mutex<Option<Span>>);

impl Signal {
    /// Whether a collector is named for it, and it is not switched off (OpenTelemetry, "Environment Variable Specification").
    fn is_exported(self) -> bool {
        let (endpoint, exporter) = match self {
            Self::Traces => ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER"),
            Self::Metrics => (
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
                "OTEL_METRICS_EXPORTER",
            ),
        };
        let is = |name: &str, value: &str| {
            env::read(name).is_some_and(|it| it.eq_ignore_ascii_case(value))
        };
        let has_endpoint = [endpoint, ENDPOINT]
            .iter()
            .any(|it| env::read(it).is_some());
        has_endpoint && !is("OTEL_SDK_DISABLED", "true") && !is(exporter, "none")
    }
}

impl Traces {
    /// Begins to trace requests that come over this transport, `tcp` or `pipe`, if a collector is configured.
    ///
    /// # Errors
    /// Fails if the configuration of the exporter is invalid.
    pub(crate) fn start(
        transport: &'static str,
    ) -> Result<Option<Self>, Box<dyn Error + Send + Sync>> {
        if !Signal::Traces.is_exported() {
            return Ok(None);
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Collector::new()?)
            .build()?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource())
            .build();
        Ok(Some(Self {
            tracer: provider.tracer(NAME),
            provider,
            transport,
        }))
    }

    /// Begins the span of a request; what it returns is the place of that in the trace, and the span itself.
    pub(crate) fn begun(&self, request: &BegunRequest<'_>) -> Extensions {
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
            Some(name) => format!("{method} {}", known(request.method, name)),
            None => method.to_owned(),
        };
        let mut attributes = attributes(
            request.method,
            request.name,
            request.revision,
            self.transport,
            request.extensions,
        );
        if let Some(peer) = request.extensions.get::<PeerAddress>() {
            let address = peer.address().to_string();
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
        let mut added = Extensions::new();
        if let Some(place) = place(span.span_context()) {
            added.insert(place);
        }
        added.insert(OpenSpan(Mutex::new(Some(span))));
        added
    }

    /// Ends the span of a request.
    pub(crate) fn answered(&self, request: &AnsweredRequest<'_>) {
        let Some(OpenSpan(open)) = request.extensions.get() else {
            return;
        };
        let span = open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut span) = span else { return };
        let id = match request.id {
            RequestId::Integer(number) => number.to_string(),
            RequestId::String(text) => text.chars().take(128).collect(),
        };
        span.set_attribute(KeyValue::new("jsonrpc.request.id", id));
        let failure = failure(request.outcome);
        if !failure.is_empty() {
            span.set_attributes(failure);
            span.set_status(Status::error(""));
        }
        span.end();
    }

    /// Sends what is left to the collector, and waits for that.
    pub(crate) async fn stop(&self) {
        let provider = self.provider.clone();
        report(
            "traces",
            tokio::task::spawn_blocking(move || provider.shutdown()).await,
        );
    }
}

/// Which program this is.
fn resource() -> Resource {
    let name = env::read("OTEL_SERVICE_NAME").unwrap_or_else(|| NAME.to_owned());
    Resource::builder()
        .with_service_name(name)
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}

/// What the conventions have spans and metrics say of a request.
fn attributes(
    method: Option<&str>,
    name: Option<&str>,
    revision: Revision,
    transport: &'static str,
    extensions: &Extensions,
) -> Vec<KeyValue> {
    let mut attributes = vec![
        KeyValue::new("mcp.method.name", method.unwrap_or(OTHER).to_owned()),
        KeyValue::new("mcp.protocol.version", revision.name()),
        KeyValue::new("network.transport", transport),
    ];
    match (method, name.map(|it| known(method, it))) {
        (Some("prompts/get"), Some(prompt)) => {
            attributes.push(KeyValue::new("gen_ai.prompt.name", prompt));
        }
        (_, Some(tool)) => attributes.extend([
            KeyValue::new("gen_ai.tool.name", tool),
            KeyValue::new("gen_ai.operation.name", "execute_tool"),
        ]),
        (_, None) => (),
    }
    if extensions.get::<Parts>().is_some() {
        attributes.push(KeyValue::new("network.protocol.name", "http"));
    }
    attributes
}

/// What they say of one that failed; nothing of others.
fn failure(outcome: RequestOutcome) -> Vec<KeyValue> {
    match outcome {
        RequestOutcome::Result => Vec::new(),
        RequestOutcome::ToolError => vec![KeyValue::new("error.type", "tool_error")],
        RequestOutcome::Refused => vec![KeyValue::new("error.type", "refused")],
        RequestOutcome::Error(code) => {
            let code = code.to_string();
            vec![
                KeyValue::new("rpc.response.status_code", code.clone()),
                KeyValue::new("error.type", code),
            ]
        }
        _ => vec![KeyValue::new("error.type", OTHER)],
    }
}

/// Says it if the last of a process did not reach the collector.
fn report(what: &'static str, stopped: Result<OTelSdkResult, JoinError>) {
    match stopped {
        Ok(Ok(())) => (),
        Ok(Err(err)) => tracing::warn!(%err, "the last {what} were not sent"),
        Err(err) => tracing::error!(%err, "sending the last {what} panicked"),
    }
}

/// The name of a tool or prompt, if it is ours: no client invents names.
fn known(method: Option<&str>, name: &str) -> &'static str {
    let found = match method {
        Some("prompts/get") => None,
        _ => Catalog::entries().map(|it| it.name).find(|it| *it == name),
    };
    found.unwrap_or(OTHER)
}

fn text<'a>(object: &'a Object, member: &str) -> Option<&'a str> {
    object.get(member).and_then(Value::as_str)
}

/// The span of the caller.
fn remote(parent: Option<&str>, state: Option<&str>) -> Option<SpanContext> {
    let parent = TraceParent::parse(parent?)?;
    let state = state.filter(|it| it.len() <= TRACE_STATE_BYTES);
    let state = state.and_then(|it| it.parse::<TraceState>().ok());
    let flags = match parent.is_sampled() {
        true => TraceFlags::SAMPLED,
        false => TraceFlags::NOT_SAMPLED,
    };
    Some(SpanContext::new(
        TraceId::from_bytes(parent.trace().to_be_bytes()),
        SpanId::from_bytes(parent.span().to_be_bytes()),
        flags,
        true,
        state.unwrap_or_default(),
    ))
}

/// What the node is told.
fn place(span: &SpanContext) -> Option<TraceParent> {
    let trace = u128::from_be_bytes(span.trace_id().to_bytes());
    let id = u64::from_be_bytes(span.span_id().to_bytes());
    TraceParent::new(trace, id, span.is_sampled())
}
