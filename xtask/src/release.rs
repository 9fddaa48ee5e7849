//! `cargo xtask release --dry-run`: everything of a release on this machine, up to the upload that the tag's workflow does.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::codegen;
use crate::command::{output, progress, say};
use crate::dist::channel::installer;
use crate::dist::release::Release;
use crate::dist::target::TARGETS;
use crate::dist::{self, build};
use crate::failure::Failure;
use crate::tree::root;

/// The newest section of the change log, with the version in brackets.
const CHANGES: &str = "CHANGELOG.md";

/// With `--dry-run` packs and verifies everything, and names what still keeps it from being published. With `--tag` only the latter,
/// as far as it does not depend on what is built.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let release = Release::current()?;
    let problems = match arguments {
        [first, tag] if first == "--tag" => not_described(&release, tag)?,
        [first, rest @ ..] if first == "--dry-run" => {
            rehearse(rest)?;
            let mut problems = not_described(&release, &format!("v{}", release.version))?;
            problems.extend(not_built()?);
            problems
        }
        _ => {
            return Err(Failure::Usage(
                "release takes --dry-run, or --tag and the tag: the tag's workflow publishes"
                    .to_owned(),
            ));
        }
    };
    if problems.is_empty() {
        return say(&format!("v{} can be published", release.version));
    }
    Err(Failure::Found(format!(
        "this keeps v{} from being published:\n{}",
        release.version,
        problems.join("\n")
    )))
}

/// Everything up to the upload.
fn rehearse(options: &[String]) -> Result<(), Failure> {
    progress("checking generated documents")?;
    codegen::run(&["--check".to_owned()])?;
    progress("checking workflows")?;
    workflows()?;
    let verify = std::iter::once("--verify".to_owned()).chain(options.iter().cloned());
    dist::run(&verify.collect::<Vec<_>>())
}

/// What is not said, or said wrongly, in this state of the repository.
fn not_described(release: &Release, tag: &str) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    let version = &release.version;
    if tag.strip_prefix('v') != Some(version) {
        problems.push(format!("- the tag is {tag}, and Cargo.toml says {version}"));
    }
    if release.has_no_repository() {
        problems.push(
            "- Cargo.toml names no repository: write its owner for OWNER, then run `cargo xtask codegen`"
                .to_owned(),
        );
    }
    let log = fs::read_to_string(root().join(CHANGES)).map_err(Failure::io(CHANGES))?;
    if !describes(&log, version) {
        problems.push(format!("- {CHANGES} has no dated section [{version}]"));
    }
    let mut status = Command::new("git");
    status.args(["status", "--porcelain"]).current_dir(root());
    if !output(&mut status)?.is_empty() {
        problems.push("- there are changes that are not committed".to_owned());
    }
    Ok(problems)
}

/// What this machine could not build.
fn not_built() -> Result<Vec<String>, Failure> {
    let missing = TARGETS.iter().filter(|it| !build::finished(it).is_file());
    let mut problems: Vec<_> = missing
        .map(|it| format!("- {} is not built here", it.triple))
        .collect();
    if !dist::wasm::finished().is_file() {
        problems.push(format!("- {} is not built here", dist::wasm::TRIPLE));
    }
    problems.extend(unknown(&dist::folder())?);
    Ok(problems)
}

/// The manifests that name an archive which is not there.
fn unknown(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for name in [installer::FORMULA, "winget.installer.yaml"] {
        let text = fs::read_to_string(folder.join(name)).map_err(Failure::io(name))?;
        if installer::has_unknown_sums(&text) {
            found.push(format!("- {name} names archives that are not built here"));
        }
    }
    Ok(found)
}

fn describes(log: &str, version: &str) -> bool {
    let mut lines = log.lines();
    let heading = format!("## [{version}] - ");
    let date = lines.find_map(|line| line.strip_prefix(&heading));
    date.is_some_and(|it| it.starts_with(|first: char| first.is_ascii_digit()))
}

/// The workflows by actionlint, where there is one.
fn workflows() -> Result<(), Failure> {
    match Command::new("actionlint").current_dir(root()).output() {
        Ok(ended) if ended.status.success() => Ok(()),
        Ok(ended) => Err(Failure::Program {
            command: "actionlint".to_owned(),
            said: String::from_utf8_lossy(&ended.stdout).into_owned(),
        }),
        Err(_) => say("workflows: not checked, there is no actionlint"),
    }
}

#[cfg(test)]
mod tests {
    use super::describes;

    #[test]
    fn a_version_is_described_by_its_own_section() {
        let log = "# Changes\n\n## [1.0.0] - 2026-11-22\n\n- Add a thing.\n";
        assert!(describes(log, "1.0.0"));
        assert!(!describes(log, "1.0"));
        assert!(!describes(log, "1.0.1"));
        assert!(!describes("## [1.0.0] - unreleased\n", "1.0.0"));
    }
}
