//! Completion in shells, by the program itself: of commands and options, and of the names and values of the catalog.

use std::{
    ffi::{OsStr, OsString},
    io,
};

use clap::{Arg, Command};
use clap_complete::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate,
    env::{CompleteEnv, Shells},
};
use qortal_tools::{Catalog, Entry};
use serde_json::Value;

use crate::args;

/// The variable by which the script of a shell requests completion.
const VARIABLE: &str = "QORTAL_MCP_COMPLETE";
const PROGRAM: &str = "qortal-mcp";

/// Prints the completions of a command line if the script of a shell requests them. Returns whether it did.
///
/// # Errors
/// Fails for an unknown shell, or if standard output cannot be written to.
pub(crate) fn complete(words: &[OsString]) -> clap::error::Result<bool> {
    CompleteEnv::with_factory(|| command(words))
        .var(VARIABLE)
        .try_complete(words, None)
}

/// Returns the script that makes a shell complete the command line by running the program.
///
/// # Errors
/// Fails for an unknown shell.
pub fn script(shell: clap_complete::Shell) -> io::Result<Vec<u8>> {
    let name = shell.to_string();
    let shell = Shells::builtins();
    let shell = shell.completer(&name).ok_or(io::ErrorKind::Unsupported)?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    Ok(script)
}

/// The command line with the names and values that it accepts; `words` are those of the process.
fn command(words: &[OsString]) -> Command {
    let words = words.to_vec();
    let is_value = follows_name(&words);
    // Among the values of an argument, options are noise.
    let shown = move |arg: Arg| {
        let is_hidden = is_value && arg.get_long().is_some();
        if is_hidden { arg.hide(true) } else { arg }
    };
    args::command()
        .mut_args(shown)
        .mut_subcommand("call", |call| {
            call.mut_args(shown)
                .mut_arg("tool", |it| it.add(ArgValueCandidates::new(tools)))
                .mut_arg("arguments", |it| {
                    let complete = move |current: &OsStr| arguments(&words, current);
                    it.add(ArgValueCompleter::new(complete))
                })
        })
        .mut_subcommand("tools", |it| {
            it.mut_arg("tool", |it| it.add(ArgValueCandidates::new(tools)))
        })
        .mut_args(|arg| match arg.get_id().as_str() {
            // Its optional value follows an equals sign, which clap_complete 4.6 takes for the next word.
            "demo" => arg.require_equals(false).num_args(0),
            "toolsets" => arg.add(ArgValueCompleter::new(|current: &OsStr| {
                listed(current, || Catalog::families().iter().map(|it| it.name))
            })),
            "tools" | "exclude_tools" => arg.add(ArgValueCompleter::new(|current: &OsStr| {
                listed(current, || Catalog::entries().map(|it| it.name))
            })),
            _ => arg,
        })
}

/// Whether the last word is the value of a tool's argument, in a shell that divides NAME=VALUE.
fn follows_name(words: &[OsString]) -> bool {
    let words: Vec<_> = words.iter().map(|it| it.to_string_lossy()).collect();
    let of_call = words.iter().rposition(|it| it == "call");
    let of_call = of_call.and_then(|at| words.get(at + 1..));
    let [tool, .., before, _] = of_call.unwrap_or_default() else {
        return false;
    };
    let parameters = Catalog::find(tool).map(Entry::parameters);
    let is_name = |name: &str| parameters.iter().flatten().any(|it| it.name == name);
    before == "=" || is_name(before)
}

fn tools() -> Vec<CompletionCandidate> {
    let candidate =
        |it: &'static Entry| CompletionCandidate::new(it.name).help(Some(it.title.into()));
    Catalog::entries().map(candidate).collect()
}

/// Completes the last name of a list with commas.
fn listed<I: Iterator<Item = &'static str>>(
    current: &OsStr,
    names: impl Fn() -> I,
) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let (before, begun) = match current.rsplit_once(',') {
        Some((before, begun)) => (format!("{before},"), begun),
        None => (String::new(), &*current),
    };
    names()
        .filter(|it| it.starts_with(begun) && !before.split(',').any(|known| known == *it))
        .map(|it| CompletionCandidate::new(format!("{before}{it}")))
        .collect()
}

/// Completes an argument of the tool that is called: its name, or its value where the tool accepts certain ones.
fn arguments(words: &[OsString], current: &OsStr) -> Vec<CompletionCandidate> {
    let words: Vec<_> = words.iter().map(|it| it.to_string_lossy()).collect();
    let of_call = words.iter().rposition(|it| it == "call");
    let of_call = of_call
        .and_then(|at| words.get(at + 1..))
        .unwrap_or_default();
    let Some(entry) = of_call.iter().find_map(|it| Catalog::find(it).ok()) else {
        return Vec::new();
    };
    let parameters = entry.parameters();
    let named = |name: &str| parameters.iter().find(|it| it.name == name);
    let current = current.to_string_lossy();
    // Bash divides NAME=VALUE at the equals sign, and leaves the sign out where nothing follows it.
    let begun = of_call.iter().rposition(|it| *it == current);
    let before = begun.and_then(|at| of_call.get(..at)).unwrap_or(of_call);
    let divided = match before {
        [.., name, sign] if sign == "=" => named(name),
        [.., name] => named(name),
        [] => None,
    };
    let (name, prefix, begun) = match (divided, current.split_once('=')) {
        (Some(parameter), _) => (parameter.name.clone(), String::new(), &*current),
        (None, Some((name, begun))) => (name.to_owned(), format!("{name}="), begun),
        (None, None) => {
            let given = |name: &str| {
                let is_it = |word: &str| {
                    word.strip_prefix(name)
                        .is_some_and(|it| it.starts_with('='))
                };
                before.iter().any(|it| is_it(it) || *it == name)
            };
            return parameters
                .iter()
                .filter(|it| it.name.starts_with(&*current) && !given(&it.name))
                .map(|it| {
                    let description = it.schema.get("description").and_then(Value::as_str);
                    let help = description.map(|it| it.to_owned().into());
                    CompletionCandidate::new(format!("{}=", it.name)).help(help)
                })
                .collect();
        }
    };
    let values = named(&name).map(|it| values(&it.schema));
    let values = values.unwrap_or_default().into_iter();
    values
        .filter(|it| it.starts_with(begun))
        .map(|it| CompletionCandidate::new(format!("{prefix}{it}")))
        .collect()
}

/// Returns the values that a schema lists.
fn values(schema: &qortal_tools::Object) -> Vec<String> {
    let listed = schema.get("enum").and_then(Value::as_array);
    let listed = listed.into_iter().flatten().filter_map(Value::as_str);
    let listed: Vec<_> = listed.map(str::to_owned).collect();
    let is_boolean = schema.get("type").and_then(Value::as_str) == Some("boolean");
    match is_boolean && listed.is_empty() {
        true => ["true", "false"].map(str::to_owned).to_vec(),
        false => listed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The completions of the last word of a line, without options.
    fn completions(line: &str) -> Vec<String> {
        let found = all_completions(line).into_iter();
        found.filter(|it| !it.starts_with('-')).collect()
    }

    fn all_completions(line: &str) -> Vec<String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let last = words.len() - 1;
        let mut command = command(&words);
        command.build();
        let found = clap_complete::engine::complete(&mut command, words, last, None).unwrap();
        let text = |it: CompletionCandidate| it.get_value().to_string_lossy().into_owned();
        found.into_iter().map(text).collect()
    }

    #[test]
    fn values_are_completed_without_options() {
        for line in [
            "qortal-mcp call find_payments order ",
            "qortal-mcp call find_payments order = ",
        ] {
            assert_eq!(all_completions(line), ["newest", "oldest"], "{line}");
        }
        let with_options = all_completions("qortal-mcp call find_payments ");
        assert!(with_options.iter().any(|it| it == "--format"));
    }

    #[test]
    fn names_and_values_are_completed() {
        for (line, expected) in [
            ("qortal-mcp doc", &["doctor"][..]),
            ("qortal-mcp call get_bal", &["get_balance"]),
            (
                "qortal-mcp tools explain_tr",
                &["explain_trade", "explain_transaction"],
            ),
            ("qortal-mcp call get_balance ad", &["address="]),
            (
                "qortal-mcp call get_balance address=Alice as",
                &["asset_id="],
            ),
            (
                "qortal-mcp call --demo get_chart kind=ord",
                &["kind=order_book"],
            ),
            ("qortal-mcp call find_payments order=n", &["order=newest"]),
            // As Bash divides it.
            ("qortal-mcp call find_payments order = n", &["newest"]),
            (
                "qortal-mcp call find_payments order ",
                &["newest", "oldest"],
            ),
            ("qortal-mcp call no_such_tool a", &[]),
            ("qortal-mcp install claude-c", &["claude-code"]),
            ("qortal-mcp --surface st", &["standard"]),
            ("qortal-mcp http --toolsets ch", &["charts", "chat"]),
            ("qortal-mcp http --toolsets chat,ch", &["chat,charts"]),
            ("qortal-mcp http --exclude-tools get_bal", &["get_balance"]),
            ("qortal-mcp watch tr", &["trade"]),
        ] {
            let mut found = completions(line);
            found.sort_unstable();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn every_shell_has_a_script_that_runs_the_program() {
        for shell in <clap_complete::Shell as clap::ValueEnum>::value_variants() {
            let script = String::from_utf8(script(*shell).unwrap()).unwrap();
            assert!(
                script.contains(VARIABLE) && script.contains(PROGRAM),
                "{shell}"
            );
        }
    }
}
