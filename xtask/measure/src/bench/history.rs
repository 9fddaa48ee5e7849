//! Runs of the bench that were kept, so that it is seen how figures change.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::Command;

use xtask::command::output;
use xtask::failure::Failure;
use xtask::tree::root;

const PATH: &str = "bench/history.md";

/// The time, and the commit that is measured.
pub(super) fn heading() -> Result<String, Failure> {
    let git = |arguments: &[&str]| output(Command::new("git").args(arguments).current_dir(root()));
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = match git(&["status", "--porcelain"])?.is_empty() {
        true => "",
        false => ", with changes",
    };
    let time = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M");
    Ok(format!("{time}, commit {}{changed}", commit.trim()))
}

/// Appends the tables of a run below its heading. The spread of the anchor in them is the noise of the machine.
pub(super) fn append(heading: &str, report: &str) -> Result<(), Failure> {
    let entry = format!("\n## {heading}\n\n{report}");
    let path = root().join(PATH);
    let file = OpenOptions::new().append(true).open(&path);
    let mut file = file.map_err(Failure::io(path.display()))?;
    // Its tables are below the heading of the run.
    let entry = entry.replace("\n\n## ", "\n\n### ");
    let written = file.write_all(entry.as_bytes());
    written.map_err(Failure::io(path.display()))
}
