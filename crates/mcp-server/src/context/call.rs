//! The context of a call: its caller, progress, log messages, and requests to the client.

mod asking;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use mcp_protocol::{
    Capability, LogLevel, Object, RequestId, Revision, jsonrpc, lifecycle::CLIENT_CAPABILITIES,
    ui::ViewSupport,
};
use parking_lot::Mutex;
use serde_json::{Number, Value};

use crate::{
    context::{
        AskError, AuthInfo, CallerKey, Extensions, ListVariant, RequestContext,
        multi_round_trip::MultiRoundTrip,
    },
    session::ChannelEvent,
    tasks::{RunningTask, TaskSwitch},
};

/// The context of a call: its caller, progress, log messages, and requests to the client.
///
/// A context belongs to one request. It cannot send anything once the call has returned. An unused context costs
/// nothing.
#[derive(Debug, Default)]
pub struct CallContext {
    request: RequestContext,
    revision: Option<Revision>,
    meta: Option<Object>,
    client_deadline: Duration,
    is_asking: AtomicBool,
    /// The number of calls that this call counts as, minus one.
    more_calls: AtomicU32,
    /// The state of the round trip. Created on first use: most calls take one round trip and send nothing.
    round_trip: Mutex<Option<Box<MultiRoundTrip>>>,
    /// The switch of a call that may become a task.
    promotion: Option<Arc<TaskSwitch>>,
}

/// Creates the context of a call that is not part of a client's message, such as a test of a set.
impl From<RequestContext> for CallContext {
    fn from(request: RequestContext) -> Self {
        Self {
            request,
            ..Self::default()
        }
    }
}

impl CallContext {
    /// Creates the context of one call of a request.
    pub(crate) fn new(
        request: RequestContext,
        revision: Revision,
        meta: Option<Object>,
        round_trip: Option<Box<MultiRoundTrip>>,
        client_deadline: Duration,
    ) -> Self {
        Self {
            request,
            revision: Some(revision),
            meta,
            client_deadline,
            round_trip: Mutex::new(round_trip),
            ..Self::default()
        }
    }

    /// Returns the context of the request.
    #[must_use]
    pub fn request_context(&self) -> &RequestContext {
        &self.request
    }

    /// Returns the transport's facts about the request: over HTTP, its head and the permissions of its token.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        self.request.extensions()
    }

    /// Returns the permissions and the subject of the request, or `None` if no authorization is required.
    #[must_use]
    pub fn auth(&self) -> Option<&AuthInfo> {
        self.request.auth()
    }

    /// Returns the owner of the call's server requests and request state: a user or a client.
    ///
    /// ```
    /// use mcp_server::{CallContext, tool_schema::NoParams};
    ///
    /// async fn my_orders(_: NoParams, cx: &CallContext) -> Result<String, &'static str> {
    ///     let user = cx.subject().ok_or("Sign in first.")?;
    ///     Ok(format!("{user} has no orders."))
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, my_orders);
    /// ```
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.request.subject()
    }

    /// Returns the identity of the client for rate and concurrency limits.
    #[must_use]
    pub fn caller_key(&self) -> CallerKey {
        self.request.caller_key()
    }

    /// Returns the list variant of the request. It is the default one if the server has no list variants.
    #[must_use]
    pub fn list_variant(&self) -> &ListVariant {
        self.request.list_variant()
    }

    /// Requires the caller to have been granted all of these scopes.
    ///
    /// # Errors
    /// Returns an error with the missing scopes. The response to the request is then that error, whatever the call
    /// returns. Over HTTP, the response has status 403 and a challenge. With it, the client can request a token with
    /// all scopes in `required`.
    ///
    /// ```
    /// use mcp_server::{AskError, CallContext, tool_schema::NoParams};
    ///
    /// async fn delete_all(_: NoParams, cx: &CallContext) -> Result<&'static str, AskError> {
    ///     cx.require_scopes(&["orders:delete".to_owned()])?;
    ///     Ok("Deleted.")
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, delete_all);
    /// ```
    pub fn require_scopes(&self, required: &[String]) -> Result<(), AskError> {
        if AuthInfo::lacks(self.auth(), required).next().is_none() {
            return Ok(());
        }
        let mut round_trip = self.round_trip.lock();
        round_trip.get_or_insert_default().required_scopes = required.to_vec();
        Err(AskError::InsufficientScope(required.to_vec()))
    }

    /// Returns the `_meta` field of the request.
    #[must_use]
    pub fn meta(&self) -> Option<&Object> {
        self.meta.as_ref()
    }

    /// Sets the weight of this call in the rate limits, as a number of calls. Use it for calls that take much more
    /// processor time than others.
    ///
    /// The called set must use this method before its future is first polled. If the client's rate limit is lower than
    /// the weight, the call consumes the entire rate.
    pub fn set_rate_weight(&self, calls: u32) {
        let more = calls.saturating_sub(1);
        self.more_calls.store(more, Ordering::Relaxed);
    }

    /// Returns the weight of this call in the rate limits, as a number of calls.
    #[must_use]
    pub fn rate_weight(&self) -> u32 {
        self.more_calls.load(Ordering::Relaxed).saturating_add(1)
    }

    /// Returns whether progress is reported: the client has requested progress notifications, or the call can become a
    /// task.
    #[must_use]
    pub fn wants_progress(&self) -> bool {
        self.promotion.is_some()
            || self.request.channel().is_some() && self.progress_token().is_some()
    }

    /// Notifies the client of progress, in any unit. Progress is sent only if it exceeds the last value
    /// (`basic/utilities/progress`) and the client reads fast enough.
    ///
    /// ```
    /// use mcp_server::{CallContext, tool_schema::NoParams};
    ///
    /// async fn import(_: NoParams, cx: &CallContext) -> String {
    ///     for file in 1..=12 {
    ///         cx.progress(f64::from(file), Some(12.0), Some("reading files"));
    ///     }
    ///     "12 files".to_owned()
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, import);
    /// ```
    #[doc(alias = "notifications/progress")]
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(promotion) = &self.promotion {
            if let Some(message) = message {
                promotion.say(message);
            }
            // Where tasks are an extension they have no such notifications.
            if self.asks_by_result() && promotion.task().is_some() {
                return;
            }
        }
        let (Some(channel), Some(token)) = (self.request.channel(), self.progress_token()) else {
            return;
        };
        let Some(number) = Number::from_f64(progress) else {
            return;
        };
        let mut round_trip = self.round_trip.lock();
        let last = &mut round_trip.get_or_insert_default().progress;
        if last.is_some_and(|last| progress <= last) {
            return;
        }
        if !channel.has_room() {
            return;
        }
        *last = Some(progress);
        let mut params = Object::new();
        params.insert("progressToken".to_owned(), token.to_value());
        params.insert("progress".to_owned(), plain(number));
        if let Some(total) = total.and_then(Number::from_f64) {
            params.insert("total".to_owned(), plain(total));
        }
        if let Some(message) = message
            && self
                .revision
                .is_some_and(|it| it.features().progress_message)
        {
            params.insert("message".to_owned(), message.into());
        }
        channel.try_notify(jsonrpc::notification("notifications/progress", params));
    }

    /// Sends a log message to a client of the handshake lifecycle, if the client has set this level or a lower one.
    /// Other clients receive no log messages.
    ///
    /// ```
    /// use mcp_protocol::LogLevel;
    /// use mcp_server::{CallContext, tool_schema::NoParams};
    ///
    /// async fn refresh(_: NoParams, cx: &CallContext) -> &'static str {
    ///     cx.log(LogLevel::Warning, Some("cache"), "It was older than a day.");
    ///     "refreshed"
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, refresh);
    /// ```
    #[doc(alias = "notifications/message")]
    #[doc(alias = "logging/setLevel")]
    pub fn log(&self, level: LogLevel, logger: Option<&str>, data: impl Into<Value>) {
        let Some(channel) = self.request.channel() else {
            return;
        };
        if self.asks_by_result() || !channel.session().is_some_and(|it| it.wants_log(level)) {
            return;
        }
        let mut params = Object::new();
        params.insert("level".to_owned(), level.name().into());
        if let Some(logger) = logger {
            params.insert("logger".to_owned(), logger.into());
        }
        params.insert("data".to_owned(), data.into());
        channel.try_notify(jsonrpc::notification("notifications/message", params));
    }

    /// Returns whether the client has declared this capability and can be reached.
    #[must_use]
    pub fn supports(&self, capability: Capability) -> bool {
        if self.asks_by_result() {
            let meta = self.meta.as_ref();
            let declared = meta.and_then(|it| it.get(CLIENT_CAPABILITIES)?.as_object());
            return declared
                .zip(self.revision)
                .is_some_and(|(it, revision)| capability.is_declared_in(it, revision.features()));
        }
        self.request
            .session()
            .is_some_and(|session| session.supports(capability))
    }

    /// Returns whether the client shows views. After a handshake, this is only known in a session.
    #[doc(alias = "io.modelcontextprotocol/ui")]
    #[must_use]
    pub fn view_support(&self) -> ViewSupport {
        let revision = self.revision;
        revision.map_or(ViewSupport::Unknown, |it| {
            self.request.view_support(it, self.meta.as_ref())
        })
    }

    /// Turns the call into a task, if the client can fetch results later and the tool supports tasks
    /// ([`mcp_protocol::Tool::with_task_support`]). Returns whether the call is now a task. Earlier server requests are
    /// part of the call's first result. Later ones are sent while the task waits.
    ///
    /// This method is optional: a call that takes longer than [`crate::ServerLimits::task_after`] becomes a task
    /// automatically.
    ///
    /// ```
    /// use mcp_server::{CallContext, tool_schema::NoParams};
    ///
    /// async fn index(_: NoParams, cx: &CallContext) -> &'static str {
    ///     if cx.become_task().await {
    ///         // Its client fetches the result later, and may cancel meanwhile.
    ///     }
    ///     "indexed"
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, index);
    /// ```
    #[doc(alias = "io.modelcontextprotocol/tasks")]
    pub async fn become_task(&self) -> bool {
        match &self.promotion {
            Some(promotion) => promotion.become_task().await,
            None => false,
        }
    }

    /// Closes the stream of a long call. The client resumes it after this time. Does nothing where streams cannot be
    /// resumed (2025-11-25 `basic/transports`, "Sending Messages").
    pub async fn release_stream(&self, after: Duration) {
        if let Some(channel) = self.request.channel()
            && channel.can_release()
            && self.revision.is_some_and(|it| it.features().stream_polling)
        {
            channel.send(ChannelEvent::ReleaseStream(after)).await;
        }
    }

    pub(crate) fn is_asking(&self) -> bool {
        self.is_asking.load(Ordering::Relaxed)
    }

    /// Returns the state of the round trips, if the call used any.
    pub(crate) fn take_round_trip(&self) -> Option<Box<MultiRoundTrip>> {
        self.round_trip.lock().take()
    }

    /// Returns whether the call needs input from the client before it can complete.
    pub(crate) fn has_asked(&self) -> bool {
        let round_trip = self.round_trip.lock();
        round_trip
            .as_ref()
            .is_some_and(|it| !it.requests.is_empty())
    }

    /// Returns the same call with a switch that can turn it into a task.
    pub(crate) fn with_promotion(mut self, promotion: Arc<TaskSwitch>) -> Self {
        self.promotion = Some(promotion);
        self
    }

    /// Returns the task that the call has become.
    fn task(&self) -> Option<Arc<RunningTask>> {
        self.promotion.as_ref()?.task()
    }

    fn asks_by_result(&self) -> bool {
        self.revision.is_some_and(|it| !it.has_handshake())
    }

    /// Returns the progress token, which has the type of a request ID (`ProgressToken` of all revisions).
    fn progress_token(&self) -> Option<RequestId> {
        RequestId::read(self.meta.as_ref()?.get("progressToken")?)
    }
}

/// Converts 50.0 to 50: some peers parse progress as an integer. Floats from 2⁵³ on are integers, too.
fn plain(number: Number) -> Value {
    /// 2⁶³, the smallest number that does not fit.
    const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;
    match number.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and fits")]
        Some(value) if value.fract() == 0.0 && value.abs() < TOO_LARGE => Value::from(value as i64),
        Some(_) | None => Value::Number(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_written_as_integers_as_long_as_they_fit() {
        for (number, expect) in [
            (50.0, "50"),
            (0.5, "0.5"),
            (-0.0, "0"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (9_223_372_036_854_774_784.0, "9223372036854774784"),
            (-9_223_372_036_854_774_784.0, "-9223372036854774784"),
            (9_223_372_036_854_775_808.0, "9.223372036854776e+18"),
            (-9_223_372_036_854_775_808.0, "-9.223372036854776e+18"),
        ] {
            let written = plain(Number::from_f64(number).unwrap()).to_string();
            assert_eq!(written, expect, "{number}");
        }
    }
}
