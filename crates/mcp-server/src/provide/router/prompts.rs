//! A set of prompts built from handlers.

use std::{fmt, fmt::Display, future::ready, sync::Arc};

use mcp_protocol::{ContentBlock, GetPromptResult, Object, Prompt, PromptArgument, PromptMessage};
use tool_schema::Params;

use super::{Condition, Entry, error::failure, handler::Bound};
use crate::{
    context::{CallContext, ListVariant},
    provide::{BoxFuture, HandlerFn, PromptError, PromptSet},
};

/// A [`PromptSet`] of handlers. The parameters of a handler are the arguments of its prompt.
///
/// ```
/// use mcp_server::{PromptRouter, tool_schema::{CappedInt, params}};
///
/// params! {
///     struct SummaryParams {
///         /// The city.
///         city: String,
///         /// How many days.
///         days: CappedInt<1, 7> = CappedInt::from_const(3),
///     }
/// }
///
/// async fn summary(params: SummaryParams) -> String {
///     format!("Summarize the weather of {} for {} days.", params.city, params.days.value())
/// }
///
/// let prompts = PromptRouter::new().prompt("summary", "Summarize the weather.", summary);
/// # drop(prompts);
/// ```
///
/// Arguments are strings in every revision: `"2"` is parsed as 2 if the parameter is a number. All problems with the
/// arguments are reported in one [`PromptError::Argument`].
#[must_use]
pub struct PromptRouter<S = ()> {
    state: Arc<S>,
    entries: Vec<Entry<Prompt, dyn Rendering>>,
}

type Rendered = Result<GetPromptResult, PromptError>;

trait Rendering: Send + Sync {
    fn render<'a>(&'a self, arguments: Object, cx: &'a CallContext) -> BoxFuture<'a, Rendered>;
}

impl<S, H, P, A, K> Rendering for Bound<S, H, P, A, K>
where
    S: Send + Sync + 'static,
    H: HandlerFn<S, P, A, K>,
    P: Params + 'static,
    A: IntoPromptResult,
    K: 'static,
{
    fn render<'a>(&'a self, mut arguments: Object, cx: &'a CallContext) -> BoxFuture<'a, Rendered> {
        match P::from_arguments(&mut arguments) {
            Ok((params, _)) => {
                let answer = self.call(params, cx);
                Box::pin(async move { answer.await.into_prompt() })
            }
            Err(invalid) => Box::pin(ready(Err(PromptError::Argument(invalid.to_string())))),
        }
    }
}

impl PromptRouter {
    /// Creates a router without prompts, for handlers without state.
    pub fn new() -> Self {
        Self::with_state(Arc::default())
    }
}

impl Default for PromptRouter {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Send + Sync + 'static> PromptRouter<S> {
    /// Creates a router without prompts. Handlers may be methods of `state`.
    pub fn with_state(state: Arc<S>) -> Self {
        Self {
            state,
            entries: Vec::new(),
        }
    }

    /// Adds a prompt. Its arguments are the parameters of the [handler](HandlerFn). The handler returns an
    /// [`IntoPromptResult`].
    pub fn prompt<P, A, K>(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        handler: impl HandlerFn<S, P, A, K>,
    ) -> Self
    where
        P: Params + 'static,
        A: IntoPromptResult,
        K: 'static,
    {
        let mut prompt = Prompt::new(name, description);
        let arguments = P::properties().into_iter();
        prompt.arguments = arguments
            .map(|it| match it.required {
                true => PromptArgument::required(it.name, it.doc),
                false => PromptArgument::optional(it.name, it.doc),
            })
            .collect();
        let handler = Box::new(Bound::new(&self.state, handler));
        self.entries.push(Entry::new(prompt, handler));
        self
    }

    /// Changes the declaration of the prompt added last: its title, icons or `_meta`.
    pub fn map_last_prompt(mut self, change: impl FnOnce(Prompt) -> Prompt) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.declared = change(entry.declared.clone());
        }
        self
    }

    /// Adds the prompts of another router, for the list variants selected by `accepts`. In other variants, they are
    /// unknown.
    pub fn merge_for_variants(
        mut self,
        accepts: impl Fn(&ListVariant) -> bool + Send + Sync + 'static,
        prompts: PromptRouter<impl Sized>,
    ) -> Self {
        let accepts: Condition = Arc::new(accepts);
        let entries = prompts.entries.into_iter();
        self.entries.extend(entries.map(|it| it.only_for(&accepts)));
        self
    }
}

impl<S> fmt::Debug for PromptRouter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.entries.iter().map(|it| &it.declared.name);
        f.debug_list().entries(names).finish()
    }
}

impl<S: Send + Sync + 'static> PromptSet for PromptRouter<S> {
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt> {
        let entries = self.entries.iter();
        entries.filter_map(|it| it.listed(scope)).collect()
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Rendered>> {
        let mut entries = self.entries.iter();
        let entry =
            entries.find(|it| it.declared.name == name && it.is_visible(cx.list_variant()))?;
        Some(entry.handler.render(arguments, cx))
    }
}

/// A return type of a prompt handler: a string, content blocks, messages, a [`GetPromptResult`], or a `Result` of one
/// of these. A string or content blocks become a user message. The error of a `Result` is a [`PromptError`], a string,
/// or a [`HandlerError`](crate::HandlerError). Any other error is only logged.
#[diagnostic::on_unimplemented(
    message = "a prompt cannot return `{Self}`",
    note = "a prompt returns a string, content blocks, messages, `GetPromptResult`, or a `Result` of one of these"
)]
pub trait IntoPromptResult: Send + 'static {
    /// Returns the rendered prompt.
    ///
    /// # Errors
    /// Returns the error of the handler.
    fn into_prompt(self) -> Rendered;
}

macro_rules! prompt_answers {
    ($($Ty:ty, |$it:ident| $result:expr;)+) => { $(
        impl IntoPromptResult for $Ty {
            fn into_prompt(self) -> Rendered {
                let $it = self;
                Ok($result)
            }
        }
    )+ };
}

prompt_answers! {
    GetPromptResult, |it| it;
    Vec<PromptMessage>, |it| GetPromptResult::new(it);
    Vec<ContentBlock>, |it| GetPromptResult::user_messages(it);
    ContentBlock, |it| GetPromptResult::user_messages([it]);
    String, |it| GetPromptResult::user_messages([ContentBlock::text(it)]);
    &'static str, |it| GetPromptResult::user_messages([ContentBlock::text(it)]);
}

impl<A: IntoPromptResult, E: Display + Send + 'static> IntoPromptResult for Result<A, E> {
    fn into_prompt(self) -> Rendered {
        self.map_err(|error| failure(&error, PromptError::Failed))?
            .into_prompt()
    }
}
