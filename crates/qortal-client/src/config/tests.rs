//! Tests of `config`.

use super::{ApiKey, NodeConfig};
use crate::Node;

#[test]
fn the_key_is_never_shown() {
    let mut config = NodeConfig::new("http://127.0.0.1:12391");
    config.api_key = Some(ApiKey::new(" YTL3yD9Nk272iZ25QbXkEm\n").unwrap());
    assert!(format!("{config:?}").contains("ApiKey(redacted)"));
    assert!(!format!("{config:?}").contains("YTL3"));
    let node = Node::new(config).unwrap();
    assert!(node.has_api_key());
    assert!(!format!("{node:?}").contains("YTL3"));
}

#[test]
fn what_is_no_key_is_refused() {
    for text in ["", "  \n", "two words", "line\nbreak", "schlüssel", "a\0b"] {
        assert!(ApiKey::new(text).is_err(), "{text:?}");
    }
}

#[test]
fn addresses_of_nodes_are_normalized() {
    const VECTORS: &[(&str, &str)] = &[
        ("http://127.0.0.1:12391", "http://127.0.0.1:12391"),
        ("http://127.0.0.1:12391/", "http://127.0.0.1:12391"),
        ("HTTP://LocalHost:12391", "http://localhost:12391"),
        ("http://[::1]:12391", "http://[::1]:12391"),
        ("http://proxy/qortal/", "http://proxy/qortal"),
    ];
    for (text, url) in VECTORS {
        assert_eq!(Node::new(NodeConfig::new(*text)).unwrap().url(), *url);
    }
}

#[test]
fn what_is_no_address_of_a_node_is_refused_with_its_reason() {
    const VECTORS: &[(&str, &str)] = &[
        (
            "",
            "invalid node URL \"\", expected one such as http://127.0.0.1:12391",
        ),
        (
            "localhost:12391",
            "invalid node URL \"localhost:12391\", expected one such as http://127.0.0.1:12391",
        ),
        (
            "ftp://host",
            "invalid node URL \"ftp://host\", expected one such as http://127.0.0.1:12391",
        ),
        (
            "http://user:secret@host",
            "invalid node URL \"…@host\", expected one such as http://127.0.0.1:12391",
        ),
        (
            "http://host?apiKey=x",
            "invalid node URL \"http://host?…\", expected one such as http://127.0.0.1:12391",
        ),
    ];
    for (text, reason) in VECTORS {
        assert_eq!(
            Node::new(NodeConfig::new(*text)).unwrap_err().to_string(),
            *reason
        );
        let mut config = NodeConfig::new("http://127.0.0.1");
        config.public_urls.push((*text).to_owned());
        assert_eq!(Node::new(config).unwrap_err().to_string(), *reason);
    }
}

#[test]
fn https_needs_the_feature() {
    let result = Node::new(NodeConfig::new("https://node.example"));
    if cfg!(feature = "tls") {
        assert_eq!(result.unwrap().url(), "https://node.example");
    } else {
        assert_eq!(
            result.unwrap_err().to_string(),
            "\"https://node.example\" needs https, which this build does not support (feature \"tls\" of qortal-client)"
        );
    }
}

#[test]
fn other_settings_are_checked() {
    let mut config = NodeConfig::new("http://127.0.0.1");
    config.concurrency = 0;
    assert_eq!(
        Node::new(config).unwrap_err().to_string(),
        "concurrency must be at least 1"
    );
    let mut config = NodeConfig::new("http://127.0.0.1");
    config.max_answer_bytes = 0;
    assert_eq!(
        Node::new(config).unwrap_err().to_string(),
        "max_answer_bytes must be at least 1"
    );
    let mut config = NodeConfig::new("http://127.0.0.1");
    config.user_agent = "a\nb".to_owned();
    assert_eq!(
        Node::new(config).unwrap_err().to_string(),
        "the user agent must be printable ASCII"
    );
}

#[tokio::test]
async fn an_endless_timeout_is_no_panic() {
    let mut config = NodeConfig::new("http://127.0.0.1:1");
    config.timeouts.quick = std::time::Duration::MAX;
    config.timeouts.connect = std::time::Duration::MAX;
    config.cool_down = std::time::Duration::MAX;
    assert!(Node::new(config).unwrap().height().await.is_err());
}
