//! Base64 of a block is in one place of an output, however the server repeats it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{accepted::all_options, cases::run::everywhere_with, random::Random, rounds};

const ROUNDS: u64 = 60;
/// The letters that two strings share before they repeat each other.
const SHARED: usize = 64;

/// A block with these bytes.
fn block(random: &mut Random, data: &str) -> Value {
    let resource = |mime_type| json!({"uri": "file:///tmp/a", "blob": data, "mimeType": mime_type});
    match random.below(8) {
        5 => {
            json!({"type": "resource_link", "uri": format!("data:image/png;base64,{data}"), "name": "a"})
        }
        6 => {
            let uri = format!("data:application/pdf;base64,{data}");
            json!({"type": "resource", "resource": {"uri": uri, "blob": data, "mimeType": "application/pdf"}})
        }
        7 => {
            json!({"type": "resource", "resource": {"uri": format!("data:image/png;base64,{data}")}})
        }
        0 => json!({"type": "image", "data": data, "mimeType": "image/png"}),
        1 => json!({"type": "audio", "data": data, "mimeType": "audio/wav"}),
        2 => json!({"type": "resource", "resource": resource("application/pdf")}),
        3 => json!({"type": "resource", "resource": resource("application/octet-stream")}),
        _ => {
            json!({"type": "image", "data": format!("data:image/png;base64,{data}"), "mimeType": "image/png"})
        }
    }
}

/// The Base64 as servers and their frameworks spell it.
fn spelled(random: &mut Random, data: &str) -> String {
    let lines = |end: &str| {
        let lines = data.as_bytes().chunks(76);
        let lines: Vec<&str> = lines.map(|it| std::str::from_utf8(it).unwrap()).collect();
        lines.join(end)
    };
    match random.below(8) {
        0 => data.to_owned(),
        1 => format!("data:image/png;base64,{data}"),
        2 => lines("\r\n"),
        3 => json!({"image": lines("\n")}).to_string(),
        4 => format!("{{\"image\":\"{}\"}}", data.replace('/', "\\/")),
        5 => data.replace('+', "-").replace('/', "_"),
        6 => format!("{}…", &data[..100]),
        _ => format!("![plot](data:image/png;base64,{data}) and then {data}."),
    }
}

/// As the Python SDK 1.x prints its models.
fn printed(block: &Value) -> Value {
    let mut printed = block.clone();
    printed["annotations"] = Value::Null;
    printed["_meta"] = Value::Null;
    printed
}

fn generated(random: &mut Random, data: &[String]) -> Value {
    let mut content: Vec<Value> = data.iter().map(|it| block(random, it)).collect();
    let repeated = random.of(data);
    let structured = match random.below(5) {
        0 => json!({"result": content.iter().map(printed).collect::<Vec<_>>()}),
        1 => printed(&content[0]),
        2 => json!({"n": 1, "rows": [{"image": spelled(random, &repeated)}]}),
        3 => json!({"result": content.iter().map(printed).collect::<Vec<_>>(), "n": 1}),
        _ => Value::Null,
    };
    if random.below(4) == 0 {
        let uri = format!("https://x.test/{}", spelled(random, &repeated));
        content.push(json!({"type": "resource_link", "uri": uri, "name": "a", "title": "b"}));
    }
    if random.below(4) == 0 {
        let page = format!("<img src=\"data:image/png;base64,{repeated}\">");
        let resource = json!({"uri": "file:///a.html", "blob": STANDARD.encode(page), "mimeType": "text/html"});
        content.push(json!({"type": "resource", "resource": resource}));
    }
    if random.coin() {
        let text = match random.below(3) {
            0 => spelled(random, &repeated),
            1 => structured.to_string(),
            _ => printed(&content[0]).to_string(),
        };
        content.push(json!({"type": "text", "text": text}));
    }
    json!({"content": content, "structuredContent": structured, "isError": random.below(4) == 0})
}

fn strings<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|it| strings(it, into)),
        Value::Object(members) => members.values().for_each(|it| strings(it, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

/// Whether the text has a long run of these letters, whatever breaks its lines.
fn has_run(text: &str, data: &str) -> bool {
    let text = text
        .replace("\\/", "/")
        .replace("\\n", "")
        .replace(['\r', '\n'], "");
    let text = text.replace('-', "+").replace('_', "/");
    let windows = data.as_bytes().windows(SHARED).step_by(8);
    let mut windows = windows.map(|it| std::str::from_utf8(it).unwrap());
    windows.any(|it| text.contains(it))
}

#[test]
fn base64_of_a_block_is_in_its_own_part_alone() {
    let mut sent = 0;
    for seed in rounds(ROUNDS) {
        let mut random = Random(seed);
        let data: Vec<String> = (0..1 + random.below(2))
            .map(|_| {
                let bytes: Vec<u8> = (0..300).map(|_| random.next().to_le_bytes()[0]).collect();
                STANDARD.encode(bytes)
            })
            .collect();
        let result = generated(&mut random, &data);
        for options in all_options() {
            for (target, outcome) in everywhere_with(&result, Value::Object(options.clone())) {
                let value = outcome.value.unwrap();
                let mut found = Vec::new();
                strings(&value, &mut found);
                strings(&outcome.follow_up, &mut found);
                for data in &data {
                    let with: Vec<_> = found.iter().filter(|it| has_run(it, data)).collect();
                    let is_own =
                        |it: &&&&str| **it == data || it.ends_with(&format!(";base64,{data}"));
                    assert!(
                        with.len() <= 1 && with.iter().all(|it| is_own(&it)),
                        "seed {seed}, {target}, {options:?}: {result}\n{value}"
                    );
                    sent += with.len();
                }
            }
        }
    }
    assert!(sent > 1_000, "only {sent} parts with bytes");
}

/// FastMCP of the Python SDK 1.x returns these for tools that return blocks.
#[test]
fn structure_of_the_blocks_themselves_adds_nothing() {
    let image = json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"});
    let link = json!({"type": "resource_link", "uri": "file:///a.csv", "name": "a", "size": 3});
    let text = json!({"type": "text", "text": "plot done"});
    for (content, structured) in [
        (json!([image]), printed(&image)),
        (json!([image]), json!({"result": [printed(&image)]})),
        (json!([image]), json!({"result": printed(&image)})),
        (
            json!([text, image]),
            json!({"result": [printed(&text), printed(&image)]}),
        ),
        (
            json!([text, image]),
            json!({"result": ["plot done", printed(&image)]}),
        ),
        (
            json!([text, text]),
            json!({"result": [printed(&text), printed(&text)]}),
        ),
        (json!([text]), printed(&text)),
        (
            json!([link, image]),
            json!([[printed(&link)], null, [printed(&image)]]),
        ),
    ] {
        let both = json!({"content": content, "structuredContent": structured});
        let alone = json!({"content": content});
        for prefer in ["both", "structured_only", "content_only"] {
            let options = match prefer {
                "both" => json!({"preset": "rich"}),
                other => json!({"preset": "rich", "prefer": other}),
            };
            let alone = everywhere_with(&alone, options.clone());
            for ((target, both), (_, alone)) in
                everywhere_with(&both, options).into_iter().zip(alone)
            {
                assert_eq!(both.value, alone.value, "{target}, {prefer}: {structured}");
                assert_eq!(
                    both.losses, alone.losses,
                    "{target}, {prefer}: {structured}"
                );
            }
        }
    }
}

/// A value that says more than the blocks is sent, without their bytes.
#[test]
fn structure_with_more_than_the_blocks_is_sent_without_their_base64() {
    let data = STANDARD.encode([7; 90]);
    let image = json!({"type": "image", "data": data, "mimeType": "image/png"});
    let result = json!({"content": [image], "structuredContent": {"n": 468, "image": data}});
    for (target, outcome) in everywhere_with(&result, json!({"preset": "rich"})) {
        let value = outcome.value.unwrap().to_string();
        assert!(value.contains("468"), "{target}: {value}");
        assert!(value.contains("[image/png image]"), "{target}: {value}");
        let codes = outcome.codes.to_string();
        assert!(codes.contains("base64_replaced"), "{target}: {codes}");
    }
}
