//! `cargo xtask mutants`: breaks the code that decides who gets in, what is believed and where it ends, one expression at a
//! time, and fails for what no test of its crate notices, unless `tests/mutants.txt` explains it.

use std::{fs, io::ErrorKind, path::Path};

use crate::{
    command::{self, cargo, say},
    failure::Failure,
    tree::{root, target},
};

/// The mutants that no test can notice, each with the reason.
const EXPLAINED: &str = "tests/mutants.txt";

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
            "revision",
        ],
    ),
    (
        "qortal-mcp-server",
        "mcp-server",
        &[
            "client",
            "grant",
            "limits",
            "lists",
            "memory",
            "multi_round_trip",
            "rate",
            "run",
            "scope",
            "session",
            "sign",
            "state_binding",
        ],
    ),
    (
        "qortal-mcp-http",
        "mcp-http",
        &[
            "authorizer",
            "detect",
            "exchange",
            "header",
            "peers",
            "read",
            "service",
            "session",
            "site",
            "stream_quota",
        ],
    ),
    (
        "qortal-mcp-stdio",
        "mcp-stdio",
        &["in_flight", "lines", "session"],
    ),
];

/// Seconds for the tests of one crate, which take a few: a mutant that hangs is noticed, too.
const TIMEOUT: &str = "60";

/// Ends of cargo-mutants that have judged every mutant: all noticed, some missed, some hung.
const JUDGED: &[i32] = &[0, 2, 3];

/// A mutant that no test noticed. Lines move, so that their text says which one it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Survivor {
    /// The file and what was replaced in which function, as cargo-mutants writes it.
    mutant: String,
    line: String,
}

#[derive(Debug)]
struct Options {
    /// A part of the paths of the files.
    only: String,
    is_in_place: bool,
    /// Whether what an earlier run has settled is not tried again: tests were only added.
    is_iteration: bool,
}

/// Those that no test noticed, one a line.
const MISSED: &str = "missed.txt";
/// Those that an earlier run has settled; there only in an iteration.
const EARLIER: &str = "previously_caught.txt";
/// The lists that cargo-mutants writes, and what each is called in the summary.
const LISTS: &[(&str, &str)] = &[
    ("caught.txt", "noticed"),
    ("timeout.txt", "hung"),
    ("unviable.txt", "not compiled"),
    (EARLIER, "settled by an earlier run"),
    (MISSED, "unnoticed"),
];

/// Runs cargo-mutants over those files; fails if a mutant survives that is not explained.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::parse(arguments)?;
    let explained = explained(&read(EXPLAINED)?)?;
    let mut survivors = Vec::new();
    let mut checked = Vec::new();
    for (package, folder, names) in FILES {
        let mut paths = paths(folder, names);
        paths.retain(|it| it.contains(&options.only));
        if !paths.is_empty() {
            survivors.extend(survivors_of(package, &paths, &options)?);
            checked.extend(paths);
        }
    }
    if checked.is_empty() {
        let what = format!("no file that is checked has {} in its path", options.only);
        return Err(Failure::Usage(what));
    }
    let found = found(survivors, &explained, &checked);
    match found.is_empty() {
        true => say("each mutant is noticed or explained"),
        false => Err(Failure::Found(found.join("\n"))),
    }
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Self {
            only: String::new(),
            is_in_place: false,
            is_iteration: false,
        };
        let mut arguments = arguments.iter();
        while let Some(flag) = arguments.next() {
            match (flag.as_str(), arguments.as_slice().first()) {
                ("--in-place", _) => options.is_in_place = true,
                ("--iterate", _) => options.is_iteration = true,
                ("--only", Some(part)) => {
                    options.only.clone_from(part);
                    arguments.next();
                }
                _ => {
                    let usage = "mutants takes --only PART-OF-A-PATH, --in-place and --iterate";
                    return Err(Failure::Usage(usage.to_owned()));
                }
            }
        }
        Ok(options)
    }
}

fn paths(folder: &str, names: &[&str]) -> Vec<String> {
    let path = |name| format!("crates/{folder}/src/{name}.rs");
    names.iter().map(path).collect()
}

fn read(path: &str) -> Result<String, Failure> {
    fs::read_to_string(root().join(path)).map_err(Failure::io(path))
}

/// Breaks the files of one package and returns what its tests do not notice.
fn survivors_of(
    package: &str,
    paths: &[String],
    options: &Options,
) -> Result<Vec<Survivor>, Failure> {
    let output = target().join("mutants").join(package);
    fs::create_dir_all(&output).map_err(Failure::io(output.display()))?;
    let mut mutants = cargo();
    mutants.args(["mutants", "--timeout", TIMEOUT]);
    mutants.args(["--package", package]);
    for path in paths {
        mutants.args(["--file", path]);
    }
    mutants.arg("--output").arg(&output);
    if options.is_in_place {
        mutants.arg("--in-place");
    }
    if options.is_iteration {
        mutants.arg("--iterate");
    }
    // Documentation tests are compiled one by one.
    mutants.args(["--", "--lib", "--tests"]);
    // Linking takes most of the time, and no one debugs a mutant.
    mutants.env("CARGO_PROFILE_DEV_DEBUG", "none");
    // Tests that a mutant has broken wait for their deadlines: they do so at once.
    mutants.env("RUST_TEST_THREADS", "32");
    let status = command::status(&mut mutants)?;
    if !status.code().is_some_and(|it| JUDGED.contains(&it)) {
        return Err(Failure::Program {
            command: format!("cargo mutants --package {package}"),
            said: status.to_string(),
        });
    }
    let folder = output.join("mutants.out");
    let mut lists = Vec::new();
    for (name, end) in LISTS {
        lists.push((list(&folder, name)?, *end));
    }
    say(&format!("{package}: {}", summary(&lists)))?;
    list(&folder, MISSED)?.lines().map(survivor).collect()
}

fn list(folder: &Path, name: &str) -> Result<String, Failure> {
    let path = folder.join(name);
    match fs::read_to_string(&path) {
        Err(err) if err.kind() == ErrorKind::NotFound && name == EARLIER => Ok(String::new()),
        text => text.map_err(Failure::io(path.display())),
    }
}

/// How many mutants came to which end.
fn summary(lists: &[(String, &str)]) -> String {
    let counts = lists.iter().map(|(text, end)| (text.lines().count(), end));
    let all: usize = counts.clone().map(|(count, _)| count).sum();
    let ends = counts.filter(|(count, _)| *count > 0);
    let ends: Vec<_> = ends.map(|(count, end)| format!("{count} {end}")).collect();
    format!("{all} mutants: {}", ends.join(", "))
}

/// Reads `file:line:column: what was replaced`.
fn survivor(missed: &str) -> Result<Survivor, Failure> {
    let unreadable = || Failure::unreadable("cargo-mutants", missed);
    let (place, what) = missed.split_once(": ").ok_or_else(unreadable)?;
    let mut place = place.split(':');
    let path = place.next().unwrap_or_default();
    let line: usize = place
        .next()
        .and_then(|it| it.parse().ok())
        .ok_or_else(unreadable)?;
    let text = read(path)?;
    let line = text.lines().nth(line.saturating_sub(1));
    Ok(Survivor {
        mutant: format!("{path}: {what}"),
        line: line.ok_or_else(unreadable)?.trim().to_owned(),
    })
}

/// Reads the survivors that are explained: paragraphs of the mutant, its line and the reason.
fn explained(text: &str) -> Result<Vec<Survivor>, Failure> {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines = paragraph.lines().filter(|it| !it.starts_with('#'));
        lines.collect::<Vec<_>>()
    });
    let paragraphs = paragraphs.filter(|it| !it.is_empty());
    let survivors = paragraphs.map(|lines| match *lines {
        [mutant, line, _reason, ..] => Ok(Survivor {
            mutant: mutant.to_owned(),
            line: line.trim().to_owned(),
        }),
        _ => {
            let why = format!("a mutant, its line and the reason, not {lines:?}");
            Err(Failure::unreadable(EXPLAINED, why))
        }
    });
    survivors.collect()
}

/// What is wrong: survivors without an explanation, and explanations without a survivor.
fn found(mut survivors: Vec<Survivor>, explained: &[Survivor], checked: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for known in explained {
        match survivors.iter().position(|it| it == known) {
            Some(at) => drop(survivors.remove(at)),
            None if checked.iter().any(|it| known.is_in(it)) => {
                let Survivor { mutant, line } = known;
                found.push(format!("{EXPLAINED}: a test notices {mutant}\n    {line}"));
            }
            None => (),
        }
    }
    let unexplained = survivors.into_iter();
    found.extend(unexplained.map(|it| format!("{}\n    {}", it.mutant, it.line)));
    found
}

impl Survivor {
    fn is_in(&self, path: &str) -> bool {
        let rest = self.mutant.strip_prefix(path);
        rest.is_some_and(|it| it.starts_with(": "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mutant: &str, line: &str) -> Survivor {
        Survivor {
            mutant: mutant.to_owned(),
            line: line.to_owned(),
        }
    }

    #[test]
    fn every_file_exists_and_every_explanation_quotes_one() {
        let all = FILES
            .iter()
            .flat_map(|(_, folder, names)| paths(folder, names));
        let texts: Vec<_> = all.map(|it| (read(&it).unwrap(), it)).collect();
        for known in explained(&read(EXPLAINED).unwrap()).unwrap() {
            let quoted = texts.iter().find(|(_, path)| known.is_in(path));
            let (text, _) = quoted.unwrap_or_else(|| panic!("{known:?}"));
            assert!(text.lines().any(|it| it.trim() == known.line), "{known:?}");
        }
    }

    #[test]
    fn a_summary_counts_every_list() {
        let lists = [("a\nb\n", "noticed"), ("", "hung"), ("c\n", "unnoticed")];
        let lists = lists.map(|(text, end)| (text.to_owned(), end));
        assert_eq!(summary(&lists), "3 mutants: 2 noticed, 1 unnoticed");
    }

    #[test]
    fn an_explanation_has_a_mutant_a_line_and_a_reason() {
        let text = "# About.\n\na.rs: replace < with <= in f\n    a < b\n    Never equal.\n";
        let known = of("a.rs: replace < with <= in f", "a < b");
        assert_eq!(explained(text).unwrap(), [known]);
        assert!(explained("a.rs: replace < with <= in f\n    a < b\n").is_err());
    }

    #[test]
    fn what_survives_is_explained_and_what_is_explained_survives() {
        let (a, b) = (of("a.rs: x", "1"), of("b.rs: x", "1"));
        let checked = ["a.rs".to_owned()];
        let count = |survivors: &[&Survivor], explained: &[&Survivor]| {
            let owned = |all: &[&Survivor]| all.iter().map(|it| (*it).clone()).collect::<Vec<_>>();
            found(owned(survivors), &owned(explained), &checked).len()
        };
        assert_eq!(count(&[&a], &[&a]), 0);
        assert_eq!(count(&[&a], &[&b]), 1);
        // Each explains one mutant.
        assert_eq!(count(&[&a, &a], &[&a]), 1);
        assert_eq!(count(&[], &[&a]), 1);
        // Its file was not checked.
        assert_eq!(count(&[], &[&b]), 0);
    }
}
