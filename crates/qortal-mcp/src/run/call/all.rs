//! `call TOOL --all`: every row of a list, to standard output or a file, which can be added to later.

use std::{collections::HashSet, io::ErrorKind, path::Path, time::Instant};

use mcp_operate::log;
use qortal_tools::{Catalog, Entry, Object, Pages, Place, for_person};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    args::{AnswerFormat, Call},
    cli::{self, Output},
    exit::{Exit, Failure},
    text,
};

/// How far a list is in its file: what `--resume` names.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    /// The tool, its arguments and the format of the rows.
    call: (String, Object, AnswerFormat),
    /// The place after the last complete row. Later bytes of the file are from a row that the program had not finished.
    place: Place,
}

/// Returns the format of rows in a file of this name.
fn format_of(output: Option<&str>) -> AnswerFormat {
    let extension = output.and_then(|it| Path::new(it).extension());
    match extension {
        Some(it) if it.eq_ignore_ascii_case("csv") => AnswerFormat::Csv,
        Some(_) | None => AnswerFormat::Json,
    }
}

/// Writes the rows of a call.
pub(super) async fn all(
    call: &Call,
    entry: &'static Entry,
    arguments: Object,
    catalog: &Catalog,
) -> Result<Exit, Failure> {
    let format = call.format.unwrap_or(format_of(call.output.as_deref()));
    if format == AnswerFormat::Table {
        return Err(Failure::new(
            "--all does not support --format table\nhint: pass --format csv, or --format json for one line of JSON per row",
        ));
    }
    let pages = catalog.pages(entry, arguments.clone()).ok_or_else(|| {
        Failure::new(format!(
            "{} does not return a list\nhint: omit --all",
            entry.name
        ))
    })?;
    let state = call.resume.as_deref();
    if let (Some(output), Some(state)) = (&call.output, state)
        && cli::is_same_file(output, state)
    {
        return Err(Failure::new(format!(
            "--output and --resume name the same file, {output:?}\nhint: pass another file to --resume, such as {output}.state"
        )));
    }
    let new = Progress {
        call: (entry.name.to_owned(), arguments, format),
        place: pages.place().clone(),
    };
    let kept = state.map(|path| kept(path, &new)).transpose()?.flatten();
    let is_resumed = kept.is_some();
    let progress = kept.unwrap_or(new);
    let output = call.output.as_deref();
    let mut out = Output::open(output, progress.place.bytes())
        .map_err(|err| text::unwritten(output.unwrap_or("standard output"), err))?;
    let is_shown = out.has_status();
    let status = |text: &str| {
        if is_shown {
            cli::show_status(text);
        }
    };
    let pages = pages.starting_at(progress.place.clone());
    if is_resumed && progress.place.is_end() {
        text::print_note(
            "note: the list was already complete. To get rows added since, start a fresh run without the file of --resume",
        );
    }
    if let Some(caveat) = pages.caveat() {
        text::print_note(&format!("note: {caveat}"));
    }
    let ended = write(pages, progress, &mut out, state, &status).await;
    status("");
    ended
}

/// Writes page after page, each with the place after it.
async fn write(
    mut pages: Pages<'_>,
    mut progress: Progress,
    out: &mut Output,
    state: Option<&str>,
    status: &impl Fn(&str),
) -> Result<Exit, Failure> {
    let (mut before, begun) = (progress.place.rows(), Instant::now());
    let mut said = HashSet::new();
    let mut note = |note: &str| {
        if said.insert(note.to_owned()) {
            status("");
            text::print_note(&format!("note: {note}"));
            log::finish();
        }
    };
    while let Some(page) = pages.next().await {
        let page = match page {
            Ok(page) => page,
            Err(err) => {
                status("");
                let exit = text::print_call_error(&err);
                let without = "with --output and --resume, the same command would continue";
                let how = state.map_or(without, |_| "the same command continues");
                let rows = progress.place.rows();
                text::print_note(&format!("{rows} rows were written\nhint: {how} from here"));
                return Ok(exit);
            }
        };
        let bytes = pages.place().bytes();
        if let Some(keep) = page.keep {
            let replaced = progress.place.rows().saturating_sub(keep);
            let became = match out.is_file() {
                true => format!("{replaced} of their rows were removed and are fetched again"),
                false => format!(
                    "the last {replaced} rows are no longer valid, and the rows of the new blocks follow"
                ),
            };
            note(&format!("the chain replaced its newest blocks: {became}"));
            before = before.min(keep);
        }
        page.notes
            .iter()
            .filter_map(|it| for_person(it))
            .for_each(|it| note(&it));
        let lines = match progress.call.2 {
            AnswerFormat::Csv if bytes == 0 => pages.csv_header() + &pages.csv(&page.rows),
            AnswerFormat::Csv => pages.csv(&page.rows),
            AnswerFormat::Json | AnswerFormat::Table => {
                page.rows.iter().map(|it| format!("{it}\n")).collect()
            }
        };
        let kept = page.keep.map_or(Ok(()), |_| out.cut(bytes));
        match kept.and_then(|()| out.write(&lines)) {
            Ok(()) => (),
            // The reader has enough.
            Err(err) if err.kind() == ErrorKind::BrokenPipe => return Ok(Exit::Success),
            Err(err) => return Err(text::unwritten(out.name(), err)),
        }
        pages.written(bytes + lines.len() as u64);
        save(&pages, &mut progress, state)?;
        let rows = progress.place.rows();
        let (new, seconds) = (rows.saturating_sub(before), begun.elapsed().as_secs());
        status(&cli::progress(rows, page.total, new, seconds));
    }
    save(&pages, &mut progress, state)?;
    for mut line in pages.sums() {
        let text = |it: &Value| it.as_str().map_or_else(|| it.to_string(), str::to_owned);
        let month = line.shift_remove("month");
        let of = month.map_or_else(|| "total".to_owned(), |it| text(&it));
        let coin = line
            .shift_remove("coin")
            .as_ref()
            .map_or_else(String::new, text);
        let parts = line.iter().map(|(name, it)| format!("{name} {}", text(it)));
        let parts: Vec<_> = parts.collect();
        text::print_note(&format!("{of} {coin}: {}", parts.join(", ")));
    }
    if out.is_file() {
        let new = progress.place.rows().saturating_sub(before);
        status("");
        text::print_note(&format!("{new} rows written to {}", out.name()));
    }
    Ok(Exit::Success)
}

/// Keeps the place that was reached.
fn save(pages: &Pages<'_>, progress: &mut Progress, state: Option<&str>) -> Result<(), Failure> {
    progress.place = pages.place().clone();
    state.map_or(Ok(()), |path| {
        cli::write_progress(path, progress).map_err(|err| text::unwritten(path, err))
    })
}

/// What was kept at `path`; `None` if there is no such file yet.
fn kept(path: &str, new: &Progress) -> Result<Option<Progress>, Failure> {
    let hint = "hint: name another file, or delete this one to start again";
    let kept: Option<Progress> = cli::read_progress(path).map_err(|err| {
        let what = match err.kind() {
            ErrorKind::InvalidData => format!("{path:?} was not written by --resume\n{hint}"),
            _ => format!("cannot read {path:?}"),
        };
        Failure::caused(what, err)
    })?;
    if kept.as_ref().is_some_and(|it| it.call != new.call) {
        return Err(Failure::new(format!(
            "{path:?} holds the progress of another call\n{hint}"
        )));
    }
    Ok(kept)
}
