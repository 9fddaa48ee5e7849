//! SQL's `LIKE`, as used in the Core's searches.

/// Returns `true` if a text matches a pattern: `%` matches any text and `_` one character. There is no escape character.
pub(crate) fn is_like(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) =
        (text.chars().collect(), pattern.chars().collect());
    let (mut place, mut expected) = (0, 0);
    // Position of the last `%`, and the position in the text from which to retry with one more character matched by it.
    let mut retry = None;
    while let Some(letter) = text.get(place) {
        match pattern.get(expected) {
            Some('%') => {
                expected += 1;
                retry = Some((expected, place + 1));
            }
            Some(wanted) if *wanted == '_' || wanted == letter => {
                place += 1;
                expected += 1;
            }
            Some(_) | None => match retry {
                Some((after, next)) => {
                    (place, expected) = (next, after);
                    retry = Some((after, next + 1));
                }
                None => return false,
            },
        }
    }
    let rest = pattern.get(expected..).unwrap_or_default();
    rest.iter().all(|wanted| *wanted == '%')
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn like_is_that_of_sql() {
        for (text, pattern, expected) in [
            ("alice", "%li%", true),
            ("alice", "li%", false),
            ("alice", "a_ice", true),
            ("alice", "%", true),
            ("alice", "%e", true),
            ("alice", "%c", false),
            ("abcabd", "%ab_", true),
            ("abcabd", "a%d%", true),
            ("", "_", false),
            ("", "%", true),
            ("日本", "_", false),
            ("日本", "日%", true),
            ("back\\slash", "%k\\s%", true),
            ("snake_case", "%snake\\_case%", false),
        ] {
            assert_eq!(is_like(text, pattern), expected, "{text} {pattern}");
        }
    }
}
