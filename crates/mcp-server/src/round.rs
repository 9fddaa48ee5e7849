//! One round of a request that may need several: what is known, what is asked, what is kept
//! (2026-07-28 `basic/patterns/mrtr`).

use mcp_protocol::{Capability, ClientRequest, ErrorObject, Object, Rules, revision::Lifecycle};
use serde_json::{Value, json};

use crate::{
    ask::AskError,
    seal::{self, Sealer},
};

/// How long a client may take to answer: the state of an older round is refused.
const STATE_SECONDS: u64 = 3_600;
/// The largest state, in bytes of JSON. It travels with every round.
const STATE_BYTES: usize = 64 << 10;

/// One round of a request.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// The client's answers of this round and the ones before, by the name of the question.
    answers: Option<Object>,
    /// What is kept for the next round.
    pub(crate) state: Option<Value>,
    /// What has to be asked.
    requests: Vec<(String, ClientRequest)>,
    /// What the client would have to be able to do.
    pub(crate) missing: Vec<Capability>,
    /// The progress that was told last.
    pub(crate) progress: Option<f64>,
}

/// What a round came to, besides the result.
pub(crate) enum Next {
    /// The result is the answer.
    Done,
    /// The client has to be asked, and gets this state to hand back.
    Ask(Vec<(String, ClientRequest)>, Option<String>),
}

impl Round {
    /// Takes what concerns rounds out of the params of a request; `of` is the method and the name it is
    /// about. Errors with -32602 for a state that was not given out for these, or long ago.
    pub(crate) fn from_params(
        params: &mut Object,
        sealer: &Sealer,
        of: (&str, &str),
    ) -> Result<Self, ErrorObject> {
        let mut round = Self::default();
        match params.remove("requestState") {
            None | Some(Value::Null) => (),
            Some(state) => {
                let opened = state.as_str().and_then(|it| open(sealer, of, it));
                let mut opened = opened.ok_or_else(|| {
                    ErrorObject::invalid_params("requestState is not one that this server gave out")
                })?;
                round.state = opened.remove("state").filter(|it| !it.is_null());
                if let Some(Value::Object(answers)) = opened.remove("answers") {
                    round.answers = Some(answers);
                }
            }
        }
        match params.remove("inputResponses") {
            None | Some(Value::Null) => (),
            Some(Value::Object(answers)) => match &mut round.answers {
                Some(earlier) => earlier.extend(answers),
                None => round.answers = Some(answers),
            },
            Some(_) => {
                return Err(ErrorObject::invalid_params(
                    "inputResponses must be an object",
                ));
            }
        }
        Ok(round)
    }

    /// The answers, if all are there; else what is missing is noted to be asked.
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

    /// What comes next. Errors with -32021, where there is that error, if the client cannot do what is
    /// needed.
    pub(crate) fn next(
        self,
        sealer: &Sealer,
        of: (&str, &str),
        rules: &Rules,
    ) -> Result<Next, ErrorObject> {
        if !self.missing.is_empty() && rules.lifecycle == Lifecycle::PerRequest {
            return Err(ErrorObject::missing_client_capability(&self.missing));
        }
        if self.requests.is_empty() {
            return Ok(Next::Done);
        }
        let answers = self.answers.filter(|it| !it.is_empty());
        if self.state.is_none() && answers.is_none() {
            return Ok(Next::Ask(self.requests, None));
        }
        let payload = json!({"at": seal::now(), "state": self.state, "answers": answers});
        let payload = payload.to_string();
        if payload.len() > STATE_BYTES {
            tracing::error!(bytes = payload.len(), "the state of a request is too large");
            return Err(ErrorObject::internal());
        }
        let sealed = sealer.seal(&purpose(of), payload.as_bytes());
        let sealed = sealed.ok_or_else(ErrorObject::internal)?;
        Ok(Next::Ask(self.requests, Some(sealed)))
    }
}

/// What a state is sealed for: that of one tool says nothing to another.
fn purpose((method, name): (&str, &str)) -> String {
    format!("{method} {name}")
}

fn open(sealer: &Sealer, of: (&str, &str), state: &str) -> Option<Object> {
    let payload = sealer.open(&purpose(of), state)?;
    let Ok(Value::Object(state)) = serde_json::from_slice(&payload) else {
        return None;
    };
    let at = state.get("at")?.as_u64()?;
    (seal::now().saturating_sub(at) <= STATE_SECONDS).then_some(state)
}
