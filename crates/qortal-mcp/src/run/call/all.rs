//! `call TOOL --all`: every row of a list, to standard output or a file, which can be added to later.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, IsTerminal, Seek, Write},
    path::Path,
    time::Instant,
};

use mcp_operate::{log, terminal};
use mcp_protocol::Object;
use qortal_tools::{Catalog, Entry, Pages};
use serde::{Deserialize, Serialize};

use crate::{
    args::{AnswerFormat, Call},
    exit::{Exit, Failure},
    text,
};

/// How far a list is in its file: what `--resume` names.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    tool: String,
    arguments: Object,
    format: AnswerFormat,
    /// The length of the file with the rows. What is after that was being written when the program ended.
    bytes: u64,
    rows: u64,
    /// The arguments of the page that comes after it.
    next: Option<Object>,
}

/// Writes the rows of a call.
pub(super) async fn all(
    call: &Call,
    entry: &'static Entry,
    arguments: Object,
    catalog: &Catalog,
) -> Result<Exit, Failure> {
    let format = call.format.unwrap_or(AnswerFormat::Json);
    if format == AnswerFormat::Table {
        return Err(Failure::new(
            "--all has no table\nhint: --format csv, or json for a line of JSON a row",
        ));
    }
    let pages = catalog.pages(entry, arguments.clone()).ok_or_else(|| {
        Failure::new(format!(
            "{} does not answer with a list\nhint: leave out --all",
            entry.name
        ))
    })?;
    let state = call.resume.as_deref();
    let new = Kept {
        tool: entry.name.to_owned(),
        arguments,
        format,
        bytes: 0,
        rows: 0,
        next: pages.place().cloned(),
    };
    let kept = state.map(|path| kept(path, &new)).transpose()?.flatten();
    let kept = kept.unwrap_or(new);
    let output = call.output.as_deref();
    let mut out = Out::open(output, kept.bytes)
        .map_err(|err| text::unwritten(output.unwrap_or(STDOUT), err))?;
    // A line among rows would be in their way.
    let is_shown =
        io::stderr().is_terminal() && (out.file.is_some() || !io::stdout().is_terminal());
    let status = |text: &str| {
        if is_shown {
            terminal::show_status(text);
        }
    };
    let pages = pages.starting_at(kept.next.clone());
    let ended = write(pages, kept, &mut out, state, &status).await;
    status("");
    ended
}

/// Writes page after page, each with the place after it.
async fn write(
    mut pages: Pages<'_>,
    mut kept: Kept,
    out: &mut Out,
    state: Option<&str>,
    status: &impl Fn(&str),
) -> Result<Exit, Failure> {
    let (before, begun) = (kept.rows, Instant::now());
    let mut said = HashSet::new();
    while let Some(page) = pages.next().await {
        let page = match page {
            Ok(page) => page,
            Err(err) => {
                status("");
                let exit = text::print_error(&err, Exit::Failed);
                let without = "with --output and --resume the same command would go on";
                let how = state.map_or(without, |_| "the same command goes on");
                let rows = kept.rows;
                text::print_note(&format!("{rows} rows were written\nhint: {how} from here"));
                return Ok(exit);
            }
        };
        for note in &page.notes {
            if said.insert(note.clone()) {
                status("");
                text::print_note(&format!("note: {note}"));
                log::finish();
            }
        }
        let lines = match kept.format {
            AnswerFormat::Csv if kept.bytes == 0 => pages.csv_header() + &pages.csv(&page.rows),
            AnswerFormat::Csv => pages.csv(&page.rows),
            AnswerFormat::Json | AnswerFormat::Table => {
                page.rows.iter().map(|it| format!("{it}\n")).collect()
            }
        };
        match out.write(&lines) {
            Ok(()) => (),
            // The reader has enough.
            Err(err) if err.kind() == ErrorKind::BrokenPipe => return Ok(Exit::Success),
            Err(err) => return Err(text::unwritten(&out.name, err)),
        }
        kept.bytes += lines.len() as u64;
        kept.rows += page.rows.len() as u64;
        kept.next = pages.place().cloned();
        if let Some(path) = state {
            keep(path, &kept).map_err(|err| text::unwritten(path, err))?;
        }
        let new = kept.rows - before;
        let seconds = begun.elapsed().as_secs();
        status(&progress(kept.rows, page.total, new, seconds));
    }
    if out.file.is_some() {
        let new = kept.rows - before;
        status("");
        text::print_note(&format!("{new} rows written to {}", out.name));
    }
    Ok(Exit::Success)
}

/// Rows, how many a second, and a bar of 20 parts where all are known: short enough for a terminal of 80 columns.
fn progress(rows: u64, total: Option<u64>, new: u64, seconds: u64) -> String {
    let rate = new.checked_div(seconds);
    let rate = rate.map_or_else(String::new, |it| format!(", {it} a second"));
    match total.filter(|it| *it >= rows && *it > 0) {
        Some(total) => {
            let part = |of: u64| rows.saturating_mul(of) / total;
            let bar = "#".repeat(usize::try_from(part(20)).unwrap_or(20));
            format!("[{bar:<20}] {} %, {rows} of {total} rows{rate}", part(100))
        }
        None => format!("{rows} rows{rate}"),
    }
}

/// Where rows go.
struct Out {
    name: String,
    file: Option<File>,
}

/// What standard output is called in errors.
const STDOUT: &str = "standard output";

impl Out {
    /// A file is kept up to `bytes`.
    fn open(path: Option<&str>, bytes: u64) -> io::Result<Self> {
        let Some(path) = path else {
            let name = STDOUT.to_owned();
            return Ok(Self { name, file: None });
        };
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)?;
        if file.metadata()?.len() < bytes {
            let why = "it is shorter than it was left";
            return Err(io::Error::new(ErrorKind::InvalidData, why));
        }
        file.set_len(bytes)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self {
            name: path.to_owned(),
            file: Some(file),
        })
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file
                .write_all(lines.as_bytes())
                .and_then(|()| file.sync_data()),
            None => {
                let mut out = io::stdout().lock();
                out.write_all(lines.as_bytes()).and_then(|()| out.flush())
            }
        }
    }
}

/// What was kept at `path`; `None` if there is no such file yet.
fn kept(path: &str, new: &Kept) -> Result<Option<Kept>, Failure> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(err) if err.kind() == ErrorKind::NotFound => return Ok(None),
        Err(err) => return Err(Failure::caused(format!("cannot read {path:?}"), err)),
    };
    let hint = "hint: name another file, or remove this one to begin again";
    let kept: Kept = serde_json::from_str(&text).map_err(|err| {
        Failure::caused(format!("{path:?} was not written by --resume\n{hint}"), err)
    })?;
    if (&kept.tool, &kept.arguments, kept.format) != (&new.tool, &new.arguments, new.format) {
        return Err(Failure::new(format!(
            "{path:?} belongs to another call\n{hint}"
        )));
    }
    Ok(Some(kept))
}

/// Replaces the file at once: it has one state or the next.
fn keep(path: &str, kept: &Kept) -> io::Result<()> {
    let beside = format!("{path}.new");
    fs::write(&beside, serde_json::to_string(kept)?)?;
    fs::rename(&beside, Path::new(path))
}

#[cfg(test)]
mod tests {
    use super::progress;

    #[test]
    fn progress_is_rows_rate_and_share() {
        for (rows, total, new, seconds, said) in [
            (5, None, 5, 0, "5 rows"),
            (80_000, None, 30_000, 20, "80000 rows, 1500 a second"),
            (
                150_000,
                Some(150_000),
                150_000,
                140,
                "[####################] 100 %, 150000 of 150000 rows, 1071 a second",
            ),
            (
                1,
                Some(3),
                1,
                1,
                "[######              ] 33 %, 1 of 3 rows, 1 a second",
            ),
            // What is known of the rest of a list says nothing of all of it.
            (150, Some(100), 50, 0, "150 rows"),
            (0, Some(0), 0, 3, "0 rows, 0 a second"),
        ] {
            assert_eq!(progress(rows, total, new, seconds), said);
            assert!(said.len() < 80, "{said}");
        }
    }
}
