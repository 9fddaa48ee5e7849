//! `qortal-mcp call`: one tool from the command line.

mod all;
mod images;

use qortal_tools::{CALL_TOOL, Catalog, Entry, Object, Outcome, ToolError, for_person};
use serde_json::Value;

use crate::{
    args::{self, AnswerFormat, Call, Options},
    cli::{self, Terminal},
    exit::{Exit, Failure},
    show, text,
};

/// The argument by which a tool returns CSV, and the member that has it.
const FORMAT: &str = "format";
const CSV: &str = "csv";
/// The argument by which a tool calls another.
const NAME: &str = "name";

/// `options` are those of the command line, which a call for the rest of a list needs too.
pub(crate) async fn call(
    call: &Call,
    options: &Options,
    catalog: Catalog,
) -> Result<Exit, Failure> {
    let Some(tool) = &call.tool else {
        return Ok(text::print(&help()));
    };
    let entry = Catalog::find(tool)?;
    if call.help {
        return Ok(text::print(&show::tool(entry, &options.terminal())));
    }
    if call.all {
        let arguments = arguments(&call.arguments, entry)?;
        return all::all(call, entry, arguments, &catalog).await;
    }
    let output = call.output.as_deref();
    let media_type = output.map(images::media_type).transpose()?;
    let mut arguments = arguments(&call.arguments, entry)?;
    let terminal = options.terminal();
    let is_table = arguments.get(FORMAT).is_some_and(|it| it == CSV);
    let format = match call.format {
        Some(format) => format,
        // Rows that were asked for by the tool's own parameter are rows here too.
        None if is_table => AnswerFormat::Csv,
        None if terminal.is_terminal() => AnswerFormat::Table,
        None => AnswerFormat::Json,
    };
    if format == AnswerFormat::Csv {
        if !entry.parameters().iter().any(|it| it.name == FORMAT) {
            let tool = entry.name;
            return Err(Failure::new(format!(
                "{tool} has no CSV output\nhint: --format csv needs a tool with a parameter `format`"
            )));
        }
        arguments.insert(FORMAT.to_owned(), CSV.into());
    }
    let inner = arguments.get(NAME).and_then(Value::as_str);
    let inner = inner.filter(|_| entry.name == CALL_TOOL);
    let inner = inner.and_then(|it| Catalog::find(it).ok());
    let called_tool = inner.map_or(entry.name, |it| it.name);
    let called = catalog.call(entry, arguments);
    let what = format!("{}: waiting for the node", entry.name);
    let answer = cli::waiting(called, &what).await;
    let outcome = match answer {
        Ok(outcome) => outcome,
        Err(err) => {
            let exit = text::print_call_error(&err);
            // It may be a matter of the address.
            if matches!(&err, ToolError::Node(err) if err.is_unavailable()) {
                let url = catalog.node().url();
                let hint =
                    format!("hint: the node is expected at {url}, pass --node URL for another");
                text::print_note(&hint);
            }
            return Ok(exit);
        }
    };
    let mut words = options.words();
    if call.format == Some(AnswerFormat::Table) {
        words.extend(["--format".to_owned(), "table".to_owned()]);
    }
    let exit = print(called_tool, &outcome, format, &words, &terminal);
    images::put(&outcome, output.zip(media_type))?;
    Ok(exit)
}

/// What the command takes, when no tool is named.
fn help() -> String {
    let mut command = args::command();
    command.build();
    let call = command.find_subcommand_mut("call");
    call.map_or_else(String::new, |it| it.render_long_help().to_string())
}

fn print(
    tool: &str,
    outcome: &Outcome,
    format: AnswerFormat,
    words: &[String],
    terminal: &Terminal,
) -> Exit {
    let structure = outcome.structure();
    match format {
        AnswerFormat::Json => text::print(&format!("{:#}", Value::Object(structure))),
        AnswerFormat::Table => {
            let command = |tool: &str, arguments: &_| show::command(tool, arguments, words);
            text::print(&cli::answer(tool, &structure, terminal, command))
        }
        AnswerFormat::Csv => {
            let notes = structure.get("notes").and_then(Value::as_array);
            let notes = notes.into_iter().flatten().filter_map(Value::as_str);
            for note in notes.filter_map(for_person) {
                text::print_note(&format!("note: {note}"));
            }
            let rows = structure.get(CSV).and_then(Value::as_str);
            text::print(rows.unwrap_or_default())
        }
    }
}

/// The words `name=value` as the arguments of a tool.
fn arguments(words: &[String], entry: &Entry) -> Result<Object, Failure> {
    let parameters = entry.parameters();
    // As JSON numbers, amounts and names made of digits would become floats.
    let is_text = |name: &str| {
        let named = parameters.iter().find(|it| it.name == name);
        named.is_some_and(|it| it.schema.get("type").and_then(Value::as_str) == Some("string"))
    };
    cli::arguments(words, is_text).map_err(|word| {
        // A word alone is most likely the value of what the tool needs first.
        let name = parameters.first().map_or("name", |it| &*it.name);
        let meant = Object::from_iter([(name.to_owned(), word.into())]);
        let command = show::command(entry.name, &meant, &[]);
        Failure::new(format!(
            "invalid argument {word:?}\nhint: write name=value, such as {command}"
        ))
    })
}
