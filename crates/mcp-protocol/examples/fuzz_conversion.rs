//! Converts generated and mutated results for every target, and fails at the first panic, output that an API would
//! refuse, bytes that are neither sent nor reported, or conversion that takes more than its share of time.
//!
//! `cargo xtask fuzz-conversion [--inputs N] [--seconds S]` runs it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "shares the tests' modules, which may fail by panicking, and prints what it found"
)]
#![expect(dead_code, reason = "and uses only the part of them that generates")]

#[path = "../tests/it/accepted.rs"]
mod accepted;
#[path = "../tests/it/cases/shared.rs"]
mod cases;
#[path = "../tests/it/corpus/vendors.rs"]
mod corpus;
#[path = "../tests/it/random.rs"]
mod random;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::{
    accepted::{all_options, check, generated},
    cases::run::everywhere,
    random::Random,
};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| {
        arguments
            .next()
            .map_or(default, |it| it.parse().expect("a number"))
    };
    let (inputs, seconds) = (number(2_000_000), number(1_800));
    growth();
    let corpus: Vec<Value> = corpus::inputs().into_iter().map(|(_, it)| it).collect();
    let options = all_options();
    let begun = Instant::now();
    let (mut done, mut conversions) = (0, 0);
    while done < inputs && begun.elapsed() < Duration::from_secs(seconds) {
        let mut random = Random(done);
        let input = match random.below(3) {
            0 => generated(&mut random),
            1 => mutated(random.of(&corpus), &mut random),
            _ => random.json(4),
        };
        // Each input goes to all targets with one choice of options, which another input with another seed has.
        let chosen = random.of(&options);
        conversions += check(&input, &chosen, &format!("seed {done}"));
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
type Family = (&'static str, fn(usize) -> Value);

/// What servers can make large, each in a family that grows: four times the input may take at most ten times the
/// time: linear is four, quadratic sixteen, and the rest is for a busy machine.
fn growth() {
    let text = |it: String| json!({"type": "text", "text": it});
    let families: [Family; 7] = [
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
    let long = text("line\n".repeat(200_000));
    for (name, make) in families {
        let (small, large) = (make(1_000), make(4_000));
        for preset in ["rich", "compat"] {
            let (few, many) = (least(&small, preset), least(&large, preset));
            let ratio = many.as_secs_f64() / few.as_secs_f64().max(1e-6);
            println!("{name}, {preset}: {few:.1?} and {many:.1?} for four times as much");
            assert!(ratio < 10.0, "{name}, {preset}: {ratio:.1} times the time");
        }
    }
    let limited = json!({"content": [long]});
    println!("a long text: {:.1?}", least(&limited, "rich"));
}

/// The least time of five, for all targets together.
fn least(input: &Value, preset: &str) -> Duration {
    let run = |_| {
        let begun = Instant::now();
        std::hint::black_box(everywhere(input, preset));
        begun.elapsed()
    };
    (0..5).map(run).min().unwrap_or_default()
}
