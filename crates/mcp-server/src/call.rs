//! Calls of tools.

use mcp_protocol::{CallToolResult, ErrorObject, Object, Revision, Rules, render};
use serde_json::Value;
use tool_schema::nearest;

use crate::{
    context::CallContext,
    multi_round_trip::{MultiRoundTrip, RoundTripOutcome, Subject},
    response::Reply,
    run::GivenUp,
    server::Server,
    sets::ToolSet,
};

/// Characters of a name from a client that are repeated to it.
pub(crate) const SHOWN: usize = 100;

impl Server {
    pub(crate) async fn tools_call(
        &self,
        tools: &dyn ToolSet,
        revision: Revision,
        params: Option<Object>,
        [name_member, arguments_member]: [&str; 2],
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let mut params = params.unwrap_or_default();
        let name = match params.remove(name_member) {
            Some(Value::String(name)) => name,
            Some(_) => {
                let what = format_args!("{name_member} must be a string");
                return Err(ErrorObject::invalid_params(what));
            }
            None => {
                let what = format_args!("{name_member} is missing, it names the tool");
                return Err(ErrorObject::invalid_params(what));
            }
        };
        let arguments = match params.remove(arguments_member) {
            None | Some(Value::Null) => Object::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => {
                let what = format_args!("{arguments_member} must be an object");
                return Err(ErrorObject::invalid_params(what));
            }
        };
        let subject = Subject::new("tools/call", &name, cx.scope());
        let cx = self.call_context(revision, &mut params, subject, cx)?;
        let Some(call) = tools.call(&name, arguments, &cx) else {
            return Err(self.unknown_tool(&name, &cx));
        };
        let ended = self.run(&cx, call).await;
        let rules = revision.rules();
        if let Some(input_required) = self.input_required(cx, subject, rules)? {
            return Ok(input_required);
        }
        let result = ended.unwrap_or_else(|GivenUp(why)| CallToolResult::error(why));
        let result = self.with_tool_facts(|facts| match facts.wrapped_schema(&name) {
            None => render::call_tool_result(result, rules),
            schema => render::call_tool_result_of(result, schema, rules),
        });
        let bytes = self.serialize(result, rules)?;
        let most = self.limits().result_bytes;
        if bytes.len() <= most {
            return Ok(Reply::Result(bytes));
        }
        let size = bytes.len();
        let too_large = CallToolResult::error(format!(
            "The result has {size} bytes, and this server sends at most {most}. Ask for less."
        ));
        let too_large = render::call_tool_result(too_large, rules);
        self.serialize(too_large, rules).map(Reply::Result)
    }

    /// The context of one call.
    pub(crate) fn call_context(
        &self,
        revision: Revision,
        params: &mut Object,
        subject: Subject<'_>,
        cx: &CallContext,
    ) -> Result<CallContext, ErrorObject> {
        tracing::Span::current().record("subject", subject.name);
        // Most requests have nothing more, and each look into the map is a hash.
        let meta = match params.is_empty() {
            true => None,
            false => params.remove("_meta"),
        };
        let meta = match meta {
            Some(Value::Object(meta)) => Some(meta),
            Some(_) | None => None,
        };
        let round_trip = match revision.has_handshake() || params.is_empty() {
            true => None,
            false => Some(MultiRoundTrip::from_params(params, &self.signer, subject)?),
        };
        let round_trip = round_trip.map(Box::new);
        Ok(cx.of_call(revision, meta, round_trip, self.limits().client_deadline))
    }

    /// The result that asks the client for input, if the call needs any.
    pub(crate) fn input_required(
        &self,
        cx: CallContext,
        subject: Subject<'_>,
        rules: &Rules,
    ) -> Result<Option<Reply>, ErrorObject> {
        let Some(round_trip) = cx.into_round_trip() else {
            return Ok(None);
        };
        match round_trip.finish(&self.signer, subject, rules)? {
            RoundTripOutcome::Complete => Ok(None),
            RoundTripOutcome::InputRequired(requests, state) => {
                let result = render::input_required(&requests, state);
                self.finish(result, rules).map(Some)
            }
        }
    }

    /// The names that are suggested are those that the caller can see.
    fn unknown_tool(&self, name: &str, cx: &CallContext) -> ErrorObject {
        let shown: String = name.chars().take(SHOWN).collect();
        let hint = self.lists.with(cx.scope(), |lists| {
            let names = lists.tool_names(&self.sets).iter().map(String::as_str);
            match nearest(&shown, names) {
                Some(nearest) => format!(", did you mean {nearest}?"),
                None => ", tools/list names them all".to_owned(),
            }
        });
        ErrorObject::invalid_params(format_args!("unknown tool {shown}{hint}"))
    }
}
