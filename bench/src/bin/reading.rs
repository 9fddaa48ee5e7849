//! Reads what servers say with our crate and with rmcp, and prints as JSON how many nanoseconds each takes.

use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use qortal_mcp_bench::args::Args;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Longer texts take microseconds.
const LONG: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = Args::of_process();
    let seconds: f64 = args.required("--seconds")?;
    args.finish()?;
    let time = Duration::from_secs_f64(seconds);
    let mut figures = Vec::new();
    for (name, result) in results() {
        let text = result.to_string();
        let read = compare::<mcp_protocol::CallToolResult, rmcp::model::CallToolResult>;
        figures.push(figure(name, &text, read(&text, time)?));
    }
    let text = tools().to_string();
    let read =
        compare::<mcp_protocol::read::Page<mcp_protocol::Tool>, rmcp::model::ListToolsResult>;
    figures.push(figure("list of 50 tools", &text, read(&text, time)?));
    Ok(writeln!(std::io::stdout(), "{}", Value::from(figures))?)
}

fn figure(name: &str, text: &str, (ours, rmcp): (f64, f64)) -> Value {
    json!({"name": name, "bytes": text.len(), "ours": ours, "rmcp": rmcp})
}

/// Nanoseconds that reading takes for each: the median of many turns, which what else the machine does seldom befalls. Each begins as
/// often, so that what the other left to the allocator befalls both.
fn compare<Ours: DeserializeOwned, Rmcp: DeserializeOwned>(
    text: &str,
    time: Duration,
) -> Result<(f64, f64), serde_json::Error> {
    let begun = Instant::now();
    let (mut ours, mut rmcp) = (Vec::new(), Vec::new());
    while begun.elapsed() < 2 * time {
        ours.push(batch::<Ours>(text)?);
        rmcp.push(batch::<Rmcp>(text)?);
        rmcp.push(batch::<Rmcp>(text)?);
        ours.push(batch::<Ours>(text)?);
    }
    let each = |mut turns: Vec<Duration>| {
        turns.sort();
        let median = turns.get(turns.len() / 2).copied().unwrap_or_default();
        median.as_secs_f64() * 1e9 / f64::from(readings(text))
    };
    Ok((each(ours), each(rmcp)))
}

/// How many are timed at once: short texts are read in less than the clock tells apart.
fn readings(text: &str) -> u32 {
    if text.len() < LONG { 16 } else { 1 }
}

fn batch<T: DeserializeOwned>(text: &str) -> Result<Duration, serde_json::Error> {
    let begun = Instant::now();
    for _ in 0..readings(text) {
        black_box(serde_json::from_str::<T>(black_box(text))?);
    }
    Ok(begun.elapsed())
}

fn results() -> Vec<(&'static str, Value)> {
    let row = |n: usize| json!({"height": 1_000_000 + n, "minter": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v", "fee": "0.00100000"});
    let rows = |count: usize| json!({"blocks": (0..count).map(row).collect::<Vec<_>>()});
    let text = |text: String| json!({"type": "text", "text": text});
    let structured = |value: &Value| json!({"content": [text(value.to_string())], "structuredContent": value, "isError": false});
    let link = json!({"type": "resource_link", "uri": "qortal://block/468", "name": "block 468", "mimeType": "application/json"});
    let image = json!({"type": "image", "data": "aGVsbG8h".repeat(2_000), "mimeType": "image/png"});
    vec![
        ("short text", json!({"content": [text("done".to_owned())]})),
        (
            "long text",
            json!({"content": [text("A line of text.\n".repeat(1_000))]}),
        ),
        (
            "small record",
            structured(&json!({"balance": "1.00000000", "name": "Alice"})),
        ),
        // Said twice, as text and as structure: together a kilobyte, and a megabyte.
        ("6 rows", structured(&rows(6))),
        ("100 rows", structured(&rows(100))),
        ("6,000 rows", structured(&rows(6_000))),
        (
            "picture and links",
            json!({"content": [image, link.clone(), link]}),
        ),
    ]
}

fn tools() -> Value {
    let schema = json!({
        "type": "object",
        "properties": {"address": {"type": "string", "description": "An address or a name."}, "limit": {"type": "integer"}},
        "required": ["address"],
        "additionalProperties": false,
    });
    let tools: Vec<Value> = (0..50)
        .map(|n| {
            json!({
                "name": format!("tool_{n}"),
                "title": "A tool",
                "description": "Return what there is to know about an address.",
                "inputSchema": schema,
                "outputSchema": schema,
                "annotations": {"readOnlyHint": true, "destructiveHint": false},
            })
        })
        .collect();
    json!({"tools": tools})
}
