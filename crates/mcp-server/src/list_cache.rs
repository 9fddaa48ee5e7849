//! The lists of all scopes, each read when it is first asked for and again when it may have changed.

use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use mcp_protocol::Tool;
use serde_json::Value;

use crate::{
    change_notifier::ChangeNotifier,
    header_parameter::{self, HeaderParameter},
    lists::Lists,
    lock::{read, write},
    scope::Scope,
    sets::Sets,
};

/// Scopes besides the default one whose lists are kept; the one unused for longest makes room for one more. The pages
/// of a hundred tools have some 200 KB in each revision, so that this is a dozen megabytes.
const SCOPES: usize = 32;

/// The lists of all scopes.
#[derive(Debug)]
pub(crate) struct ListCache {
    /// Notified when they change; lists that never do are read once.
    notifier: Option<ChangeNotifier>,
    everyone: Current<Lists>,
    tool_facts: Current<ToolFacts>,
    scopes: RwLock<HashMap<Scope, Used>>,
    clock: AtomicU64,
}

/// The value of the newest generation.
#[derive(Debug)]
enum Current<T> {
    /// There is one generation; no request waits for another once it is there.
    Fixed(OnceLock<Box<T>>),
    Live(RwLock<Option<(u64, Arc<T>)>>),
}

/// The lists of one scope, and when they were used last.
#[derive(Debug)]
struct Used {
    lists: Arc<Lists>,
    at: AtomicU64,
}

/// What calls need to know of tools, whatever the scope.
#[derive(Debug, Default)]
pub(crate) struct ToolFacts {
    /// Output schemas of the tools whose structured content some revisions wrap.
    wrapped: HashMap<String, Value>,
    /// The tools with parameters that are repeated in headers.
    header_parameters: HashMap<String, Arc<[HeaderParameter]>>,
}

impl ListCache {
    pub(crate) fn new(notifier: Option<&ChangeNotifier>) -> Self {
        Self {
            notifier: notifier.cloned(),
            everyone: Current::new(notifier.is_some()),
            tool_facts: Current::new(notifier.is_some()),
            scopes: RwLock::default(),
            clock: AtomicU64::new(0),
        }
    }

    pub(crate) fn is_live(&self) -> bool {
        self.notifier.is_some()
    }

    /// The lists of a scope as they are now. No lock is held while they are looked at.
    pub(crate) fn with<T>(&self, scope: &Scope, look: impl FnOnce(&Lists) -> T) -> T {
        match scope.is_default() {
            true => {
                let generation = self.generation();
                let make = || Lists::new(Scope::default(), generation);
                self.everyone.with(generation, make, look)
            }
            false => look(&self.of(scope)),
        }
    }

    pub(crate) fn with_tool_facts<T>(&self, sets: &Sets, look: impl FnOnce(&ToolFacts) -> T) -> T {
        let generation = self.generation();
        let make = || ToolFacts::new(sets);
        self.tool_facts.with(generation, make, look)
    }

    fn generation(&self) -> u64 {
        self.notifier.as_ref().map_or(0, ChangeNotifier::generation)
    }

    fn of(&self, scope: &Scope) -> Arc<Lists> {
        let generation = self.generation();
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        if let Some(found) = read(&self.scopes).get(scope)
            && found.lists.generation == generation
        {
            found.at.store(now, Ordering::Relaxed);
            return Arc::clone(&found.lists);
        }
        // Nothing is made yet: the lock is held for an entry, not for its pages.
        let lists = Arc::new(Lists::new(scope.clone(), generation));
        let mut scopes = write(&self.scopes);
        if let Some(found) = scopes.get(scope)
            && found.lists.generation == generation
        {
            return Arc::clone(&found.lists);
        }
        if scopes.len() >= SCOPES && !scopes.contains_key(scope) {
            let oldest = scopes
                .iter()
                .min_by_key(|(_, it)| it.at.load(Ordering::Relaxed));
            if let Some(oldest) = oldest.map(|(scope, _)| scope.clone()) {
                scopes.remove(&oldest);
            }
        }
        let used = Used {
            lists: Arc::clone(&lists),
            at: AtomicU64::new(now),
        };
        scopes.insert(scope.clone(), used);
        lists
    }
}

impl<T> Current<T> {
    fn new(is_live: bool) -> Self {
        match is_live {
            false => Self::Fixed(OnceLock::new()),
            true => Self::Live(RwLock::new(None)),
        }
    }

    fn with<U>(&self, generation: u64, make: impl FnOnce() -> T, look: impl FnOnce(&T) -> U) -> U {
        match self {
            Self::Fixed(value) => look(value.get_or_init(|| Box::new(make()))),
            Self::Live(value) => {
                let current = read(value).clone();
                if let Some((_, current)) = current.filter(|(it, _)| *it == generation) {
                    return look(&current);
                }
                let current = Arc::new(make());
                *write(value) = Some((generation, Arc::clone(&current)));
                look(&current)
            }
        }
    }
}

impl ToolFacts {
    fn new(sets: &Sets) -> Self {
        let tools = sets.tools.as_ref().map(|it| it.callable());
        let tools = tools.unwrap_or_default();
        Self {
            wrapped: wrapped(&tools),
            header_parameters: header_parameters(&tools),
        }
    }

    /// The output schema by which the tool's structured content is wrapped, where that is not plain.
    pub(crate) fn wrapped_schema(&self, tool: &str) -> Option<&Value> {
        if self.wrapped.is_empty() {
            return None;
        }
        self.wrapped.get(tool)
    }

    pub(crate) fn has_header_parameters(&self) -> bool {
        !self.header_parameters.is_empty()
    }

    pub(crate) fn header_parameters(&self, tool: &str) -> Option<Arc<[HeaderParameter]>> {
        self.header_parameters.get(tool).cloned()
    }
}

fn wrapped(tools: &[Tool]) -> HashMap<String, Value> {
    let schemas = tools.iter().filter_map(|tool| {
        let schema = tool.output_schema.as_ref()?;
        let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
        (!is_object).then(|| (tool.name.clone(), schema.clone()))
    });
    schemas.collect()
}

fn header_parameters(tools: &[Tool]) -> HashMap<String, Arc<[HeaderParameter]>> {
    let declared = tools.iter().filter_map(|tool| {
        let parameters = header_parameter::declared(tool);
        (!parameters.is_empty()).then(|| (tool.name.clone(), parameters.into()))
    });
    declared.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scope_unused_for_longest_makes_room() {
        let cache = ListCache::new(None);
        let scope = |n: usize| Scope::private(n.to_string());
        let first = cache.of(&scope(0));
        for n in 1..SCOPES {
            cache.of(&scope(n));
        }
        assert!(Arc::ptr_eq(&first, &cache.of(&scope(0))));
        let second = cache.of(&scope(1));
        cache.of(&scope(SCOPES));
        assert!(Arc::ptr_eq(&first, &cache.of(&scope(0))));
        assert!(Arc::ptr_eq(&second, &cache.of(&scope(1))));
        let kept = read(&cache.scopes);
        assert_eq!(kept.len(), SCOPES);
        assert!(!kept.contains_key(&scope(2)));
    }

    #[test]
    fn lists_of_every_scope_are_made_anew_when_they_have_changed() {
        let notifier = ChangeNotifier::new();
        let cache = ListCache::new(Some(&notifier));
        let scope = Scope::private("a");
        let before = cache.of(&scope);
        assert!(Arc::ptr_eq(&before, &cache.of(&scope)));
        notifier.tools_changed();
        let after = cache.of(&scope);
        assert_eq!((before.generation, after.generation), (0, 1));
        assert_eq!(read(&cache.scopes).len(), 1);
    }
}
