//! Skills: folders of texts that clients list, verify and read, in every revision.

use mcp_protocol::{Revision, ServerInfo};
use mcp_server::{BuildError, Server, ServerBuilder, Skill};
use serde_json::{Value, json};

use crate::ask;

const REFUNDS: &str = "---\nname: refunds\ndescription: Pay a customer back.\nmetadata:\n  version: \"2\"\n---\nSee letters/yes.md.\n";
const NESTED: &str = "---\nname: letters\ndescription: Write letters.\n---\n";

fn refunds() -> Skill {
    Skill::from_skill_md("acme/refunds", REFUNDS).with_file(
        "letters/yes.md",
        "text/markdown",
        "Dear\n",
    )
}

fn server() -> Server {
    Server::builder(ServerInfo::new("test", "1"))
        .skill(refunds())
        .skill(Skill::from_skill_md("acme/refunds/letters", NESTED))
        .build()
        .unwrap()
}

async fn ask_for(method: &str, params: Value) -> Value {
    ask(&server(), Revision::V2026_07_28, method, params).await
}

/// What `sha256sum` says of the texts.
const DIGESTS: [&str; 3] = [
    "sha256:35171e0348b69cf45009f101f2c2192685bea2d073c64c5ca0a96cea21d90d30",
    "sha256:e91f6334a338fd0fe7ea5285541cc2ceda7f9a7fe4559a56a1c438cc5b3621aa",
    "sha256:bb8280260d6ffa476b0cf73d7501015e0a9da56fe6606b6013958eed9c77ee4b",
];

#[tokio::test]
async fn an_entry_has_all_files_with_digests_and_the_front_matter() {
    let entry = json!({
        "uri": "skill://acme/refunds/SKILL.md",
        "frontmatter": {
            "name": "refunds",
            "description": "Pay a customer back.",
            "metadata": {"version": "2"},
        },
        "resources": [
            {"uri": "skill://acme/refunds/SKILL.md", "digest": DIGESTS[0], "size": REFUNDS.len()},
            {"uri": "skill://acme/refunds/letters/yes.md", "digest": DIGESTS[1], "size": 5},
            // The files of a nested skill are files of the outer one, too.
            {"uri": "skill://acme/refunds/letters/SKILL.md", "digest": DIGESTS[2], "size": NESTED.len()},
        ],
    });
    for &revision in Revision::ALL {
        let listed = ask(&server(), revision, "skills/list", json!({})).await;
        let result = &listed["result"];
        assert_eq!(result["skills"][0], entry, "{revision:?}");
        // What is in its folder is its own, no matter who added it.
        assert_eq!(
            result["skills"][1]["resources"].as_array().unwrap().len(),
            2
        );
        let uri = json!({"uri": "skill://acme/refunds/SKILL.md"});
        let got = ask(&server(), revision, "skills/get", uri).await;
        assert_eq!(got["result"]["skill"], entry, "{revision:?}");
        let cached = json!([300_000, "public"]);
        for result in [result, &got["result"]] {
            let said = json!([result["ttlMs"], result["cacheScope"]]);
            let expected = if revision.has_handshake() {
                json!([null, null])
            } else {
                cached.clone()
            };
            assert_eq!(said, expected, "{revision:?}");
        }
    }
}

#[tokio::test]
async fn the_capability_says_whether_there_are_directories() {
    let plain = Server::builder(ServerInfo::new("test", "1"));
    let plain = plain
        .skill(Skill::from_skill_md("letters", NESTED))
        .build()
        .unwrap();
    for &revision in Revision::ALL {
        let method = if revision.has_handshake() {
            "initialize"
        } else {
            "server/discover"
        };
        for (server, settings) in [
            (&server(), json!({"directoryRead": true})),
            (&plain, json!({})),
        ] {
            let said = ask(server, revision, method, json!({})).await;
            let capabilities = &said["result"]["capabilities"];
            assert_eq!(
                capabilities["extensions"]["io.modelcontextprotocol/skills"],
                settings
            );
            assert!(capabilities["resources"].is_object());
        }
    }
    let uri = json!({"uri": "skill://letters"});
    let said = ask(
        &plain,
        Revision::V2026_07_28,
        "resources/directory/read",
        uri,
    )
    .await;
    assert_eq!(said["error"]["code"], -32601);
    let none = Server::builder(ServerInfo::new("test", "1"))
        .build()
        .unwrap();
    let said = ask(&none, Revision::V2026_07_28, "skills/list", json!({})).await;
    assert_eq!(said["error"]["code"], -32601);
}

#[tokio::test]
async fn files_are_resources() {
    let listed = ask_for("resources/list", json!({})).await;
    let first = json!({
        "uri": "skill://acme/refunds/SKILL.md",
        "name": "refunds",
        "description": "Pay a customer back.",
        "mimeType": "text/markdown",
        "size": REFUNDS.len(),
    });
    assert_eq!(listed["result"]["resources"][0], first);
    assert_eq!(listed["result"]["resources"].as_array().unwrap().len(), 2);
    let uri = json!({"uri": "skill://acme/refunds/letters/yes.md"});
    let read = ask_for("resources/read", uri.clone()).await;
    let contents = json!([{"uri": uri["uri"], "mimeType": "text/markdown", "text": "Dear\n"}]);
    assert_eq!(read["result"]["contents"], contents);
    let read = ask_for(
        "resources/read",
        json!({"uri": "skill://acme/refunds/no.md"}),
    )
    .await;
    assert_eq!(read["error"]["code"], -32602);
}

#[tokio::test]
async fn a_directory_has_its_direct_children() {
    for (uri, children) in [
        ("skill://acme", json!(["skill://acme/refunds"])),
        (
            "skill://acme/refunds",
            json!([
                "skill://acme/refunds/SKILL.md",
                "skill://acme/refunds/letters"
            ]),
        ),
        (
            "skill://acme/refunds/letters",
            json!([
                "skill://acme/refunds/letters/yes.md",
                "skill://acme/refunds/letters/SKILL.md"
            ]),
        ),
    ] {
        let read = ask_for("resources/directory/read", json!({"uri": uri})).await;
        let listed = read["result"]["resources"].as_array().unwrap();
        let uris: Vec<_> = listed.iter().map(|it| &it["uri"]).collect();
        assert_eq!(json!(uris), children);
        for child in listed {
            let is_file = child["uri"].as_str().unwrap().ends_with(".md");
            let expected = if is_file {
                "text/markdown"
            } else {
                "inode/directory"
            };
            assert_eq!(child["mimeType"], expected);
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_an_error_of_the_params() {
    for (method, params) in [
        ("skills/list", json!({"cursor": "x"})),
        ("skills/get", json!({})),
        ("skills/get", json!({"uri": "skill://acme/refunds"})),
        (
            "skills/get",
            json!({"uri": "skill://acme/refunds/letters/yes.md"}),
        ),
        ("resources/directory/read", json!({"uri": "skill://"})),
        (
            "resources/directory/read",
            json!({"uri": "skill://acme/refunds/"}),
        ),
        (
            "resources/directory/read",
            json!({"uri": "skill://acme/refunds/SKILL.md"}),
        ),
        ("resources/directory/read", json!({"uri": "test://acme"})),
    ] {
        let said = ask_for(method, params.clone()).await;
        assert_eq!(said["error"]["code"], -32602, "{method} {params}");
    }
}

#[test]
fn a_skill_that_hosts_would_refuse_is_found_when_the_server_is_built() {
    let named = |name: &str| format!("---\nname: {name}\ndescription: For tests.\n---\n");
    let folder = |path, name: &str| Skill::from_skill_md(path, named(name));
    let long = format!("---\nname: a\ndescription: {}\n---\n", "a".repeat(1_025));
    let large = "a".repeat(16 * 1024 * 1024);
    for (skills, expected) in [
        (vec![Skill::from_skill_md("a", "# A")], "line 1: "),
        (vec![folder("a", "b")], "does not end in the name"),
        (vec![folder("A", "A")], "lower-case"),
        (vec![folder("a--b", "a--b")], "single hyphens"),
        (
            vec![Skill::from_skill_md("a", "---\nname: a\n---\n")],
            "0 characters",
        ),
        (vec![Skill::from_skill_md("a", long)], "1025 characters"),
        (vec![folder("b c/a", "a")], "has characters other than"),
        (
            vec![folder("a", "a").with_file("../b", "text/plain", "")],
            "has characters other than",
        ),
        (
            vec![folder("a", "a").with_file("b", "text/plain", large)],
            "16777216",
        ),
        (vec![folder("a", "a"), folder("a", "a")], "more than once"),
    ] {
        let builder = Server::builder(ServerInfo::new("test", "1"));
        let built = skills
            .into_iter()
            .fold(builder, ServerBuilder::skill)
            .build();
        let error = built.map(|_| ()).unwrap_err();
        assert!(matches!(
            error,
            BuildError::Skill { .. } | BuildError::DuplicateResource(_)
        ));
        assert!(error.to_string().contains(expected), "{error}");
    }
}
