//! What a call may use besides its arguments: progress, log messages, and questions to the client.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_protocol::{
    Capability, ClientRequest, LogLevel, Object, Revision, jsonrpc, lifecycle::CLIENT_CAPABILITIES,
};
use serde_json::{Number, Value};

use crate::{
    ask::AskError,
    link::{Link, Outgoing},
    round::Round,
    session::lock,
};

/// What a call may use besides its arguments.
///
/// A tool that uses none of it pays for none of it. All of it is of this one request: nothing can be
/// said once the call has returned.
#[derive(Debug, Default)]
pub struct CallContext {
    revision: Option<Revision>,
    link: Option<Arc<Link>>,
    meta: Option<Object>,
    patience: Duration,
    is_asking: AtomicBool,
    /// Made when it is first needed: most calls have one round and say nothing.
    round: Mutex<Option<Box<Round>>>,
}

impl CallContext {
    /// For a transport: what the request has to say goes over `link`.
    #[must_use]
    pub fn over(link: Arc<Link>) -> Self {
        Self {
            link: Some(link),
            ..Self::default()
        }
    }

    /// The context of one call, on the way that its request came.
    pub(crate) fn of_call(
        &self,
        revision: Revision,
        meta: Option<Object>,
        round: Option<Box<Round>>,
        patience: Duration,
    ) -> Self {
        Self {
            revision: Some(revision),
            link: self.link.clone(),
            meta,
            patience,
            is_asking: AtomicBool::new(false),
            round: Mutex::new(round),
        }
    }

    /// `_meta` of the request.
    #[must_use]
    pub fn meta(&self) -> Option<&Object> {
        self.meta.as_ref()
    }

    /// Whether anyone wants to know how far the call has come.
    #[must_use]
    pub fn wants_progress(&self) -> bool {
        self.link.is_some() && self.progress_token().is_some()
    }

    /// Says how far the call has come, in any unit. What does not go beyond what was said before is
    /// not sent (`basic/utilities/progress`), nor what a slow client has no room for.
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        let (Some(link), Some(token)) = (&self.link, self.progress_token()) else {
            return;
        };
        let Some(number) = Number::from_f64(progress) else {
            return;
        };
        let mut round = lock(&self.round);
        let said = &mut round.get_or_insert_default().progress;
        if said.is_some_and(|said| progress <= said) {
            return;
        }
        if !link.has_room() {
            return;
        }
        *said = Some(progress);
        let mut params = Object::new();
        params.insert("progressToken".to_owned(), token.clone());
        params.insert("progress".to_owned(), plain(number));
        if let Some(total) = total.and_then(Number::from_f64) {
            params.insert("total".to_owned(), plain(total));
        }
        if let Some(message) = message
            && self.revision.is_some_and(|it| it.rules().progress_message)
        {
            params.insert("message".to_owned(), message.into());
        }
        link.mention(jsonrpc::notification("notifications/progress", params));
    }

    /// Says something to whoever reads the client's log. It is sent to clients of the handshake
    /// lifecycle that have asked for this level or a lesser one; nobody else gets log messages.
    pub fn log(&self, level: LogLevel, logger: Option<&str>, data: impl Into<Value>) {
        let Some(link) = &self.link else { return };
        if self.asks_by_result() || !link.session().is_some_and(|it| it.wants_log(level)) {
            return;
        }
        let mut params = Object::new();
        params.insert("level".to_owned(), level.name().into());
        if let Some(logger) = logger {
            params.insert("logger".to_owned(), logger.into());
        }
        params.insert("data".to_owned(), data.into());
        link.mention(jsonrpc::notification("notifications/message", params));
    }

    /// Whether the client declared that it can be asked this, and there is a way to ask it.
    #[must_use]
    pub fn supports(&self, capability: Capability) -> bool {
        if self.asks_by_result() {
            let declared = self
                .meta
                .as_ref()
                .and_then(|it| it.get(CLIENT_CAPABILITIES));
            let declared = declared.and_then(Value::as_object);
            return declared
                .zip(self.revision)
                .is_some_and(|(it, revision)| capability.is_in(it, revision.rules()));
        }
        let session = self.link.as_ref().and_then(|it| it.session());
        session.is_some_and(|it| it.supports(capability))
    }

    /// Errors unless the client declared all of these. The request is then answered with -32021 where
    /// there is such an error, whatever the call returns (2026-07-28 `basic/index`, "Error Codes").
    pub fn require(&self, capabilities: &[Capability]) -> Result<(), AskError> {
        let mut missing = capabilities.iter().filter(|it| !self.supports(**it));
        let Some(first) = missing.next() else {
            return Ok(());
        };
        let mut round = lock(&self.round);
        let noted = &mut round.get_or_insert_default().missing;
        noted.push(*first);
        noted.extend(missing);
        Err(AskError::NotDeclared(*first))
    }

    /// Asks the client, and waits for its answer, which has the members that such an answer must have.
    ///
    /// `key` names the question within this call. Where there is a handshake the question is sent and
    /// waited for. Elsewhere it becomes part of the result, [`AskError::Pending`] says that the call
    /// is to return, and the answer is there when the client repeats the request: up to that point the
    /// call runs again, and gets the same answers.
    pub async fn ask(&self, key: &str, request: ClientRequest) -> Result<Object, AskError> {
        let mut answers = self.ask_all(vec![(key.to_owned(), request)]).await?;
        answers.pop().ok_or(AskError::Malformed)
    }

    /// Asks several things, at once where that is possible; the answers are in their order.
    pub async fn ask_all(
        &self,
        requests: Vec<(String, ClientRequest)>,
    ) -> Result<Vec<Object>, AskError> {
        for (_, request) in &requests {
            if !self.supports(request.capability()) {
                return Err(AskError::NotDeclared(request.capability()));
            }
        }
        if self.asks_by_result() {
            let mut round = lock(&self.round);
            return round.get_or_insert_default().answers_to(requests);
        }
        let link = self.link.as_ref().ok_or(AskError::Unreachable)?;
        let session = link.session().ok_or(AskError::Unreachable)?;
        let mut answers = Vec::with_capacity(requests.len());
        for (_, request) in &requests {
            self.is_asking.store(true, Ordering::Relaxed);
            let answer = session.ask(link, request, self.patience).await;
            self.is_asking.store(false, Ordering::Relaxed);
            answers.push(answer?);
        }
        Ok(answers)
    }

    /// What [`CallContext::keep_state`] kept before the client was asked; none in the first round, and
    /// none where a call waits for its answers.
    #[must_use]
    pub fn state(&self) -> Option<Value> {
        lock(&self.round).as_ref()?.state.clone()
    }

    /// Keeps a value for the round after the next question. The client carries it and can read it, but
    /// cannot change it. Where a call waits for its answers its variables are kept anyway.
    pub fn keep_state(&self, state: Value) {
        lock(&self.round).get_or_insert_default().state = Some(state);
    }

    /// Lets the client go, to ask for the rest of the answer after this time; for calls that take long.
    /// Does nothing where that is not possible (2025-11-25 `basic/transports`, "Sending Messages").
    pub async fn let_poll(&self, after: Duration) {
        if let Some(link) = &self.link
            && link.can_poll()
            && self.revision.is_some_and(|it| it.rules().stream_polling)
        {
            link.say(Outgoing::Poll(after)).await;
        }
    }

    pub(crate) fn is_asking(&self) -> bool {
        self.is_asking.load(Ordering::Relaxed)
    }

    pub(crate) fn link(&self) -> Option<&Arc<Link>> {
        self.link.as_ref()
    }

    /// What became of the rounds, if anything did.
    pub(crate) fn into_round(self) -> Option<Box<Round>> {
        let round = self.round.into_inner();
        round.unwrap_or_else(PoisonError::into_inner)
    }

    fn asks_by_result(&self) -> bool {
        self.revision.is_some_and(|it| !it.has_handshake())
    }

    fn progress_token(&self) -> Option<&Value> {
        let token = self.meta.as_ref()?.get("progressToken")?;
        (token.is_string() || token.is_i64() || token.is_u64()).then_some(token)
    }
}

/// 50, not 50.0: some peers read progress as an integer.
fn plain(number: Number) -> Value {
    /// All integers up to here are exact as floats.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is whole, and small enough"
        )]
        Some(value) if value.fract() == 0.0 && value.abs() < EXACT => Value::from(value as i64),
        Some(_) | None => Value::Number(number),
    }
}
