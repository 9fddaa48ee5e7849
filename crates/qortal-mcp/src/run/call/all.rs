//! `call TOOL --all`: every row of a list, to standard output or a file, which can be added to later.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, IsTerminal, Seek, Write},
    path::Path,
};

use mcp_operate::terminal;
use mcp_protocol::Object;
use qortal_tools::{Catalog, Entry, Pages};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    let format = match call.format {
        Some(AnswerFormat::Table) => {
            return Err(Failure::new(
                "--all has no table\nhint: --format csv, or json for a line of JSON a row",
            ));
        }
        Some(format) => format,
        None => AnswerFormat::Json,
    };
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
    let kept = match state.map(|path| kept(path, &new)).transpose()?.flatten() {
        Some(kept) => kept,
        None => new,
    };
    let output = call.output.as_deref();
    let mut out = Out::open(output, kept.bytes)
        .map_err(|err| text::unwritten(output.unwrap_or(STDOUT), err))?;
    let ended = write(pages.starting_at(kept.next.clone()), kept, &mut out, state).await;
    if io::stderr().is_terminal() {
        terminal::show_status("");
    }
    ended
}

/// Writes page after page, each with the place after it.
async fn write(
    mut pages: Pages<'_>,
    mut kept: Kept,
    out: &mut Out,
    state: Option<&str>,
) -> Result<Exit, Failure> {
    let before = kept.rows;
    let mut said = HashSet::new();
    while let Some(page) = pages.next().await {
        let page = match page {
            Ok(page) => page,
            Err(err) => {
                let exit = text::print_error(&err, Exit::Failed);
                let hint = match state {
                    Some(_) => "hint: the same command goes on from here",
                    None => {
                        "hint: with --output and --resume the same command would go on from here"
                    }
                };
                text::print_note(&format!("{} rows were written\n{hint}", kept.rows));
                return Ok(exit);
            }
        };
        for note in &page.notes {
            if said.insert(note.clone()) {
                text::print_note(&format!("note: {note}"));
            }
        }
        let lines = match kept.format {
            AnswerFormat::Csv if kept.bytes == 0 => pages.csv_header() + &pages.csv(&page.rows),
            AnswerFormat::Csv => pages.csv(&page.rows),
            AnswerFormat::Json | AnswerFormat::Table => json_lines(&page.rows),
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
        if io::stderr().is_terminal() {
            terminal::show_status(&progress(&kept, page.total));
        }
    }
    if out.file.is_some() {
        let new = kept.rows - before;
        text::print_note(&format!("{new} rows written to {}", out.name));
    }
    Ok(Exit::Success)
}

/// A bar of 20 parts, where the number of all rows is known.
fn progress(kept: &Kept, total: Option<u64>) -> String {
    let (tool, rows) = (&kept.tool, kept.rows);
    match total.filter(|it| *it >= rows && *it > 0) {
        Some(total) => {
            let parts = usize::try_from(rows.saturating_mul(20) / total).unwrap_or(20);
            format!("{tool}: [{:<20}] {rows} of {total} rows", "#".repeat(parts))
        }
        None => format!("{tool}: {rows} rows"),
    }
}

fn json_lines(rows: &[Value]) -> String {
    rows.iter().map(|it| format!("{it}\n")).collect()
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
            return Ok(Self {
                name: STDOUT.to_owned(),
                file: None,
            });
        };
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)?;
        if file.metadata()?.len() < bytes {
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "it is shorter than it was left",
            ));
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
