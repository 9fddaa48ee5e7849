//! Unique tool names that a provider accepts, stable across lists.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::Word;

/// The names so far.
pub(super) struct Names {
    word: Word,
    taken: BTreeSet<String>,
    /// By name, the round that its next digest begins with: a list may have one name any number of times.
    rounds: BTreeMap<String, u32>,
}

impl Names {
    pub(super) fn new(word: Word) -> Self {
        Self {
            word,
            taken: BTreeSet::new(),
            rounds: BTreeMap::new(),
        }
    }

    /// The name itself if it can be sent; else what is left of it, with a digest of the whole where that is needed to
    /// tell it from others, so that it does not depend on the tools beside it more than it must.
    pub(super) fn unique(&mut self, name: &str) -> String {
        if self.word.allows(name) && self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let clean = name
            .chars()
            .map(|it| if self.word.has(it) { it } else { '_' });
        let mut clean: String = clean.collect();
        if !self.word.begins(&clean) {
            clean.insert(0, '_');
        }
        if self.word.allows(&clean) && self.taken.insert(clean.clone()) {
            return clean;
        }
        let round = self.rounds.entry(name.to_owned()).or_default();
        loop {
            let suffix = format!("_{:08x}", digest(name, *round));
            *round += 1;
            let room = self.word.max.saturating_sub(suffix.len());
            let unique: String = clean.chars().take(room).chain(suffix.chars()).collect();
            if self.taken.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

/// FNV-1a, which needs no library and no key: a collision costs a longer name, and no more.
fn digest(name: &str, round: u32) -> u32 {
    let bytes = name.bytes().chain(round.to_le_bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
