//! The sets of a server for callers who may not do everything.

use std::{future::ready, sync::Arc};

use mcp_protocol::{
    CallToolResult, Completion, GetPromptResult, Object, Prompt, ReadResourceResult, Reference,
    Resource, ResourceTemplate, Tool, completion::CompleteRequest,
};
use mcp_server::{
    AskError, BoxFuture, BuildError, Builder, CallContext, Completer, PromptError, PromptSet,
    ReadError, ResourceSet, Scope, SubscribeError, SubscriptionGuard, ToolReply, ToolSet,
};
use qortal_tools::{
    Catalog, Completions,
    mcp::{Prompts, Resources},
};
use serde_json::Value;

use super::{CALL_TOOL, ScopeRules};
use crate::{live::Live, run::server};

/// A set, of which a caller gets what its scopes allow. What it lacks is an error that names the scope: over HTTP 403, with a
/// challenge.
#[derive(Debug)]
pub(crate) struct Permitted<T> {
    set: T,
    rules: Arc<ScopeRules>,
    catalog: Arc<Catalog>,
}

impl Permitted<()> {
    /// A server all of whose sets are for callers with scopes.
    pub(crate) fn in_server(
        catalog: &Arc<Catalog>,
        live: &Live,
        rules: &Arc<ScopeRules>,
    ) -> Builder {
        let resources = Resources::new(Arc::clone(catalog)).with_subscriptions(&live.subscriptions);
        let prompts = Prompts::new(Arc::clone(catalog));
        let completions = Completions::new(Arc::clone(catalog));
        server(Arc::clone(catalog), live)
            .tools(Permitted::new(Arc::clone(catalog), rules, catalog))
            .resources(Permitted::new(resources, rules, catalog))
            .prompts(Permitted::new(prompts, rules, catalog))
            .completer(Permitted::new(completions, rules, catalog))
    }
}

impl<T> Permitted<T> {
    fn new(set: T, rules: &Arc<ScopeRules>, catalog: &Arc<Catalog>) -> Self {
        Self {
            set,
            rules: Arc::clone(rules),
            catalog: Arc::clone(catalog),
        }
    }

    /// Fails with the scope that the caller lacks for a tool; `None` is for everything.
    fn check(&self, tool: Option<&str>, cx: &CallContext) -> Result<(), Refused> {
        let permit = self.rules.permit(cx.grant());
        let is_allowed = match tool {
            Some(tool) => permit.allows(tool),
            None => permit.is_full(),
        };
        if is_allowed {
            return Ok(());
        }
        let Some(scope) = self.rules.needed_for(tool) else {
            return Err(Refused::Never);
        };
        cx.require_scopes(&[scope.to_owned()])
            .map_err(Refused::Scope)
    }

    /// The same for what the resource at a URI is the answer of. One that there is not is left to the set.
    fn check_uri(&self, uri: &str, cx: &CallContext) -> Result<(), Refused> {
        match self.catalog.tool_at(uri) {
            Some(entry) => self.check(Some(entry.name), cx),
            None => Ok(()),
        }
    }
}

/// Why a caller does not get something.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Scope(AskError),
    #[error("no scope of this server allows this")]
    Never,
}

impl From<Refused> for CallToolResult {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Scope(err) => err.into(),
            Refused::Never => Self::error("Not allowed. No scope of this server allows this tool."),
        }
    }
}

/// The tool that a call is for: of `call_tool`, the one it names. Fails with what to tell the caller.
fn target<'a>(name: &'a str, arguments: &'a Object) -> Result<&'a str, String> {
    if name != CALL_TOOL {
        return Ok(name);
    }
    let target = arguments.get("name").and_then(Value::as_str);
    // Only a name as it is written in the catalog can be looked up in the rules: others might be read as one.
    match Catalog::find(target.unwrap_or_default()) {
        Ok(entry) => Ok(entry.name),
        Err(err) => Err(format!("Unknown tool. {err}.")),
    }
}

impl<T: ToolSet> ToolSet for Permitted<T> {
    /// The scope of a request leaves out what its caller may not call.
    fn tools(&self, scope: &Scope) -> Vec<Tool> {
        self.set.tools(scope)
    }

    fn callable(&self) -> Vec<Tool> {
        self.set.callable()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        if self.catalog.entry(name).is_some() && !self.rules.permit(cx.grant()).is_full() {
            let target = target(name, &arguments).map(|target| self.check(Some(target), cx));
            match target {
                Ok(Ok(())) => (),
                Ok(Err(refused)) => {
                    let refused = CallToolResult::from(refused);
                    return Some(Box::pin(ready(refused.into())));
                }
                Err(unknown) => {
                    let unknown = CallToolResult::error(unknown);
                    return Some(Box::pin(ready(unknown.into())));
                }
            }
        }
        self.set.call(name, arguments, cx)
    }

    fn check(&self) -> Result<(), BuildError> {
        self.set.check()
    }
}

impl<T: ResourceSet> ResourceSet for Permitted<T> {
    fn resources(&self, scope: &Scope) -> Vec<Resource> {
        self.set.resources(scope)
    }

    fn templates(&self, scope: &Scope) -> Vec<ResourceTemplate> {
        self.set.templates(scope)
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadError>> {
        match self.check_uri(uri, cx) {
            Ok(()) => self.set.read(uri, cx),
            Err(refused) => Box::pin(ready(Err(ReadError::Failed(refused.to_string())))),
        }
    }

    fn can_subscribe(&self) -> bool {
        self.set.can_subscribe()
    }

    fn subscribe<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        match self.check_uri(uri, cx) {
            Ok(()) => self.set.subscribe(uri, cx),
            Err(refused) => Box::pin(ready(Err(SubscribeError::Refused(refused.to_string())))),
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        self.set.check()
    }
}

/// A prompt embeds answers of several tools: it is for those who may call all.
impl<T: PromptSet> PromptSet for Permitted<T> {
    fn prompts(&self, scope: &Scope) -> Vec<Prompt> {
        self.set.prompts(scope)
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        match self.check(None, cx) {
            Ok(()) => self.set.get(name, arguments, cx),
            Err(refused) => Some(Box::pin(ready(Err(PromptError::Failed(
                refused.to_string(),
            ))))),
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        self.set.check()
    }
}

/// Values are found by asking the node: for what a caller may not have, there are none.
impl<T: Completer> Completer for Permitted<T> {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        let permit = self.rules.permit(cx.grant());
        let is_allowed = permit.is_full()
            || match &request.reference {
                Reference::Resource(template) => {
                    let mut sources = self.catalog.sources();
                    let source = sources.find(|(source, _)| source.template == template);
                    source.is_some_and(|(_, entry)| permit.allows(entry.name))
                }
                _ => false,
            };
        match is_allowed {
            true => self.set.complete(request, cx),
            false => Box::pin(ready(Completion::default())),
        }
    }
}
