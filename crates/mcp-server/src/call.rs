//! Calls of tools, and what guards whatever a host runs for a client.

use std::time::Instant;

use mcp_protocol::{CallToolResult, ClientRequest, ErrorObject, Object, Revision, Rules, render};
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    context::CallContext,
    response::Reply,
    round::{Next, Round},
    server::Server,
    toolset::{BoxFuture, ToolSet},
};

/// How a host's work ended.
pub(crate) enum Ended<T> {
    With(T),
    /// It was not let in or not let finish, and why, for whoever asked.
    Early(String),
}

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
        let cx = self.context(revision, &mut params, ("tools/call", &name), cx)?;
        let call = || tools.call(&name, arguments, &cx);
        let result = match self.run(&name, &cx, call).await {
            Some(Ended::With(result)) => result,
            Some(Ended::Early(why)) => CallToolResult::error(why),
            None => return Err(self.unknown_tool(&name)),
        };
        let rules = revision.rules();
        if let Some(ask) = self.ask_instead(cx, ("tools/call", &name), rules)? {
            return Ok(ask);
        }
        let result = self.with_lists(|lists| match lists.wrapped_schema(&name) {
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
            "The result has {size} bytes, more than the {most} this server sends. Ask for less."
        ));
        let too_large = render::call_tool_result(too_large, rules);
        self.serialize(too_large, rules).map(Reply::Result)
    }

    /// The context of one call; `of` is the method and the name it is about.
    pub(crate) fn context(
        &self,
        revision: Revision,
        params: &mut Object,
        of: (&str, &str),
        cx: &CallContext,
    ) -> Result<CallContext, ErrorObject> {
        // Most requests have nothing more, and each look into the map is a hash.
        let meta = match params.is_empty() {
            true => None,
            false => params.remove("_meta"),
        };
        let meta = match meta {
            Some(Value::Object(meta)) => Some(meta),
            Some(_) | None => None,
        };
        let round = match revision.has_handshake() || params.is_empty() {
            true => None,
            false => Some(Box::new(Round::from_params(params, &self.sealer, of)?)),
        };
        Ok(cx.of_call(revision, meta, round, self.limits().client_deadline))
    }

    /// The result that asks the client, if that is how the round ended.
    pub(crate) fn ask_instead(
        &self,
        cx: CallContext,
        of: (&str, &str),
        rules: &Rules,
    ) -> Result<Option<Reply>, ErrorObject> {
        let Some(round) = cx.into_round() else {
            return Ok(None);
        };
        match round.next(&self.sealer, of, rules)? {
            Next::Done => Ok(None),
            Next::Ask(requests, state) => self.input_required(&requests, state, rules).map(Some),
        }
    }

    fn input_required(
        &self,
        requests: &[(String, ClientRequest)],
        state: Option<String>,
        rules: &Rules,
    ) -> Result<Reply, ErrorObject> {
        self.finish(render::input_required(requests, state), rules)
    }

    /// Runs a host's work within the limits; `None` if there is none to run. `what` it is shows in logs.
    pub(crate) async fn run<'a, T>(
        &self,
        what: &str,
        cx: &CallContext,
        start: impl FnOnce() -> Option<BoxFuture<'a, T>>,
    ) -> Option<Ended<T>> {
        tracing::Span::current().record("what", what);
        let mut work = start()?;
        let pass = match self.gate.enter(Instant::now()) {
            Ok(pass) => pass,
            Err(busy) => return Some(Ended::Early(busy.to_string())),
        };
        let deadline = self.limits().call_deadline;
        let ended = loop {
            match timeout(deadline, work.as_mut()).await {
                Ok(done) => break Ended::With(done),
                // A person is being asked, which has a deadline of its own.
                Err(_) if cx.is_asking() => (),
                Err(_) => {
                    break Ended::Early(format!(
                        "The call took longer than {} seconds and was given up. Ask for less, or try again later.",
                        deadline.as_secs()
                    ));
                }
            }
        };
        drop(pass);
        Some(ended)
    }

    fn unknown_tool(&self, name: &str) -> ErrorObject {
        let shown: String = name.chars().take(100).collect();
        let hint = self.with_lists(|lists| {
            let names = lists.tool_names.iter();
            let nearest = names
                .map(|name| (strsim::damerau_levenshtein(&shown, name), name))
                .min();
            match nearest {
                Some((distance, nearest)) if distance * 3 <= nearest.len() => {
                    format!(", did you mean {nearest}?")
                }
                _ => ", tools/list names them all".to_owned(),
            }
        });
        ErrorObject::invalid_params(format_args!("unknown tool {shown}{hint}"))
    }
}
