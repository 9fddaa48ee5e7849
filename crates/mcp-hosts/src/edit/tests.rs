//! Files as people keep them, before and after.

use serde_json::{Value, json};

use super::{
    super::{host::Host, program::ServerCommand},
    *,
};

const SERVER: ServerNames = ServerNames::new("weather", "weather-mcp");

/// Files of hosts: a name, the host, and the text. An empty file and an absent one are the same text.
const FILES: [(&str, &str, &str); 38] = [
    ("absent", "vscode", ""),
    ("absent", "codex", ""),
    ("absent", "goose", ""),
    ("an empty line", "zed", "\n"),
    ("an empty line", "goose", "\n"),
    ("an empty object", "cursor", "{}"),
    ("a byte order mark", "cursor", "\u{feff}{}"),
    (
        "comments, another server, trailing commas",
        "zed",
        "// my editor\n{\n    \"theme\": \"One Dark\", /* for now */\n    \"context_servers\": {\n        // from work\n        \
         \"other\": {\"command\": \"x\"},\n    },\n}\n",
    ),
    (
        "an earlier entry with a member of its owner",
        "cline",
        "{\"mcpServers\": {\"weather\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:8000/mcp\", \
         \"alwaysAllow\": [\"search\"]}}}",
    ),
    ("Windows line ends", "gemini", "{\r\n\t\"ide\": 1\r\n}\r\n"),
    (
        "comments and other tables",
        "codex",
        "# mine\nmodel = \"o\"\n\n[mcp_servers.other]\ncommand = \"x\" # why\n\n[tui]\ntheme = \"a\"\n",
    ),
    (
        "an earlier entry with a member of its owner",
        "codex",
        "[mcp_servers.weather]\nurl = \"http://127.0.0.1:1/mcp\"\nstartup_timeout_sec = 20 # slow disk\n",
    ),
    (
        "an earlier entry with another command",
        "codex",
        "[mcp_servers.weather]\ncommand = \"/old/q\" # mine\nargs = [ \"--demo\", ] # all\n",
    ),
    (
        "an inline table",
        "codex",
        "mcp_servers = { other = { command = \"x\" } }\n",
    ),
    (
        "comments and other extensions",
        "goose",
        "# goose\nGOOSE_MODEL: m # fast\nextensions:\n  developer:\n    enabled: true # keep\n    type: builtin\nother: [1, 2]\n",
    ),
    (
        "an earlier entry with a member of its owner",
        "goose",
        "extensions:\n  weather:\n    name: weather\n    type: streamable_http\n    uri: http://127.0.0.1:1/mcp\n    envs: {A: b} # mine\n",
    ),
    (
        "a text in lines, four columns, a comment at the end",
        "goose",
        "é: ü\nextensions:\n    other:\n        cmd: |\n            x\n            y\n        # of other\n\n# the end",
    ),
    (
        "between braces",
        "goose",
        "{A: 1, extensions: {other: {cmd: x}}} # mine\n",
    ),
    (
        "an earlier entry between braces",
        "goose",
        "extensions: {weather: {uri: http://127.0.0.1:1/mcp, own: [1, {a: b}], type: sse}}\n",
    ),
    (
        "an entry without a value, in the last line",
        "goose",
        "extensions:\n  weather:",
    ),
    (
        "another extension, and no line feed at the end",
        "goose",
        "extensions:\n  other:\n    enabled: true",
    ),
    (
        "an earlier entry with a quoted truth value",
        "goose",
        "extensions:\n  weather:\n    enabled: \"true\"\n",
    ),
    ("an alias", "goose", "a: &a {b: {}}\nextensions: *a\n"),
    ("only a comment", "goose", "# only a comment\n"),
    ("no extensions yet", "goose", "extensions: {}\nA: 1\n"),
    ("Windows line ends", "codex", "# mine\r\nmodel = \"x\"\r\n"),
    (
        "Windows line ends",
        "goose",
        "A: 1\r\nextensions:\r\n  other:\r\n    cmd: x\r\n",
    ),
    ("no line feed at the end", "codex", "model = \"x\""),
    ("no line feed at the end", "cursor", "{\"a\": 1}"),
    ("an end marker", "goose", "---\n# mine\nA: openai\n...\n"),
    ("a second document", "goose", "A: 1\n---\nB: 2\n"),
    (
        "two lists of servers, of which the last counts",
        "cursor",
        "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"mcpServers\": {\"b\": {\"command\": \"y\"}}}\n",
    ),
    (
        "two lists of extensions",
        "goose",
        "extensions:\n  a: {}\nextensions:\n  b: {}\n",
    ),
    (
        "an object that does not end",
        "cursor",
        "{\"mcpServers\": {",
    ),
    ("a list of servers", "cursor", "{\"mcpServers\": []}"),
    ("a table that does not end", "codex", "[mcp_servers"),
    ("a list that does not end", "goose", "extensions: [1\n"),
    ("a list of extensions", "goose", "extensions: [1]\n"),
];

#[test]
fn a_file_gains_the_entry_once_and_keeps_the_rest() {
    let program = ServerCommand {
        path: "/bin/q".to_owned(),
        arguments: vec!["--demo".to_owned()],
    };
    let mut shown = String::new();
    for (name, host, before) in FILES {
        let host = Host::find(host).unwrap();
        let (file, entry) = (
            host.file.as_ref().unwrap(),
            host.stdio_entry(&SERVER, &program).unwrap(),
        );
        let after = match file.with_entry(&SERVER, before, &entry) {
            Ok(after) => {
                let again = file.with_entry(&SERVER, &after, &entry).unwrap();
                assert_eq!(again, after, "{} a second time: {name}", host.title);
                after
            }
            Err(err) => format!("refused: {err}\n"),
        };
        let after = after.replace('\r', "\\r").replace('\u{feff}', "\\u{feff}");
        shown.push_str(&format!("== {}, {name}\n{after}\n", host.title));
    }
    insta::assert_snapshot!(shown);
}

/// The file of a host that has a comment, another server and a setting of its owner; and the beginning of it, which is broken.
fn with_comment(file: &ConfigFile) -> (String, String) {
    let servers = &file.servers;
    match file.format {
        Format::Json => {
            let broken = format!("// mine\n{{\"{servers}\": {{\"other\": {{\"command\": \"x\"}}");
            (format!("{broken}}}, \"own\": 1}}\n"), broken)
        }
        Format::Toml => {
            let text = format!("# mine\nown = 1\n\n[{servers}.other]\ncommand = \"x\"\n");
            (text, format!("# mine\nown = 1\n[{servers}"))
        }
        Format::Yaml => {
            let text = format!("# mine\nown: 1\n{servers}:\n  other:\n    cmd: x\n");
            (text, "# mine\nown: [1\n".to_owned())
        }
    }
}

#[test]
fn the_file_of_every_host_keeps_what_it_had() {
    let program = ServerCommand {
        path: "/bin/q".to_owned(),
        arguments: Vec::new(),
    };
    let mut hosts_with_files = 0;
    for host in Host::all() {
        let (Some(file), Some(entry)) = (&host.file, host.stdio_entry(&SERVER, &program)) else {
            continue;
        };
        hosts_with_files += 1;
        let (before, broken) = with_comment(file);
        for before in ["", "\n", &before] {
            let after = file.with_entry(&SERVER, before, &entry).unwrap();
            assert_eq!(server_in(file, &after), entry, "{}:\n{after}", host.name);
            let again = file.with_entry(&SERVER, &after, &entry).unwrap();
            assert_eq!(again, after, "{} a second time", host.name);
            let kept = ["mine", "own", "other"];
            let lost = kept
                .iter()
                .find(|it| before.contains(**it) && !after.contains(**it));
            assert_eq!(lost, None, "{}:\n{after}", host.name);
            let without = file.without_entry(&SERVER, &after).unwrap().unwrap();
            assert!(!without.contains("/bin/q"), "{}:\n{without}", host.name);
            let lost = kept
                .iter()
                .find(|it| before.contains(**it) && !without.contains(**it));
            assert_eq!(lost, None, "{}:\n{without}", host.name);
            assert_eq!(
                file.without_entry(&SERVER, &without).unwrap(),
                None,
                "{}",
                host.name
            );
        }
        let refused = file.with_entry(&SERVER, &broken, &entry);
        assert!(refused.is_err(), "{}: {broken}", host.name);
        let refused = file.without_entry(&SERVER, &broken);
        assert!(refused.is_err(), "{}: {broken}", host.name);
    }
    assert!(hosts_with_files > 10, "{hosts_with_files}");
}

/// A name without a value would be null, which a host may refuse.
#[test]
fn yaml_is_as_it_was_after_the_removal() {
    let program = ServerCommand {
        path: "/bin/q".to_owned(),
        arguments: Vec::new(),
    };
    let host = Host::all().iter().find(|it| it.name == "goose").unwrap();
    let file = host.file.as_ref().unwrap();
    let entry = host.stdio_entry(&SERVER, &program).unwrap();
    for before in [
        "x: 1\n",
        "x: 1\r\n...\r\n",
        "---\nx: 1\n...\n# after\n",
        "x: 1\n---\ny: 2\n",
        "%YAML 1.2\n---\nx: 1\n",
        "extensions:\n  a: {enabled: true}\n...\n",
    ] {
        let after = file.with_entry(&SERVER, before, &entry).unwrap();
        let without = file.without_entry(&SERVER, &after).unwrap().unwrap();
        assert_eq!(without, before);
    }
    let commented = "extensions: # mine\n  weather:\n    cmd: q\n";
    let without = file.without_entry(&SERVER, commented).unwrap().unwrap();
    assert_eq!(without, "extensions: {} # mine\n");
}

/// Every entry is read by a parser of its format as what it says.
#[test]
fn every_host_reads_its_entry() {
    for host in Host::all() {
        let Some(file) = &host.file else { continue };
        let program = ServerCommand {
            path: r#"C:\Program Files\q "x" é.exe"#.to_owned(),
            arguments: vec!["--node".to_owned(), "http://a:1/#'".to_owned()],
        };
        let http = host.http_entry(&SERVER, "http://127.0.0.1:8000/mcp");
        for entry in host.stdio_entry(&SERVER, &program).into_iter().chain(http) {
            let snippet = file.snippet(&SERVER, &entry);
            for text in [file.with_entry(&SERVER, "", &entry).unwrap(), snippet] {
                assert_eq!(server_in(file, &text), entry, "{}:\n{text}", host.name);
            }
        }
    }
}

#[test]
fn what_says_the_same_in_toml_keeps_its_form() {
    let text = "[servers.weather]\na = 'x' # mine\nb = true\nc = 0x1\nd = [ 'x', \"y\", ]\n";
    let same = json!({"a": "x", "b": true, "c": 1, "d": ["x", "y"]});
    let with = |members: &Value| {
        toml::with_entry(text, ["servers", "weather"], members.as_object().unwrap()).unwrap()
    };
    assert_eq!(with(&same), text);
    for (name, value, line) in [
        ("a", json!("y"), "a = \"y\" # mine\n"),
        ("b", json!(false), "b = false\n"),
        ("c", json!(2), "c = 2\n"),
        ("d", json!(["x"]), "d = [\"x\"]\n"),
        ("d", json!(["x", "z"]), "d = [\"x\", \"z\"]\n"),
    ] {
        let mut members = same.clone();
        members[name] = value;
        let after = with(&members);
        assert!(after.contains(line), "{after}");
        assert_eq!(after.lines().count(), text.lines().count(), "{after}");
    }
}

#[test]
fn values_in_values_are_read_down_to_the_limit() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(yaml::parsed(&nested(64)).is_ok());
    assert!(yaml::parsed(&nested(65)).is_err());
}

fn server_in(file: &ConfigFile, text: &str) -> Value {
    let whole: Value = match file.format {
        Format::Json => {
            let root = jsonc_parser::cst::CstRootNode::parse(text, &Default::default()).unwrap();
            root.to_serde_value().unwrap()
        }
        Format::Toml => ::toml::from_str(text).unwrap(),
        Format::Yaml => yaml::parsed(text).unwrap().unwrap().value,
    };
    let pointer = format!("/{}/weather", file.servers);
    whole.pointer(&pointer).unwrap().clone()
}
