//! `cargo xtask mutants`: breaks the code that decides who gets in, what is believed and where it ends, one expression at a
//! time, and lists what no test of its crate notices. It takes an hour or more, so it is not part of `.ci/run`.

use crate::command::{self, cargo};
use crate::failure::Failure;
use crate::tree::target;

/// The crates, and their files about detection, sessions, authorization, signing and limits.
const FILES: &[(&str, &str, &[&str])] = &[
    (
        "qortal-mcp-protocol",
        "mcp-protocol",
        &[
            "lifecycle",
            "client",
            "client/form",
            "jsonrpc",
            "jsonrpc/scanner",
        ],
    ),
    (
        "qortal-mcp-server",
        "mcp-server",
        &[
            "grant",
            "limits",
            "multi_round_trip",
            "rate",
            "session",
            "sign",
            "state_binding",
        ],
    ),
    (
        "qortal-mcp-http",
        "mcp-http",
        &["authorizer", "detect", "header", "read", "session", "site"],
    ),
    ("qortal-mcp-stdio", "mcp-stdio", &["lines", "session"]),
];

/// Seconds for the tests of one crate, which take a few: a mutant that hangs is noticed, too.
const TIMEOUT: &str = "120";

/// Runs cargo-mutants over those files; fails if a mutant survives.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let only = match arguments {
        [] => None,
        [flag, package] if flag == "--package" => Some(package.as_str()),
        _ => return Err(Failure::Usage("mutants takes --package NAME".to_owned())),
    };
    let wanted = FILES
        .iter()
        .filter(|(package, _, _)| only.is_none_or(|it| it == *package));
    let mut is_known = false;
    for (package, folder, files) in wanted {
        is_known = true;
        let mut mutants = cargo();
        mutants.args([
            "mutants",
            "--jobs",
            "1",
            "--timeout",
            TIMEOUT,
            "--package",
            package,
        ]);
        for file in *files {
            mutants
                .arg("--file")
                .arg(format!("crates/{folder}/src/{file}.rs"));
        }
        command::run(
            mutants
                .arg("--output")
                .arg(target().join("mutants").join(folder)),
        )?;
    }
    match is_known {
        true => Ok(()),
        false => Err(Failure::Usage(format!(
            "{} is not checked",
            only.unwrap_or_default()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::FILES;
    use crate::tree::root;

    #[test]
    fn every_file_exists() {
        for (_, folder, files) in FILES {
            for file in *files {
                let path = root().join(format!("crates/{folder}/src/{file}.rs"));
                assert!(path.is_file(), "{}", path.display());
            }
        }
    }
}
