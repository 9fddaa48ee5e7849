//! Tests of `own_nodes`.

use std::fs;

use crate::config::tests::{Scratch, config};

const FIRST: &str = "http://10.0.0.1:12391";
const SECOND: &str = "http://10.0.0.2:12391";

/// The URLs of the nodes, the first one first, each with whether it has a key.
fn nodes(line: &str, environment: &[(&str, &str)]) -> Vec<(String, bool)> {
    let node = config(line, environment).unwrap().node;
    let first = (node.base_url, node.api_key.is_some());
    let others = node.own_nodes.into_iter();
    let others = others.map(|it| (it.url, it.api_key.is_some()));
    std::iter::once(first).chain(others).collect()
}

fn expected(nodes: &[(&str, bool)]) -> Vec<(String, bool)> {
    nodes
        .iter()
        .map(|(url, key)| ((*url).to_owned(), *key))
        .collect()
}

#[test]
fn several_nodes_are_written_the_same_way_everywhere_and_each_has_its_key() {
    let key = Scratch::new("own-key.txt", "YTL3yD9Nk272iZ25QbXkEm\n");
    let path = key.0.display();
    let text = format!("{FIRST}, {SECOND}={path}");
    let both = expected(&[(FIRST, false), (SECOND, true)]);
    assert_eq!(nodes("qortal-mcp", &[("QORTAL_MCP_NODES", &*text)]), both);
    let line = format!("qortal-mcp --nodes {FIRST},{SECOND}={path}");
    assert_eq!(nodes(&line, &[]), both);
    for tables in [
        format!(
            "[[nodes]]\nurl = \"{FIRST}\"\n[[nodes]]\nurl = \"{SECOND}\"\napi_key_file = \"{path}\"\n"
        ),
        format!("nodes = [\"{FIRST}\", {{url = \"{SECOND}\", api_key_file = \"{path}\"}}]\n"),
    ] {
        let file = Scratch::new("own-nodes.toml", &tables);
        let line = format!("qortal-mcp --config {}", file.0.display());
        assert_eq!(nodes(&line, &[]), both);
    }
}

#[test]
fn the_node_is_before_the_nodes_and_its_key_is_not_theirs() {
    let two = (
        "QORTAL_MCP_NODES",
        "http://10.0.0.1:12391,http://10.0.0.2:12391",
    );
    let key = ("QORTAL_API_KEY", "abc");
    let line = "qortal-mcp --node http://10.0.0.9:12391";
    assert_eq!(
        nodes(line, &[two, key]),
        expected(&[
            ("http://10.0.0.9:12391", true),
            (FIRST, false),
            (SECOND, false)
        ])
    );
    let refused = config("qortal-mcp", &[two, key]).unwrap_err().to_string();
    assert!(refused.starts_with("an API key is set without the node it belongs to"));
}

#[test]
fn what_is_no_list_of_nodes_is_refused() {
    for text in ["10.0.0.1:12391", "http://a=", ",", "one"] {
        assert!(
            config("qortal-mcp", &[("QORTAL_MCP_NODES", text)]).is_err(),
            "{text}"
        );
    }
    for text in [
        "nodes = \"one\"",
        "nodes = [1]",
        "[[nodes]]\napi_key_file = \"a\"",
        "[[nodes]]\nurl = \"http://a\"\nkey = \"b\"",
        "[[nodes]]\nurl = \"http://a\"\napi_key_file = 1",
        "[[nodes]]\nurl = \"http://a\"\napi_key_file = \"b\"\nkey = \"c\"",
    ] {
        let file = Scratch::new("wrong-nodes.toml", text);
        let line = format!("qortal-mcp --config {}", file.0.display());
        let refused = config(&line, &[]).unwrap_err().to_string();
        assert!(refused.contains("nodes is"), "{text}: {refused}");
    }
}

#[test]
fn a_changed_key_of_any_node_is_noticed() {
    let key = Scratch::new("changed-key.txt", "YTL3yD9Nk272iZ25QbXkEm\n");
    let line = format!("qortal-mcp --nodes {FIRST},{SECOND}={}", key.0.display());
    let before = config(&line, &[]).unwrap();
    assert!(before.changed(&config(&line, &[]).unwrap()).is_empty());
    fs::write(&key.0, "another").unwrap();
    assert_eq!(before.changed(&config(&line, &[]).unwrap()), ["nodes"]);
}

#[test]
fn answers_are_kept_within_a_part_of_the_memory_unless_they_are_not_to_be() {
    let cache = |line| {
        let node = config(line, &[]).unwrap().node;
        (node.cache_bytes >> 20, node.cache_time.as_millis())
    };
    assert_eq!(cache("qortal-mcp"), (32, 1_000));
    assert_eq!(cache("qortal-mcp --memory 64"), (8, 1_000));
    assert_eq!(cache("qortal-mcp --cache 3"), (3, 1_000));
    assert_eq!(cache("qortal-mcp --cache 0").0, 0);
}
