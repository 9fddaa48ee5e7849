//! Tips for command lines that are nearly right.

use std::ffi::OsString;

use clap::{
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use mcp_hosts::shell_quoted;
use qortal_tools::{Catalog, Entry};

/// Commands that other programs have, with the one that does it here.
const COMMANDS: [(&str, &str); 11] = [
    ("serve", "qortal-mcp http"),
    ("server", "qortal-mcp http"),
    ("start", "qortal-mcp http"),
    ("run", "qortal-mcp http"),
    ("stdio", "qortal-mcp"),
    ("demo", "qortal-mcp http --demo"),
    ("list", "qortal-mcp tools"),
    ("add", "qortal-mcp install HOST --write"),
    ("uninstall", "qortal-mcp install HOST --remove"),
    ("remove", "qortal-mcp install HOST --remove"),
    ("version", "qortal-mcp --version"),
];
/// Flags that other programs have, with those that do it here.
const FLAGS: [(&str, &str); 4] = [
    ("port", "qortal-mcp http --listen 127.0.0.1:PORT"),
    ("host", "qortal-mcp http --listen ADDR:PORT"),
    ("url", "--node URL"),
    ("uninstall", "qortal-mcp install HOST --remove"),
];

/// Returns a tool with the words that follow it on the command line.
fn with_arguments(tool: &Entry, words: &[OsString], typed: &str) -> String {
    let after = words.iter().skip_while(|it| *it != typed).skip(1);
    let after = after.filter_map(|it| it.to_str()).map(for_shell);
    [tool.name.to_owned()]
        .into_iter()
        .chain(after)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the value that was given to a flag, or what stands for one.
fn value_of(words: &[OsString], flag: &str) -> String {
    let mut words = words.iter().filter_map(|it| it.to_str());
    let is_flag = |it: &&str| it.trim_start_matches('-').split('=').next() == Some(flag);
    let given = match words.find(is_flag).and_then(|it| it.split_once('=')) {
        Some((_, value)) => Some(value),
        None => words.next().filter(|it| !it.starts_with('-')),
    };
    given.map_or_else(|| "VALUE".to_owned(), shell_quoted)
}

/// Returns `name=value`, or another word, as a shell reads it.
fn for_shell(word: &str) -> String {
    match word.split_once('=') {
        Some((name, value)) => format!("{name}={}", shell_quoted(value)),
        None => shell_quoted(word),
    }
}

/// Returns the error with a tip where the words show what was meant. Suggestions of clap that lead elsewhere go.
pub(super) fn with_tip(mut err: clap::Error, words: &[OsString]) -> clap::Error {
    let of = |kind| match err.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let command = words.iter().position(|it| it == "call");
    let after_call = command
        .and_then(|at| words.get(at + 1..))
        .unwrap_or_default();
    let mut of_call = after_call.iter().filter_map(|it| it.to_str());
    let tool = of_call.find_map(|it| Catalog::find(it).ok());
    let tip = match err.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = of(ContextKind::InvalidSubcommand).unwrap_or_default();
            let right = COMMANDS.iter().find(|(other, _)| *other == word);
            match (Catalog::find(&word).ok(), right) {
                (Some(tool), _) => Some(format!(
                    "to call the tool, use 'qortal-mcp call {}'",
                    with_arguments(tool, words, &word)
                )),
                (None, Some((_, right))) => Some(format!("use '{right}'")),
                (None, None) => None,
            }
        }
        ErrorKind::UnknownArgument => {
            let flag = of(ContextKind::InvalidArg).unwrap_or_default();
            let flag = flag.trim_start_matches('-');
            let name = flag.replace('-', "_");
            let is_parameter = |it: &&Entry| it.parameters().iter().any(|it| it.name == name);
            match tool.filter(is_parameter) {
                Some(tool) => Some(format!(
                    "tool arguments have no hyphens: 'qortal-mcp call {} {name}={}'",
                    tool.name,
                    value_of(words, flag)
                )),
                None => {
                    let right = FLAGS.iter().find(|(other, _)| *other == flag);
                    right.map(|(_, right)| format!("use '{right}'"))
                }
            }
        }
        ErrorKind::MissingRequiredArgument if command.is_some() => Some(
            "'qortal-mcp tools' lists the tools, and 'qortal-mcp tools TOOL' their arguments"
                .to_owned(),
        ),
        _ => None,
    };
    if let Some(tip) = tip {
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        err.insert(ContextKind::Suggested, tips);
        err.remove(ContextKind::SuggestedSubcommand);
        err.remove(ContextKind::SuggestedArg);
    }
    err
}

#[cfg(test)]
mod tests {
    use crate::args::Arguments;

    #[test]
    fn nearly_right_lines_end_with_the_right_one() {
        for (line, tip) in [
            ("get_balance", Some("use 'qortal-mcp call get_balance'")),
            (
                "get_balance address=Alice",
                Some("'qortal-mcp call get_balance address=Alice'"),
            ),
            (
                "call get_balance --address Alice",
                Some("'qortal-mcp call get_balance address=Alice'"),
            ),
            (
                "call get_balance --asset-id=0",
                Some("'qortal-mcp call get_balance asset_id=0'"),
            ),
            (
                "call get_balance --address",
                Some("'qortal-mcp call get_balance address=VALUE'"),
            ),
            ("serve", Some("use 'qortal-mcp http'")),
            ("list", Some("use 'qortal-mcp tools'")),
            ("demo", Some("use 'qortal-mcp http --demo'")),
            (
                "uninstall cursor",
                Some("use 'qortal-mcp install HOST --remove'"),
            ),
            ("http --port 8000", Some("--listen 127.0.0.1:PORT'")),
            ("call", Some("'qortal-mcp tools' lists the tools")),
            ("call get_balance --addres Alice", None),
            ("doctr", Some("'doctor'")),
            ("install --write", Some("<HOST>")),
        ] {
            let words = ["qortal-mcp"].into_iter().chain(line.split(' '));
            let err = Arguments::read(words).unwrap_err().to_string();
            match tip {
                Some(tip) => assert!(err.contains(tip), "{line}: {err}"),
                None => assert!(!err.contains("VALUE'"), "{line}: {err}"),
            }
            assert!(!err.contains("use '-- --address'"), "{line}: {err}");
        }
    }
}
