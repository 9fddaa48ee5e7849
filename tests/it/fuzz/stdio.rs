//! Conversations over stdio, cut anywhere.

use std::{sync::Arc, time::Duration};

use mcp_protocol::{RequestId, Revision, transport::RequestIdScanner};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

use super::{Dice, SEED, answered_ids, messages, mutated, same_ids, site, wanted_ids};

const CONVERSATIONS: usize = 300;
const LINES: usize = 10;
/// Some lines grow beyond it.
const LINE_BYTES: usize = 600;
/// Nothing here takes long; what does has hung.
const DEADLINE: Duration = Duration::from_secs(20);

/// The server's output for this input, which is sent in pieces of random length.
async fn converse(server: &Arc<mcp_server::Server>, input: &[u8], dice: &mut Dice) -> Vec<u8> {
    let (ours, theirs) = tokio::io::duplex(512);
    let (read, write) = tokio::io::split(theirs);
    let limits = mcp_stdio::StdioLimits::default().with_line_bytes(LINE_BYTES);
    let stop = CancellationToken::new();
    let serve = mcp_stdio::serve(Arc::clone(server), read, write, stop, limits);
    let (mut hear, mut say) = tokio::io::split(ours);
    let mut rest = input;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at((1 + dice.roll(200)).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    let speak = async {
        for piece in pieces {
            say.write_all(piece).await.unwrap();
        }
        say.shutdown().await.unwrap();
    };
    let mut said = Vec::new();
    let listen = hear.read_to_end(&mut said);
    let served = async {
        // The pipe ends for us when the server has let go of it.
        let (served, (), heard) = tokio::join!(serve, speak, listen);
        heard.unwrap();
        served
    };
    tokio::time::timeout(DEADLINE, served)
        .await
        .unwrap()
        .unwrap();
    said
}

/// The ids that a line wants answered; of one that is too long nothing else is read.
fn wanted_by(line: &[u8]) -> Vec<Value> {
    match line.len() > LINE_BYTES {
        true => {
            let id = RequestIdScanner::find(line);
            id.iter().map(RequestId::to_value).collect()
        }
        false => wanted_ids(line),
    }
}

#[tokio::test]
async fn each_request_is_answered_once_and_nothing_else_is_sent() {
    let server = Arc::new(site::server());
    let seeds = Revision::ALL.iter().map(|it| (*it, messages::all(*it)));
    let seeds: Vec<_> = seeds.collect();
    let mut dice = Dice::new();
    let mut answered = 0;
    for round in 0..CONVERSATIONS {
        let (revision, seeds) = dice.of(&seeds);
        let mut input = Vec::new();
        if revision.has_handshake() && !dice.one_in(4) {
            let initialize = seeds.iter().find(|it| it["method"] == "initialize");
            input.extend_from_slice(initialize.unwrap().to_string().as_bytes());
            input.push(b'\n');
        }
        for _ in 0..LINES {
            let seed = dice.of(seeds);
            let mut line = mutated(&mut dice, seed);
            if dice.one_in(20) {
                let filler = b" ".repeat(dice.roll(2 * LINE_BYTES));
                line.splice(0..0, filler);
            }
            input.extend_from_slice(&line);
            input.extend_from_slice(dice.of::<&[u8]>(&[b"\n", b"\r\n", b"\n\n"]));
        }
        let last = messages::of(
            *revision,
            json!({"jsonrpc": "2.0", "id": "last", "method": "ping", "params": {}}),
        );
        input.extend_from_slice(last.to_string().as_bytes());
        let said = converse(&server, &input, &mut dice).await;
        let what = || {
            format!(
                "seed {SEED:#x}, conversation {round}:\n{}\nanswered:\n{}",
                String::from_utf8_lossy(&input),
                String::from_utf8_lossy(&said)
            )
        };
        let lines: Vec<Value> = said
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| {
                serde_json::from_slice(line).unwrap_or_else(|err| panic!("{err}: {}", what()))
            })
            .collect();
        let wanted: Vec<Value> = input
            .split(|byte| *byte == b'\n')
            .flat_map(wanted_by)
            .collect();
        let ids = answered_ids(&lines, &what);
        assert!(
            said.ends_with(b"\n") && ids.contains(&json!("last")),
            "{}",
            what()
        );
        answered += ids.len();
        assert!(same_ids(ids, wanted), "{}", what());
    }
    // Most of what is sent is a request still.
    assert!(answered > 3 * CONVERSATIONS, "only {answered}");
}
