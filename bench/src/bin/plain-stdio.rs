//! The anchor on stdio: read a line, parse it, answer with a given result. No runtime, no tasks.

use std::error::Error;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use qortal_mcp_bench::answer;
use qortal_mcp_bench::args::Args;
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = Args::of_process();
    let result: PathBuf = args.required("--result")?;
    args.finish()?;
    let result: Value = serde_json::from_slice(&std::fs::read(result)?)?;
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        // A notification has no id and gets no answer.
        if memchr::memmem::find(&line, b"\"id\"").is_some() {
            output.write_all(&answer::to(&line, &result))?;
            output.write_all(b"\n")?;
        }
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}
