//! `cargo xtask ops`: what `deploy/` has for operators, run with the programs it is made for.

mod balancer;
mod client;
mod files;
mod oauth;
mod replicas;
mod tls;

use std::path::PathBuf;

use crate::command::{cargo, run as run_command, say};
use crate::failure::Failure;
use crate::{part, tree};

/// The page that the tables stand in.
const PAGE: &str = "docs/operations.md";

/// Measures what the command line asks for, prints it, and judges it.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut words = arguments.iter().map(String::as_str);
    let what = words.next().unwrap_or_default();
    let mut writes = false;
    let mut server = None;
    while let Some(word) = words.next() {
        match (word, words.clone().next()) {
            ("--write", _) => writes = true,
            ("--server", Some(path)) => {
                server = Some(PathBuf::from(path));
                words.next();
            }
            _ => {
                let usage = format!("{what} takes --write and --server PATH, not {word:?}");
                return Err(Failure::Usage(usage));
            }
        }
    }
    let folder = tree::target().join("ops");
    std::fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    match what {
        "files" => return files::validate(&folder),
        "replicas" | "tls" | "oauth" => (),
        _ => {
            let usage = "ops takes files, replicas, tls or oauth".to_owned();
            return Err(Failure::Usage(usage));
        }
    }
    let server = match server {
        Some(server) => server,
        None => built()?,
    };
    match what {
        "tls" => return tls::check(&server, &folder),
        "oauth" => return oauth::check(&server, &folder),
        _ => (),
    }
    let (text, broken) = replicas::measure(&server, &folder)?;
    say(&text)?;
    if writes {
        part::write(
            PAGE,
            what,
            &part::measured_by(&format!("ops {what}"), &text),
        )?;
    }
    match broken.as_slice() {
        [] => Ok(()),
        broken => Err(Failure::Found(broken.join("\n"))),
    }
}

/// Builds the server.
fn built() -> Result<PathBuf, Failure> {
    let build = ["build", "--locked", "--quiet", "--release"];
    run_command(cargo().args(build).args(["--package", "qortal-mcp"]))?;
    Ok(tree::target().join("release/qortal-mcp"))
}
