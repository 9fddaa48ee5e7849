//! `cargo xtask pages FOLDER`: the manual pages and completions that come with the program.

use std::fs;
use std::path::Path;

use clap_complete::Shell;

use xtask::ArgMatches;
use xtask::failure::Failure;
use xtask::release::PROGRAM;

/// Where a shell's completion script lies in an archive.
const SHELLS: &[(Shell, &str)] = &[
    (Shell::Bash, "completions/qortal-mcp.bash"),
    (Shell::Elvish, "completions/qortal-mcp.elv"),
    (Shell::Fish, "completions/qortal-mcp.fish"),
    (Shell::PowerShell, "completions/qortal-mcp.ps1"),
    (Shell::Zsh, "completions/_qortal-mcp"),
];
/// Writes them into the folder that is given.
pub(crate) fn run(given: &ArgMatches) -> Result<(), Failure> {
    let folder = given
        .get_one::<String>("folder")
        .map_or(".", String::as_str);
    let mut pages = manual()?;
    pages.extend(completions()?);
    for (path, text) in pages {
        let path = Path::new(folder).join(path);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent).map_err(Failure::io(parent.display()))?;
        fs::write(&path, text).map_err(Failure::io(path.display()))?;
    }
    Ok(())
}

/// A file, and its place in an archive.
type Page = (String, Vec<u8>);

/// A page of the manual for the program and for each of its commands.
fn manual() -> Result<Vec<Page>, Failure> {
    let mut command = qortal_mcp::command();
    command.build();
    pages_of(&command, PROGRAM)
}

/// A page for a command and for each below it.
fn pages_of(command: &clap::Command, name: &str) -> Result<Vec<Page>, Failure> {
    let mut pages = vec![page(command.clone(), name)?];
    for subcommand in command.get_subcommands() {
        let below = subcommand.get_name();
        if below != "help" {
            pages.extend(pages_of(subcommand, &format!("{name}-{below}"))?);
        }
    }
    Ok(pages)
}

fn page(command: clap::Command, name: &str) -> Result<Page, Failure> {
    let path = format!("man/{name}.1");
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(command).title(name.to_ascii_uppercase());
    page.render(&mut text).map_err(Failure::io(&path))?;
    Ok((path, text))
}

fn completions() -> Result<Vec<Page>, Failure> {
    let script = |&(shell, path): &(Shell, &str)| {
        let text = qortal_mcp::completion_script(shell).map_err(Failure::io(path))?;
        Ok((path.to_owned(), text))
    };
    SHELLS.iter().map(script).collect()
}

#[cfg(test)]
mod tests {
    use super::{PROGRAM, completions, manual};

    #[test]
    fn each_command_has_a_page_and_each_shell_a_script() {
        let pages = manual().unwrap();
        let paths: Vec<_> = pages.iter().map(|it| &*it.0).collect();
        assert!(paths.contains(&"man/qortal-mcp.1"), "{paths:?}");
        assert!(paths.contains(&"man/qortal-mcp-http.1"), "{paths:?}");
        assert!(
            paths.contains(&"man/qortal-mcp-watch-offers.1"),
            "{paths:?}"
        );
        let text = |it: &super::Page| String::from_utf8(it.1.clone()).unwrap();
        assert!(text(pages.first().unwrap()).contains("\\-\\-demo"));
        for script in completions().unwrap() {
            assert!(text(&script).contains(PROGRAM), "{}", script.0);
        }
    }
}
