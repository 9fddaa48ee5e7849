//! What a server says when it has started: where it is, what to try, and who can call.

use mcp_operate::{ListenAddr, secret::secret_placeholder};

use super::credentials::Credentials;
use crate::{access::ServerAccess, config::Values, run::App};

/// What an operator should know of who can call.
pub(super) fn notes(address: &ListenAddr, settings: &Values) -> Vec<String> {
    let name =
        shown(settings.public_url()).or(shown(settings.allowed_hosts.first().map(String::as_str)));
    let mut notes = Vec::new();
    match name {
        _ if !ServerAccess::of(settings).is_open() => {}
        _ if !address.is_local() => notes.push(
            "note: everyone who reaches this address can call tools, because of --auth none".to_owned(),
        ),
        Some(name) => notes.push(format!(
            "note: everyone who reaches {name} can call tools, pass --oauth-issuer to require a sign-in or --token-file to require a token"
        )),
        None => {}
    }
    if !address.is_local() && settings.hosts().is_empty() {
        notes.push("note: clients must send a loopback Host header, pass --allowed-hosts NAME to accept the name they use".to_owned());
    }
    notes
}

/// A name of the server, unless it could be a secret in the wrong place.
fn shown(name: Option<&str>) -> Option<&str> {
    name.filter(|it| secret_placeholder(it).is_none())
}

/// The URL by which clients reach the server, as far as it is known.
fn url(address: &ListenAddr, scheme: &str, settings: &Values) -> String {
    let host = shown(settings.allowed_hosts.first().map(String::as_str));
    match shown(settings.public_url()) {
        Some(url) => format!("{url}/mcp"),
        None => format!("{}/mcp", address.origin(scheme, host)),
    }
}

/// The next steps: the URL, a request to try, and a client's configuration.
pub(super) fn greeting(
    address: &ListenAddr,
    started: &App,
    credentials: &Credentials,
    settings: &Values,
) -> String {
    let node = match started.demo {
        Some(_) => "an embedded simulated node (--demo)".to_owned(),
        None => started.node.url().to_owned(),
    };
    let own = match started.node.own_urls().count() {
        0 => String::new(),
        count => format!("\nIf it does not answer, {count} more of your nodes are queried first."),
    };
    let public = match (started.note, started.node.public_urls().count()) {
        (Some(note), _) => format!("\n{note}"),
        (None, 0) if !own.is_empty() => own,
        (None, 0) => "\nIf it does not answer, no other node is queried. Pass --public to allow public nodes, which volunteers run.".to_owned(),
        (None, count) => {
            format!("{own}\nIf it does not answer, {count} public nodes are queried.")
        }
    };
    let version = env!("CARGO_PKG_VERSION");
    let access = ServerAccess::of(settings);
    let url = url(address, credentials.scheme(), settings);
    let place = match address {
        ListenAddr::Tcp(address) => format!("{}://{address}/mcp", credentials.scheme()),
        ListenAddr::Unix(path) => format!("unix:{}", path.display()),
    };
    let socket = match address {
        ListenAddr::Unix(path) if settings.public_url.is_none() => {
            format!(" --unix-socket {}", path.display())
        }
        _ => String::new(),
    };
    let reached = if url == place || !socket.is_empty() {
        String::new()
    } else {
        format!(", which clients reach at {url}")
    };
    let client = if socket.is_empty() {
        format!(
            r#"
Add it to a client (Claude Code, Cursor and many others accept this JSON):
  {{"mcpServers": {{"qortal": {{"type": "http", "url": "{url}"{field}}}}}}}
"#,
            field = access.entry_field(),
        )
    } else {
        String::new()
    };
    let sign_in = access.for_operator();
    let sign_in = sign_in.map_or_else(String::new, |it| format!("\n{it}"));
    let trial = access.trial(&url, "$TOKEN", &socket, "get_node_health");
    let (heading, command) = (trial.heading, trial.command.replace('\n', "\n  "));
    format!(
        r#"qortal-mcp {version} serves MCP at {place}{reached}
The node is {node}.{public}{sign_in}

{heading}:
  {command}
{client}
Stop with Ctrl-C."#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{args::Arguments, config::Config};

    fn http(options: &str) -> Values {
        let line = format!("qortal-mcp http {options}");
        let arguments = Arguments::read(line.split(' ')).unwrap();
        Config::new(&arguments, &|_| None).unwrap().values
    }

    #[test]
    fn who_can_call_is_said() {
        for (options, expected) in [
            ("--listen 127.0.0.1:0", [false, false]),
            ("--listen unix:/tmp/x", [false, false]),
            ("--listen 127.0.0.1:0 --allowed-hosts x", [true, false]),
            ("--listen unix:/tmp/x --public-url https://x", [true, false]),
            (
                "--listen 127.0.0.1:0 --public-url https://x --token-file t",
                [false, false],
            ),
            ("--listen 0.0.0.0:0 --auth none", [true, true]),
            (
                "--listen 0.0.0.0:0 --auth none --allowed-hosts x",
                [true, false],
            ),
            ("--listen 0.0.0.0:0 --token-file tokens", [false, true]),
            (
                "--listen 0.0.0.0:0 --oauth-issuer https://a.example",
                [false, true],
            ),
        ] {
            let http = http(options);
            let notes = notes(&http.listen, &http).join(" ");
            let said = ["everyone", "--allowed-hosts NAME"].map(|it| notes.contains(it));
            assert_eq!(said, expected, "{options}");
        }
    }

    #[test]
    fn the_url_is_the_one_that_clients_use() {
        for (options, expected) in [
            ("--listen 127.0.0.1:80", "http://127.0.0.1:80/mcp"),
            ("--listen [::1]:80", "http://[::1]:80/mcp"),
            ("--listen 0.0.0.0:80", "http://127.0.0.1:80/mcp"),
            ("--listen [::]:80", "http://127.0.0.1:80/mcp"),
            ("--listen 10.0.0.1:80", "http://10.0.0.1:80/mcp"),
            (
                "--listen 0.0.0.0:80 --allowed-hosts mcp.example.org",
                "http://mcp.example.org:80/mcp",
            ),
            (
                "--listen 0.0.0.0:80 --allowed-hosts mcp.example.org:8443",
                "http://mcp.example.org:8443/mcp",
            ),
            // A proxy has that name.
            (
                "--listen 127.0.0.1:80 --allowed-hosts mcp.example.org",
                "http://127.0.0.1:80/mcp",
            ),
            (
                "--listen 127.0.0.1:80 --public-url https://mcp.example.org/",
                "https://mcp.example.org/mcp",
            ),
            (
                "--listen unix:/x --public-url https://mcp.example.org",
                "https://mcp.example.org/mcp",
            ),
        ] {
            let http = http(options);
            assert_eq!(url(&http.listen, "http", &http), expected, "{options}");
        }
    }

    #[test]
    fn host_and_origin_of_the_public_url_are_accepted() {
        let options = "--allowed-hosts a.example --public-url https://mcp.example.org:8443/x";
        assert_eq!(http(options).hosts(), ["a.example", "mcp.example.org:8443"]);
        assert_eq!(http(options).origins(), ["https://mcp.example.org:8443"]);
    }
}
