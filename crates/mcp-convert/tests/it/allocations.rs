//! What a view and a conversion cost in allocations.

use allocation_counter::measure;
use mcp_convert::{
    Anthropic, AsResultView, Bedrock, CallRef, Codex, ConvertOptions, Copilot, Gemini, OpenAiChat,
    OpenAiResponses, PlainText, Rig, Target, convert, convert_like_vendor,
    settings::{self, Settings},
};
use mcp_protocol::{CallToolResult, ContentBlock, read::ToolResultReadOptions};
use serde_json::{Value, json};

const TEN_MEGABYTES: usize = 10 << 20;

#[test]
fn a_view_of_ten_megabytes_allocates_its_list_of_blocks() {
    let json = json!({"content": [{"type": "text", "text": "x".repeat(TEN_MEGABYTES)}]});
    let typed = CallToolResult::blocks(vec![ContentBlock::text("x".repeat(TEN_MEGABYTES))]);
    let results: [&dyn AsResultView; 2] = [&json, &typed];
    for result in results {
        let cost = measure(|| assert!(result.view().is_ok()));
        assert_eq!(cost.count_total, 1);
        assert!(cost.bytes_total < 4096, "{} bytes", cost.bytes_total);
    }
}

#[test]
fn reading_ten_megabytes_copies_them_once() {
    let json = json!({"content": [{"type": "text", "text": "x".repeat(TEN_MEGABYTES)}]});
    let cost = measure(|| {
        let parsed = CallToolResult::read(json.clone(), ToolResultReadOptions::default()).unwrap();
        assert_eq!(parsed.result.content.len(), 1);
    });
    let most = u64::try_from(TEN_MEGABYTES).unwrap() + 4096;
    assert!(cost.bytes_total < most, "{} bytes", cost.bytes_total);
}

#[test]
fn reading_what_is_not_needed_any_more_copies_nothing_of_it() {
    let long = "x".repeat(TEN_MEGABYTES);
    let annotations = json!({"audience": ["user"]});
    let blocks = [
        json!({"type": "text", "text": long, "annotations": annotations}),
        json!({"type": "image", "data": long, "mimeType": "image/png", "_meta": {"a": 1}}),
        json!({"type": "resource", "resource": {"uri": "file:///a", "blob": long}}),
        json!({"type": "video", "data": long}),
    ];
    for block in blocks {
        let kind = block["type"].to_string();
        let result = json!({"content": [block], "structuredContent": {"long": long}});
        let mut parsed = None;
        let cost = measure(|| {
            parsed = CallToolResult::read(result, ToolResultReadOptions::default()).ok();
        });
        assert_eq!(parsed.unwrap().result.content.len(), 1);
        assert!(
            cost.bytes_total < 4096,
            "{kind}: {} bytes",
            cost.bytes_total
        );
    }
}

#[test]
fn converting_one_text_copies_nothing_of_it() {
    let json = json!({"content": [{"type": "text", "text": "x".repeat(TEN_MEGABYTES)}]});
    let (call, policy) = (CallRef::new("c", "f"), ConvertOptions::default());
    let cost = measure(|| {
        let converted = convert(&json, call, &PlainText::default(), &policy).unwrap();
        assert!(converted.losses.is_empty());
    });
    assert!(cost.bytes_total < 4096, "{} bytes", cost.bytes_total);
}

/// How often each conversion allocates.
fn counts(result: &Value) -> Vec<(&'static str, u64)> {
    let (call, policy) = (CallRef::new("c", "f"), ConvertOptions::default());
    let of = |target| Settings::for_target(target).target();
    let targets: [(&str, &dyn Target); 12] = [
        ("copilot", &Copilot::default()),
        ("responses", &OpenAiResponses::default()),
        ("chat", &OpenAiChat::default()),
        ("codex", &Codex::default()),
        ("anthropic", &Anthropic::default()),
        ("gemini", &Gemini::default()),
        ("bedrock", &Bedrock::default()),
        ("langchain", &*of(settings::Target::Langchain)),
        ("ai_sdk", &*of(settings::Target::AiSdk)),
        ("agents", &*of(settings::Target::OpenaiAgents)),
        ("rig", &Rig::default()),
        ("text", &PlainText::default()),
    ];
    let rich = targets.map(|(name, target)| {
        let convert = || drop(convert(result, call, target, &policy).unwrap());
        (name, measure(convert).count_total)
    });
    let compat = || drop(convert_like_vendor(result, call, &Copilot::default()).unwrap());
    let mut counts = Vec::from(rich);
    counts.push(("copilot compat", measure(compat).count_total));
    counts
}

#[test]
fn a_conversion_allocates_as_often_for_a_megabyte_as_for_a_kilobyte() {
    let of = |items: usize| {
        let list = vec![json!({"height": 468, "name": "a registered name"}); items];
        let value = json!({"offers": list});
        json!({
            "content": [{"type": "text", "text": value.to_string()}],
            "structuredContent": value,
        })
    };
    let (small, large) = (counts(&of(25)), counts(&of(25_000)));
    assert_eq!(small, large);
    assert!(small.iter().all(|(_, count)| *count <= 9), "{small:?}");
}
