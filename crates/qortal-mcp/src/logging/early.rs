//! Standard error before the configuration has been read: whether it is to be JSON.

use std::ffi::OsStr;

/// The flag, as words of a command line that may be wrong.
const FLAG: &str = "--log-format";

/// Whether these words, or else this value of the variable, ask for a log in JSON.
pub(crate) fn asks_for_json<'a>(
    words: impl IntoIterator<Item = &'a OsStr>,
    variable: Option<&str>,
) -> bool {
    let is_json = |it: &str| it.trim().eq_ignore_ascii_case("json");
    let mut words = words.into_iter().filter_map(OsStr::to_str);
    while let Some(word) = words.next() {
        let value = match word.strip_prefix(FLAG) {
            Some("") => words.next(),
            Some(value) => value.strip_prefix('='),
            None => None,
        };
        if let Some(value) = value {
            return is_json(value);
        }
    }
    variable.is_some_and(is_json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_known_from_a_command_line_that_is_wrong() {
        for (line, variable, expected) in [
            ("qortal-mcp http --nonsense --log-format json", None, true),
            ("qortal-mcp --log-format=JSON --nonsense", None, true),
            ("qortal-mcp --log-format=plain", Some("json"), false),
            ("qortal-mcp --nonsense", Some("json"), true),
            ("qortal-mcp --nonsense", None, false),
            ("qortal-mcp --log-format", None, false),
        ] {
            let words = line.split(' ').map(OsStr::new);
            assert_eq!(asks_for_json(words, variable), expected, "{line}");
        }
    }
}
