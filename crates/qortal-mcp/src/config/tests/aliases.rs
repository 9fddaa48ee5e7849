//! Variables that have a second name, from the Python server.

use super::{Scratch, config, error};
use crate::{config::settings::ROWS, env};

/// Rows: a variable, the Python server's name of it, and two values.
const ALIASES: [[&str; 4]; 7] = [
    [
        "QORTAL_MCP_NODE",
        "QORTAL_BASE_URL",
        "http://a:1",
        "http://b:2",
    ],
    ["QORTAL_MCP_API_KEY", "QORTAL_API_KEY", "abc", "def"],
    [
        "QORTAL_MCP_API_KEY_FILE",
        "QORTAL_API_KEY_FILE",
        "KEY",
        "/no/such/file",
    ],
    ["QORTAL_MCP_HTTP_TIMEOUT", "QORTAL_HTTP_TIMEOUT", "2", "3"],
    [
        "QORTAL_MCP_PUBLIC",
        "QORTAL_ALLOW_PUBLIC_FALLBACK",
        "on",
        "off",
    ],
    [
        "QORTAL_MCP_PUBLIC_NODES",
        "QORTAL_PUBLIC_NODES",
        "https://a",
        "https://b",
    ],
    [
        "QORTAL_MCP_FALLBACK_COOLDOWN_SECONDS",
        "QORTAL_FALLBACK_COOLDOWN_SECONDS",
        "30",
        "31",
    ],
];

#[test]
fn python_names_of_variables_set_the_same_and_contradictions_are_rejected() {
    let key = Scratch::new("alias-key.txt", "YTL3yD9Nk272iZ25QbXkEm\n");
    let path = key.0.to_string_lossy();
    let unset = config("qortal-mcp", &[]).unwrap();
    for [variable, alias, first, other] in ALIASES {
        let first = if first == "KEY" { &*path } else { first };
        let own = config("qortal-mcp", &[(variable, first)]).unwrap();
        assert_eq!(unset.changed(&own).len(), 1, "{variable}");
        for environment in [&[(alias, first)][..], &[(variable, first), (alias, first)]] {
            let found = config("qortal-mcp", environment).unwrap();
            assert!(own.changed(&found).is_empty(), "{environment:?}");
        }
        assert_eq!(
            error(&[(variable, first), (alias, other)]),
            format!(
                "{variable} and {alias} are set to different values\nhint: both name the same setting, unset {alias}"
            )
        );
    }
    let declared = ROWS.iter().filter_map(|it| Some([it.variable, it.alias?]));
    let declared = declared.chain([[env::QORTAL_MCP_API_KEY, env::QORTAL_API_KEY]]);
    let mut declared: Vec<_> = declared.collect();
    let mut expected = ALIASES.map(|[variable, alias, ..]| [variable, alias]);
    declared.sort_unstable();
    expected.sort_unstable();
    assert_eq!(declared, expected);
}
