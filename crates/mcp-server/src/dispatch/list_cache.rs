//! A cache of the lists of recently used list variants.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::RwLock;

use crate::{
    context::ListVariant,
    dispatch::{lists::Lists, rendered_tools::Pieces},
    session::ChangeNotifier,
};

/// Maximum number of list variants with cached lists. The least recently used one is evicted. The pages of 100 tools
/// take about 200 KB in each revision, so the cache takes about a dozen megabytes.
const SCOPES: usize = 32;

/// The lists of all list variants.
#[derive(Debug)]
pub(crate) struct ListCache {
    /// The number of changes. Lists that never change are read only once.
    generation: Option<Arc<AtomicU64>>,
    /// The lists of the default variant before the first change. They need no lock.
    first: Lists,
    pub(crate) pieces: Pieces,
    scopes: RwLock<HashMap<ListVariant, Used>>,
    clock: AtomicU64,
}

/// The lists of one list variant, and the time of their last use.
#[derive(Debug)]
struct Used {
    lists: Arc<Lists>,
    at: AtomicU64,
}

impl ListCache {
    pub(crate) fn new(notifier: Option<&ChangeNotifier>) -> Self {
        let generation = notifier.map(ChangeNotifier::generation);
        let current = generation
            .as_ref()
            .map_or(0, |it| it.load(Ordering::Acquire));
        Self {
            generation,
            first: Lists::new(ListVariant::default(), current),
            pieces: Pieces::default(),
            scopes: RwLock::default(),
            clock: AtomicU64::new(0),
        }
    }

    pub(crate) fn is_live(&self) -> bool {
        self.generation.is_some()
    }

    /// Calls `look` with the current lists of a list variant. No lock is held meanwhile.
    pub(crate) fn with<T>(&self, scope: &ListVariant, look: impl FnOnce(&Lists) -> T) -> T {
        let generation = self.generation.as_ref();
        let generation = generation.map_or(0, |it| it.load(Ordering::Acquire));
        if scope.is_default() && generation == self.first.generation {
            look(&self.first)
        } else {
            look(&self.of(scope, generation))
        }
    }

    fn of(&self, scope: &ListVariant, generation: u64) -> Arc<Lists> {
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        let found = |scopes: &HashMap<ListVariant, Used>| {
            let found = scopes.get(scope)?;
            found.at.store(now, Ordering::Relaxed);
            (found.lists.generation == generation).then(|| Arc::clone(&found.lists))
        };
        if let Some(lists) = found(&self.scopes.read()) {
            return lists;
        }
        let mut scopes = self.scopes.write();
        if let Some(lists) = found(&scopes) {
            return lists;
        }
        if scopes.len() >= SCOPES && !scopes.contains_key(scope) {
            let used = scopes
                .iter()
                .map(|(scope, it)| (it.at.load(Ordering::Relaxed), scope));
            if let Some((_, oldest)) = used.min_by_key(|(at, _)| *at) {
                let oldest = oldest.clone();
                scopes.remove(&oldest);
            }
        }
        // Its pages are made later, without the lock.
        let lists = Arc::new(Lists::new(scope.clone(), generation));
        let used = Used {
            lists: Arc::clone(&lists),
            at: AtomicU64::new(now),
        };
        scopes.insert(scope.clone(), used);
        lists
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_scope_makes_room() {
        let cache = ListCache::new(None);
        let of = |n: usize| cache.of(&ListVariant::private(n.to_string()), 0);
        let first = of(0);
        for n in 1..SCOPES {
            of(n);
        }
        assert!(Arc::ptr_eq(&first, &of(0)));
        let second = of(1);
        of(SCOPES);
        assert!(Arc::ptr_eq(&first, &of(0)));
        assert!(Arc::ptr_eq(&second, &of(1)));
        let kept = cache.scopes.read();
        assert_eq!(kept.len(), SCOPES);
        assert!(!kept.contains_key(&ListVariant::private("2")));
    }

    #[test]
    fn lists_are_made_anew_once_they_have_changed() {
        let notifier = ChangeNotifier::new();
        let cache = ListCache::new(Some(&notifier));
        for scope in [ListVariant::default(), ListVariant::private("a")] {
            let generation = notifier.generation().load(Ordering::Acquire);
            let seen = || cache.with(&scope, |lists| lists.generation);
            assert_eq!(seen(), generation);
            notifier.tools_changed();
            assert_eq!(seen(), generation + 1);
            assert_eq!(seen(), generation + 1);
        }
        assert_eq!(cache.scopes.read().len(), 2);
    }
}
