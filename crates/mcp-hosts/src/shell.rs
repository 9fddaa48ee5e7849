//! Command lines, quoted for the system's shell.

/// Returns a command line, quoted for the system's shell.
#[must_use]
pub fn shell_command_line(program: &str, arguments: &[String]) -> String {
    let words = std::iter::once(program).chain(arguments.iter().map(String::as_str));
    words.map(shell_quoted).collect::<Vec<_>>().join(" ")
}

/// Returns one argument of a command line, in quotes if it needs them.
#[must_use]
pub fn shell_quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@\\".contains(&byte);
    let is_plain = !word.is_empty() && word.bytes().all(plain);
    if is_plain && (cfg!(windows) || !word.contains('\\')) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_quoted("--node"), "--node");
        assert_eq!(shell_quoted("/a b/it's"), r"'/a b/it'\''s'");
        assert_eq!(shell_quoted(r"a\b"), r"'a\b'");
        assert_eq!(shell_quoted(""), "''");
    }
}
