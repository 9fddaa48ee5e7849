//! `mcp-convert`: converts what MCP servers send, one JSON value a line.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::ExitCode,
};

use clap::Parser;
use mcp_convert::settings::{self, Settings};
use serde_json::{Value, json};

/// The longest line: what fits into memory several times over.
const MAX_LINE: u64 = 256 << 20;

const EXAMPLES: &str = "\
Examples:
  mcp-convert --to anthropic < results.jsonl
  mcp-convert --to openai-chat --report --max-chars 20000 < results.jsonl
  mcp-convert --to langchain --for bedrock < results.jsonl
  mcp-convert --to gemini --kind tools < tools-list.json
  mcp-convert --to anthropic --check < tool_result-blocks.jsonl
  mcp-convert --requests < requests.jsonl

Each line of input that is not blank becomes one line of output. A line that cannot be converted becomes
{\"error\": …}, and is reported on standard error.

Exit codes: 0 all lines were converted, 1 some were not (with --check: are rejected), 2 the flags are wrong,
3 the input or the output cannot be read or written.";

/// Converts results, prompts, resources and tools of MCP servers to the shapes of hosts, SDKs and model APIs
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, max_term_width = 110)]
struct Arguments {
    #[command(flatten)]
    settings: Option<Settings>,
    /// Read requests for any target: {"settings": …, "value": …} gives {"value": …} or {"error": …}
    #[arg(long, exclusive = true)]
    requests: bool,
    /// Write `{"output", "losses", …}` instead of only the output
    #[arg(long, conflicts_with = "check")]
    report: bool,
    /// Read lines that a converter wrote, and write the parts of each that the target's API rejects
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // The reader has what it wanted.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(3)
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<bool> {
    let mut input = BufReader::new(io::stdin());
    let mut output = io::BufWriter::new(io::stdout().lock());
    let (mut line, mut number, mut all_done) = (Vec::new(), 0_usize, true);
    loop {
        line.clear();
        let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            output.flush()?;
            return Ok(all_done);
        }
        number += 1;
        if read as u64 == MAX_LINE && !line.ends_with(b"\n") {
            let message = format!("line {number}: longer than {MAX_LINE} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (answer, is_done) = match converted(arguments, &line) {
            Ok(answer) => answer,
            Err(error) => {
                complain(&format!("line {number}: {error}"));
                (json!({"error": error}), false)
            }
        };
        all_done &= is_done;
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        // Who sends one line and waits gets its answer; who sends many gets them in few writes.
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

/// What a line becomes, and whether nothing is wrong with it.
fn converted(arguments: &Arguments, line: &[u8]) -> Result<(Value, bool), String> {
    let Some(settings) = &arguments.settings else {
        let answer = settings::convert_json_request(line);
        let is_value = answer.get("value").is_some();
        return Ok((answer, is_value));
    };
    let value: Value = serde_json::from_slice(line).map_err(|it| it.to_string())?;
    if arguments.check {
        let refusals = settings.check_output(&value).map_err(|it| it.to_string())?;
        let is_accepted = refusals.is_empty();
        return Ok((json!(refusals), is_accepted));
    }
    let mut report = settings.convert_json(value).map_err(|it| it.to_string())?;
    if !arguments.report {
        let output = report.get_mut("output");
        report = output.map(Value::take).unwrap_or_default();
    }
    Ok((report, true))
}

fn complain(message: &str) {
    // When stderr is gone too, the exit code is all that is left to say.
    let _written = writeln!(io::stderr(), "mcp-convert: {message}");
}
