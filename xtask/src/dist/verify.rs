//! `cargo xtask dist --verify`: each channel from its file into an empty home, up to one true answer.

mod answer;
mod bundle;
mod files;
mod installed;
mod platforms;
mod prefix;
mod texts;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::command::{progress, say};
use crate::dist::release::{Release, epoch, time};
use crate::dist::target::{TARGETS, Target};
use crate::dist::verify::answer::Answer;
use crate::dist::verify::prefix::Prefix;
use crate::dist::{build, shown};
use crate::failure::Failure;
use crate::part;
use crate::tree::target as target_folder;

/// Where `--write` keeps the table.
const PAGE: &str = "docs/authors/releasing.md";
/// How long a newcomer may wait for the first answer, the installation included.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many ways must keep that.
const WAYS: usize = 3;

/// What a trial is given.
pub(crate) struct Trial<'a> {
    pub(crate) release: &'a Release,
    /// The files of the release.
    pub(crate) folder: &'a Path,
    /// An empty home.
    pub(crate) prefix: Prefix,
    /// What the program must say.
    pub(crate) answer: &'a Answer,
}

impl Trial<'_> {
    /// The path of a file of the release.
    pub(crate) fn file(&self, name: &str) -> Result<std::path::PathBuf, Failure> {
        let path = self.folder.join(name);
        let path = fs::canonicalize(&path).map_err(Failure::io(path.display()))?;
        Ok(path)
    }
}

/// What a trial found. A failure is an error.
pub(crate) enum Found {
    /// It works; the file that people get.
    Passed { file: String },
    /// What is needed to try it is not on this machine.
    Untried(String),
}

impl Found {
    pub(crate) fn passed(file: impl Into<String>) -> Result<Self, Failure> {
        Ok(Self::Passed { file: file.into() })
    }
}

/// A way to get the program, or something about the files that can be checked.
struct Way {
    name: &'static str,
    /// Whether someone without Rust gets from nothing to an answer by it, with one command.
    is_for_newcomers: bool,
    run: fn(&Trial<'_>) -> Result<Found, Failure>,
}

const fn way(name: &'static str, run: fn(&Trial<'_>) -> Result<Found, Failure>) -> Way {
    Way {
        name,
        is_for_newcomers: false,
        run,
    }
}

const fn newcomer(name: &'static str, run: fn(&Trial<'_>) -> Result<Found, Failure>) -> Way {
    Way {
        is_for_newcomers: true,
        ..way(name, run)
    }
}

const WAYS_TO_TRY: &[Way] = &[
    newcomer("shell installer", installed::shell),
    newcomer("npx", installed::npx),
    newcomer("uvx", installed::uvx),
    way("npm package of the conversion", installed::conversion),
    way("archive", installed::archive),
    way("MCP bundle", bundle::desktop),
    way("Debian package", installed::deb),
    way("container image", installed::image),
    way("container image (HTTP)", installed::image_http),
    way("arm64 archive", platforms::arm64),
    way("Windows archive", platforms::windows),
    way("checksums", files::sums),
    way("build information", files::auditable),
    way("bill of materials", files::sbom),
    way("lintian", files::lintian),
    way("systemd unit", files::unit),
    way("wheel metadata", files::twine),
    way("server.json", files::server),
    way("PowerShell installer", texts::powershell),
    way("shell installer (shellcheck)", texts::shellcheck),
    way("Homebrew formula", texts::homebrew),
    way("winget manifests", texts::winget),
    way("Nix flake", texts::nix),
];

/// The finished programs and their sizes, as a sentence names them.
fn programs() -> String {
    let named = |target: &Target| {
        let file = fs::metadata(build::finished(target)).ok()?;
        Some(format!("{} ({})", target.triple, shown(file.len())))
    };
    let found: Vec<_> = TARGETS.iter().filter_map(named).collect();
    found.join(", ")
}

/// Tries everything and prints a table. Fails if anything does not work, or if fewer than three ways get a newcomer to an answer in
/// a minute.
pub(crate) fn run(folder: &Path, writes: bool) -> Result<(), Failure> {
    let release = Release::current()?;
    let answer = Answer::expected()?;
    let mut table = "| channel | size | time to first answer |\n| --- | --- | --- |\n".to_owned();
    let (mut problems, mut quick) = (Vec::new(), 0);
    for (at, way) in WAYS_TO_TRY.iter().enumerate() {
        progress(&format!("trying {}", way.name))?;
        let trial = Trial {
            release: &release,
            folder,
            prefix: Prefix::new(&target_folder().join(format!("dist/try/{at}")))?,
            answer: &answer,
        };
        let begun = Instant::now();
        let found = (way.run)(&trial);
        let took = begun.elapsed();
        let cells = match found {
            Ok(Found::Passed { file }) => {
                let size = trial.folder.join(&file);
                let size = fs::metadata(&size).map_err(Failure::io(size.display()))?;
                if way.is_for_newcomers && took <= PATIENCE {
                    quick += 1;
                }
                format!("{} | {:.1} s", shown(size.len()), took.as_secs_f32())
            }
            Ok(Found::Untried(why)) => format!("| not tried: {why}"),
            Err(failure) => {
                problems.push(format!("{}: {failure}", way.name));
                "| failed".to_owned()
            }
        };
        table.push_str(&format!("| {} | {cells} |\n", way.name));
        trial.prefix.remove()?;
    }
    say(&table)?;
    if quick < WAYS {
        problems.push(format!(
            "{quick} ways get a newcomer to an answer within {} seconds, expected {WAYS}",
            PATIENCE.as_secs()
        ));
    }
    if !problems.is_empty() {
        return Err(Failure::Found(problems.join("\n")));
    }
    if writes {
        let date = time(epoch()?)?.strftime("%Y-%m-%d");
        let text = format!(
            "`cargo xtask dist --verify --write` measured this with the programs of {date}, of which it found {}.\n\n{table}",
            programs()
        );
        part::write(PAGE, "channels", &text)?;
    }
    say("every channel that can be tried here works")
}
