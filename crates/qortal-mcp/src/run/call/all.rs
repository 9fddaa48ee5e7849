//! `call TOOL --all`: every row of a list, to standard output or a file, which can be added to later.

use std::{collections::HashSet, io::ErrorKind, time::Instant};

use mcp_operate::log;
use qortal_tools::{Catalog, Entry, Object, Pages};
use serde::{Deserialize, Serialize};

use crate::{
    args::{AnswerFormat, Call},
    cli::{self, Output},
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
    if let (Some(output), Some(state)) = (&call.output, state)
        && cli::is_same_file(output, state)
    {
        return Err(Failure::new(format!(
            "--output and --resume name the same file, {output:?}\nhint: --resume keeps a file next to the rows, such as {output}.state"
        )));
    }
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
    let mut out = Output::open(output, kept.bytes)
        .map_err(|err| text::unwritten(output.unwrap_or("standard output"), err))?;
    let is_shown = out.has_status();
    let status = |text: &str| {
        if is_shown {
            cli::show_status(text);
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
    out: &mut Output,
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
            Err(err) => return Err(text::unwritten(out.name(), err)),
        }
        kept.bytes += lines.len() as u64;
        kept.rows += page.rows.len() as u64;
        kept.next = pages.place().cloned();
        if let Some(path) = state {
            cli::write_progress(path, &kept).map_err(|err| text::unwritten(path, err))?;
        }
        let new = kept.rows - before;
        let seconds = begun.elapsed().as_secs();
        status(&cli::progress(kept.rows, page.total, new, seconds));
    }
    if out.is_file() {
        let new = kept.rows - before;
        status("");
        text::print_note(&format!("{new} rows written to {}", out.name()));
    }
    Ok(Exit::Success)
}

/// What was kept at `path`; `None` if there is no such file yet.
fn kept(path: &str, new: &Kept) -> Result<Option<Kept>, Failure> {
    let hint = "hint: name another file, or remove this one to begin again";
    let kept: Option<Kept> = cli::read_progress(path).map_err(|err| {
        let what = match err.kind() {
            ErrorKind::InvalidData => format!("{path:?} was not written by --resume\n{hint}"),
            _ => format!("cannot read {path:?}"),
        };
        Failure::caused(what, err)
    })?;
    let is_same =
        |it: &Kept| (&it.tool, &it.arguments, it.format) == (&new.tool, &new.arguments, new.format);
    if !kept.as_ref().is_none_or(is_same) {
        return Err(Failure::new(format!(
            "{path:?} belongs to another call\n{hint}"
        )));
    }
    Ok(kept)
}
