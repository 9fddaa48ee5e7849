//! "Did you mean" suggestions: the known name that is nearest to an unknown one.

/// Returns the number of typing errors between two names, ignoring case. Returns `None` if there are more errors than
/// one per three characters of `word`: then another name is meant.
#[must_use]
pub fn distance(word: &str, candidate: &str) -> Option<usize> {
    let length = word.chars().count();
    let most = length.max(3) / 3;
    // A word of kilobytes would take milliseconds to compare. Lower case hardly changes a length.
    if length.abs_diff(candidate.chars().count()) > most.saturating_mul(2) {
        return None;
    }
    let word = word.to_lowercase();
    let most = word.chars().count().max(3) / 3;
    let distance = strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
    (distance <= most).then_some(distance)
}

/// Returns the candidate that was probably meant by `word`: the nearest one by [`distance`], or else the only one that
/// contains `word` between underscores, as `poll_name` contains `name`.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    let mut containing = Vec::new();
    for candidate in candidates {
        if let Some(distance) = distance(word, candidate) {
            best = best.into_iter().chain([(distance, candidate)]).min();
        }
        if candidate.split('_').any(|part| part == word) {
            containing.push(candidate);
        }
    }
    match (best, containing.as_slice()) {
        (Some((_, nearest)), _) => Some(nearest),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn mistakes_and_parts_are_recognized() {
        let known = ["limit", "offset", "poll_name", "at_address", "address"];
        for (word, meant) in [
            ("limits", Some("limit")),
            ("Limit", Some("limit")),
            ("ofset", Some("offset")),
            ("name", Some("poll_name")),
            ("adress", Some("address")),
            ("color", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(nearest("name", ["poll_name", "group_name"]), None);
    }
}
