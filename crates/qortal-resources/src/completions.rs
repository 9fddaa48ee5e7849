//! Completions of prompt arguments and template variables: names, coins, services, heights. They never wait for a slow node: values that it
//! does not return in time are left out.

mod query;
mod values;

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use qortal_tools::{Catalog, Object, is_hidden};
use tokio::time::{Instant, timeout};

use self::{
    query::{Candidate, Candidates, Query},
    values::{VALUES, Values},
};
use crate::{Prompt, sources};

/// Maximum number of values per response (`server/utilities/completion` of MCP).
const MAX_VALUES: u32 = 100;
/// Timeout of a completion. Users do not wait longer while they type.
const DEADLINE: Duration = Duration::from_millis(300);
/// Time before a query is repeated after the node was late.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// Maximum number of cached node responses: about as many as one user needs in a minute of typing.
const MAX_CACHED: usize = 64;
/// Maximum length in characters of the value to complete. The longest names have 40, public keys have 44.
const MAX_CHARACTERS: usize = 44;

/// Completions of the typed text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Completion {
    /// The values, at most 101: one more than MCP allows in a response, if there are more.
    pub values: Vec<String>,
    /// Total number of values, if known.
    pub total: Option<u64>,
}

/// Completer of arguments, with a cache that holds the node's responses for a minute.
#[derive(Debug)]
pub struct Completions {
    catalog: Arc<Catalog>,
    cache: Mutex<HashMap<Query, Cached>>,
}

#[derive(Debug)]
struct Cached {
    until: Instant,
    candidates: Arc<Candidates>,
}

impl Completions {
    /// Creates a completer for the node of a catalog.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            cache: Mutex::default(),
        }
    }

    /// Returns `true` if the catalog has this prompt and the prompt has this argument.
    #[must_use]
    pub fn has_prompt_argument(&self, prompt: &str, argument: &str) -> bool {
        let mut prompts = Prompt::offered(&self.catalog);
        let prompt = prompts.find(|it| it.name == prompt);
        prompt.is_some_and(|it| it.arguments.iter().any(|it| it.name == argument))
    }

    /// Returns `true` if the catalog has this resource template and the template has this variable.
    #[must_use]
    pub fn has_template_variable(&self, template: &str, variable: &str) -> bool {
        let mut sources = sources(&self.catalog).map(|(source, _)| source);
        let source = sources.find(|it| it.template == template);
        source.is_some_and(|it| it.variables().any(|it| it == variable))
    }

    /// Returns the values of an argument that begin with `typed`, ignoring case, given the arguments in `resolved`. The result is empty if
    /// the node does not respond in time, or if the argument has no known values.
    pub async fn complete(&self, argument: &str, typed: &str, resolved: &Object) -> Completion {
        let typed = typed.trim();
        if typed.chars().count() > MAX_CHARACTERS {
            return Completion::default();
        }
        let typed = typed.to_lowercase();
        let row = VALUES.iter().find(|(name, _)| *name == argument);
        match row.map(|(_, values)| values) {
            Some(Values::Known(candidates)) => candidates(&self.catalog).matching(&typed),
            Some(Values::Node(query)) => match query(&typed, resolved) {
                Some(query) => self.candidates(query).await.matching(&typed),
                None => Completion::default(),
            },
            Some(Values::None) | None => Completion::default(),
        }
    }

    async fn candidates(&self, query: Query) -> Arc<Candidates> {
        if let Some(candidates) = self.cached(&query) {
            return candidates;
        }
        let lifetime = query.lifetime();
        match timeout(DEADLINE, query.candidates(self.catalog.node())).await {
            Ok(Ok(candidates)) => self.cache(query, candidates, lifetime),
            // Completions are a convenience: an error is not reported, and the query is not repeated for a while.
            Ok(Err(_)) | Err(_) => self.cache(query, Candidates::default(), RETRY_DELAY),
        }
    }

    fn cached(&self, query: &Query) -> Option<Arc<Candidates>> {
        let cache = self.cache.lock();
        let cached = cache.get(query).filter(|it| Instant::now() < it.until)?;
        Some(Arc::clone(&cached.candidates))
    }

    fn cache(
        &self,
        query: Query,
        mut candidates: Candidates,
        lifetime: Duration,
    ) -> Arc<Candidates> {
        // A value with invisible characters cannot be distinguished from another one.
        let is_visible = |text: &str| !text.chars().any(|c| c.is_control() || is_hidden(c));
        candidates.items.retain(|it| is_visible(&it.value));
        let candidates = Arc::new(candidates);
        let mut cache = self.cache.lock();
        let now = Instant::now();
        cache.retain(|_, it| now < it.until);
        if cache.len() >= MAX_CACHED {
            let oldest = cache.iter().min_by_key(|(_, it)| it.until);
            if let Some(oldest) = oldest.map(|(query, _)| query.clone()) {
                cache.remove(&oldest);
            }
        }
        let cached = Cached {
            until: now + lifetime,
            candidates: Arc::clone(&candidates),
        };
        cache.insert(query, cached);
        candidates
    }
}

impl Candidates {
    /// Returns the values that begin with `typed`, or whose label does.
    fn matching(&self, typed: &str) -> Completion {
        let matches = |text: &str| text.to_lowercase().starts_with(typed);
        let matching = |it: &&Candidate| matches(&it.value) || matches(&it.label);
        let matching = self.items.iter().filter(matching);
        let mut values: Vec<_> = matching.map(|it| it.value.clone()).collect();
        let total = self.is_complete.then_some(values.len() as u64);
        values.truncate(MAX_VALUES as usize + 1);
        Completion { values, total }
    }
}
