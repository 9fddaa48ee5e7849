//! Tool calls. The host's code runs within the limits, and its panics are caught.

use std::{any::Any, panic::AssertUnwindSafe, task::Poll, time::Duration};

use futures_util::{FutureExt, poll};
use mcp_protocol::{
    CallToolResult, ErrorObject, Features, Method, Object, Revision, ServerInfo, render,
};
use serde_json::Value;
use tokio::time::{Instant, timeout};
use tool_schema::nearest;

use crate::{
    context::{
        CallContext, RequestContext,
        multi_round_trip::{MultiRoundTrip, RoundTripOutcome},
        state_binding::StateBinding,
    },
    dispatch::{
        RequestOutcome, ResponsePayload, Server,
        params::invalid,
        refusal::Cause,
        response::{Replied, too_large},
    },
    limits::{Busy, Permit},
    provide::{BoxFuture, ToolReply, ToolSet},
};

/// Maximum number of values in `_meta`, which is stored for the duration of the call. Protocols and traces use far
/// fewer.
const META_VALUES: usize = 1_000;

/// Maximum number of characters of a client's name that an error repeats.
pub(crate) const SHOWN: usize = 100;

impl Server {
    pub(crate) async fn tools_call(
        &self,
        tools: &dyn ToolSet,
        revision: Revision,
        params: Option<Object>,
        [name_member, arguments_member]: [&str; 2],
        cx: &RequestContext,
    ) -> Result<Replied, ErrorObject> {
        let mut params = params.unwrap_or_default();
        let name = match params.remove(name_member) {
            Some(Value::String(name)) => name,
            Some(_) => return invalid(format_args!("{name_member} must be a string")),
            None => return invalid(format_args!("{name_member} is missing, it names the tool")),
        };
        let arguments = match params.remove(arguments_member) {
            None | Some(Value::Null) => Object::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => return invalid(format_args!("{arguments_member} must be an object")),
        };
        let target = [Method::ToolsCall.as_str(), name.as_str()];
        let (cx, binding) = self.call_context(revision, target, &arguments, &mut params, cx)?;
        let rules = revision.features();
        let concluding = CallConclusion {
            name: &name,
            binding: binding.as_ref(),
            revision,
        };
        if let Some(tasks) = &self.tasks
            && let asked = params.get("task").filter(|it| it.is_object())
            && let Some(wanted) = self.task_wanted(&name, asked, &cx, rules)?
        {
            drop(params);
            let call = self.call_for_task(tasks, wanted, arguments, cx, concluding);
            return Box::pin(call).await;
        }
        // Nothing else of the message is kept while the tool works.
        drop(params);
        let Some(call) = tools.call(&name, arguments, &cx) else {
            // Its error names what the scope of the request lists.
            let ended = self.admit_call(&cx).map(|()| None);
            return self.conclude(&cx, ended, concluding);
        };
        let ended = self.run(&cx, call).await;
        self.conclude(&cx, ended.map(Some), concluding)
    }

    /// Returns the result of a finished call. `Ok(None)` stands for an unknown tool.
    pub(crate) fn conclude(
        &self,
        cx: &CallContext,
        ended: Result<Option<ToolReply>, AbandonReason>,
        concluding: CallConclusion<'_>,
    ) -> Result<Replied, ErrorObject> {
        let CallConclusion {
            name,
            binding,
            revision,
            ..
        } = concluding;
        let rules = revision.features();
        if let Some(input_required) = self.input_required(cx, binding, rules)? {
            return Ok(input_required.into());
        }
        let failure = match &ended {
            Err(AbandonReason::Refused(_)) => RequestOutcome::Refused,
            _ => RequestOutcome::ToolError,
        };
        let said = |why: AbandonReason| Some(CallToolResult::error(why.to_string()).into());
        let reply = ended.unwrap_or_else(said);
        let reply = reply.ok_or_else(|| self.unknown_tool(name, cx))?;
        let mut outcome = match &reply {
            ToolReply::Result(result) if result.is_error => failure,
            ToolReply::Result(_) | ToolReply::Written(_) | ToolReply::Other { .. } => {
                RequestOutcome::Result
            }
        };
        let server = self.server_info();
        let written =
            |reply: ToolReply, schema: Option<&Value>| answer(reply, schema, server, rules);
        let mut bytes = self.with_tool_facts(|facts| written(reply, facts.wrapped_schema(name)))?;
        let most = self.limits().result_bytes;
        if bytes.len() > most {
            if outcome == RequestOutcome::Result {
                outcome = RequestOutcome::ToolError;
            }
            let too_large = CallToolResult::error(too_large(bytes.len(), most));
            bytes = written(too_large.into(), None)?;
        }
        Ok(Replied {
            reply: ResponsePayload::Result(bytes.into()),
            outcome,
        })
    }

    /// Creates the context of one call, and the binding of its state if it can have some.
    pub(crate) fn call_context<'a>(
        &self,
        revision: Revision,
        target: [&'a str; 2],
        arguments: &Object,
        params: &mut Object,
        cx: &'a RequestContext,
    ) -> Result<(CallContext, Option<StateBinding<'a>>), ErrorObject> {
        let has_state = !revision.has_handshake();
        let binding = has_state.then(|| StateBinding::new(target, arguments, params, cx));
        // Most requests have nothing more, and each look into the map is a hash.
        let meta = if params.is_empty() {
            None
        } else {
            params.remove("_meta")
        };
        let meta = match meta {
            Some(Value::Object(meta)) if has_more_values(&meta, META_VALUES) => {
                return invalid(format_args!("_meta may have at most {META_VALUES} values"));
            }
            Some(Value::Object(meta)) => Some(meta),
            Some(_) | None => None,
        };
        let bound = binding.as_ref().filter(|_| !params.is_empty());
        let round_trip = bound.map(|it| MultiRoundTrip::from_params(params, &self.signer, it));
        let round_trip = round_trip.transpose()?.map(Box::new);
        let deadline = self.limits().client_deadline;
        let cx = CallContext::new(cx.clone(), revision, meta, round_trip, deadline);
        Ok((cx, binding))
    }

    /// Returns the result that requests input from the client, if the call needs any.
    pub(crate) fn input_required(
        &self,
        cx: &CallContext,
        binding: Option<&StateBinding<'_>>,
        rules: &Features,
    ) -> Result<Option<ResponsePayload>, ErrorObject> {
        let Some(round_trip) = cx.take_round_trip() else {
            return Ok(None);
        };
        match round_trip.finish(&self.signer, binding, rules)? {
            RoundTripOutcome::Complete => Ok(None),
            RoundTripOutcome::InputRequired(requests, state) => {
                let result = render::input_required_result(&requests, state, rules);
                self.finish(result, rules).map(Some)
            }
        }
    }

    /// Returns the error for an unknown tool. It suggests only names that the caller can see.
    fn unknown_tool(&self, name: &str, cx: &CallContext) -> ErrorObject {
        let shown: String = name.chars().take(SHOWN).collect();
        let hint = self.lists.with(cx.list_variant(), |lists| {
            let names = lists.tool_names(&self.sets).iter().map(String::as_str);
            match nearest(&shown, names) {
                Some(nearest) => format!(", did you mean {nearest}?"),
                None => ", tools/list names them all".to_owned(),
            }
        });
        ErrorObject::invalid_params(format_args!("unknown tool {shown}{hint}"))
    }
}

/// The inputs for concluding a call.
#[derive(Clone, Copy)]
pub(crate) struct CallConclusion<'a> {
    /// The name of the tool.
    pub(crate) name: &'a str,
    pub(crate) binding: Option<&'a StateBinding<'a>>,
    pub(crate) revision: Revision,
}

/// Serializes the reply of a tool.
pub(crate) fn answer(
    reply: ToolReply,
    output_schema: Option<&Value>,
    server: &ServerInfo,
    rules: &Features,
) -> Result<Vec<u8>, ErrorObject> {
    let json = match reply {
        ToolReply::Result(result) => {
            render::call_tool_result_json(*result, output_schema, server, rules)
        }
        ToolReply::Written(written) => {
            render::preserialized_result_json(written, output_schema, server, rules)
        }
        ToolReply::Other {
            result_type,
            members,
        } => {
            let result = render::result_of_other_type(&result_type, members, rules);
            serde_json::to_vec(&render::add_common_fields(result, server, rules))
        }
    };
    json.map_err(|_| ErrorObject::opaque_internal())
}

/// Returns whether an object has more than `most` fields and items, at all depths.
fn has_more_values(object: &Object, most: usize) -> bool {
    let mut seen = 0;
    let mut open: Vec<&Value> = object.values().collect();
    while let Some(value) = open.pop() {
        seen += 1;
        if seen + open.len() > most {
            return true;
        }
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }
    false
}

/// The reason that the host's code returned nothing. Its message is for the client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AbandonReason {
    /// The call was rejected because of a limit.
    #[error(transparent)]
    Refused(Busy),
    /// The call exceeded this timeout.
    #[error("The call took longer than {} seconds and was cancelled. Ask for less, or try again later.", .0.as_secs())]
    TooLong(Duration),
}

impl From<AbandonReason> for ErrorObject {
    fn from(why: AbandonReason) -> Self {
        let cause = match why {
            AbandonReason::Refused(Busy::ClientInFlight(_) | Busy::ClientRate(_)) => Cause::Caller,
            AbandonReason::Refused(Busy::InFlight(_) | Busy::Rate(_))
            | AbandonReason::TooLong(_) => Cause::Server,
        };
        cause.refuse(why.to_string())
    }
}

impl Server {
    /// Runs a future of the host within the limits.
    pub(crate) async fn run<T>(
        &self,
        cx: &CallContext,
        work: BoxFuture<'_, T>,
    ) -> Result<T, AbandonReason> {
        self.admit_call(cx)?;
        self.run_admitted(cx, work).await
    }

    /// Runs a completion of the host within the limits. Completions have a separate rate limit.
    pub(crate) async fn run_completion<T>(
        &self,
        cx: &CallContext,
        work: BoxFuture<'_, T>,
    ) -> Result<T, AbandonReason> {
        self.admit(
            self.admission
                .take_completion(cx.request_context(), Instant::now()),
        )?;
        self.run_admitted(cx, work).await
    }

    /// Counts a call toward the rate limits.
    pub(crate) fn admit_call(&self, cx: &CallContext) -> Result<(), AbandonReason> {
        let (calls, now) = (cx.rate_weight(), Instant::now());
        self.admit(self.admission.take_call(cx.request_context(), calls, now))
    }

    /// Counts uncached work for a private list variant as a call of the client. Shared list variants are few and are
    /// not counted.
    pub(crate) fn admit_scoped(
        &self,
        cx: &RequestContext,
    ) -> Result<Option<Permit<'_>>, AbandonReason> {
        if cx.list_variant().is_shared() {
            return Ok(None);
        }
        self.admit(self.admission.take_call(cx, 1, Instant::now()))?;
        self.admit(self.admission.permit(cx)).map(Some)
    }

    /// Counts a rejection.
    pub(crate) fn admit<T>(&self, taken: Result<T, Busy>) -> Result<T, AbandonReason> {
        taken.map_err(|busy| {
            self.admission.refused.count(busy);
            AbandonReason::Refused(busy)
        })
    }

    /// Runs a future of the host that is already counted as a call.
    pub(crate) async fn run_admitted<T>(
        &self,
        cx: &CallContext,
        mut work: BoxFuture<'_, T>,
    ) -> Result<T, AbandonReason> {
        // What waits for nothing needs neither room nor a deadline.
        if let Poll::Ready(done) = poll!(work.as_mut()) {
            return Ok(done);
        }
        let _permit = self.admit(self.admission.permit(cx.request_context()))?;
        let deadline = self.limits().call_deadline;
        loop {
            match timeout(deadline, work.as_mut()).await {
                Ok(done) => return Ok(done),
                // A person is being asked, which has a deadline of its own.
                Err(_) if cx.is_asking() => (),
                Err(_) => return Err(AbandonReason::TooLong(deadline)),
            }
        }
    }
}

/// Runs a request. A panic becomes an internal error of that request only.
pub(crate) async fn catch_panic<T>(
    work: impl Future<Output = Result<T, ErrorObject>>,
) -> Result<T, ErrorObject> {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(result) => result,
        Err(panic) => {
            report(panic.as_ref());
            Err(ErrorObject::opaque_internal())
        }
    }
}

fn report(panic: &(dyn Any + Send)) {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    tracing::error!(message, "a request panicked");
}
