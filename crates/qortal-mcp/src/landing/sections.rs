//! The parts of the page at `/` that are made from the program's own tables.

use std::time::Duration;

use mcp_operate::hosts::{Guide, TOKEN, Way, guides as of_hosts};
use qortal_tools::{Catalog, Family, Object, Selection, Surface};
use serde_json::Value;

use super::{
    Facts,
    html::{Html, html},
    node::Seen,
};
use crate::install::SERVER;

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

/// How the node is.
pub(super) fn node(seen: &Seen, is_public: bool, is_demo: bool) -> Html {
    let demo = Html::of(if is_demo {
        "<p class=\"note\">This is a demonstration: a simulated node inside the program answers.</p>"
    } else {
        ""
    });
    let facts = match &seen.health {
        Some(health) if is_demo => node_facts(&simulated(health), seen.age, is_public),
        Some(health) => node_facts(health, seen.age, is_public),
        None => Html::of(
            "<p><span class=\"verdict unknown\">not checked</span> The node did not answer within a second.</p>",
        ),
    };
    html!(
        "<section aria-labelledby=\"node\">\n<h2 id=\"node\">The node</h2>\n{facts}{demo}\n</section>",
        facts = facts,
        demo = demo
    )
}

/// A simulated node is neither well nor unwell.
fn simulated(health: &Object) -> Object {
    let mut health = health.clone();
    health.insert("verdict".to_owned(), Value::from("simulated"));
    health.remove("reasons");
    health
}

fn node_facts(health: &Object, age: Duration, is_public: bool) -> Html {
    let text = |key: &str| match health.get(key) {
        Some(Value::String(text)) => Some(text.chars().take(LONGEST).collect::<String>()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let verdict = text("verdict").unwrap_or_default();
    let class = match verdict.as_str() {
        "healthy" => "healthy",
        "synchronizing" => "synchronizing",
        "degraded" => "degraded",
        "unhealthy" => "unhealthy",
        _ => "unknown",
    };
    let more = [
        ("Height", text("height")),
        (
            "Last block",
            text("lastBlockAge").map(|it| format!("{it} old")),
        ),
        ("Version", text("buildVersion")),
    ];
    let shown = if is_public { 1 } else { more.len() };
    let more = more.into_iter().take(shown);
    let rows = more.filter_map(|(name, value)| {
        let value = Html::text(&value?);
        Some(html!(
            "<div><dt>{name}</dt><dd>{value}</dd></div>",
            name = Html::of(name),
            value = value
        ))
    });
    let reasons = health.get("reasons").and_then(Value::as_array);
    let reasons = reasons.into_iter().flatten().filter_map(Value::as_str);
    let reasons: Html = reasons
        .filter(|_| !is_public)
        .map(|it| html!("<p>{reason}</p>\n", reason = Html::text(it)))
        .collect();
    html!(
        "<p><span class=\"verdict {class}\">{verdict}</span> <span class=\"quiet\">checked {age}</span></p>\n{reasons}<dl>{rows}</dl>\n",
        class = Html::of(class),
        verdict = Html::text(&verdict),
        age = Html::text(&ago(age)),
        reasons = reasons,
        rows = rows.collect()
    )
}

fn ago(age: Duration) -> String {
    match age.as_secs() {
        0 => "just now".to_owned(),
        1 => "1 second ago".to_owned(),
        seconds => format!("{seconds} seconds ago"),
    }
}

/// Where a token comes from and goes to, where one is needed.
pub(super) fn token(needs_token: bool) -> Html {
    Html::of(if needs_token {
        "<p class=\"note\">This server needs an access token. Ask the person who runs it for yours, and put it where <code>TOKEN</code> stands below. Keep it as you would a password.</p>"
    } else {
        ""
    })
}

/// The links that open a host and add the server.
pub(super) fn links(address: &str, needs_token: bool) -> Html {
    let link = |guide: Guide| {
        let (link, title) = (Html::text(&guide.link?), Html::of(guide.title));
        Some(html!(
            "<li><a class=\"button\" href=\"{link}\">Add to {title}</a></li>\n",
            link = link,
            title = title
        ))
    };
    let mut links = of_hosts(SERVER, address, needs_token)
        .filter_map(link)
        .peekable();
    match links.peek() {
        None => Html::default(),
        Some(_) => html!(
            "<ul class=\"buttons\">\n{links}</ul>",
            links = links.collect()
        ),
    }
}

/// How to connect each host.
pub(super) fn guides(address: &str, needs_token: bool) -> Html {
    of_hosts(SERVER, address, needs_token).map(guide).collect()
}

fn guide(guide: Guide) -> Html {
    let way = match guide.way {
        Way::Steps(steps) => {
            let steps = steps.lines().map(Html::text);
            let steps = steps.map(|it| html!("<p>{step}</p>\n", step = it));
            steps.collect()
        }
        Way::File {
            places,
            also,
            text,
            command,
        } => {
            let places = places.iter().map(|it| {
                let (system, path) = it
                    .split_once(": ")
                    .map_or(("", it.as_str()), |(a, b)| (a, b));
                let colon = if system.is_empty() { "" } else { ": " };
                html!(
                    "<br>{system}{colon}<code>{path}</code>",
                    system = Html::text(system),
                    colon = Html::of(colon),
                    path = Html::text(path)
                )
            });
            let also = also.map_or_else(Html::default, |it| {
                html!("<br>{also}", also = Html::text(it))
            });
            let command = command.map_or_else(Html::default, |it| {
                html!("<p>Run this:</p>\n<pre class=\"command\"><code>{it}</code></pre>\n<p>Or do it by hand.</p>\n", it = Html::text(&it))
            });
            html!(
                "{command}<p>Add this to{places}{also}</p>\n<pre tabindex=\"0\"><code>{text}</code></pre>\n",
                command = command,
                places = places.collect(),
                also = also,
                text = Html::text(&text)
            )
        }
    };
    html!(
        "<details>\n<summary>{title}</summary>\n{way}</details>\n",
        title = Html::of(guide.title),
        way = way
    )
}

/// A request that works in a terminal.
pub(super) fn request(address: &str, needs_token: bool) -> Html {
    let token = if needs_token {
        format!(" \\\n  -H 'Authorization: Bearer {TOKEN}'")
    } else {
        String::new()
    };
    Html::text(&format!(
        "curl -s {address} \\\n  -H 'Content-Type: application/json'{token} \\\n  -d '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"get_node_health\"}}}}'"
    ))
}

/// What to ask.
pub(super) fn questions() -> Html {
    let question = |it: &str| html!("<li>{it}</li>\n", it = Html::text(it));
    QUESTIONS.into_iter().map(question).collect()
}

/// How many tools each surface lists, and where.
pub(super) fn surfaces(facts: &Facts, host: Option<&str>) -> Html {
    let configured = facts.catalog.selection();
    let rows = Surface::ALL.into_iter().map(|surface| {
        let mut selection = Selection::clone(configured);
        selection.surface = surface;
        let path = format!("/mcp/x/{}", surface.name());
        let purpose = match surface {
            Surface::Core => "The commonest questions, for small models.",
            Surface::Standard => "What people ask.",
            Surface::Python => "The tools of the older Python server.",
            Surface::Dynamic => "Three tools that find and call the others.",
            Surface::Full => "Everything.",
            _ => "",
        };
        let default = if surface == configured.surface {
            " (the default)"
        } else {
            ""
        };
        html!("<li><strong>{name}</strong>{default}, {count} tools. {purpose}<br><code>{address}</code></li>\n", name = Html::of(surface.name()), default = Html::of(default), count = Html::from(selection.listed().count()), purpose = Html::of(purpose), address = Html::text(&facts.address(host, &path)))
    });
    rows.collect()
}

/// All tools by family.
pub(super) fn tools() -> Html {
    Catalog::families().iter().map(|it| family(it)).collect()
}

fn family(family: &Family) -> Html {
    let tools = family.tools.iter().map(|tool| {
        html!(
            "<dt>{title} <code>{name}</code></dt><dd>{sentence}</dd>\n",
            title = Html::text(tool.title),
            name = Html::text(tool.name),
            sentence = Html::text(first_sentence(tool.description))
        )
    });
    html!(
        "<details>\n<summary>{name} <span class=\"quiet\">{purpose}</span></summary>\n<dl class=\"tools\">\n{tools}</dl>\n</details>\n",
        name = Html::text(family.name),
        purpose = Html::text(family.purpose),
        tools = tools.collect()
    )
}

/// The first sentence of a description: what follows is for models.
pub(super) fn first_sentence(description: &str) -> &str {
    match description.find(". ") {
        Some(end) => description.get(..=end).unwrap_or(description),
        None => description,
    }
}
