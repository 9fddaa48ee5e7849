//! Whatever comes in at the door: an HTTP answer or a clean close, never a hang, never the end.

use mcp_protocol::Revision;
use serde_json::{Value, json};

use crate::{
    client::Client,
    post::{PER_REQUEST, Post},
    site::Site,
};

/// Printed with every failure; the same seed makes the same requests.
const SEED: u64 = 0x5eed_0000_2026_1121;
const ROUNDS: usize = 3_000;

/// xorshift64*, enough to choose mutations by.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let rolled = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(rolled).unwrap() % sides.max(1)
    }
}

/// Pieces that mean something to one layer or another.
const PIECES: [&[u8]; 22] = [
    b"\r\n",
    b"\r\n\r\n",
    b"\0",
    b"\xff\xfe",
    b"null",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\"",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b"Content-Length: 0\r\n",
    b"Content-Length: 999\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Host: example.org\r\n",
    b"Origin: null\r\n",
    b"Expect: 100-continue\r\n",
    b"=?base64?",
    b"2026-07-28",
    b"HTTP/1.0",
];

fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>) {
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len());
        let end = (at + dice.roll(40)).min(bytes.len());
        match dice.roll(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.roll(8),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, PIECES[dice.roll(PIECES.len())].iter().copied())),
            3 => bytes.extend_from_within(at..end),
            4 => bytes.truncate(at.max(1)),
            _ => drop(bytes.splice(at..end, PIECES[dice.roll(PIECES.len())].iter().copied())),
        }
    }
}

fn seeds() -> Vec<Post> {
    let mut seeds = Vec::new();
    for &revision in Revision::ALL {
        seeds.push(Post::call(revision, "echo", json!({"a": [1, {"b": "ä"}]})));
        seeds.push(
            Post::call(revision, "sum", json!({"a": 1, "b": 2})).with("Origin", "http://localhost"),
        );
        seeds.push(Post::request(revision, json!("x"), "tools/list", json!({})));
        seeds.push(Post::message(
            revision,
            &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ));
    }
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    seeds.push(Post::body(json!([call, call]).to_string()));
    seeds
}

/// What holds for every body this server writes.
fn check_body(body: &[u8], what: &str) {
    if body.is_empty() {
        return;
    }
    let body: Value = serde_json::from_slice(body).unwrap();
    let messages = body.as_array().cloned().unwrap_or_else(|| vec![body]);
    for message in messages {
        assert_ne!(message.get("id"), Some(&Value::Null), "{what}");
        let code = message["error"]["code"].as_i64();
        let known = [-32700, -32600, -32601, -32602, -32020, -32022];
        assert!(
            code.is_none_or(|it| known.contains(&it)),
            "{what}: {message}"
        );
    }
}

#[tokio::test]
async fn mutated_requests_get_an_answer_or_a_close() {
    let site = Site::start().await;
    let seeds = seeds();
    let mut dice = Dice(SEED);
    let mut statuses = std::collections::BTreeMap::<String, usize>::new();
    for round in 0..ROUNDS {
        let mut bytes = seeds[dice.roll(seeds.len())].to_bytes();
        mutate(&mut dice, &mut bytes);
        let mut client = Client::connect(site.addr).await;
        client.try_send(&bytes).await;
        client.finish().await;
        let rest = client.rest().await;
        let what = format!("seed {SEED:#x}, round {round}: {}", bytes.escape_ascii());
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1."), "{what}");
        let status = rest.get(9..12).unwrap_or(b"end");
        *statuses
            .entry(status.escape_ascii().to_string())
            .or_default() += 1;
        assert!(!rest.starts_with(b"HTTP/1.1 5"), "{what}");
    }
    // The mutations reach every layer, or this test is worth little.
    for status in ["200", "202", "400", "403", "404", "405", "415"] {
        assert!(statuses.contains_key(status), "no {status} in {statuses:?}");
    }
    assert_eq!(
        site.client().await.ask(seeds[0].to_bytes()).await.status,
        200
    );
    site.end().await;
}

#[tokio::test]
async fn mutated_bodies_get_an_answer_on_the_same_connection() {
    let site = Site::start().await;
    let seeds = seeds();
    let mut dice = Dice(SEED);
    let mut client = site.client().await;
    for round in 0..ROUNDS {
        let mut post = seeds[dice.roll(seeds.len())].clone();
        mutate(&mut dice, &mut post.body);
        let answer = client.ask(post.to_bytes()).await;
        let what = format!(
            "seed {SEED:#x}, round {round}: {}",
            post.body.escape_ascii()
        );
        assert!(
            matches!(answer.status, 200 | 202 | 400 | 404),
            "{} for {what}",
            answer.status
        );
        check_body(&answer.body, &what);
    }
    site.end().await;
}

#[tokio::test]
async fn mutated_headers_get_an_answer_on_the_same_connection() {
    let site = Site::start().await;
    let mut dice = Dice(SEED);
    let mut client = site.client().await;
    for round in 0..ROUNDS {
        let mut post = Post::call(PER_REQUEST, "echo", json!({}));
        let at = dice.roll(post.headers.len());
        let mut value = post.headers[at].1.clone().into_bytes();
        mutate(&mut dice, &mut value);
        // What a header cannot hold would only test hyper.
        value.retain(|byte| !byte.is_ascii_control() || *byte == b'\t');
        post.headers[at].1 = String::from_utf8_lossy(&value).into_owned();
        let answer = client.ask(post.to_bytes()).await;
        let what = format!("seed {SEED:#x}, round {round}: {:?}", post.headers[at]);
        assert!(
            matches!(answer.status, 200 | 400 | 403 | 406 | 415),
            "{} for {what}",
            answer.status
        );
        check_body(&answer.body, &what);
    }
    site.end().await;
}
