//! Where each setting comes from, and what is refused.

mod access;
mod aliases;
mod placeholders;

use std::{fs, path::PathBuf};

use tracing_subscriber::filter::LevelFilter;

use super::{Config, ConfigError, PUBLIC_NODES, settings::ROWS};
use crate::{args::Arguments, config::choice::Demo};

/// A file that is removed at the end of a test.
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    pub(super) fn new(name: &str, text: &str) -> Self {
        let name = format!("qortal-mcp-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

pub(super) fn config(line: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let arguments = Arguments::read(line.split_whitespace()).unwrap();
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
    assert_eq!(config.log_level, LevelFilter::WARN);
    assert_eq!(
        config.values.log_format,
        crate::config::choice::LogFormat::Json
    );
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
}

#[test]
fn the_public_nodes_of_the_community_can_be_allowed_in_one_word() {
    let urls = |line, environment: &[_]| config(line, environment).unwrap().node.public_urls;
    let built_in = PUBLIC_NODES.map(str::to_owned).to_vec();
    assert!(built_in.iter().all(|it| it.starts_with("https://")));
    let named = ("QORTAL_PUBLIC_NODES", "https://a.example");
    assert_eq!(urls("qortal-mcp --public", &[]), built_in);
    assert_eq!(
        urls("qortal-mcp", &[("QORTAL_MCP_PUBLIC", "true")]),
        built_in
    );
    let python = ("QORTAL_ALLOW_PUBLIC_FALLBACK", "yes");
    assert_eq!(urls("qortal-mcp", &[python]), built_in);
    assert_eq!(urls("qortal-mcp --public", &[named]), ["https://a.example"]);
    let text = "public = true\n";
    let file = Scratch::new("public.toml", text);
    let line = format!("qortal-mcp --config {}", file.0.display());
    assert_eq!(urls(&line, &[]), built_in);
    assert!(urls("qortal-mcp", &[("QORTAL_MCP_PUBLIC", "false")]).is_empty());
}

#[test]
fn the_timeout_holds_for_every_request() {
    let timeouts = |seconds| {
        let environment = [("QORTAL_HTTP_TIMEOUT", seconds)];
        config("qortal-mcp", &environment).unwrap().node.timeouts
    };
    for (seconds, expected) in [("2", 2), ("120", 120)] {
        let timeouts = timeouts(seconds);
        assert_eq!(timeouts.quick.as_secs(), expected);
        assert_eq!(timeouts.slow.as_secs(), expected);
    }
    let unset = config("qortal-mcp", &[]).unwrap().node.timeouts;
    assert_eq!((unset.quick.as_secs(), unset.slow.as_secs()), (10, 50));
}

pub(super) fn error(environment: &[(&str, &str)]) -> String {
    config("qortal-mcp", environment).unwrap_err().to_string()
}

#[test]
fn invalid_settings_are_rejected_with_the_expected_values() {
    for (name, value, expected) in [
        (
            "QORTAL_HTTP_TIMEOUT",
            "soon",
            "QORTAL_HTTP_TIMEOUT is \"soon\", expected a number of seconds above 0, at most 3600",
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
    let listen = config("qortal-mcp http", &[]).unwrap().values.listen;
    assert!(listen.is_local());
    assert_eq!(listen.to_string(), "127.0.0.1:8000");
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

/// A flag comes before a variable, and a variable before the default.
#[test]
fn each_source_can_choose() {
    let schemas = |it: &Config| format!("{:?}", it.selection.output_schemas);
    let views = |it: &Config| it.selection.views.to_string();
    let sessions = |it: &Config| it.values.sessions.to_string();
    let check = |name, value, flag, read: fn(&Config) -> String, expected: [&str; 3]| {
        let with_flag = format!("qortal-mcp http {flag}");
        let variable = [(name, value)];
        let found = [
            config("qortal-mcp http", &[]),
            config("qortal-mcp http", &variable),
            config(&with_flag, &variable),
        ];
        assert_eq!(found.map(|it| read(&it.unwrap())), expected, "{name}");
        assert!(config("qortal-mcp http", &[(name, "purple")]).is_err());
    };
    let of = ["None", "Some(Off)", "Some(Lean)"];
    check(
        "QORTAL_MCP_OUTPUT_SCHEMAS",
        "off",
        "--output-schemas lean",
        schemas,
        of,
    );
    let of = ["true", "false", "true"];
    check("QORTAL_MCP_VIEWS", "off", "--views on", views, of);
    let of = ["false", "false", "true"];
    check("QORTAL_MCP_SESSIONS", "off", "--sessions", sessions, of);
}

#[test]
fn a_flag_overrides_a_variable_which_overrides_the_file() {
    let file = Scratch::new(
        "sources.toml",
        "listen = \"127.0.0.1:1\"\nrate_limit = 1\ncache = 3\nnode_requests = 4\nallowed_hosts = [\"file\"]\nallowed_origins = [\"https://file\"]\n\
         sessions = true\ndemo = true\nlog_level = \"warn\"\nhttp_timeout = 1\nsurface = \"extended\"\n\
         oauth_issuer = \"https://file\"\noauth_scopes = [\"read\", \"trade=trade\"]\n",
    );
    let line = format!("qortal-mcp http --config {}", file.0.display());
    let of_file = config(&line, &[]).unwrap();
    assert_eq!(of_file.values.listen.to_string(), "127.0.0.1:1");
    assert_eq!(of_file.values.rate_limit.unwrap().get(), 1);
    assert_eq!(of_file.values.client_rate_limit, 1_000);
    assert_eq!(of_file.values.cache, Some(3));
    assert_eq!(of_file.node.concurrency, 4);
    assert_eq!(of_file.values.allowed_hosts, ["file"]);
    assert_eq!(of_file.values.allowed_origins, ["https://file"]);
    assert!(of_file.values.sessions && of_file.values.demo.is_on());
    let scopes = of_file.values.oauth_scopes;
    assert_eq!(scopes.scopes().collect::<Vec<_>>(), ["read", "trade"]);
    assert_eq!(of_file.log_level, LevelFilter::WARN);
    assert_eq!(of_file.node.timeouts.quick.as_secs(), 1);
    assert_eq!(of_file.selection.surface, qortal_tools::Surface::Extended);
    let environment = [
        ("QORTAL_MCP_LISTEN", "127.0.0.1:2"),
        ("QORTAL_MCP_RATE_LIMIT", "2"),
        ("QORTAL_MCP_CLIENT_RATE_LIMIT", "0"),
        ("QORTAL_MCP_ALLOWED_HOSTS", "a.example, b.example"),
        ("QORTAL_MCP_SESSIONS", "no"),
        ("QORTAL_MCP_DEMO", "false"),
    ];
    let of_environment = config(&line, &environment).unwrap();
    assert_eq!(of_environment.values.listen.to_string(), "127.0.0.1:2");
    assert_eq!(of_environment.values.rate_limit.unwrap().get(), 2);
    assert_eq!(of_environment.values.client_rate_limit, 0);
    assert_eq!(
        of_environment.values.allowed_hosts,
        ["a.example", "b.example"]
    );
    assert_eq!(of_environment.values.allowed_origins, ["https://file"]);
    assert!(!of_environment.values.sessions && !of_environment.values.demo.is_on());
    let line = format!("{line} --listen 127.0.0.1:3 --allowed-hosts c.example --sessions");
    let of_flags = config(&line, &environment).unwrap();
    assert_eq!(of_flags.values.listen.to_string(), "127.0.0.1:3");
    assert_eq!(of_flags.values.allowed_hosts, ["c.example"]);
    assert!(of_flags.values.sessions);
    let path = file.0.to_string_lossy().into_owned();
    let by_variable = config("qortal-mcp", &[("QORTAL_MCP_CONFIG", &*path)]).unwrap();
    assert_eq!(by_variable.values.listen.to_string(), "127.0.0.1:1");
}

#[test]
fn the_demo_is_on_or_off_or_one_of_its_chains() {
    for (text, expected) in [
        ("true", Demo::Invented),
        ("false", Demo::Off),
        ("invented", Demo::Invented),
        ("frozen", Demo::Frozen),
        ("recorded", Demo::Recorded),
    ] {
        let of_variable = config("qortal-mcp", &[("QORTAL_MCP_DEMO", text)]).unwrap();
        assert_eq!(of_variable.values.demo, expected, "{text}");
        let quoted = ["true", "false"].contains(&text).then(|| text.to_owned());
        let value = quoted.unwrap_or_else(|| format!("{text:?}"));
        let file = Scratch::new("demo.toml", &format!("demo = {value}\n"));
        let line = format!("qortal-mcp --config {}", file.0.display());
        assert_eq!(config(&line, &[]).unwrap().values.demo, expected, "{text}");
    }
    assert!(config("qortal-mcp", &[("QORTAL_MCP_DEMO", "off-chain")]).is_err());
    for (line, expected) in [
        ("qortal-mcp", Demo::Off),
        ("qortal-mcp --demo", Demo::Invented),
        ("qortal-mcp --demo=recorded", Demo::Recorded),
        (
            "qortal-mcp call get_balance --demo address=x",
            Demo::Invented,
        ),
    ] {
        assert_eq!(config(line, &[]).unwrap().values.demo, expected, "{line}");
    }
}

#[test]
fn a_wrong_file_is_refused_with_the_place_and_what_to_write() {
    for (name, text, expected) in [
        (
            "type",
            "http_timeout = true",
            "http_timeout is \"true\", expected a number of seconds above 0",
        ),
        (
            "range",
            "http_timeout = 0",
            "http_timeout is \"0\", expected a number of seconds above 0",
        ),
        (
            "list",
            "tools = \"get_balance\"",
            "tools is \"get_balance\", expected a list of strings",
        ),
        (
            "choice",
            "surface = \"all\"",
            "surface is \"all\", expected one of core, standard, python, extended, dynamic",
        ),
        (
            "syntax",
            "surface = \"core\"\nsessions = yes",
            "line 2: invalid TOML",
        ),
        (
            "unknown",
            "surfaces = \"core\"",
            "unknown key \"surfaces\", did you mean surface?",
        ),
        (
            "hyphen",
            "http-timeout = 2",
            "unknown key \"http-timeout\", did you mean http_timeout?",
        ),
        (
            "key",
            "api_key = \"abc\"",
            "there is no key api_key, use api_key_file with the path of the file with the API key",
        ),
        (
            "far",
            "colour = \"red\"",
            "unknown key \"colour\", the keys are demo, node, nodes, public, api_key_file",
        ),
    ] {
        let file = Scratch::new(&format!("{name}.toml"), text);
        let line = format!("qortal-mcp --config {}", file.0.display());
        let err = config(&line, &[]).unwrap_err().to_string();
        assert!(err.contains(expected), "{text}: {err}");
    }
}

/// People put a key where its file belongs, and the reverse.
#[test]
fn no_error_shows_a_secret() {
    const KEY: &str = "YTL3yD9Nk272iZ25QbXkEm";
    let from_file = |text: String| {
        let file = Scratch::new("secret.toml", &text);
        let line = format!("qortal-mcp --config {}", file.0.display());
        config(&line, &[])
    };
    let mut errors = Vec::new();
    for row in ROWS {
        let variable = (row.variable, KEY);
        errors.push((row.key, config("qortal-mcp", &[variable]).err()));
        let url = format!("http://user:{KEY}@127.0.0.1:12391/?apiKey={KEY}");
        errors.push((
            row.key,
            config("qortal-mcp", &[(row.variable, &*url)]).err(),
        ));
        for text in [
            format!("{} = \"{KEY}\"", row.key),
            format!("{} = {KEY}", row.key),
            format!("{} = \"{KEY}", row.key),
            format!("{} = [\"{KEY}\", 1]", row.key),
            format!("{} = 1\n{KEY}", row.key),
            format!("{KEY} = \"{}\"", row.key),
            format!("[{KEY}]\n{} = 1", row.key),
        ] {
            errors.push((row.key, from_file(text).err()));
        }
    }
    errors.push((
        "QORTAL_MCP_CONFIG",
        config("qortal-mcp", &[("QORTAL_MCP_CONFIG", KEY)]).err(),
    ));
    errors.push((
        "QORTAL_API_KEY",
        config("qortal-mcp", &[("QORTAL_API_KEY", &format!("{KEY} {KEY}"))]).err(),
    ));
    assert!(errors.iter().filter(|(_, err)| err.is_some()).count() > 100);
    for (place, err) in errors
        .into_iter()
        .filter_map(|(place, err)| Some((place, err?)))
    {
        let mut shown = err.to_string();
        let mut cause = std::error::Error::source(&err);
        while let Some(err) = cause {
            shown.push_str(&format!(" {err}"));
            cause = err.source();
        }
        assert!(!shown.contains(KEY), "{place}: {shown}");
    }
}

#[cfg(unix)]
#[test]
fn files_that_others_can_change_and_keys_that_they_can_read_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let check = |flag: &str, text: &str, modes: [(u32, &str); 4]| {
        let file = Scratch::new(&flag.replace("--", ""), text);
        for (mode, expected) in modes {
            fs::set_permissions(&file.0, fs::Permissions::from_mode(mode)).unwrap();
            let found = match config(&format!("qortal-mcp {flag} {}", file.0.display()), &[]) {
                Ok(read) => read.warnings.concat(),
                Err(err) => format!("refused: {err}"),
            };
            let begins = found.split(" the ").next().unwrap();
            assert_eq!(begins, expected, "{flag} {mode:o}: {found}");
        }
    };
    let written = "refused: other users of this machine can write";
    let read = "refused: other users of this machine can read";
    let key = [(0o600, ""), (0o640, ""), (0o644, read), (0o602, written)];
    check("--api-key-file", "YTL3yD9Nk272iZ25QbXkEm\n", key);
    let open = [(0o600, ""), (0o644, ""), (0o666, written), (0o602, written)];
    check("--config", "", open);
}

#[cfg(unix)]
#[test]
fn a_configuration_without_an_end_is_not_read() {
    let err = config("qortal-mcp --config /dev/zero", &[]).unwrap_err();
    let expected = "the configuration file \"/dev/zero\" is not a regular file";
    assert_eq!(err.to_string(), expected);
}

#[test]
fn a_public_url_has_a_scheme_and_a_host_and_nothing_that_is_not_an_address() {
    let of = |url: &str| config("qortal-mcp http", &[("QORTAL_MCP_PUBLIC_URL", url)]);
    for (url, expected) in [
        ("https://mcp.example.org", "https://mcp.example.org"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("https://example.org/qortal/", "https://example.org/qortal"),
    ] {
        let found = of(url).unwrap().values;
        assert_eq!(found.public_url(), Some(expected));
    }
    for url in [
        "mcp.example.org",
        "ftp://a",
        "https://",
        "https:///mcp",
        "https://a?b",
        "https://a\"><b",
    ] {
        assert!(of(url).is_err(), "{url}");
    }
    let none = config("qortal-mcp http", &[]).unwrap().values;
    assert!(none.public_url.is_none());
}
