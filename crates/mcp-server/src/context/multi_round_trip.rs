//! Requests that may take several round trips: the answers so far, the server requests, and the state to keep
//! (2026-07-28 `basic/patterns/mrtr`).

use mcp_protocol::{Capability, ErrorObject, Features, Object, ServerRequest};
use serde_json::{Value, json};

use crate::{
    context::{AskError, sign::Signer, state_binding::StateBinding},
    dispatch::params::invalid,
};

/// Time that a client may take to answer, in seconds. Older state is rejected.
const STATE_SECONDS: u64 = 3_600;
/// Maximum size of the state, in bytes of JSON. It travels with every round trip.
const STATE_BYTES: usize = 64 << 10;

/// One round trip of a request.
#[derive(Debug, Default)]
pub(crate) struct MultiRoundTrip {
    /// The client's answers so far, by the key of the server request.
    answers: Option<Object>,
    /// The state that the call keeps for the next round trip.
    pub(crate) state: Option<Value>,
    /// The server requests without an answer.
    pub(crate) requests: Vec<(String, ServerRequest)>,
    /// Capabilities that the call requires and the client did not declare.
    pub(crate) missing: Vec<Capability>,
    /// Scopes that the call requires, some of which the caller lacks.
    pub(crate) required_scopes: Vec<String>,
    /// URLs that the user has to open before the call can be answered.
    pub(crate) required_urls: Vec<ServerRequest>,
    /// The last progress that was sent.
    pub(crate) progress: Option<f64>,
}

/// The outcome of a round trip.
pub(crate) enum RoundTripOutcome {
    /// The result of the call is complete.
    Complete,
    /// The client has to answer these server requests first. It returns this state with the answers.
    InputRequired(Vec<(String, ServerRequest)>, Option<String>),
}

impl MultiRoundTrip {
    /// Removes the answers and the state from the params of a request. Returns the error -32602 if the state was issued
    /// for another request or caller, or has expired.
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
            Some(_) => return invalid("inputResponses must be an object"),
        }
        Ok(round_trip)
    }

    /// Returns the answers if all are available. Otherwise, stores the server requests without one, to send them.
    pub(crate) fn answers_to(
        &mut self,
        requests: Vec<(String, ServerRequest)>,
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

    /// Returns an error if the response to the request must be an error, whatever the call returned.
    pub(crate) fn check(&self, rules: &Features) -> Result<(), ErrorObject> {
        if !self.required_scopes.is_empty() {
            return Err(ErrorObject::insufficient_scope(&self.required_scopes));
        }
        if !self.missing.is_empty() && !rules.handshake {
            return Err(ErrorObject::missing_client_capability(&self.missing));
        }
        if !self.required_urls.is_empty() {
            let error = ErrorObject::url_elicitation_required(&self.required_urls, rules);
            return Err(error);
        }
        Ok(())
    }

    /// Ends the round trip. Returns an error if the caller lacks a scope that the call requires. Returns -32021, where
    /// that error exists, if the client lacks a capability.
    pub(crate) fn finish(
        self,
        signer: &Signer,
        binding: Option<&StateBinding<'_>>,
        rules: &Features,
    ) -> Result<RoundTripOutcome, ErrorObject> {
        self.check(rules)?;
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
            return Err(ErrorObject::opaque_internal());
        }
        let signed = binding.and_then(|it| signer.sign(&it.purpose(), payload.as_bytes()));
        let signed = signed.ok_or_else(ErrorObject::opaque_internal)?;
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

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use mcp_protocol::Revision;

    use super::*;
    use crate::context::{RequestContext, SigningKey};

    fn signer() -> Signer {
        Signer::new(
            Some(SigningKey::new([7; 32])),
            std::sync::Arc::new(|| UNIX_EPOCH),
        )
    }

    fn binding(cx: &RequestContext) -> StateBinding<'_> {
        let none = Object::new();
        StateBinding::new(["tools/call", "a"], &none, &none, cx)
    }

    fn begin(params: &Value, cx: &RequestContext) -> Result<MultiRoundTrip, ErrorObject> {
        let mut params = params.as_object().unwrap().clone();
        MultiRoundTrip::from_params(&mut params, &signer(), &binding(cx))
    }

    /// Returns the state that is sent to the client with the server requests.
    fn state(
        round_trip: MultiRoundTrip,
        cx: &RequestContext,
    ) -> Result<Option<String>, ErrorObject> {
        let rules = Revision::V2026_07_28.features();
        match round_trip.finish(&signer(), Some(&binding(cx)), rules)? {
            RoundTripOutcome::InputRequired(_, state) => Ok(state),
            RoundTripOutcome::Complete => panic!("nothing was asked"),
        }
    }

    fn question(name: &str) -> (String, ServerRequest) {
        (name.to_owned(), ServerRequest::ListRoots)
    }

    #[test]
    fn answers_and_state_are_kept_until_the_last_question_is_answered() {
        let cx = RequestContext::default();
        let questions = || vec![question("a"), question("b")];
        let mut first = begin(&json!({"inputResponses": {"a": {"roots": [1]}}}), &cx).unwrap();
        first.state = Some(json!("kept"));
        assert!(first.answers_to(questions()).is_err());
        let asked: Vec<_> = first.requests.iter().map(|(name, _)| name).collect();
        assert_eq!(asked, ["b"]);
        let state = state(first, &cx).unwrap();
        // The client answers the second question alone.
        let answer = json!({"requestState": state, "inputResponses": {"b": {"roots": [2]}}});
        let mut second = begin(&answer, &cx).unwrap();
        assert_eq!(second.state, Some(json!("kept")));
        let answers = second.answers_to(questions()).unwrap();
        let roots: Vec<_> = answers.iter().map(|it| &it["roots"]).collect();
        assert_eq!(roots, [&json!([1]), &json!([2])]);
    }

    #[test]
    fn answers_alone_are_kept_too_and_nothing_needs_no_state() {
        let cx = RequestContext::default();
        for (answers, is_kept) in [(json!({"a": {"roots": []}}), true), (json!({}), false)] {
            let mut round_trip = begin(&json!({"inputResponses": answers}), &cx).unwrap();
            round_trip.requests.push(question("b"));
            let state = state(round_trip, &cx).unwrap();
            assert_eq!(state.is_some(), is_kept, "{answers}");
        }
    }

    #[test]
    fn the_state_of_a_request_has_a_limit() {
        let cx = RequestContext::default();
        let rest = json!({"at": 0, "state": "", "answers": null}).to_string();
        let most = STATE_BYTES - rest.len();
        for (len, fits) in [(most - 1, true), (most, true), (most + 1, false)] {
            let round_trip = MultiRoundTrip {
                state: Some("x".repeat(len).into()),
                requests: vec![question("a")],
                ..MultiRoundTrip::default()
            };
            assert_eq!(state(round_trip, &cx).is_ok(), fits, "{len}");
        }
    }
}
