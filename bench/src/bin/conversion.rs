//! What a conversion costs: time and allocations for a result of 1 KB, of 1 MB, and of 1 MB with 20,000 blocks beside it,
//! for every target.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --bin conversion`

#![expect(clippy::print_stdout, reason = "this is what the program is for")]

use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

use allocation_counter::measure;
use mcp_convert::{
    Anthropic, AsResultView, CallRef, ConvertOptions, Copilot, convert, convert_like_vendor, settings::Settings,
};
use mcp_protocol::{CallToolResult, ContentBlock, Revision, read::ToolResultReadOptions, render};
use serde_json::{Value, json};

const CALL: CallRef<'static> = CallRef::new("call_1", "lookup");

/// Long enough for a stable mean, short enough for all lines of the table.
const TIME: Duration = Duration::from_millis(200);

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:<34}{:>10}{:>12}{:>8}{:>14}",
        "", "input", "time", "allocs", "bytes"
    );
    every_target("1 KB", &structured(1 << 10))?;
    every_target("1 MB", &structured(1 << 20))?;
    every_target("20,000", &many_texts())
}

/// A list said as text and as structure, as servers do.
fn structured(size: usize) -> Value {
    let item = json!({"name": "a registered name", "height": 468, "price": "0.12345678"});
    let items = vec![item.clone(); size / item.to_string().len()];
    let result = CallToolResult::structured(json!({"offers": items}));
    let rules = Revision::V2025_11_25.features();
    Value::Object(render::call_tool_result(result, rules))
}

/// A megabyte of structure beside as many texts as would have to be compared with it one by one.
fn many_texts() -> Value {
    let texts = vec![json!({"type": "text", "text": "{"}); 20_000];
    let rows = vec![json!({"name": "a registered name", "height": 468}); 25_000];
    json!({"content": texts, "structuredContent": {"rows": rows}})
}

fn every_target(name: &str, result: &Value) -> Result<(), Box<dyn Error>> {
    line(name, "view", || result.view());
    line(name, "parse", || {
        CallToolResult::read(result.clone(), ToolResultReadOptions::default())
    });
    let text = result.to_string();
    line(name, "text to result", || {
        serde_json::from_str::<CallToolResult>(&text)
    });
    let block = ContentBlock::text("x");
    line(name, "build and render", || {
        let mut it = CallToolResult::structured(result.clone());
        it.content.push(block.clone());
        render::call_tool_result(it, Revision::V2025_11_25.features())
    });
    line(name, "copilot, as its vendor", || {
        convert_like_vendor(result, CALL, &Copilot::default())
    });
    let targets = "anthropic openai-responses openai-chat gemini bedrock copilot codex langchain ai-sdk llama-index openai-agents \
        pydantic-ai rig strands text";
    let policy = ConvertOptions::default();
    for target in targets.split_whitespace() {
        let settings: Settings = serde_json::from_value(json!({"to": target}))?;
        let to = settings.target();
        line(name, target, || convert(result, CALL, &*to, &policy));
    }
    let converted = convert(result, CALL, &Anthropic::default(), &policy)?;
    let converted = converted.output.to_value();
    line(name, "(clone of the output)", || converted.clone());
    Ok(())
}

fn line<T>(input: &str, name: &str, convert: impl Fn() -> T) {
    let cost = measure(|| drop(black_box(convert())));
    let start = Instant::now();
    let mut rounds: u32 = 0;
    while start.elapsed() < TIME {
        black_box(convert());
        rounds += 1;
    }
    let mean = start.elapsed() / rounds.max(1);
    let mean = format!("{mean:.1?}");
    println!(
        "{name:<34}{input:>10}{mean:>12}{:>8}{:>14}",
        cost.count_total, cost.bytes_total
    );
}
