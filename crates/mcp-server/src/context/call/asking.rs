//! Requests of a call to its client, and the state that it keeps until the answers arrive.

use std::sync::atomic::Ordering;

use mcp_protocol::{Capability, Object, ServerRequest};
use serde_json::Value;

use crate::context::{AskError, CallContext};

impl CallContext {
    /// Requires the client to have declared all of these capabilities.
    ///
    /// # Errors
    /// Returns an error for the first undeclared capability. In revisions with the error -32021, the response to the
    /// request is then this error, whatever the call returns (2026-07-28 `basic/index`, "Error Codes").
    ///
    /// ```
    /// use mcp_protocol::Capability;
    /// use mcp_server::{AskError, CallContext, tool_schema::NoParams};
    ///
    /// async fn summarize(_: NoParams, cx: &CallContext) -> Result<&'static str, AskError> {
    ///     cx.require_capabilities(&[Capability::Sampling])?;
    ///     Ok("…")
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, summarize);
    /// ```
    pub fn require_capabilities(&self, capabilities: &[Capability]) -> Result<(), AskError> {
        let mut missing = capabilities.iter().filter(|it| !self.supports(**it));
        let Some(first) = missing.next() else {
            return Ok(());
        };
        let mut round_trip = self.round_trip.lock();
        let noted = &mut round_trip.get_or_insert_default().missing;
        noted.push(*first);
        noted.extend(missing);
        Err(AskError::NotDeclared(*first))
    }

    /// Sends a request to the client and waits for its answer. The answer has all required fields.
    ///
    /// `key` identifies the request within this call. After a handshake, it is sent as a JSON-RPC request. Otherwise,
    /// it becomes part of the result: the call returns immediately with [`AskError::Pending`]. It runs again, with this
    /// answer and the earlier ones, when the client repeats its request.
    ///
    /// # Errors
    /// Returns an [`AskError`] if there is no answer.
    ///
    /// ```
    /// use mcp_protocol::ServerRequest;
    /// use mcp_server::{AskError, CallContext, tool_schema::NoParams};
    /// use serde_json::json;
    ///
    /// async fn book(_: NoParams, cx: &CallContext) -> Result<String, AskError> {
    ///     let schema = json!({
    ///         "type": "object",
    ///         "properties": {"seat": {"type": "string", "enum": ["aisle", "window"]}},
    ///         "required": ["seat"],
    ///     });
    ///     let answer = cx.ask("seat", ServerRequest::elicit("Which seat?", schema)).await?;
    ///     match answer["action"].as_str() {
    ///         Some("accept") => Ok(format!("Booked: {}.", answer["content"]["seat"])),
    ///         _ => Ok("Nothing is booked.".to_owned()),
    ///     }
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, book);
    /// ```
    pub async fn ask(&self, key: &str, request: ServerRequest) -> Result<Object, AskError> {
        let mut answers = self.ask_all(vec![(key.to_owned(), request)]).await?;
        answers.pop().ok_or(AskError::Malformed)
    }

    /// Sends several requests, concurrently where possible. The answers are in the order of the requests.
    ///
    /// # Errors
    /// Returns the error of [`CallContext::ask`] for the first request without an answer.
    pub async fn ask_all(
        &self,
        requests: Vec<(String, ServerRequest)>,
    ) -> Result<Vec<Object>, AskError> {
        for (_, request) in &requests {
            if !self.supports(request.capability()) {
                return Err(AskError::NotDeclared(request.capability()));
            }
        }
        if let Some(task) = self.task() {
            return task.ask(requests, self.client_deadline).await;
        }
        if self.asks_by_result() {
            let mut round_trip = self.round_trip.lock();
            return round_trip.get_or_insert_default().answers_to(requests);
        }
        let channel = self.request.channel().ok_or(AskError::Unreachable)?;
        let session = channel.session().ok_or(AskError::Unreachable)?;
        let mut answers = Vec::with_capacity(requests.len());
        for (_, request) in &requests {
            self.is_asking.store(true, Ordering::Relaxed);
            let answer = session
                .ask(channel, request, None, self.client_deadline)
                .await;
            self.is_asking.store(false, Ordering::Relaxed);
            answers.push(answer?);
        }
        Ok(answers)
    }

    /// Requires the user to open a URL before this call can complete, and returns the error for the call to return.
    ///
    /// After a handshake, the response to the request is -32042, and the client repeats the request when its user has
    /// finished. Otherwise, the URL becomes part of the result, as with [`CallContext::ask`]. The call runs again when
    /// the user has agreed to open the URL, and requires it again unless the user has finished.
    ///
    /// Returns [`AskError::Malformed`] for a request of another kind.
    ///
    /// ```
    /// use mcp_protocol::ServerRequest;
    /// use mcp_server::{AskError, CallContext, tool_schema::NoParams};
    ///
    /// async fn pay(_: NoParams, cx: &CallContext) -> Result<&'static str, AskError> {
    ///     # let is_paid = false;
    ///     if is_paid {
    ///         return Ok("Paid.");
    ///     }
    ///     let page = ServerRequest::elicit_url("Pay here.", "https://pay.example/7", "payment-7");
    ///     Err(cx.url_elicitation_required("pay", page.ok_or(AskError::Malformed)?))
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, pay);
    /// ```
    #[must_use]
    pub fn url_elicitation_required(&self, key: &str, request: ServerRequest) -> AskError {
        if !matches!(request, ServerRequest::ElicitUrl { .. }) {
            return AskError::Malformed;
        }
        if !self.supports(request.capability()) {
            return AskError::NotDeclared(request.capability());
        }
        if self.asks_by_result() && self.task().is_some() {
            return AskError::Unreachable;
        }
        let mut round_trip = self.round_trip.lock();
        let round_trip = round_trip.get_or_insert_default();
        if self.asks_by_result() {
            round_trip.requests.push((key.to_owned(), request));
            return AskError::Pending;
        }
        if let Some(session) = self.request.channel().and_then(|channel| channel.session()) {
            session.opens_url(&request);
        }
        round_trip.required_urls.push(request);
        AskError::Pending
    }

    /// Returns the value stored by [`CallContext::set_request_state`] before the server request. Returns `None` on the
    /// first run, and where the server request was sent as a JSON-RPC request.
    #[must_use]
    pub fn request_state(&self) -> Option<Value> {
        self.round_trip.lock().as_ref()?.state.clone()
    }

    /// Stores a value for the next run of the call, after the next server request. The client carries the value, and
    /// can read but not change it. The value is not needed where the server request is sent as a JSON-RPC request,
    /// because the call then waits.
    ///
    /// ```
    /// use mcp_protocol::ServerRequest;
    /// use mcp_server::{AskError, CallContext, tool_schema::NoParams};
    /// use serde_json::{Value, json};
    ///
    /// async fn offer(_: NoParams, cx: &CallContext) -> Result<String, AskError> {
    ///     // The price that the user is asked about is the one that counts afterwards.
    ///     let price = cx.request_state().unwrap_or_else(|| json!(42));
    ///     cx.set_request_state(price.clone());
    ///     let question = format!("Buy for {price}?");
    ///     let answer = cx.ask("buy", ServerRequest::elicit(question, json!({"properties": {}}))).await?;
    ///     Ok(format!("{}: {price}", answer["action"]))
    /// }
    /// # let _ = mcp_server::ToolRouter::new().tool("a", "a", mcp_protocol::ToolAnnotations::PURE, offer);
    /// ```
    pub fn set_request_state(&self, state: Value) {
        self.round_trip.lock().get_or_insert_default().state = Some(state);
    }
}
