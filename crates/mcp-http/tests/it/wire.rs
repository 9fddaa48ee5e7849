//! What goes over the wire, byte for byte, one folder a shape and one file a revision.

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::{
    client::Answer,
    post::{PER_REQUEST, Post, meta},
    site::Site,
};

/// What makes the answer of one shape, under one revision; `None` where the revision has no such shape.
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

/// Refusals made before the body is read; they are the same under every revision.
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

/// The answer as it came, but for the date; the body is broken into lines.
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

fn snapshot(shape: &Shape, file: &str, post: &Post, answer: &Answer) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(format!("../snapshots/{}", shape.name));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(shape.description);
    if post.to_bytes().len() < 2_000 {
        let request = String::from_utf8(post.to_bytes()).unwrap();
        settings.set_info(&request.split("\r\n").collect::<Vec<_>>());
    }
    settings.bind(|| insta::assert_snapshot!(file, show(answer)));
}

async fn site() -> Site {
    Site::start_with(|config| config.limits.body_bytes = 5_000).await
}

#[tokio::test]
async fn answers_look_as_each_revision_wants_them() {
    let site = site().await;
    for shape in SHAPES {
        for &revision in Revision::ALL {
            let Some(post) = (shape.request)(revision) else {
                continue;
            };
            let answer = answer(&site, &post).await;
            snapshot(shape, revision.name(), &post, &answer);
        }
    }
    site.end().await;
}

#[tokio::test]
async fn refusals_before_the_body_look_the_same_under_every_revision() {
    let site = site().await;
    for shape in REFUSALS {
        let mut first = None;
        for &revision in Revision::ALL {
            let post = (shape.request)(revision).unwrap();
            let answer = answer(&site, &post).await;
            let (first_post, first) = first.get_or_insert_with(|| (post, show(&answer)));
            assert_eq!(show(&answer), *first, "{}", shape.name);
            snapshot(shape, "every_revision", first_post, &answer);
        }
    }
    site.end().await;
}
