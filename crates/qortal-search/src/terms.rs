//! Terms of a text: its words without accents and endings, translated to English.

use std::{collections::HashMap, sync::LazyLock};

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::vocabulary::{SAME, SILENT};

/// Endings of Russian reflexive verbs.
const REFLEXIVE: &str = "ся сь";
/// Endings of Russian words without accents, the longest first.
const ENDINGS: &str = "иями ями ами его ого ему ому ими ыми ает яет ует ают яют уют ить ать ять еть ах ях ам ям ов ев еи ои ыи ии ая яя \
    ую юю ое ее ые ие ия ию ом ем их ых ют ут ят ат ит ет а я о е ы и у ю ь";
/// The minimum length of a Russian stem, in letters.
const SHORTEST_RUSSIAN_STEM: usize = 3;

/// The terms of each synonym.
static EXACT: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| meanings_by(folded));

/// The terms of each synonym, by its stem.
static MEANT: LazyLock<HashMap<String, Vec<String>>> =
    LazyLock::new(|| meanings_by(|word| stem(&folded(word))));

fn meanings_by(key: impl Fn(&str) -> String) -> HashMap<String, Vec<String>> {
    let mut meant: HashMap<String, Vec<String>> = HashMap::new();
    for (word, others) in SAME.lines().filter_map(|it| it.split_once(": ")) {
        for other in others.split(' ') {
            let terms = meant.entry(key(other)).or_default();
            let term = stem(word);
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    meant
}

/// Returns each synonym with its term.
pub(crate) fn meant<'a>() -> impl Iterator<Item = (&'a str, &'a str)> {
    let pairs = MEANT.iter();
    pairs.flat_map(|(word, terms)| terms.iter().map(move |term| (word.as_str(), term.as_str())))
}

/// Returns the terms of a text, in order.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let text = folded(text);
    let words = text.split(|it: char| !it.is_alphanumeric());
    let mut terms = Vec::new();
    for word in words.filter(|it| !it.is_empty()) {
        if word.is_ascii() || !word.chars().any(is_without_blanks) {
            term(word, &mut terms);
        } else {
            meanings(word, &mut terms);
        }
    }
    terms
}

/// Adds the terms of a word in an alphabetic script.
fn term(word: &str, terms: &mut Vec<String>) {
    if SILENT.split_whitespace().any(|it| it == word) {
        return;
    }
    let stem = stem(word);
    match EXACT.get(word).or_else(|| MEANT.get(&stem)) {
        Some(meant) => terms.extend(meant.iter().cloned()),
        // Single letters say nothing: the q of q-apps.
        None if stem.chars().count() == 1 && !stem.bytes().all(|it| it.is_ascii_digit()) => (),
        None => terms.push(stem),
    }
}

/// Adds the terms of the known words in a text without spaces.
fn meanings(text: &str, terms: &mut Vec<String>) {
    let mut known: Vec<_> = MEANT
        .iter()
        .filter_map(|(word, meant)| Some((text.find(word.as_str())?, word, meant)))
        .filter(|(_, word, _)| word.chars().any(is_without_blanks))
        .collect();
    known.sort_by_cached_key(|(place, word, _)| (*place, std::cmp::Reverse(word.len())));
    for (_, _, meant) in known {
        terms.extend(meant.iter().cloned());
    }
}

/// Returns whether a letter belongs to a script without spaces between words.
fn is_without_blanks(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Returns a text in lower case and without accents.
pub(crate) fn folded(text: &str) -> String {
    let letters = text.nfkd().filter(|it| !is_combining_mark(*it));
    letters
        .collect::<String>()
        .to_lowercase()
        .replace('ß', "ss")
        .replace('œ', "oe")
}

/// Returns a word without its ending, not necessarily a word: "minting" and "minted" have the same stem.
fn stem(word: &str) -> String {
    if word.chars().any(is_cyrillic) {
        return russian_stem(word).to_owned();
    }
    let mut stem = word;
    for (ending, letters) in [
        ("ies", 3),
        ("ing", 3),
        ("ers", 4),
        ("er", 4),
        ("ed", 3),
        ("ion", 4),
        ("s", 3),
    ] {
        let Some(rest) = stem.strip_suffix(ending) else {
            continue;
        };
        if rest.chars().count() >= letters && !(ending == "s" && rest.ends_with(['s', 'u', 'i'])) {
            stem = rest;
            break;
        }
    }
    let without_e = stem.strip_suffix(['e', 'y']).unwrap_or(stem);
    let without_e = if without_e.chars().count() >= 3 {
        without_e
    } else {
        stem
    };
    let mut letters: Vec<char> = without_e.chars().collect();
    // "stopped" and "stop", but neither "fees" nor "selling".
    if let [.., a, b] = letters.as_slice()
        && a == b
        && !"aeiousl".contains(*a)
        && stem.len() < word.len()
    {
        letters.pop();
    }
    letters.into_iter().collect()
}

const fn is_cyrillic(letter: char) -> bool {
    matches!(letter, '\u{400}'..='\u{4ff}')
}

/// Returns a Russian word without its ending: "сделка", "сделки" and "сделку" have the same stem.
fn russian_stem(word: &str) -> &str {
    let without = |word: &str, endings: &str| {
        let mut rests = endings.split(' ').filter_map(|it| word.strip_suffix(it));
        rests
            .find(|it| it.chars().count() >= SHORTEST_RUSSIAN_STEM)
            .map(str::len)
    };
    let end = without(word, REFLEXIVE).unwrap_or(word.len());
    let word = word.get(..end).unwrap_or(word);
    let end = without(word, ENDINGS).unwrap_or(word.len());
    word.get(..end).unwrap_or(word)
}
