//! The parts of the page at `/` that are made from the program's own tables.

use std::time::Duration;

use mcp_hosts::TOKEN;
use qortal_tools::{Catalog, Entry, Family, Object, Selection, Surface};
use serde_json::Value;

use super::{facts::Facts, html::escaped, node::Seen};
use crate::{access::ServerAccess, doctor::NodeFault};

/// What a newcomer may ask. Each is one of the questions that decide what is listed.
pub(super) const QUESTIONS: [&str; 6] = [
    "Is my node synchronized, or stuck?",
    "Is this name free, and what does it cost?",
    "What is QORT worth, and how much is traded?",
    "Who paid me last?",
    "Why am I not minting?",
    "My trade is in TRADING and nothing happens. Will I get refunded?",
];
/// The longest text of the node that is shown. A version is `qortal-6.1.8-` and a hash.
const LONGEST: usize = 60;

/// The state of the node. A simulated one is neither well nor unwell.
pub(super) fn node(seen: &Seen, is_public: bool, is_demo: bool) -> String {
    let demo = if is_demo {
        "<p class=\"note\">This is a demonstration with a simulated node inside the program.</p>"
    } else {
        ""
    };
    let facts = match &seen.health {
        Ok(health) => node_facts(health, seen.age, is_public, is_demo),
        Err(fault) => no_answer(fault, seen.age, is_public),
    };
    format!(
        "<section aria-labelledby=\"node\">\n<h2 id=\"node\">The node</h2>\n{facts}{demo}\n</section>"
    )
}

/// The cause and the next steps, in the words of `doctor`. The public learns of neither.
fn no_answer(fault: &NodeFault, age: Duration, is_public: bool) -> String {
    let verdict = format!(
        "<p><span class=\"verdict unhealthy\">no answer</span> <span class=\"quiet\">checked {}</span></p>\n",
        ago(age)
    );
    if is_public {
        return verdict;
    }
    let steps = fault.steps.iter().map(|it| with_options(it));
    let more = "For more, run <code>qortal-mcp doctor</code> on the server.".to_owned();
    let steps: String = steps
        .chain([more])
        .map(|it| format!("<li>{it}</li>\n"))
        .collect();
    let detail = escaped(&fault.detail);
    format!("{verdict}<p>{detail}</p>\n<p>Next steps:</p>\n<ol>\n{steps}</ol>\n")
}

/// Returns a text in which options of the command line are code.
fn with_options(text: &str) -> String {
    let text = escaped(text);
    let words = text.split(' ').map(|word| match word.starts_with("--") {
        true => format!("<code>{word}</code>"),
        false => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn node_facts(health: &Object, age: Duration, is_public: bool, is_demo: bool) -> String {
    let text = |key: &str| match health.get(key) {
        Some(Value::String(text)) => Some(text.chars().take(LONGEST).collect::<String>()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let judged = text("verdict").unwrap_or_default();
    let verdict = if is_demo { "simulated" } else { &judged };
    let class = match verdict {
        "healthy" | "synchronizing" | "degraded" | "unhealthy" => verdict,
        _ => "unknown",
    };
    let block_age = text("lastBlockAge").map(|age| format!("{age} old"));
    let more = [
        ("Height", text("height")),
        ("Last block", block_age),
        ("Version", text("buildVersion")),
    ];
    let more = more.into_iter().take(if is_public { 1 } else { 3 });
    let row = |(name, value): (&str, Option<String>)| {
        let value = escaped(&value?);
        Some(format!("<div><dt>{name}</dt><dd>{value}</dd></div>"))
    };
    let rows: String = more.filter_map(row).collect();
    let reasons = health.get("reasons").and_then(Value::as_array);
    let reasons = reasons
        .filter(|_| !is_public && !is_demo)
        .into_iter()
        .flatten();
    let reasons = reasons.filter_map(Value::as_str);
    let reasons: String = reasons
        .map(|reason| format!("<p>{}</p>\n", escaped(reason)))
        .collect();
    let (verdict, age) = (escaped(verdict), ago(age));
    format!(
        "<p><span class=\"verdict {class}\">{verdict}</span> <span class=\"quiet\">checked {age}</span></p>\n{reasons}<dl>{rows}</dl>\n"
    )
}

fn ago(age: Duration) -> String {
    match age.as_secs() {
        0 => "just now".to_owned(),
        1 => "1 second ago".to_owned(),
        seconds => format!("{seconds} seconds ago"),
    }
}

/// The note for those who need a token, or an account.
pub(super) fn access(access: &ServerAccess) -> String {
    let note = access.for_people().map(|it| escaped(&it));
    note.map_or_else(String::new, |it| format!("<p class=\"note\">{it}</p>"))
}

/// The request to try the server with.
pub(super) fn trial(access: &ServerAccess, address: &str) -> String {
    let trial = access.trial(address, TOKEN, "", "get_node_health");
    let (heading, command) = (trial.heading, escaped(&trial.command));
    format!("<p>{heading}:</p>\n<pre class=\"command\"><code>{command}</code></pre>")
}

/// The questions as a list.
pub(super) fn questions() -> String {
    let questions = QUESTIONS.into_iter();
    questions
        .map(|question| format!("<li>{}</li>\n", escaped(question)))
        .collect()
}

/// The surfaces, each with the number of tools that it lists and its address.
pub(super) fn surfaces(facts: &Facts, host: Option<&str>) -> String {
    let configured = facts.catalog.selection();
    let rows = Surface::ALL.into_iter().map(|surface| {
        let mut selection = Selection::clone(configured);
        selection.surface = surface;
        let name = surface.name();
        let purpose = match surface {
            Surface::Core => "Tools for the commonest questions, for small models.",
            Surface::Standard => "Tools for the questions that people ask.",
            Surface::Python => "The tools of the older Python server.",
            Surface::Dynamic => "Three tools that find and call the others.",
            Surface::Extended => "All tools except those that newer tools replace.",
            _ => "",
        };
        let is_default = surface == configured.surface;
        let default = if is_default { " (the default)" } else { "" };
        let count = selection.listed().count();
        let address = escaped(&facts.address(host, &format!("/mcp/x/{name}")));
        format!(
            "<li><strong>{name}</strong>{default}, {count} tools. {purpose}<br><code>{address}</code></li>\n"
        )
    });
    rows.collect()
}

/// All tools by family.
pub(super) fn tools() -> String {
    let tool = |tool: &Entry| {
        let (title, name) = (escaped(tool.title), tool.name);
        let sentence = escaped(first_sentence(tool.description));
        format!("<dt>{title} <code>{name}</code></dt><dd>{sentence}</dd>\n")
    };
    let family = |family: &&Family| {
        let (name, purpose) = (escaped(family.name), escaped(family.purpose));
        let tools: String = family.tools.iter().map(tool).collect();
        format!(
            "<details>\n<summary>{name} <span class=\"quiet\">{purpose}</span></summary>\n<dl class=\"tools\">\n{tools}</dl>\n</details>\n"
        )
    };
    Catalog::families().iter().map(family).collect()
}

/// The first sentence of a description: what follows is for models.
pub(super) fn first_sentence(description: &str) -> &str {
    match description.find(". ") {
        Some(end) => description.get(..=end).unwrap_or(description),
        None => description,
    }
}
