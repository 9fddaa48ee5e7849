//! Tips for command lines that are nearly right.

use std::ffi::OsString;

use clap::{
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use qortal_tools::{Catalog, Entry};

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
            let tool = Catalog::find(&word).ok();
            tool.map(|it| format!("to call the tool, use 'qortal-mcp call {}'", it.name))
        }
        ErrorKind::UnknownArgument => {
            let flag = of(ContextKind::InvalidArg).unwrap_or_default();
            let name = flag.trim_start_matches('-').replace('-', "_");
            let parameters = tool.map(Entry::parameters).unwrap_or_default();
            let is_parameter = parameters.iter().any(|it| it.name == name);
            is_parameter.then(|| format!("arguments of a tool have no hyphens: '{name}=VALUE'"))
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
            ("get_balance address=Alice", Some("call get_balance'")),
            ("call get_balance --address Alice", Some("'address=VALUE'")),
            ("call get_balance --asset-id=0", Some("'asset_id=VALUE'")),
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
