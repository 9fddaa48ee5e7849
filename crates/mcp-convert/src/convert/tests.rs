//! The resolved row of each target, framework and API.

use std::fmt::{Debug, Write as _};

use super::carrier::{Carrier, Types};
use crate::settings::Settings;

const TARGETS: &str = "anthropic openai-responses openai-chat gemini bedrock copilot codex openai-agents rig text \
    langchain ai-sdk pydantic-ai llama-index strands";
const APIS: &str = "anthropic openai openai-chat google bedrock";

fn types(types: Types) -> String {
    match types {
        Types::Any => "any".to_owned(),
        Types::Of(lists) => {
            let words = lists.iter().flat_map(|it| it.split(' '));
            let words = words.map(|it| it.split(':').next().unwrap_or(it));
            words.collect::<Vec<_>>().join(" ")
        }
    }
}

/// A line for each fact in which the row differs from that of plain text.
fn facts(row: &Carrier) -> String {
    let mut out = String::new();
    let plain = Carrier::TEXT;
    let mut fact = |name: &str, value: String, other: String| {
        if value != other {
            writeln!(out, "  {name}: {value}").unwrap();
        }
    };
    for (name, own, behind, other) in [
        ("images", row.images, row.behind[0], plain.images),
        ("audio", row.sounds, row.behind[1], plain.sounds),
        ("files", row.files, row.behind[2], plain.files),
    ] {
        let behind = match (own, behind) {
            (Types::Of([]), _) | (_, Types::Any) => String::new(),
            (_, it) => format!(", behind it {}", types(it)),
        };
        fact(name, types(own) + &behind, types(other));
    }
    let only = types(row.only_beside);
    fact(
        "only in the message after it",
        only,
        types(plain.only_beside),
    );
    fn shown(it: &impl Debug) -> String {
        format!("{it:?}")
    }
    macro_rules! facts {
        ($($name:ident)+) => {$(fact(stringify!($name), shown(&row.$name), shown(&plain.$name));)+};
    }
    facts!(around api as_json place links documents addresses announces_sounds marks_failures drops_blank);
    facts!(image_bytes file_bytes pixels max_images max_files text_chars string_chars also_read);
    facts!(no_output no_message reason);
    out
}

fn row(out: &mut String, name: &str, settings: &str) {
    let settings: Settings = serde_json::from_str(settings).unwrap();
    let target = settings.target();
    let (success, failure) = (facts(&target.carrier(false)), facts(&target.carrier(true)));
    write!(out, "{name}\n{success}").unwrap();
    if failure != success {
        let of_success: Vec<&str> = success.lines().collect();
        writeln!(out, "  of a failure:").unwrap();
        for line in failure.lines().filter(|it| !of_success.contains(it)) {
            writeln!(out, "  {line}").unwrap();
        }
        let names = |text: &str| -> Vec<String> {
            let names = text.lines().filter_map(|it| it.split_once(':'));
            names.map(|(name, _)| name.trim().to_owned()).collect()
        };
        let of_failure = names(&failure);
        for gone in names(&success).iter().filter(|it| !of_failure.contains(it)) {
            writeln!(out, "    {gone}: as text has it").unwrap();
        }
    }
}

#[test]
fn each_row_is_what_its_snapshot_says() {
    let mut out = String::new();
    for target in TARGETS.split(' ') {
        row(&mut out, target, &format!(r#"{{"to": "{target}"}}"#));
    }
    for (target, family) in [("gemini", "gemini2"), ("bedrock", "openai")] {
        let settings = format!(r#"{{"to": "{target}", "family": "{family}"}}"#);
        row(&mut out, &format!("{target}, family {family}"), &settings);
    }
    for framework in TARGETS.split(' ').skip(10) {
        for api in APIS.split(' ') {
            let settings = format!(r#"{{"to": "{framework}", "for": "{api}"}}"#);
            row(&mut out, &format!("{framework} for {api}"), &settings);
        }
    }
    insta::assert_snapshot!("rows", out);
}
