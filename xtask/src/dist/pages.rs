//! What comes with the program: licenses, manual pages, completions, and the notices of what is built in.

use std::fs;

use clap_complete::Shell;

use crate::dist::notices;
use crate::dist::pack::Entry;
use crate::dist::release::PROGRAM;
use crate::failure::Failure;
use crate::tree::root;

/// Where a shell's completion script lies in an archive.
const SHELLS: &[(Shell, &str)] = &[
    (Shell::Bash, "completions/qortal-mcp.bash"),
    (Shell::Elvish, "completions/qortal-mcp.elv"),
    (Shell::Fish, "completions/qortal-mcp.fish"),
    (Shell::PowerShell, "completions/qortal-mcp.ps1"),
    (Shell::Zsh, "completions/_qortal-mcp"),
];
/// Files of the repository that every archive contains.
const DOCUMENTS: &[&str] = &["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];
/// The notices of the crates that are built into the program.
pub(crate) const NOTICES: &str = "THIRD-PARTY.txt";

/// Everything that comes with the program, at its place in an archive.
pub(crate) fn entries() -> Result<Vec<Entry>, Failure> {
    let mut entries = manual()?;
    entries.extend(completions());
    for name in DOCUMENTS {
        let bytes = fs::read(root().join(name)).map_err(Failure::io(name))?;
        entries.push(Entry::file(*name, bytes));
    }
    entries.push(Entry::file(NOTICES, notices::page()?));
    Ok(entries)
}

/// A page of the manual for the program and for each of its commands.
fn manual() -> Result<Vec<Entry>, Failure> {
    let mut command = qortal_mcp::command();
    command.build();
    let mut pages = vec![page(command.clone(), PROGRAM)?];
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        if name != "help" {
            pages.push(page(subcommand.clone(), &format!("{PROGRAM}-{name}"))?);
        }
    }
    Ok(pages)
}

fn page(command: clap::Command, name: &str) -> Result<Entry, Failure> {
    let path = format!("man/{name}.1");
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(command).title(name.to_ascii_uppercase());
    page.render(&mut text).map_err(Failure::io(&path))?;
    Ok(Entry::file(path, text))
}

fn completions() -> Vec<Entry> {
    let script = |&(shell, path): &(Shell, &str)| {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut qortal_mcp::command(), PROGRAM, &mut text);
        Entry::file(path, text)
    };
    SHELLS.iter().map(script).collect()
}

#[cfg(test)]
mod tests {
    use super::{completions, manual};

    #[test]
    fn each_command_has_a_page_and_each_shell_a_script() {
        let pages = manual().unwrap();
        let paths: Vec<_> = pages.iter().map(|it| &*it.path).collect();
        assert!(paths.contains(&"man/qortal-mcp.1"), "{paths:?}");
        assert!(paths.contains(&"man/qortal-mcp-http.1"), "{paths:?}");
        let text = |it: &super::Entry| String::from_utf8(it.bytes.clone()).unwrap();
        assert!(text(pages.first().unwrap()).contains("\\-\\-demo"));
        for script in completions() {
            assert!(text(&script).contains("doctor"), "{}", script.path);
        }
    }
}
