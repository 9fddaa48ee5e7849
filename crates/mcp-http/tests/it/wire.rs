//! Responses byte for byte: one file per shape.

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::{
    client::Answer,
    post::{PER_REQUEST, Post, meta},
    site::Site,
};

/// The request that produces a shape under a revision; `None` if the revision does not have the shape.
struct Shape {
    name: &'static str,
    description: &'static str,
    request: fn(Revision) -> Option<Post>,
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "found",
        description: "A tool is called and answers.",
        request: |revision| Some(Post::call(revision, "sum", json!({"a": 2, "b": 3}))),
    },
    Shape {
        name: "unknown_tool",
        description: "A tool is called that does not exist.",
        request: |revision| Some(Post::call(revision, "som", json!({}))),
    },
    Shape {
        name: "unknown_method",
        description: "A method is called that does not exist.",
        request: |revision| Some(Post::request(revision, json!(1), "no/such", json!({}))),
    },
    Shape {
        name: "accepted",
        description: "A notification arrives.",
        request: |revision| {
            let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            Some(Post::message(revision, &note))
        },
    },
    Shape {
        name: "parse_error",
        description: "The body is not JSON.",
        request: |revision| Some(Post::message(revision, &json!({})).cut(1)),
    },
    Shape {
        name: "invalid_request",
        description: "The body is JSON, but no message; its id can be read.",
        request: |revision| {
            Some(Post::message(
                revision,
                &json!({"id": "a", "method": "ping"}),
            ))
        },
    },
    Shape {
        name: "batch",
        description: "The body is a batch of two.",
        request: |revision| {
            let ping = |id: u8| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
            Some(Post::message(revision, &json!([ping(1), ping(2)])))
        },
    },
    Shape {
        name: "meta_missing",
        description: "A request without a handshake does not name its revision in the body.",
        request: |revision| {
            let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
            let post = Post::message(revision, &list).with("Mcp-Method", "tools/list");
            (!revision.has_handshake()).then_some(post)
        },
    },
    Shape {
        name: "header_mismatch",
        description: "The headers name another tool than the body.",
        request: |revision| {
            let post = Post::call(PER_REQUEST, "echo", json!({})).set("Mcp-Name", "sum");
            (!revision.has_handshake()).then_some(post)
        },
    },
    Shape {
        name: "unsupported_revision",
        description: "The request names a revision that does not exist: in the header, and without a handshake in the body.",
        request: |revision| {
            let mut list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
            if !revision.has_handshake() {
                list["params"]["_meta"] = meta("1999-01-01");
            }
            Some(Post::message(revision, &list).set("MCP-Protocol-Version", "1999-01-01"))
        },
    },
];

/// Refusals sent before the body is read, which are the same under every revision.
const REFUSALS: &[Shape] = &[
    Shape {
        name: "host_refused",
        description: "The request is addressed to a name that is not this server's.",
        request: |revision| Some(call(revision).set("Host", "example.org")),
    },
    Shape {
        name: "host_missing",
        description: "The request names no host.",
        request: |revision| Some(call(revision).without("Host")),
    },
    Shape {
        name: "origin_refused",
        description: "The request comes from a page of an origin that is not allowed.",
        request: |revision| Some(call(revision).with("Origin", "https://example.org")),
    },
    Shape {
        name: "origin_allowed",
        description: "The request comes from a page of a loopback origin, and cannot be read.",
        request: |revision| {
            Some(
                call(revision)
                    .with("Origin", "http://localhost:6274")
                    .cut(0),
            )
        },
    },
    Shape {
        name: "media_type_refused",
        description: "The body is not declared to be JSON.",
        request: |revision| Some(call(revision).set("Content-Type", "text/plain")),
    },
    Shape {
        name: "encoding_refused",
        description: "The body is compressed.",
        request: |revision| Some(call(revision).with("Content-Encoding", "gzip")),
    },
    Shape {
        name: "not_acceptable",
        description: "The client takes neither JSON nor an event stream.",
        request: |revision| Some(call(revision).set("Accept", "text/html")),
    },
    Shape {
        name: "body_too_large",
        description: "The body is larger than the limit.",
        request: |revision| {
            let mut post = call(revision);
            post.body.resize(10_000, b' ');
            Some(post)
        },
    },
    Shape {
        name: "head_too_large",
        description: "The headers are larger than the limit.",
        request: |revision| Some(call(revision).with("X-Fill", &"x".repeat(16 << 10))),
    },
    Shape {
        name: "target_too_long",
        description: "The target is longer than the limit.",
        request: |revision| Some(call(revision).to(&format!("/mcp?{}", "x".repeat(4 << 10)))),
    },
    Shape {
        name: "not_found",
        description: "There is nothing at the path.",
        request: |revision| Some(call(revision).to("/.well-known/oauth-protected-resource")),
    },
    Shape {
        name: "method_refused",
        description: "The method is not POST.",
        request: |revision| Some(call(revision).method("GET")),
    },
];

fn call(revision: Revision) -> Post {
    Post::call(revision, "sum", json!({"a": 2, "b": 3}))
}

async fn answer(site: &Site, post: &Post) -> Answer {
    site.client().await.ask(post.to_bytes()).await
}

/// The response as received, except for the date and with the body indented.
fn show(answer: &Answer) -> String {
    let mut out = format!("{}\n", answer.status_line);
    for (name, value) in &answer.headers {
        let value = if name == "date" {
            "Xxx, 00 Xxx 0000 00:00:00 GMT"
        } else {
            value
        };
        out += &format!("{name}: {value}\n");
    }
    if !answer.body.is_empty() {
        let body: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(
            body.to_string().as_bytes(),
            answer.body,
            "the body is compact JSON"
        );
        out += &format!("\n{}\n", serde_json::to_string_pretty(&body).unwrap());
    }
    out
}

/// A request, unless it is long, and its response, below a heading.
fn section(heading: &str, post: &Post, shown: &str) -> String {
    let request = match post.to_bytes() {
        bytes if bytes.len() < 2_000 => String::from_utf8(bytes).unwrap().replace("\r\n", "\n"),
        bytes => format!("{} bytes", bytes.len()),
    };
    format!("=== {heading}\n{request}\n---\n{shown}")
}

/// Compares sections with `snapshots/FILE.snap`.
fn pin(file: &str, description: &str, sections: &[String]) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(description);
    settings.bind(|| insta::assert_snapshot!(file, sections.join("\n")));
}

async fn site() -> Site {
    Site::start_with(|config| config.limits.body_bytes = 5_000).await
}

#[tokio::test]
async fn responses_have_the_shape_of_their_revision() {
    let site = site().await;
    for shape in SHAPES {
        let mut sections = Vec::new();
        for &revision in Revision::ALL {
            let Some(post) = (shape.request)(revision) else {
                continue;
            };
            let answer = answer(&site, &post).await;
            sections.push(section(revision.name(), &post, &show(&answer)));
        }
        pin(shape.name, shape.description, &sections);
    }
    site.end().await;
}

#[tokio::test]
async fn refusals_before_the_body_look_the_same_under_every_revision() {
    let site = site().await;
    let mut sections = Vec::new();
    for shape in REFUSALS {
        let mut first = None;
        for &revision in Revision::ALL {
            let post = (shape.request)(revision).unwrap();
            let answer = answer(&site, &post).await;
            let (_, first) = first.get_or_insert_with(|| (post, show(&answer)));
            assert_eq!(show(&answer), *first, "{}", shape.name);
        }
        let (post, shown) = first.unwrap();
        let heading = format!("{}: {}", shape.name, shape.description);
        sections.push(section(&heading, &post, &shown));
    }
    site.end().await;
    pin(
        "refusals",
        "Refusals that are the same under every revision.",
        &sections,
    );
}
