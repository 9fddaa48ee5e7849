//! What people ask about Qortal, asked as a host asks it: only tools that are listed are called, at most twice.

use mcp_client::Client;
use mcp_protocol::{ContentBlock, Tool};
use qortal_tools::{Catalog, Question, Surface};
use serde_json::{Value, json};

use crate::{client, program};

/// Asks the questions that a surface answers.
async fn check(line: &str, surface: Surface) {
    let client = client(&mut program(line)).await;
    let listed = client.list_all::<Tool>().await.unwrap();
    let mut problems = Vec::new();
    for question in Catalog::questions().filter(|it| it.surface <= surface) {
        if let Err(problem) = ask(&client, &listed, question).await {
            problems.push(format!("{} {problem}", question.text));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A tool that is not listed is found first, and then called by another.
async fn ask(client: &Client, listed: &[Tool], question: &Question) -> Result<(), String> {
    let mut calls = Vec::new();
    for call in &question.calls {
        let arguments: Value = serde_json::from_str(call.arguments.get()).unwrap();
        if listed.iter().any(|it| it.name == call.tool) {
            calls.push((call.tool, arguments));
        } else if question.surface == Surface::Extended {
            calls.push(("find_tools", json!({"query": question.text})));
            calls.push((
                "call_tool",
                json!({"name": call.tool, "arguments": arguments}),
            ));
        } else {
            return Err(format!("needs {}, which is not listed", call.tool));
        }
    }
    if calls.len() > 2 {
        return Err(format!("takes {} calls", calls.len()));
    }
    let mut answer = Value::Null;
    for (tool, arguments) in calls {
        answer = call(client, tool, arguments).await?;
        if tool == "find_tools" {
            let found = answer["tools"].as_array().unwrap().iter().take(3);
            if !found.clone().any(|it| it["name"] == question.tool()) {
                return Err(format!("is not found: {found:?}"));
            }
        }
    }
    let facts: Value = serde_json::from_str(question.facts.get()).unwrap();
    for (pointer, fact) in facts.as_object().unwrap() {
        let actual = answer.pointer(pointer).unwrap_or(&Value::Null);
        if actual != fact {
            return Err(format!(
                "{pointer} is {actual}, expected {fact}, in {answer:#}"
            ));
        }
    }
    Ok(())
}

/// The answer of one call, as it is in the text.
async fn call(client: &Client, tool: &str, arguments: Value) -> Result<Value, String> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let result = client.call_tool(tool, arguments).await;
    let result = result.map_err(|why| format!("{tool}: {why}"))?;
    match &result.content[..] {
        [ContentBlock::Text(it), ..] => {
            serde_json::from_str(&it.text).map_err(|_| format!("{tool} says {}", it.text))
        }
        content => Err(format!("{tool} answers {content:?}")),
    }
}

#[tokio::test]
async fn every_question_is_answered_by_default() {
    check("--demo=recorded", Surface::Extended).await;
}

#[tokio::test]
async fn the_commonest_are_answered_on_the_smallest_surface() {
    check("--demo=recorded --surface core", Surface::Core).await;
}
