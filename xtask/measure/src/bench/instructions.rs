//! `cargo xtask bench --instructions`: how many instructions each kind of call takes, counted by callgrind and compared with
//! those that were written down. Other work of the machine does not change them. `--files` lists the files that one call runs.

mod files;
mod kinds;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use qortal_testnode::{Scenario, TestNode};
use tokio::runtime::Builder;

use crate::bench::instructions::kinds::{KINDS, Kind, OVERVIEW};
use crate::bench::instructions::table::{Build, Table};
use xtask::ArgMatches;
use xtask::command::{cargo, output, progress, run as run_command, say};
use xtask::failure::Failure;
use xtask::tree::{root, target};

/// Calls of the shorter of two runs: what a server does once is in both, and not in their difference.
const FEW: usize = 10;
/// How many calls more the longer run has.
const CALLS: usize = 50;

/// Calls of an account's overview, to see which files they run.
const OVERVIEWS: [usize; 2] = [3, 9];

/// Counts all kinds of calls, and compares them or writes them down.
pub(super) fn run(given: &ArgMatches) -> Result<(), Failure> {
    if given.get_flag("files") {
        return Counter::new(Build::Debug, true)?.list_files();
    }
    let build = match given.get_flag("debug") {
        true => Build::Debug,
        false => Build::Release,
    };
    let compiler = output(Command::new("rustc").arg("--version"))?;
    let counted = Counter::new(build, false)?.count_all()?;
    let path = root().join(table::PATH);
    let text = fs::read_to_string(&path).map_err(Failure::io(table::PATH))?;
    let mut kept = Table::read(&text)?;
    if given.get_flag("write") {
        kept.replace(compiler.trim(), build, &counted);
        return fs::write(&path, kept.text()).map_err(Failure::io(path.display()));
    }
    say(&kept.compare(compiler.trim(), build, &counted)?)
}

/// A program, and the node behind it.
struct Counter {
    program: PathBuf,
    folder: PathBuf,
    runtime: tokio::runtime::Runtime,
    node: TestNode,
}

impl Counter {
    fn new(build: Build, names_files: bool) -> Result<Self, Failure> {
        let mut command = cargo();
        if names_files {
            command.env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
        }
        command
            .args(["build", "--locked", "--quiet"])
            .args(build.arguments());
        run_command(&mut command)?;
        let folder = target().join("bench");
        fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(Failure::io("the runtime"))?;
        let node = runtime.block_on(TestNode::start(Scenario::large()));
        let node = node.map_err(|why| Failure::unreadable("the simulated node", why))?;
        Ok(Self {
            program: target().join(build.folder()).join("qortal-mcp"),
            folder,
            runtime,
            node,
        })
    }

    fn count_all(self) -> Result<Vec<(&'static str, u64)>, Failure> {
        let counted = KINDS.iter().map(|kind| {
            let few = self.count(kind, FEW)?;
            let many = self.count(kind, FEW + CALLS)?;
            let per_call = many.saturating_sub(few) / CALLS as u64;
            progress(&format!("{}: {per_call}", kind.name))?;
            Ok((kind.name, per_call))
        });
        let counted = counted.collect::<Result<Vec<_>, Failure>>();
        self.runtime.block_on(self.node.stop());
        counted
    }

    /// Prints the files whose code one call of `get_account_overview` runs.
    fn list_files(self) -> Result<(), Failure> {
        let profiles = OVERVIEWS.map(|calls| {
            self.count(&OVERVIEW, calls)?;
            let profile = self.profile();
            fs::read_to_string(&profile).map_err(Failure::io(profile.display()))
        });
        self.runtime.block_on(self.node.stop());
        let [few, many] = profiles;
        let (few, many) = (few?, many?);
        let few = files::costs(&few);
        let ran = files::costs(&many).into_iter();
        let ran = ran.filter(|(file, cost)| few.get(file).is_none_or(|it| it < cost));
        // The standard library has folders of crates, too.
        let is_ours = |file: &&str| root().join(file).is_file();
        let ran: Vec<_> = ran.map(|(file, _)| file).filter(is_ours).collect();
        if ran.is_empty() {
            return Err(Failure::unreadable("the profile", "it names no file"));
        }
        say(&format!("{}\n{} files", ran.join("\n"), ran.len()))
    }

    fn profile(&self) -> PathBuf {
        self.folder.join("callgrind.out")
    }

    /// The instructions of a whole run with so many calls.
    fn count(&self, kind: &Kind, calls: usize) -> Result<u64, Failure> {
        let log = self.folder.join("callgrind.log");
        let profile = self.profile();
        let valgrind = [
            // On one processor a runtime has one worker, which does not look for work of others.
            "taskset".to_owned(),
            "-c".to_owned(),
            "0".to_owned(),
            "valgrind".to_owned(),
            "--tool=callgrind".to_owned(),
            format!("--callgrind-out-file={}", profile.display()),
            format!("--log-file={}", log.display()),
            self.program.display().to_string(),
        ];
        kind.call(&valgrind, self.node.url(), calls, &self.folder)?;
        collected(&log)
    }
}

/// What callgrind says at the end.
fn collected(log: &Path) -> Result<u64, Failure> {
    let text = fs::read_to_string(log).map_err(Failure::io(log.display()))?;
    let count = text.lines().find_map(|line| {
        let (_, count) = line.split_once("Collected :")?;
        count.trim().parse().ok()
    });
    count.ok_or_else(|| Failure::unreadable(log.display(), "callgrind has counted nothing"))
}
