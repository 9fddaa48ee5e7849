//! Where each setting comes from, and what is refused.

use clap::Parser;
use qortal_tools::OutputSchemas;

use super::{Config, ConfigError};
use crate::args::Arguments;

fn config(line: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let arguments = Arguments::try_parse_from(line.split_whitespace()).unwrap();
    Config::new(&arguments, &|name| {
        let found = environment.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn the_command_line_comes_before_the_environment() {
    let environment = [("QORTAL_BASE_URL", "http://env:1")];
    assert_eq!(
        config("qortal-mcp", &[]).unwrap().node.base_url,
        "http://127.0.0.1:12391"
    );
    assert_eq!(
        config("qortal-mcp", &environment).unwrap().node.base_url,
        "http://env:1"
    );
    let both = config("qortal-mcp http --node http://flag:2", &environment).unwrap();
    assert_eq!(both.node.base_url, "http://flag:2");
}

#[test]
fn the_names_of_the_python_server_mean_the_same() {
    let config = config(
        "qortal-mcp",
        &[
            ("QORTAL_HTTP_TIMEOUT", "2.5"),
            ("QORTAL_ALLOW_PUBLIC_FALLBACK", "true"),
            (
                "QORTAL_PUBLIC_NODES",
                "https://a.example, https://b.example,",
            ),
            ("QORTAL_FALLBACK_COOLDOWN_SECONDS", "30"),
            ("QORTAL_MCP_LOG_LEVEL", "WARNING"),
            ("QORTAL_MCP_LOG_FORMAT", "json"),
            ("QORTAL_API_KEY", "abc"),
        ],
    )
    .unwrap();
    assert_eq!(config.node.timeouts.quick.as_secs_f64(), 2.5);
    assert_eq!(
        config.node.public_urls,
        ["https://a.example", "https://b.example"]
    );
    assert_eq!(config.node.cool_down.as_secs(), 30);
    assert_eq!(config.log_level, crate::args::LogLevel::Warn);
    assert_eq!(config.log_format, crate::args::LogFormat::Json);
    assert!(
        !format!("{config:?}").contains("abc"),
        "the key must not show"
    );
}

#[test]
fn public_nodes_are_asked_only_when_allowed() {
    let nodes = ("QORTAL_PUBLIC_NODES", "https://a.example");
    assert!(
        config("qortal-mcp", &[nodes])
            .unwrap()
            .node
            .public_urls
            .is_empty()
    );
    let allowed = ("QORTAL_ALLOW_PUBLIC_FALLBACK", "yes");
    assert!(config("qortal-mcp", &[allowed]).is_err());
}

fn error(environment: &[(&str, &str)]) -> String {
    config("qortal-mcp", environment).unwrap_err().to_string()
}

#[test]
fn invalid_settings_are_rejected_with_the_expected_values() {
    for (name, value, expected) in [
        (
            "QORTAL_HTTP_TIMEOUT",
            "soon",
            "QORTAL_HTTP_TIMEOUT is \"soon\", expected a number of seconds above 0",
        ),
        (
            "QORTAL_HTTP_TIMEOUT",
            "-1",
            "QORTAL_HTTP_TIMEOUT is \"-1\", expected a number of seconds above 0, at most 3600",
        ),
        (
            "QORTAL_HTTP_TIMEOUT",
            "NaN",
            "QORTAL_HTTP_TIMEOUT is \"NaN\", expected a number of seconds above 0, at most 3600",
        ),
        (
            "QORTAL_ALLOW_PUBLIC_FALLBACK",
            "perhaps",
            "QORTAL_ALLOW_PUBLIC_FALLBACK is \"perhaps\", expected true or false",
        ),
        (
            "QORTAL_MCP_SESSIONS",
            "some",
            "QORTAL_MCP_SESSIONS is \"some\", expected true or false",
        ),
        (
            "QORTAL_MCP_LOG_LEVEL",
            "loud",
            "QORTAL_MCP_LOG_LEVEL is \"loud\", expected one of error, warn, info, debug, trace",
        ),
        (
            "QORTAL_API_KEY",
            "a b",
            "the API key must be visible ASCII characters without spaces",
        ),
    ] {
        assert_eq!(error(&[(name, value)]), expected);
    }
    let missing = error(&[("QORTAL_API_KEY_FILE", "/no/such/file")]);
    assert_eq!(missing, "cannot read the API key file \"/no/such/file\"");
}

#[test]
fn r070_it_listens_on_loopback_by_default() {
    assert!(super::DEFAULT_LISTEN.ip().is_loopback());
    assert_eq!(config("qortal-mcp http", &[]).unwrap().listen, None);
}

#[test]
fn what_is_listed_can_be_said_in_the_environment() {
    let environment = [
        ("QORTAL_MCP_SURFACE", "CORE"),
        ("QORTAL_MCP_TOOLSETS", "node, trade"),
        ("QORTAL_MCP_TOOLS", "get_balance"),
        ("QORTAL_MCP_EXCLUDE_TOOLS", "compare_nodes"),
    ];
    let selection = config("qortal-mcp --exclude-tools get_node_status", &environment)
        .unwrap()
        .selection;
    assert_eq!(selection.surface, qortal_tools::Surface::Core);
    assert_eq!(selection.families, ["node", "trade"]);
    assert_eq!(selection.include, ["get_balance"]);
    assert_eq!(
        selection.exclude,
        ["get_node_status"],
        "the command line comes first"
    );
}

#[test]
fn schemas_of_answers_can_be_left_out_everywhere_settings_come_from() {
    let name = "QORTAL_MCP_OUTPUT_SCHEMAS";
    for (line, environment, expected) in [
        ("qortal-mcp", &[][..], None),
        ("qortal-mcp", &[(name, "off")][..], Some(OutputSchemas::Off)),
        (
            "qortal-mcp --output-schemas lean",
            &[(name, "off")][..],
            Some(OutputSchemas::Lean),
        ),
    ] {
        let selection = config(line, environment).unwrap().selection;
        assert_eq!(selection.output_schemas, expected);
    }
    let file: super::File = toml::from_str("output_schemas = \"off\"").unwrap();
    assert_eq!(file.output_schemas.as_deref(), Some("off"));
    let refused = config("qortal-mcp", &[(name, "full")]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "QORTAL_MCP_OUTPUT_SCHEMAS is \"full\", expected one of off, lean"
    );
}

#[test]
fn sessions_are_off_by_default() {
    let on = ("QORTAL_MCP_SESSIONS", "on");
    assert!(!config("qortal-mcp http", &[]).unwrap().sessions);
    assert!(config("qortal-mcp http", &[on]).unwrap().sessions);
}
