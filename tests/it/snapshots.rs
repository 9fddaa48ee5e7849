//! the wire snapshots are valid by the official schema of each revision.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use mcp_protocol::Revision;
use mcp_schema::{Conversation, EXCEPTIONS};
use serde_json::Value;

/// Where they are, from the root of the repository.
const FOLDERS: [&str; 2] = ["tests/snapshots", "crates/mcp-http/tests/snapshots"];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

/// A snapshot: what was sent, where it was sent to, and the message that came back, if any.
struct Pinned {
    sent: Value,
    is_endpoint: bool,
    answer: Option<Value>,
}

fn read(path: &Path) -> Pinned {
    let text = fs::read_to_string(path).unwrap();
    let (head, body) = text[4..].split_once("\n---\n").unwrap();
    // The message sent is last in the head; texts are quoted as in JSON.
    let info = head.split_once("\ninfo:\n").map_or("", |(_, info)| info);
    let last = info.lines().last().unwrap_or_default();
    let quoted = last.find('"').map_or("\"\"", |at| &last[at..]);
    let sent: String = serde_json::from_str(quoted).unwrap();
    let answer = body.find(['{', '[']).map(|at| &body[at..]);
    Pinned {
        sent: serde_json::from_str(&sent).unwrap_or_default(),
        is_endpoint: !info.contains("/.well-known/"),
        answer: answer.map(|it| serde_json::from_str(it).unwrap()),
    }
}

/// One that is the same under every revision is judged by each of them.
fn revisions(path: &Path) -> Vec<Revision> {
    let name = path.file_stem().unwrap().to_str().unwrap();
    match Revision::parse(name) {
        Some(revision) => vec![revision],
        None => Revision::ALL.to_vec(),
    }
}

#[test]
fn r025_r027_r039_r092_every_pinned_message_is_valid_in_its_revision() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut needed = HashSet::new();
    let mut judged = 0;
    for path in FOLDERS.iter().flat_map(|it| files(&root.join(it))) {
        let pinned = read(&path);
        let Some(answer) = pinned.answer.filter(|_| pinned.is_endpoint) else {
            continue;
        };
        for revision in revisions(&path) {
            let mut conversation = Conversation::new(revision);
            conversation.sent(&pinned.sent);
            let exception = conversation.heard(&answer);
            needed.extend(exception.map(|it| it.what));
            judged += 1;
        }
    }
    assert!(judged > 200, "there is much to judge, not {judged}");
    for exception in EXCEPTIONS {
        let what = exception.what;
        assert!(needed.contains(what), "nothing needs the exception: {what}");
    }
}
