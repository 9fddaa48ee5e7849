//! One result in the shape of every target, and what each loses.
//!
//! `cargo run -p qortal-mcp-protocol --example convert_everywhere [FILE]` reads a JSON file with a `tools/call`
//! result; without one it shows a result with a text, a picture, a file, a link and structure.

#![expect(clippy::print_stdout, reason = "this is what the program is for")]

use std::error::Error;

use mcp_protocol::{
    CallToolResult, Revision,
    convert::{
        Call, Converted, JsonRef, ai_sdk, anthropic, bedrock, codex, copilot, gemini, langchain,
        llama_index, mastra, openai_agents, openai_chat, openai_responses, pydantic_ai, rig,
        sampling, strands, swiftide,
    },
    parse::Reading,
    render::{self, Projection},
};
use serde::Serialize;
use serde_json::{Value, json};

const CALL: Call<'static> = Call::new("call_1", "block_report");

fn main() -> Result<(), Box<dyn Error>> {
    let result = match std::env::args_os().nth(1) {
        Some(path) => serde_json::from_slice(&std::fs::read(path)?)?,
        None => example(),
    };
    let parsed = CallToolResult::parse(&result, Reading::default())?;
    for diagnostic in &parsed.diagnostics {
        println!("odd: {diagnostic}");
    }
    for &revision in Revision::ALL {
        let result = parsed.result.clone();
        let projected = render::project(result, revision.rules(), &Projection::default())?;
        println!(
            "\n# MCP {}\n{}",
            revision.name(),
            Value::Object(projected.value)
        );
        println!("lost: [{}]", projected.losses);
    }
    show(
        "GitHub Copilot SDK, compat",
        copilot::convert(&result, &copilot::Options::compat())?,
    )?;
    show(
        "GitHub Copilot SDK, rich",
        copilot::convert(&result, &copilot::Options::rich())?,
    )?;
    let responses = openai_responses::Options::rich();
    show(
        "OpenAI Responses",
        openai_responses::convert(&result, CALL, &responses)?,
    )?;
    let chat = openai_chat::Options::rich();
    show(
        "OpenAI Chat Completions",
        openai_chat::convert(&result, CALL, &chat)?,
    )?;
    show(
        "Codex, compat",
        codex::convert(&result, &codex::Options::compat())?,
    )?;
    show(
        "Codex, rich",
        codex::convert(&result, &codex::Options::rich())?,
    )?;
    let options = anthropic::Options::rich();
    show(
        "Anthropic Messages",
        anthropic::convert(&result, CALL, &options)?,
    )?;
    show(
        "Gemini",
        gemini::convert(&result, CALL, &gemini::Options::rich())?,
    )?;
    show(
        "Bedrock Converse",
        bedrock::convert(&result, CALL, &bedrock::Options::rich())?,
    )?;
    show(
        "LangChain",
        langchain::convert(&result, CALL, &langchain::Options::rich())?,
    )?;
    show(
        "Vercel AI SDK",
        ai_sdk::convert(&result, &ai_sdk::Options::rich())?,
    )?;
    let options = llama_index::Options::rich();
    show("LlamaIndex", llama_index::convert(&result, &options)?)?;
    let options = mastra::Options::rich();
    show("Mastra", mastra::convert(&result, &options)?)?;
    let options = openai_agents::Options::rich();
    show("OpenAI Agents", openai_agents::convert(&result, &options)?)?;
    let options = strands::Options::rich();
    show("Strands", strands::convert(&result, CALL, &options)?)?;
    let options = pydantic_ai::Options::rich();
    let converted = pydantic_ai::convert(&result, &options)?;
    let value = converted.output.value.to_value();
    println!("\n# Pydantic AI\n{value}\nlost: [{}]", converted.losses);
    show("rig", rig::convert(&result, &rig::Options::rich())?)?;
    let text = swiftide::convert(&result, &swiftide::Options::rich())?;
    println!("\n# swiftide\n{:?}\nlost: [{}]", text.output, text.losses);
    let rules = Revision::V2025_11_25.rules();
    let block = sampling::convert(parsed.result, CALL.id, rules, &Projection::default())?;
    println!(
        "\n# MCP sampling\n{}\nlost: [{}]",
        Value::Object(block.value),
        block.losses
    );
    Ok(())
}

fn show<T: Serialize>(target: &str, converted: Converted<'_, T>) -> Result<(), serde_json::Error> {
    println!(
        "\n# {target}\n{}",
        serde_json::to_string(&converted.output)?
    );
    if !converted.follow_up.is_empty() {
        let parts = JsonRef::Array(converted.follow_up);
        println!(
            "in a user message that follows: {}",
            serde_json::to_string(&parts)?
        );
    }
    println!("lost: [{}]", converted.losses);
    Ok(())
}

fn example() -> Value {
    json!({
        "content": [
            {"type": "text", "text": "Block 468 has 3 transactions."},
            {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
            {"type": "resource", "resource": {
                "uri": "file:///reports/height.pdf", "mimeType": "application/pdf", "blob": "aGVsbG8=",
            }},
            {"type": "resource_link", "uri": "https://example.org/block/468", "name": "block 468"},
        ],
        "structuredContent": {"height": 468, "transactions": 3},
    })
}
