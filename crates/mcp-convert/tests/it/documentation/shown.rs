//! Writes docs/shown.md: what models are shown of results, by hosts and by the converters of SDKs.

use std::fmt::Write;

use serde_json::Value;

use crate::corpus;

/// What hosts sent to a model that `tests/interop/shown` stands in for.
const HOSTS: &str = include_str!("../../../corpus/hosts.json");

const HEAD: &str = "\
<!-- Generated from the corpus of crates/mcp-convert by `cargo xtask codegen`. -->

# What models see

A tool returns text, images, links and structured content. The host, or the SDK that the host is built with, decides which of these the
model gets. The tables on this page show measured behavior. The host or converter ran in the given version, and its request to the model was
recorded. A row with the version \"by its source\" is the exception: an adapter follows the source code.

For your server, follow three rules:

- **Put the same facts into the text and the structured content.** Some hosts show only the text, some only the structured content, and some
  both.
- **Add a sentence to each image.**
- **State each failure in words.** Some hosts do not send the failure flag.

";

const OF_HOSTS: &str = "\
## Hosts

Each host was installed from npm into an empty home directory. It was connected to a server whose tools each return one kind of content, and
to a simulated model that calls the tools one after another and records its input. To repeat this, run `tests/interop/shown/hosts.mjs`. The
complete requests are in `hosts.json` of the corpus.

";

const OF_TOOLS: &str = "\
The last column counts the tools that the host offered to the same model with their descriptions, from another server with {} tools. A host
that *defers* offers only names until its model searches. The model must therefore be able to find a tool by its name and first sentence.

";

const OF_SDKS: &str = "\
## Converters of SDKs

This table shows the output of the packages for the same results. `openai-agents-structured` uses its option `use_structured_content`.
`mastra-schema` converts the result of a tool with an output schema. To repeat this, run `cargo xtask goldens`. The complete outputs are in
`vendors/` of the corpus.

";

/// The inputs of the corpus that are shown, and what each has.
const SHOWN: [(&str, &str); 10] = [
    ("text", "text"),
    ("sc_only", "structure alone"),
    ("sc_dup", "structure and its text"),
    ("sc_summary", "structure, other text"),
    ("image_png", "picture"),
    ("audio", "sound"),
    ("res_text", "text resource"),
    ("res_blob_pdf", "PDF"),
    ("link_full", "link"),
    ("err_text", "failure"),
];

/// The page.
pub(crate) fn page() -> String {
    let mut out = HEAD.to_owned();
    let file: Value = serde_json::from_str(HOSTS).unwrap();
    out.push_str(OF_HOSTS);
    head(&mut out, &["host", "API of its model"], &["tools"]);
    for (name, host) in file["hosts"].as_object().unwrap() {
        let text = |name: &str| host[name].as_str().unwrap();
        write!(out, "| {name} {} | {} |", text("version"), text("api")).unwrap();
        for (input, _) in SHOWN {
            write!(out, " {} |", seen(input, &host["outputs"][input])).unwrap();
        }
        match host["defers"].as_bool().unwrap() {
            true => writeln!(out, " defers |").unwrap(),
            false => writeln!(out, " {} |", host["many_tools"]).unwrap(),
        }
    }
    let of_tools = OF_TOOLS.replace("{}", &file["many"].to_string());
    write!(out, "\n{of_tools}{OF_SDKS}").unwrap();
    head(&mut out, &["converter", "package", "version"], &[]);
    let mut rows: Vec<String> = Vec::new();
    for (_, file) in corpus::VENDORS {
        let vendor: Value = serde_json::from_str(file).unwrap();
        let text = |name: &str| vendor[name].as_str().unwrap_or_default();
        let version = match vendor.get("by_source") {
            Some(_) => "by its source",
            None => text("version"),
        };
        let mut row = format!("| {} | {} | {version} |", text("vendor"), text("package"));
        for (input, _) in SHOWN {
            write!(row, " {} |", converted(&vendor, input)).unwrap();
        }
        // With one version of MCP's package and with another it is often the same.
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    for row in rows {
        writeln!(out, "{row}").unwrap();
    }
    out.push_str(WORDS);
    out
}

const WORDS: &str = "
The cells of both tables mean:

- *both*, *text*, *structure*: the part that the model gets of a result whose text and structured content differ.
- *twice*: the same facts as text and as structured content, which cost tokens twice.
- *Base64*: the bytes as text, which no model can view.
- *a note*: a note about the content, without the content.
- *text alone*: the text of a failure, which looks like a success.
- *raises*: an exception in the converter. The model gets nothing of the result.
";

fn head(out: &mut String, first: &[&str], last: &[&str]) {
    let columns: Vec<&str> = first
        .iter()
        .copied()
        .chain(SHOWN.map(|(_, it)| it))
        .chain(last.iter().copied())
        .collect();
    writeln!(
        out,
        "| {} |\n|{}",
        columns.join(" | "),
        " --- |".repeat(columns.len())
    )
    .unwrap();
}

/// What a vendor's converter makes of an input.
pub(crate) fn converted(vendor: &Value, input: &str) -> &'static str {
    match vendor["outputs"].get(input) {
        Some(output) if output.get("error").is_some() => "raises",
        Some(output) => seen(input, &output["value"]),
        None => "–",
    }
}

/// Members that are for the host and not for its model, ids, and names, which have the kind of the result in them.
const NOT_SHOWN: [&str; 9] = [
    // LangChain: "not meant to be sent to the model".
    "artifact",
    // Strands sends `content` and `status`.
    "structuredContent",
    "tool_use_id",
    "toolUseId",
    "tool_call_id",
    "call_id",
    "id",
    "name",
    "resultType",
];

/// What a model sees of the result of an input.
fn seen(input: &str, sent: &Value) -> &'static str {
    let is_failure = is_flagged(sent);
    let sent = shown(sent, false);
    let text = sent.to_string();
    let times = |what: &str| text.matches(what).count();
    match input {
        "text" => word(times("hello"), "text", "text"),
        "res_text" => word(times("file body"), "text", "text"),
        "sc_only" => word(times("temp"), "structure", "structure"),
        "sc_dup" => word(times("temp"), "once", "twice"),
        "sc_summary" => match (times("21 degrees"), times("temp")) {
            (0, 0) => "nothing",
            (0, _) => "structure",
            (_, 0) => "text",
            (_, _) => "both",
        },
        "link_full" => match (times("file:///tmp/big.csv"), times("Big CSV")) {
            (0, _) => "nothing",
            (_, 0) => "address",
            (_, _) => "address, title",
        },
        "err_text" => match (times("boom") > 0, is_failure) {
            (true, true) => "failure",
            (true, false) => "text alone",
            (false, true) => "no text",
            (false, false) => "nothing",
        },
        _ => bytes(&sent, false).unwrap_or_else(|| {
            let text = text.to_lowercase();
            let is_named = ["image", "audio", "pdf"].iter().any(|it| text.contains(it));
            if is_named { "a note" } else { "nothing" }
        }),
    }
}

fn word(times: usize, once: &'static str, more: &'static str) -> &'static str {
    match times {
        0 => "nothing",
        1 => once,
        _ => more,
    }
}

/// Without what is not for the model. A value that is sent as JSON is text, all of it.
fn shown(value: &Value, is_json: bool) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|it| shown(it, is_json)).collect(),
        Value::Object(members) => {
            let is_json = is_json || is_sent_as_json(value);
            let kept = members
                .iter()
                .filter(|(name, _)| is_json || !NOT_SHOWN.contains(&name.as_str()));
            let inner = |(name, it): (&String, &Value)| {
                (name.clone(), shown(it, is_json || name == "response"))
            };
            Value::Object(kept.map(inner).collect())
        }
        other => other.clone(),
    }
}

fn is_sent_as_json(value: &Value) -> bool {
    value["type"] == "json"
}

/// Whether the bytes of a picture, a sound or a document are a part of the message, or Base64 in a text.
fn bytes(value: &Value, is_json: bool) -> Option<&'static str> {
    match value {
        Value::String(text) => {
            let data = ["aGVsbG8=", "iVBORw0KGgo"]
                .into_iter()
                .find(|it| text.contains(it))?;
            let is_part = text.starts_with(data) || text.starts_with("data:");
            Some(if is_part && !is_json {
                "whole"
            } else {
                "Base64"
            })
        }
        Value::Array(items) => items.iter().find_map(|it| bytes(it, is_json)),
        Value::Object(members) => {
            let is_json = is_json || is_sent_as_json(value);
            members
                .iter()
                .find_map(|(name, it)| bytes(it, is_json || name == "response"))
        }
        _ => None,
    }
}

/// Whether a failure is sent as one: by a flag, or by words of the host.
fn is_flagged(value: &Value) -> bool {
    match value {
        Value::String(text) => ["isError", "is_error=True", "tool error"]
            .iter()
            .any(|it| text.contains(it)),
        Value::Array(items) => items.iter().any(is_flagged),
        Value::Object(members) => members.iter().any(|(name, it)| match name.as_str() {
            "isError" | "is_error" | "failed" => it == &Value::Bool(true),
            "status" | "resultType" => it == "error" || it == "failure",
            "error" => true,
            _ => is_flagged(it),
        }),
        _ => false,
    }
}
