//! Converts generated and mutated results for every target, prompts and tools too, and fails at the first panic, output
//! that an API would refuse, bytes that are neither sent nor reported, or conversion that takes more than its share of
//! time.
//!
//! `cargo test --release -p qortal-mcp-convert --test fuzz` runs it for half an hour, `-- INPUTS SECONDS SEED` otherwise:
//! the first seed goes on where another run ended.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "shares the tests' modules, which may fail by panicking, and prints what it found"
)]
#![expect(
    dead_code,
    unused_imports,
    reason = "and uses only the part of them that generates"
)]

#[path = "../it/accepted.rs"]
mod accepted;
#[path = "../it/cases/shared.rs"]
mod cases;
#[path = "../it/corpus/vendors.rs"]
mod corpus;
#[path = "../it/declarations.rs"]
mod declarations;
#[path = "../it/messages.rs"]
mod messages;
#[path = "../../../mcp-protocol/tests/it/random.rs"]
mod random;
#[path = "../it/tools.rs"]
mod tools;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use mcp_convert::tools::convert;
use mcp_protocol::{Tool, ToolAnnotations};
use serde_json::{Value, json};

use self::{
    accepted::{all_options, check, generated},
    cases::{
        model::Check,
        run::{convert_from, everywhere},
    },
    random::Random,
};

/// The tests of the shared modules do not run here.
fn rounds(all: u64) -> std::ops::Range<u64> {
    0..all
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| {
        arguments
            .next()
            .map_or(default, |it| it.parse().expect("a number"))
    };
    let (inputs, seconds, first) = (number(2_000_000), number(1_800), number(0));
    growth();
    let corpus: Vec<Value> = corpus::inputs().into_iter().map(|(_, it)| it).collect();
    let options = all_options();
    let begun = Instant::now();
    let (mut done, mut conversions) = (0, 0);
    while done < inputs && begun.elapsed() < Duration::from_secs(seconds) {
        let mut random = Random(first + done);
        let input = match random.below(3) {
            0 => generated(&mut random),
            1 => mutated(random.of(&corpus), &mut random),
            _ => random.json(4),
        };
        // Each input goes to all targets with one choice of options, which another input with another seed has.
        let chosen = random.of(&options);
        let from = format!("seed {}", first + done);
        conversions += check(&input, &chosen, &from);
        // Prompts and tools have no corpus to be mutated, so that they need fewer.
        if done % 10 == 0 {
            messages::check(&mut random, &from);
            declarations::check(&mut random, &from);
        }
        done += 1;
    }
    let seconds = begun.elapsed().as_secs();
    println!("{done} of {inputs} inputs, {conversions} conversions, {seconds} s: nothing found");
    if done < inputs {
        println!("the time was up");
    }
}

/// A result with one of its values replaced, removed or repeated.
fn mutated(value: Value, random: &mut Random) -> Value {
    if random.below(6) == 0 {
        return random.json(2);
    }
    match value {
        Value::Array(mut items) if !items.is_empty() => {
            let at = random.below(items.len());
            match random.below(4) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => items[at] = mutated(items[at].take(), random),
            }
            items.into()
        }
        Value::Object(mut members) if !members.is_empty() => {
            let name = members.keys().nth(random.below(members.len())).unwrap();
            let name = name.clone();
            let old = members.get_mut(&name).unwrap().take();
            match random.below(5) {
                0 => drop(members.remove(&name)),
                _ => _ = members.insert(name, mutated(old, random)),
            }
            members.into()
        }
        Value::String(text) if random.coin() => {
            let kept = random.below(text.len() + 1);
            let kept: String = text.chars().take(kept).collect();
            (kept + &random.text()).into()
        }
        _ => random.json(1),
    }
}

/// A name, and a result of a size.
type ModelVariant = (&'static str, fn(usize) -> Value);

/// What lists of tools are called, and the name of each tool.
type Names = (&'static str, fn(usize) -> String);

/// Sixteen times the input may take less than this many times the time, ten for each four: linear is sixteen, quadratic
/// 256. A longer lever tells them apart on a busy machine too.
const GROWTH: f64 = 100.0;
/// How often both sizes are timed. On a busy machine one reading says little, but the least of many comes near to
/// what the work takes; what is quadratic stays above the limit however often it is timed.
const READINGS: usize = 3;
const MOST_READINGS: usize = 100;

/// In seconds; what takes less grows into nothing that matters.
const SHORTEST: f64 = 20e-6;

/// What servers can make large, each in a family that grows.
fn growth() {
    let families: [ModelVariant; 9] = [
        (
            "lines",
            |n| json!({"content": [{"type": "text", "text": "line\n".repeat(n * 4)}]}),
        ),
        ("texts beside structure", |n| {
            let content: Value = (0..n)
                .map(|_| json!({"type": "text", "text": "{"}))
                .collect();
            json!({"content": content, "structuredContent": {"a": vec!["x".repeat(20); n]}})
        }),
        ("a list and its elements", |n| {
            let list: Vec<Value> = (0..n).map(|n| json!({"n": n})).collect();
            let content: Value = list
                .iter()
                .map(|it| json!({"type": "text", "text": it.to_string()}))
                .collect();
            json!({"content": content, "structuredContent": {"result": list}})
        }),
        (
            "pictures",
            |n| json!({"content": vec![json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}); n]}),
        ),
        ("pictures that a text repeats", |n| {
            let data = |it: usize| format!("iVBORw0K{it:0>92}");
            let picture = |it| json!({"type": "image", "data": data(it), "mimeType": "image/png"});
            let mut content: Vec<Value> = (0..n).map(picture).collect();
            let lines: Vec<String> = (0..n).map(|it| format!("///{}", data(n - it))).collect();
            content.push(json!({"type": "text", "text": lines.join("\n")}));
            json!({"content": content, "structuredContent": {"a": lines}})
        }),
        ("files of one name", |n| {
            let file =
                json!({"uri": "file:///a.pdf", "blob": "aGVsbG8=", "mimeType": "application/pdf"});
            json!({"content": vec![json!({"type": "resource", "resource": file}); n]})
        }),
        (
            "links",
            |n| json!({"content": vec![json!({"type": "resource_link", "uri": "https://x.test", "name": "a"}); n]}),
        ),
        (
            "unknown blocks",
            |n| json!({"content": vec![json!({"type": "video", "data": "x"}); n]}),
        ),
        ("members", |n| {
            let members: serde_json::Map<String, Value> =
                (0..n).map(|it| (format!("m{it}"), it.into())).collect();
            json!({"content": [], "structuredContent": members})
        }),
    ];
    let options = [
        json!({"preset": "rich"}),
        json!({"preset": "compat"}),
        json!({"preset": "rich", "limits": {"bytes": 20_000, "cut": "json_aware"}}),
    ];
    for (name, make) in families {
        let (small, large) = (make(500), make(8_000));
        let mut worst = 0.0_f64;
        for options in &options {
            let check = Check::new(json!({"options": options}));
            let preset = options["preset"].as_str().unwrap();
            for (target, _) in everywhere(&Value::Null, preset) {
                let run = |it: &Value| _ = black_box(convert_from(&check, target, it));
                let what = format!("{name}, {target}, {options}");
                worst = worst.max(judge(&what, || run(&small), || run(&large)));
            }
        }
        println!("{name}: {worst:.1} times the time for sixteen times as much");
    }
    let tool = |name: String| {
        Tool::new(
            name,
            "",
            json!({"type": "object"}),
            ToolAnnotations::default(),
        )
    };
    let lists: [Names; 3] = [
        ("tools of one name", |_| "a.b".to_owned()),
        ("tools of similar names", |n| format!("a.b {n}")),
        ("tools", |n| format!("tool_{n}")),
    ];
    for (name, name_of) in lists {
        let list = |length: usize| (0..length).map(|it| tool(name_of(it))).collect::<Vec<_>>();
        let (small, large) = (list(500), list(8_000));
        let mut worst = 0.0_f64;
        for provider in declarations::PROVIDERS {
            let run = |it: &[Tool]| _ = black_box(convert(it, provider));
            let what = format!("{name}, {provider:?}");
            worst = worst.max(judge(&what, || run(&small), || run(&large)));
        }
        println!("{name}: {worst:.1} times the time for sixteen times as much");
    }
}

/// How many times as long the second takes, by the least time of each. They take turns, so that what disturbs one
/// disturbs the other, and each is short enough to be undisturbed at times; fails if the second grows too fast.
fn judge(what: &str, small: impl Fn(), large: impl Fn()) -> f64 {
    // A few in a row: the first pays for the memory that the other size left to the system.
    let time = |run: &dyn Fn()| {
        let once = |_| {
            let begun = Instant::now();
            run();
            begun.elapsed().max(Duration::from_nanos(1))
        };
        (0..3).map(once).min().unwrap_or_default().as_secs_f64()
    };
    let (mut few, mut many) = (f64::MAX, f64::MAX);
    for reading in 1..=MOST_READINGS {
        (few, many) = (few.min(time(&small)), many.min(time(&large)));
        if reading >= READINGS && many < GROWTH * few.max(SHORTEST) {
            break;
        }
    }
    let ratio = many / few.max(SHORTEST);
    assert!(ratio < GROWTH, "{what}: {ratio:.1} times the time");
    ratio
}
