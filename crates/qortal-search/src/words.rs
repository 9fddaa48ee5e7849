//! Word search in lists of names with descriptions.

/// Words that a name or description must contain, all of them, in any order and case.
#[derive(Debug)]
pub struct Words {
    /// The search text, in lower case with single spaces.
    phrase: String,
}

/// The quality of a match. Smaller is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// The name equals the search text.
    Name,
    /// The name begins with the search text.
    Beginning,
    /// All words are in the name.
    InName,
    /// Some words are in the description only.
    InDescription,
}

impl Words {
    /// Creates a search for the words of a text.
    #[must_use]
    pub fn of(query: &str) -> Self {
        let words: Vec<_> = query.split_whitespace().map(str::to_lowercase).collect();
        Self {
            phrase: words.join(" "),
        }
    }

    /// Returns the matching items, best first. Equal matches keep their order.
    pub fn find<T>(&self, items: Vec<T>, texts: impl Fn(&T) -> (&str, &str)) -> Vec<T> {
        let matching = items.into_iter().filter_map(|it| {
            let (name, description) = texts(&it);
            Some((self.quality(name, description)?, it))
        });
        let mut matching: Vec<_> = matching.collect();
        matching.sort_by_cached_key(|(quality, _)| *quality);
        matching.into_iter().map(|(_, it)| it).collect()
    }

    fn quality(&self, name: &str, description: &str) -> Option<Match> {
        let name = name.to_lowercase();
        if name == self.phrase {
            return Some(Match::Name);
        }
        if name.starts_with(&self.phrase) {
            return Some(Match::Beginning);
        }
        let mut words = self.phrase.split(' ');
        if words.clone().all(|it| name.contains(it)) {
            return Some(Match::InName);
        }
        let description = description.to_lowercase();
        words
            .all(|it| name.contains(it) || description.contains(it))
            .then_some(Match::InDescription)
    }
}
