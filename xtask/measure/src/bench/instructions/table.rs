//! The instructions that were written down, as Markdown, and the comparison with those that were counted.

use xtask::failure::Failure;

/// From the root of the repository.
pub(super) const PATH: &str = "bench/instructions.md";

/// How much a count may differ: addresses and the order of events are not the same in each run.
const TOLERANCE_PERCENT: u64 = 3;

const INTRODUCTION: &str = "# Instructions per call

`cargo xtask bench --instructions` counts how many instructions of the program one call takes, with callgrind, and fails for a count
that is more than 3 % away from the one below; `--debug` does so with the debug build, as `.ci/run` does. `--write` writes down
what was counted. What the kernel does for a call is not in it.

";

/// What the program is built for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Build {
    Debug,
    Release,
}

impl Build {
    /// The folder of what is built so.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => "dist",
        }
    }

    /// What cargo is told. The debug build has the features of the whole workspace, as its tests have, so that nothing is compiled twice.
    pub(super) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Debug => &["--workspace", "--bin", "qortal-mcp"],
            Self::Release => &["--package", "qortal-mcp", "--profile", "dist"],
        }
    }
}

/// What was written down.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Table {
    /// With another compiler, other instructions are right.
    compiler: String,
    rows: Vec<Row>,
}

#[derive(Debug, Default, PartialEq)]
struct Row {
    kind: String,
    debug: Option<u64>,
    release: Option<u64>,
}

impl Row {
    fn count(&mut self, build: Build) -> &mut Option<u64> {
        match build {
            Build::Debug => &mut self.debug,
            Build::Release => &mut self.release,
        }
    }
}

impl Table {
    pub(super) fn read(text: &str) -> Result<Self, Failure> {
        let compiler = text.lines().find_map(|it| it.strip_prefix("Compiler: "));
        let compiler = compiler.ok_or_else(|| Failure::unreadable(PATH, "no compiler"))?;
        let lines = text.lines().filter(|it| it.starts_with("| "));
        // After the head and its rule.
        let rows = lines.skip(2).map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let kind = cells.next().unwrap_or_default().to_owned();
            let mut count = || {
                let digits: String = cells.next()?.chars().filter(|it| *it != ',').collect();
                digits.parse().ok()
            };
            let (debug, release) = (count(), count());
            Row {
                kind,
                debug,
                release,
            }
        });
        Ok(Self {
            compiler: compiler.to_owned(),
            rows: rows.collect(),
        })
    }

    /// Replaces the counts of one build. Those of another compiler are dropped.
    pub(super) fn replace(&mut self, compiler: &str, build: Build, counted: &[(&str, u64)]) {
        if self.compiler != compiler {
            self.compiler = compiler.to_owned();
            self.rows.clear();
        }
        for (kind, count) in counted {
            match self.rows.iter_mut().find(|it| it.kind == *kind) {
                Some(row) => *row.count(build) = Some(*count),
                None => {
                    let mut row = Row {
                        kind: (*kind).to_owned(),
                        ..Row::default()
                    };
                    *row.count(build) = Some(*count);
                    self.rows.push(row);
                }
            }
        }
        self.rows
            .retain(|row| counted.iter().any(|(kind, _)| row.kind == *kind));
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{INTRODUCTION}Compiler: {}\n\n", self.compiler);
        text.push_str("| call | debug build | release build |\n| --- | --- | --- |\n");
        let shown = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), grouped);
        for row in &self.rows {
            let (debug, release) = (shown(row.debug), shown(row.release));
            text.push_str(&format!("| {} | {debug} | {release} |\n", row.kind));
        }
        text
    }

    /// Says how what was counted differs, as Markdown.
    ///
    /// # Errors
    /// Fails with the same if anything differs by more than it may, or was not written down.
    pub(super) fn compare(
        mut self,
        compiler: &str,
        build: Build,
        counted: &[(&str, u64)],
    ) -> Result<String, Failure> {
        if self.compiler != compiler {
            let kept = &self.compiler;
            return Err(Failure::Found(format!(
                "counted with {compiler}, but written down with {kept}: compare with that one, or write it down with --write"
            )));
        }
        let mut text =
            String::from("| call | written down | counted | % |\n| --- | --- | --- | --- |\n");
        let mut differs = false;
        for (kind, count) in counted {
            let row = self.rows.iter_mut().find(|it| it.kind == *kind);
            // What was not written down differs by all of it.
            let kept = row.and_then(|it| *it.count(build)).unwrap_or_default();
            let difference = kept.abs_diff(*count);
            differs |= difference * 100 > kept * TOLERANCE_PERCENT;
            let sign = if *count < kept { "-" } else { "" };
            let tenths = difference * 1_000 / kept.max(1);
            let (kept, count) = (grouped(kept), grouped(*count));
            text.push_str(&format!(
                "| {kind} | {kept} | {count} | {sign}{}.{} |\n",
                tenths / 10,
                tenths % 10
            ));
        }
        match differs {
            false => Ok(text),
            true => Err(Failure::Found(format!(
                "{text}\nA call takes another number of instructions than {PATH} says. If that is meant, write it down with --write."
            ))),
        }
    }
}

/// With a comma at each thousand.
fn grouped(count: u64) -> String {
    match count / 1_000 {
        0 => count.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), count % 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::{Build, Table};
    use xtask::failure::Failure;

    fn kept() -> Table {
        let mut table = Table::default();
        table.replace("rustc 1", Build::Debug, &[("a", 100), ("b", 1_234_567)]);
        table.replace("rustc 1", Build::Release, &[("a", 10), ("b", 20)]);
        table
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let table = kept();
        assert_eq!(Table::read(&table.text()).unwrap(), table);
        assert!(table.text().ends_with("| b | 1,234,567 | 20 |\n"));
        let mut newer = kept();
        newer.replace("rustc 2", Build::Release, &[("b", 7)]);
        assert!(newer.text().ends_with("| --- |\n| b | – | 7 |\n"));
    }

    #[test]
    fn what_differs_by_more_than_three_percent_is_found() {
        for (counted, expected) in [
            (vec![("a", 100), ("b", 1_234_567)], true),
            (vec![("a", 103)], true),
            (vec![("a", 97)], true),
            (vec![("a", 104)], false),
            (vec![("a", 96)], false),
            (vec![("a", 100), ("c", 1)], false),
        ] {
            let compared = kept().compare("rustc 1", Build::Debug, &counted);
            assert_eq!(compared.is_ok(), expected, "{counted:?} {compared:?}");
        }
    }

    #[test]
    fn another_compiler_is_not_compared() {
        let compared = kept().compare("rustc 2", Build::Debug, &[("a", 100)]);
        let Err(Failure::Found(text)) = compared else {
            panic!("{compared:?}");
        };
        assert_eq!(
            text,
            "counted with rustc 2, but written down with rustc 1: compare with that one, or write it down with --write"
        );
    }
}
