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
const FOLDERS: [&str; 3] = [
    "tests/snapshots",
    "crates/mcp-http/tests/snapshots",
    "crates/mcp-server/tests/snapshots",
];

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

/// What was sent, in which revisions, where it was sent to, and the message that came back, if any.
struct Pinned {
    revisions: Vec<Revision>,
    sent: Value,
    is_endpoint: bool,
    answer: Option<Value>,
}

impl Pinned {
    /// Reads a section: its heading, the request with the message last, and the response.
    fn read(section: &str) -> Self {
        let (request, response) = section.split_once("\n---\n").unwrap();
        let heading = request.lines().next().unwrap();
        let sent = request.lines().last().unwrap();
        let answer = response.find(['{', '[']).map(|at| &response[at..]);
        let named: Vec<_> = heading
            .split(' ')
            .flat_map(str::parse::<Revision>)
            .collect();
        Self {
            // One that is the same under every revision is judged by each of them.
            revisions: match named.is_empty() {
                true => Revision::ALL.to_vec(),
                false => named,
            },
            sent: serde_json::from_str(sent).unwrap_or_default(),
            is_endpoint: !request.contains("/.well-known/"),
            answer: answer.map(|it| serde_json::from_str(it).unwrap()),
        }
    }
}

/// The sections of a snapshot.
fn sections(path: &Path) -> Vec<Pinned> {
    let text = fs::read_to_string(path).unwrap();
    let sections = text.split("\n=== ").skip(1);
    sections.map(Pinned::read).collect()
}

#[test]
fn r025_r027_r039_r092_every_pinned_message_is_valid_in_its_revision() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut needed = HashSet::new();
    let mut judged = 0;
    let files = FOLDERS.iter().flat_map(|it| files(&root.join(it)));
    for pinned in files.flat_map(|it| sections(&it)) {
        let Some(answer) = pinned.answer.filter(|_| pinned.is_endpoint) else {
            continue;
        };
        for revision in pinned.revisions {
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
