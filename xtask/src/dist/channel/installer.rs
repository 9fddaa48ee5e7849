//! The installers for shells, and what Homebrew and winget are given: texts that name the archives and their checksums.

use crate::dist::channel::{Ready, archive};
use crate::dist::target::{TARGETS, Target};
use crate::failure::Failure;

/// Files of `packaging/winget`, named as winget wants them.
pub(crate) const WINGET: &[(&str, &str)] = &[
    ("version.yaml", "winget.yaml"),
    ("installer.yaml", "winget.installer.yaml"),
    ("locale.yaml", "winget.locale.en-US.yaml"),
];
pub(crate) const SHELL: &str = "install.sh";
pub(crate) const POWERSHELL: &str = "install.ps1";
pub(crate) const FORMULA: &str = "qortal-mcp.rb";

/// The program of Windows that a release offers.
const WINDOWS: [&str; 2] = ["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu"];
/// What stands for the checksum of an archive that is not built on this machine. Nothing has it.
const UNKNOWN: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Writes the installers and the manifests.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    let release = &ready.release;
    let facts = facts(ready)?;
    let facts: Vec<_> = facts
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect();
    let write = |template: &str, name: &str| -> Result<(), Failure> {
        ready.write(name, release.fill(template, &facts)?.as_bytes())
    };
    write("install.sh", SHELL)?;
    write("install.ps1", POWERSHELL)?;
    write("homebrew.rb", FORMULA)?;
    for (template, name) in WINGET {
        write(&format!("winget/{template}"), name)?;
    }
    Ok(())
}

/// The checksum of each archive under the name of its target, and which program Windows gets.
fn facts(ready: &Ready) -> Result<Vec<(String, String)>, Failure> {
    let mut facts = Vec::new();
    for target in TARGETS {
        let name = placeholder(target);
        let sum = match ready.programs.iter().any(|it| it.target == target) {
            true => ready.sha256(&archive::name(&ready.release.version, target))?,
            false => UNKNOWN.to_owned(),
        };
        facts.push((name, sum));
    }
    let built = |triple: &&&str| ready.programs.iter().any(|it| it.target.triple == **triple);
    let windows = WINDOWS.iter().find(built).unwrap_or(&WINDOWS[0]);
    let sum = facts.iter().find(|(name, _)| {
        Target::named(windows).is_some_and(|target| *name == placeholder(target))
    });
    let sum = sum.map_or(UNKNOWN, |(_, sum)| sum).to_ascii_uppercase();
    facts.push(("SUM_WINDOWS".to_owned(), sum));
    facts.push(("WINDOWS".to_owned(), (*windows).to_owned()));
    facts.push(("OWNER".to_owned(), ready.release.owner().to_owned()));
    Ok(facts)
}

/// Which archives a text names that are not built: what a release does not go on with.
pub(crate) fn has_unknown_sums(text: &str) -> bool {
    text.contains(UNKNOWN)
}

/// What stands for the checksum of a target's archive in a template: `SUM_X86_64_UNKNOWN_LINUX_MUSL`.
fn placeholder(target: &Target) -> String {
    format!(
        "SUM_{}",
        target.triple.to_ascii_uppercase().replace('-', "_")
    )
}
