//! Results of public bug reports against other converters, each named by its thread, for the targets that the thread is about.
//!
//! `tests/data/reports.jsonl` has `id`, `value` and `try`: the target and its flags.

use std::fmt::Write as _;

use mcp_convert::settings::Settings;
use serde_json::{Value, json};

const FRAMEWORKS: [&str; 6] = [
    "langchain",
    "ai-sdk",
    "mastra",
    "pydantic-ai",
    "llama-index",
    "strands",
];

/// The settings that the flags are.
fn settings(flags: &str) -> Settings {
    let mut flags = flags.split(' ').peekable();
    let to = flags.next().unwrap();
    let mut settings = json!({"to": to});
    while let Some(flag) = flags.next() {
        let name = flag.trim_start_matches("--");
        settings[name] = match flags.next_if(|it| !it.starts_with("--")) {
            Some(value) => value.into(),
            None => true.into(),
        };
    }
    if FRAMEWORKS.contains(&to) && settings.get("for").is_none() && settings.get("preset").is_none()
    {
        settings["for"] = "any".into();
    }
    serde_json::from_value(settings).unwrap()
}

#[test]
fn results_of_public_reports_arrive() {
    let mut out = String::new();
    for line in include_str!("../data/reports.jsonl").lines() {
        let report: Value = serde_json::from_str(line).unwrap();
        writeln!(out, "{}", report["id"].as_str().unwrap()).unwrap();
        for flags in report["try"].as_array().unwrap() {
            let flags = flags.as_str().unwrap();
            match settings(flags).convert_json(report["value"].clone()) {
                Err(error) => writeln!(out, "  {flags}: error: {error}").unwrap(),
                Ok(it) => {
                    writeln!(out, "  {flags}: {}", it["output"]).unwrap();
                    for part in it["follow_up"].as_array().into_iter().flatten() {
                        writeln!(out, "    follow-up: {part}").unwrap();
                    }
                    for loss in it["losses"].as_array().unwrap() {
                        writeln!(out, "    lost: {}", loss["text"].as_str().unwrap()).unwrap();
                    }
                }
            }
        }
    }
    insta::assert_snapshot!("reports", out);
}
