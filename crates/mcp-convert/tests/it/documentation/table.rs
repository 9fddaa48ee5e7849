//! Writes docs/conversion.md.

use std::fmt::Write;

use mcp_protocol::{CallToolResult, Revision, read::ToolResultReadOptions};
use serde_json::{Value, json};

use crate::{
    cases::{
        model::{Check, groups},
        run::{everywhere, run},
    },
    corpus,
};

const HEAD: &str = "\
<!-- Generated from the cases (tests/data/cases) and the corpus of crates/mcp-convert by `cargo xtask codegen`. -->

# Result conversion: every case

What `mcp-convert` makes of tool results: from ordinary values, between revisions, and for hosts and SDKs.
How to use it is in [Convert tool results](convert/index.md).

Each case is a test. `compat` equals the vendor's own converter; `convert` (`rich` below) loses nothing that the
target can carry, and returns what it cannot. Base64 in the examples is `aGVsbG8=`, the five bytes of `hello`.

";

const LOST: &str = "\
## What each target loses

One result with one thing in it, in the preset named; *no losses* means that the model gets all of it. The
losses are returned as data (`Converted::losses`).

";

const MATCHES: &str = "\
## How compat matches the vendors

Each vendor's own converter, of the package and version named, ran on the inputs of the corpus (the folder `corpus` of the crate);
an error of ours is the answer to one of theirs. JSON in texts is compared as JSON: vendors lay it out in their own way.

";

const COSTS: &str = "\
## What it costs

`cargo run --release --manifest-path bench/Cargo.toml --bin conversion` measures it. On 2026-11-23, on a machine busy with other work:

| input | every target |
| --- | --- |
| 1 KB of structure, and the text of it | 1.4 to 2.6 µs |
| 1 MB of structure, and the text of it | 0.9 to 2.1 ms |
| 1 MB of structure next to 20,000 texts | 3.3 to 9.5 ms |

`cargo xtask interop conversion` measures it from other languages. On 2026-11-25, likewise:

| | to install | the first call | 1 KB of text | 1 MB of text |
| --- | --- | --- | --- | --- |
| program, started once (wheel) | 0.8 MB | 2 ms | 0.02 to 0.08 ms | |
| npm package in Node.js | 0.2 MB packed, 0.5 MB | | 0.03 ms of processor time | 13 ms |
| wasmtime in Python | 0.5 MB next to wasmtime | 1.7 s, which a cache of the compiled module saves | 0.3 to 0.9 ms | |
| wazero in Go | 0.5 MB next to wazero | 0.3 s | 0.07 ms | |

A conversion allocates a handful of small lists, the same for a result of 1 KB and of 1 MB.

";

/// The whole document.
pub(crate) fn document() -> String {
    let mut out = HEAD.to_owned();
    out.push_str(LOST);
    for preset in ["rich", "compat"] {
        losses(&mut out, preset);
    }
    matches(&mut out);
    out.push_str(COSTS);
    for group in groups() {
        writeln!(out, "## {} — {}\n", group.letter, group.title).unwrap();
        for case in &group.cases {
            writeln!(out, "### {}: {}\n", case.id, case.title).unwrap();
            for check in &case.checks {
                describe(&mut out, check);
            }
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The file of the corpus that has all of it: the vendors in its first line, and a case in each of the others.
pub(crate) fn cases_file() -> String {
    let vendors: Vec<(&str, Value)> = corpus::VENDORS
        .iter()
        .map(|(name, file)| (*name, serde_json::from_str(file).unwrap()))
        .collect();
    let heads = vendors.iter().map(|(name, vendor)| {
        let mut head = vendor.clone();
        let target = vendor["target"].as_str().unwrap_or("");
        let members = head.as_object_mut().unwrap();
        for name in ["$schema", "vendor", "outputs"] {
            members.remove(name);
        }
        members.insert("leaves_out".to_owned(), json!(corpus::added(target)));
        ((*name).to_owned(), head)
    });
    let head: serde_json::Map<String, Value> = heads.collect();
    let mut out = format!("{}\n", json!({"vendors": head}));
    let strict = ToolResultReadOptions::default()
        .strict()
        .with_features(Revision::V2025_11_25.features());
    for (name, result) in corpus::inputs() {
        let (mut outputs, mut differs) = (json!({}), json!({}));
        for (vendor, file) in &vendors {
            if let Some(output) = file["outputs"].get(&name) {
                outputs[*vendor] = output.clone();
            }
            if let Some(reason) = corpus::documented(vendor).get(&name) {
                differs[*vendor] = reason.as_str().into();
            }
        }
        let mut losses = json!({});
        for (target, outcome) in everywhere(&result, "rich") {
            losses[target] = match &outcome.value {
                Ok(_) => outcome.codes.clone(),
                Err(_) => "refused".into(),
            };
        }
        let valid = CallToolResult::read(result.clone(), strict).is_ok();
        let case = json!({
            "name": name, "valid": valid, "result": result, "outputs": outputs, "differs": differs, "losses": losses,
        });
        writeln!(out, "{case}").unwrap();
    }
    out
}

/// How `compat` compares with the vendors on the corpus.
fn matches(out: &mut String) {
    let inputs = corpus::inputs();
    out.push_str(MATCHES);
    let cases: usize = groups().iter().map(|it| it.cases.len()).sum();
    // The names of those of servers have the package and its version.
    let of_servers = inputs.keys().filter(|it| it.contains(' ')).count();
    writeln!(
        out,
        "{cases} cases, {} inputs in the corpus ({of_servers} of them from real servers), {} converters of vendors.\n",
        inputs.len(),
        corpus::VENDORS.len()
    )
    .unwrap();
    let head = [
        "vendor",
        "package",
        "version",
        "MCP package",
        "preset",
        "equal",
        "of",
    ];
    writeln!(out, "| {} |", head.join(" | ")).unwrap();
    writeln!(out, "|{}", " --- |".repeat(head.len())).unwrap();
    for (name, file) in corpus::VENDORS {
        let vendor: Value = serde_json::from_str(file).unwrap();
        let text = |name: &str| vendor[name].as_str().unwrap_or("–").to_owned();
        let (mut equal, all) = ("–".to_owned(), vendor["outputs"].as_object().unwrap().len());
        let mut preset = "none".to_owned();
        if vendor.get("target").is_some() {
            equal = (all - corpus::differences(&vendor, &inputs).len()).to_string();
            preset = format!("`{}` {}", text("target"), code(&vendor["options"]));
        }
        let cells = [text("package"), text("version"), text("mcp"), preset, equal];
        writeln!(out, "| {name} | {} | {all} |", cells.join(" | ")).unwrap();
    }
    let mut without: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, file) in corpus::VENDORS {
        let vendor: Value = serde_json::from_str(file).unwrap();
        let Some(reason) = vendor["without_preset"].as_str() else {
            continue;
        };
        match without.iter_mut().find(|(it, _)| it == reason) {
            Some((_, names)) => names.push(name),
            None => without.push((reason.to_owned(), vec![*name])),
        }
    }
    for (reason, names) in without {
        writeln!(out, "\nNo preset for {}: {reason}", names.join(", ")).unwrap();
    }
    out.push_str("\nWhere they differ:\n\n");
    for row in corpus::rows() {
        let list = |name: &str| {
            let items = row[name].as_array().unwrap().iter();
            let items: Vec<&str> = items.map(|it| it.as_str().unwrap()).collect();
            items.join(", ")
        };
        let (vendors, inputs) = (list("vendors"), list("inputs"));
        writeln!(
            out,
            "* {vendors}: {inputs}. {}",
            row["reason"].as_str().unwrap()
        )
        .unwrap();
    }
    out.push('\n');
}

fn losses(out: &mut String, preset: &str) {
    const BYTES: &str = "aGVsbG8=";
    let resource = |name: &str, value: &str, mime_type: &str| {
        json!({"content": [{"type": "resource", "resource": {
            "uri": "file:///tmp/a", "mimeType": mime_type, name: value,
        }}]})
    };
    let media = |kind: &str, mime_type: &str| json!({"content": [{"type": kind, "data": BYTES, "mimeType": mime_type}]});
    let results = [
        ("text", json!({"content": [{"type": "text", "text": "x"}]})),
        (
            "failure",
            json!({"content": [{"type": "text", "text": "x"}], "isError": true}),
        ),
        ("empty failure", json!({"content": [], "isError": true})),
        (
            "structure",
            json!({"content": [], "structuredContent": {"a": 1}}),
        ),
        (
            "structure, other text",
            json!({
                "content": [{"type": "text", "text": "x"}], "structuredContent": {"a": 1},
            }),
        ),
        ("png", media("image", "image/png")),
        ("svg", media("image", "image/svg+xml")),
        ("wav", media("audio", "audio/wav")),
        ("text resource", resource("text", "x", "text/plain")),
        ("pdf resource", resource("blob", BYTES, "application/pdf")),
        (
            "other bytes",
            resource("blob", BYTES, "application/octet-stream"),
        ),
        (
            "link",
            json!({"content": [{"type": "resource_link", "uri": "file:///tmp/a", "name": "a"}]}),
        ),
        ("unknown block", json!({"content": [{"type": "video"}]})),
    ];
    writeln!(out, "### {preset}\n").unwrap();
    let targets = everywhere(&Value::Null, preset)
        .into_iter()
        .map(|(it, _)| it);
    let targets: Vec<&str> = targets.collect();
    writeln!(out, "| | {} |", targets.join(" | ")).unwrap();
    writeln!(out, "|{}", " --- |".repeat(targets.len() + 1)).unwrap();
    for (name, result) in results {
        write!(out, "| {name} |").unwrap();
        for (_, outcome) in everywhere(&result, preset).into_iter() {
            let cell = match &outcome.value {
                Err(_) => "*refused*".to_owned(),
                Ok(_) => {
                    let losses = outcome.losses.as_array().unwrap().iter();
                    let losses: Vec<&str> = losses.map(|it| short(it.as_str().unwrap())).collect();
                    if losses.is_empty() {
                        "no losses".to_owned()
                    } else {
                        losses.join(", ")
                    }
                }
            };
            write!(out, " {cell} |").unwrap();
        }
        out.push('\n');
    }
    out.push('\n');
}

fn short(loss: &str) -> &str {
    let endings = [
        ("uri is left out", "without address"),
        ("structuredContent is left out", "structure left out"),
        ("is left out", "left out"),
        ("is said as text", "as text"),
    ];
    if loss.contains("a note replaces") {
        return "a note";
    }
    if loss.ends_with("is sent after the result") {
        return "sent after it";
    }
    if loss.starts_with("isError") {
        return if loss.ends_with("text") {
            "flag as text"
        } else {
            "flag left out"
        };
    }
    if loss.contains("message") {
        return "message left out";
    }
    endings
        .iter()
        .find(|(ending, _)| loss.ends_with(ending))
        .map_or(loss, |(_, short)| short)
}

fn describe(out: &mut String, check: &Check) {
    let what = match check.name("do") {
        "test" => {
            writeln!(out, "* tested by `{}`", check.name("test")).unwrap();
            return;
        }
        "output" => "output".to_owned(),
        "project" => "between revisions".to_owned(),
        "schema" => "output schema".to_owned(),
        "sampling" => "sampling".to_owned(),
        "parse" | "parse_text" => "read".to_owned(),
        "convert" => format!("`{}`", check.name("target")),
        other => panic!("no such check: {other}"),
    };
    let input = check.value("output").or(check.value("input")).unwrap();
    write!(out, "* {what}").unwrap();
    if let Some(options) = check.value("options") {
        write!(out, ", options {}", code(options)).unwrap();
    }
    for name in ["mode", "revision", "legacy_tool_result"] {
        if let Some(value) = check.members().get(name) {
            write!(out, ", {name} {}", code(value)).unwrap();
        }
    }
    writeln!(out, ": {}", code(input)).unwrap();
    // Revisions that agree share a line; each line is what the code answers now.
    let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
    for (revision, outcome) in run(check) {
        let mut line = match &outcome.value {
            Ok(Value::Null) => "read and printed as it was".to_owned(),
            Ok(value) => code(value),
            Err(error) => format!("refused: {error}"),
        };
        for (name, value) in [
            ("lost", &outcome.losses),
            ("odd", &outcome.diagnostics),
            ("follow-up", &outcome.follow_up),
            ("for the user", &outcome.for_user),
        ] {
            if let Some(list) = value.as_array().filter(|it| !it.is_empty()) {
                let list = list
                    .iter()
                    .map(|it| it.as_str().map_or_else(|| code(it), str::to_owned));
                let list: Vec<String> = list.collect();
                write!(line, "; {name}: {}", list.join(", ")).unwrap();
            }
        }
        match lines.iter_mut().find(|(_, it)| *it == line) {
            Some((revisions, _)) => revisions.extend(revision),
            None => lines.push((revision.into_iter().collect(), line)),
        }
    }
    for (revisions, line) in lines {
        let revisions = if revisions.is_empty() {
            String::new()
        } else {
            format!("{}: ", revisions.join(", "))
        };
        writeln!(out, "  * {revisions}{line}").unwrap();
    }
}

/// JSON as inline code. A text that holds a back tick needs two around it.
fn code(value: &Value) -> String {
    let text = value.to_string();
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}
