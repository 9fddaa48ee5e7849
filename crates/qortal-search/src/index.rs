//! Inverted index of texts.

use std::collections::HashMap;

use tool_schema::distance;

use crate::terms::{meant, terms};

/// A field of a text. A word in a name counts for more than one in a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// The name or title.
    Name,
    /// A search phrase for the text.
    Keywords,
    /// A question with the text as its answer.
    Question,
    /// Any other text.
    Description,
}

impl Field {
    const fn weight(self) -> f64 {
        match self {
            Self::Name | Self::Keywords => 3.0,
            Self::Question => 1.5,
            Self::Description => 1.0,
        }
    }
}

/// The score of a term that shares its beginning with a query word.
const SAME_BEGINNING: f64 = 0.7;
/// The minimum length of such a shared beginning, in letters.
const SHARED_LETTERS: usize = 4;
/// The score of a term with one typing mistake. A term with two has half of it.
const MISTYPED: f64 = 0.9;
/// The bonus for a complete keyword phrase, as a share of the score of its words.
const WHOLE_PHRASE: f64 = 0.5;
/// The minimum score of a match, as a share of the best score.
const WORTH_SHOWING: f64 = 0.25;

/// An inverted index. Texts are numbered in the order in which they are added.
#[derive(Debug, Default)]
pub struct Index {
    /// The texts with each term, and its weight there.
    postings: HashMap<String, HashMap<usize, f64>>,
    /// The terms of each keyword phrase, and its text.
    phrases: Vec<(Vec<String>, usize)>,
    texts: usize,
}

impl Index {
    /// Adds one text with its fields.
    pub fn add<'a>(&mut self, fields: impl IntoIterator<Item = (Field, &'a str)>) {
        let text = self.texts;
        self.texts += 1;
        for (field, words) in fields {
            let terms = terms(words);
            for term in &terms {
                let weight = self.postings.entry(term.clone()).or_default();
                let weight = weight.entry(text).or_default();
                *weight = field.weight().max(*weight);
            }
            if matches!(field, Field::Keywords) && !terms.is_empty() {
                self.phrases.push((terms, text));
            }
        }
    }

    /// Returns the matching texts, best first.
    #[must_use]
    pub fn find(&self, query: &str) -> Vec<usize> {
        let asked = asked(query);
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for term in &asked {
            for (text, score) in self.of_term(term) {
                *scores.entry(text).or_default() += score;
            }
        }
        for (phrase, text) in &self.phrases {
            if phrase.iter().all(|it| asked.contains(it)) {
                let rarity: f64 = phrase.iter().map(|it| self.rarity(it)).sum();
                *scores.entry(*text).or_default() +=
                    WHOLE_PHRASE * Field::Keywords.weight() * rarity;
            }
        }
        let best = scores.values().copied().fold(0.0, f64::max);
        let mut found: Vec<_> = scores.into_iter().collect();
        found.retain(|(_, score)| *score >= WORTH_SHOWING * best);
        // Texts that fit equally well stay in their order.
        found.sort_by(|(a, of_a), (b, of_b)| of_b.total_cmp(of_a).then(a.cmp(b)));
        found.into_iter().map(|(text, _)| text).collect()
    }

    /// Returns the texts with every word of the query, best first. Misspelled words match nothing.
    #[must_use]
    pub fn find_all_words(&self, query: &str) -> Vec<usize> {
        let asked = asked(query);
        let has = |text: &usize, term: &String| {
            let texts = self.postings.get(term);
            texts.is_some_and(|it| it.contains_key(text))
        };
        let mut found = self.find(query);
        found.retain(|text| asked.iter().all(|term| has(text, term)));
        found
    }

    /// Returns the score of one query word in each text: the best of its possible terms.
    fn of_term(&self, asked: &str) -> HashMap<usize, f64> {
        let mut scores = HashMap::new();
        for (term, likeness) in self.like(asked) {
            let rarity = self.rarity(term);
            for (text, weight) in self.postings.get(term).into_iter().flatten() {
                let score = scores.entry(*text).or_insert(0.0);
                *score = (likeness * rarity * weight).max(*score);
            }
        }
        scores
    }

    /// Returns the possible terms of a word and their similarity: the word and its inflections, or else corrections of a
    /// typing mistake.
    fn like<'a>(&'a self, asked: &str) -> Vec<(&'a str, f64)> {
        let known = self.postings.keys().map(String::as_str);
        let near = known.clone().filter_map(|term| {
            if term == asked {
                return Some((term, 1.0));
            }
            let shorter = term.chars().count().min(asked.chars().count());
            let begins = term.starts_with(asked) || asked.starts_with(term);
            (begins && shorter >= SHARED_LETTERS).then_some((term, SAME_BEGINNING))
        });
        let near: Vec<_> = near.collect();
        if !near.is_empty() || asked.chars().count() < SHARED_LETTERS || !asked.is_ascii() {
            return near;
        }
        let words = known.map(|term| (term, term)).chain(meant());
        let mistyped = words.filter_map(|(word, term)| Some((term, distance(asked, word)?)));
        let mistyped: Vec<_> = mistyped.collect();
        let least = mistyped.iter().map(|(_, distance)| *distance).min();
        let nearest = mistyped.into_iter().filter(|it| Some(it.1) == least);
        let count =
            |distance: usize| MISTYPED / f64::from(u32::try_from(distance).unwrap_or(u32::MAX));
        nearest
            .map(|(term, distance)| (term, count(distance)))
            .collect()
    }

    /// Returns the weight of a term. Rare terms weigh more.
    fn rarity(&self, term: &str) -> f64 {
        let count = |it: usize| f64::from(u32::try_from(it).unwrap_or(u32::MAX));
        let having = self.postings.get(term).map_or(0, HashMap::len);
        (1.0 + count(self.texts) / (1.0 + count(having))).ln()
    }
}

/// Returns the terms of a query without duplicates.
fn asked(query: &str) -> Vec<String> {
    let mut asked = terms(query);
    asked.sort();
    asked.dedup();
    asked
}
