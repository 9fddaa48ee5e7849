//! `cargo xtask ops`: what `deploy/` has for operators, run with the programs it is made for.

mod balancer;
mod cache;
mod capacity;
mod client;
mod files;
mod nodes;
mod oauth;
mod replicas;
mod tls;

use std::path::{Path, PathBuf};

use crate::part;
use xtask::command::{cargo, run as run_command, say};
use xtask::failure::Failure;
use xtask::tree;

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
    let run = match what {
        "files" => return files::validate(&folder),
        "cache" => Run::Measure(cache::measure),
        "capacity" => Run::Measure(capacity::measure),
        "nodes" => Run::Measure(nodes::measure),
        "oauth" => Run::Check(oauth::check),
        "replicas" => Run::Measure(replicas::measure),
        "tls" => Run::Check(tls::check),
        _ => {
            let usage = "ops takes cache, capacity, files, nodes, oauth, replicas or tls";
            return Err(Failure::Usage(usage.to_owned()));
        }
    };
    let server = match server {
        Some(server) => server,
        None => built()?,
    };
    let measure = match run {
        Run::Check(check) => return check(&server, &folder),
        Run::Measure(measure) => measure,
    };
    let (text, broken) = measure(&server, &folder)?;
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

/// Tables, and what is wrong in them.
type Measured = (String, Vec<String>);

/// What is done with a server, in a folder for its files.
enum Run {
    Measure(fn(&Path, &Path) -> Result<Measured, Failure>),
    Check(fn(&Path, &Path) -> Result<(), Failure>),
}

/// Builds the server.
fn built() -> Result<PathBuf, Failure> {
    let build = ["build", "--locked", "--quiet", "--profile", "dist"];
    run_command(cargo().args(build).args(["--package", "qortal-mcp"]))?;
    Ok(tree::target().join("dist/qortal-mcp"))
}
