//! A request that may take several round trips: the answers so far, the questions, the state to keep
//! (2026-07-28 `basic/patterns/mrtr`).

use mcp_protocol::{Capability, ClientRequest, ErrorObject, Object, Rules, revision::Lifecycle};
use serde_json::{Value, json};

use crate::{ask::AskError, sign::Signer, state_binding::StateBinding};

/// How long a client may take to answer: older state is refused.
const STATE_SECONDS: u64 = 3_600;
/// The largest state, in bytes of JSON. It travels with every round trip.
const STATE_BYTES: usize = 64 << 10;

/// One round trip of a request.
#[derive(Debug, Default)]
pub(crate) struct MultiRoundTrip {
    /// The client's answers so far, by the name of the question.
    answers: Option<Object>,
    /// What the call keeps for the next round trip.
    pub(crate) state: Option<Value>,
    /// The questions without an answer.
    pub(crate) requests: Vec<(String, ClientRequest)>,
    /// Capabilities that the call requires and the client did not declare.
    pub(crate) missing: Vec<Capability>,
    /// Scopes that the call requires, some of which the caller lacks.
    pub(crate) required_scopes: Vec<String>,
    /// URLs that the user has to open before the call can be answered.
    pub(crate) required_urls: Vec<ClientRequest>,
    /// The last progress that was sent.
    pub(crate) progress: Option<f64>,
}

/// How a round trip ends.
pub(crate) enum RoundTripOutcome {
    /// With the result of the call.
    Complete,
    /// The client has to answer these first, and returns this state with the answers.
    InputRequired(Vec<(String, ClientRequest)>, Option<String>),
}

impl MultiRoundTrip {
    /// Takes the answers and the state out of the params of a request. Fails with -32602 for a state that was issued
    /// for another request or caller, or too long ago.
    pub(crate) fn from_params(
        params: &mut Object,
        signer: &Signer,
        binding: &StateBinding<'_>,
    ) -> Result<Self, ErrorObject> {
        let mut round_trip = Self::default();
        match params.remove("requestState") {
            None | Some(Value::Null) => (),
            Some(state) => {
                let verified = state.as_str().and_then(|it| verify(signer, binding, it));
                let mut verified = verified.ok_or_else(|| {
                    ErrorObject::invalid_params(
                        "unknown or expired requestState, start again without one",
                    )
                })?;
                round_trip.state = verified.remove("state").filter(|it| !it.is_null());
                if let Some(Value::Object(answers)) = verified.remove("answers") {
                    round_trip.answers = Some(answers);
                }
            }
        }
        match params.remove("inputResponses") {
            None | Some(Value::Null) => (),
            Some(Value::Object(answers)) => match &mut round_trip.answers {
                Some(earlier) => earlier.extend(answers),
                None => round_trip.answers = Some(answers),
            },
            Some(_) => {
                return Err(ErrorObject::invalid_params(
                    "inputResponses must be an object",
                ));
            }
        }
        Ok(round_trip)
    }

    /// The answers, if all are there; otherwise the questions without one are kept to be asked.
    pub(crate) fn answers_to(
        &mut self,
        requests: Vec<(String, ClientRequest)>,
    ) -> Result<Vec<Object>, AskError> {
        let mut answers = Vec::with_capacity(requests.len());
        let mut is_missing = false;
        for (key, request) in requests {
            let answer = self.answers.as_ref().and_then(|it| it.get(&key));
            match answer.and_then(Value::as_object) {
                Some(answer) if request.is_answered_by(answer) => answers.push(answer.clone()),
                Some(_) | None => {
                    is_missing = true;
                    if let Some(answers) = &mut self.answers {
                        answers.remove(&key);
                    }
                    self.requests.push((key, request));
                }
            }
        }
        if is_missing {
            return Err(AskError::Pending);
        }
        Ok(answers)
    }

    /// Ends the round trip. Fails if the caller lacks a scope that the call requires, and with -32021, where that error
    /// exists, if the client lacks a capability.
    pub(crate) fn finish(
        self,
        signer: &Signer,
        binding: &StateBinding<'_>,
        rules: &Rules,
    ) -> Result<RoundTripOutcome, ErrorObject> {
        if !self.required_scopes.is_empty() {
            return Err(ErrorObject::insufficient_scope(&self.required_scopes));
        }
        if !self.missing.is_empty() && rules.lifecycle == Lifecycle::PerRequest {
            return Err(ErrorObject::missing_client_capability(&self.missing));
        }
        if !self.required_urls.is_empty() {
            let error = ErrorObject::url_elicitation_required(&self.required_urls, rules);
            return Err(error);
        }
        if self.requests.is_empty() {
            return Ok(RoundTripOutcome::Complete);
        }
        let answers = self.answers.filter(|it| !it.is_empty());
        if self.state.is_none() && answers.is_none() {
            return Ok(RoundTripOutcome::InputRequired(self.requests, None));
        }
        let payload = json!({"at": signer.now(), "state": self.state, "answers": answers});
        let payload = payload.to_string();
        if payload.len() > STATE_BYTES {
            tracing::error!(bytes = payload.len(), "the state of a request is too large");
            return Err(ErrorObject::internal());
        }
        let signed = signer.sign(&binding.purpose(), payload.as_bytes());
        let signed = signed.ok_or_else(ErrorObject::internal)?;
        Ok(RoundTripOutcome::InputRequired(self.requests, Some(signed)))
    }
}

fn verify(signer: &Signer, binding: &StateBinding<'_>, state: &str) -> Option<Object> {
    let payload = signer.verify(&binding.purpose(), state)?;
    let Ok(Value::Object(state)) = serde_json::from_slice(&payload) else {
        return None;
    };
    let at = state.get("at")?.as_u64()?;
    (signer.now().saturating_sub(at) <= STATE_SECONDS).then_some(state)
}
