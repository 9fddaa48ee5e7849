//! `cargo xtask metrics`: whether the figures of a running server, the alerts and the dashboard fit together.

mod live;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::command::{self, cargo, progress};
use crate::failure::Failure;
use crate::server::{Server, free_address};
use crate::tree::{root, target};

/// Names that a client invents. None of them may become a label.
const INVENTED: usize = 1_000;
/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// What operators are given, below the root.
const PROMETHEUS: &str = "deploy/prometheus/prometheus.yml";
const DASHBOARD: &str = "deploy/grafana/qortal-mcp.json";
const ALERTS: &str = "deploy/prometheus/alerts.yml";
/// How the names of our figures begin.
const OURS: [&str; 4] = ["mcp_server_", "qortal_node_", "qortal_mcp_", "process_"];

/// Starts the demo, calls tools, and judges what it then says of itself. Needs `promtool` and
/// `prometheus`, which are in Debian's `prometheus`.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let program = match arguments {
        [] => built()?,
        [flag, path] if flag == "--server" => PathBuf::from(path),
        _ => {
            return Err(Failure::Usage(
                "metrics takes nothing but --server PATH".to_owned(),
            ));
        }
    };
    let folder = target().join("metrics");
    fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    let management = free_address()?.to_string();
    let options = [
        "http",
        "--demo",
        "--listen",
        "ADDRESS",
        "--management-listen",
        &management,
    ];
    let server = Server::start(&program, &options, &folder.join("server.log"))?;
    let judged = judge(server.url(), &management, &folder);
    server.stop()?;
    judged
}

fn built() -> Result<PathBuf, Failure> {
    command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp"]))?;
    Ok(target().join("debug").join("qortal-mcp"))
}

fn judge(url: &str, management: &str, folder: &Path) -> Result<(), Failure> {
    let address = url.trim_start_matches("http://").trim_end_matches("/mcp");
    for tool in ["get_block_height", "get_node_health", "get_balance"] {
        call(address, tool)?;
    }
    call(address, "invented_0")?;
    // A request that is refused.
    exchange(address, "PUT", "/mcp", "")?;
    let before = exchange(management, "GET", "/metrics", "")?;
    for n in 1..=INVENTED {
        call(address, &format!("invented_{n}"))?;
        let body = json!({"jsonrpc": "2.0", "id": n, "method": format!("invented/{n}")});
        exchange(address, "POST", "/mcp", &body.to_string())?;
    }
    let text = exchange(management, "GET", "/metrics", "")?;
    // The unknown method is new, and is one series of each bucket.
    let (few, many) = (series(&before), series(&text));
    let most = few.len() + 20;
    progress(&format!(
        "{} series, and {} after {INVENTED} invented tools and methods",
        few.len(),
        many.len()
    ))?;
    if many.len() > most || text.contains("invented") {
        return Err(Failure::Found(
            "names that clients invent become labels".to_owned(),
        ));
    }
    let page = folder.join("metrics.txt");
    fs::write(&page, &text).map_err(Failure::io(page.display()))?;
    let input = fs::File::open(&page).map_err(Failure::io(page.display()))?;
    command::run(
        Command::new("promtool")
            .args(["check", "metrics"])
            .stdin(input),
    )?;
    command::run(
        Command::new("promtool")
            .args(["check", "config", PROMETHEUS])
            .current_dir(root()),
    )?;
    let queries = queries()?;
    check_syntax(&queries, folder)?;
    // A histogram is also spoken of as a whole.
    let known: BTreeSet<&str> = many
        .iter()
        .flat_map(|it| [name(it), name(it).trim_end_matches("_bucket")])
        .collect();
    let alerts = read(ALERTS)?;
    let used = queries.iter().flat_map(|it| names(it));
    let unknown: BTreeSet<&str> = used
        .chain(names(&alerts))
        .filter(|it| !known.contains(it))
        .collect();
    if !unknown.is_empty() {
        let unknown: Vec<_> = unknown.into_iter().collect();
        return Err(Failure::Found(format!(
            "the server has no {}",
            unknown.join(", ")
        )));
    }
    live::judge(management, &queries, ALERTS, folder)?;
    let ready = exchange(management, "GET", "/ready", "")?;
    if !ready.contains(r#""status":"ready""#) {
        return Err(Failure::Found(format!("/ready says {ready}")));
    }
    progress("metrics, alerts and dashboard fit together")
}

/// The queries of the dashboard, as Grafana sends them.
fn queries() -> Result<Vec<String>, Failure> {
    let text = read(DASHBOARD)?;
    let dashboard: Value =
        serde_json::from_str(&text).map_err(|why| Failure::unreadable(DASHBOARD, why))?;
    let panels = dashboard.get("panels").and_then(Value::as_array);
    let panels = panels.into_iter().flatten();
    let targets = panels
        .filter_map(|it| it.get("targets").and_then(Value::as_array))
        .flatten();
    let queries = targets.filter_map(|it| it.get("expr").and_then(Value::as_str));
    let queries = queries.map(|it| {
        it.replace("$__rate_interval", "1m")
            .replace("$instance", ".*")
    });
    Ok(queries.collect())
}

/// Lets promtool read each query as a rule.
fn check_syntax(queries: &[String], folder: &Path) -> Result<(), Failure> {
    let rules: Vec<_> = queries
        .iter()
        .enumerate()
        .map(|(n, query)| json!({"record": format!("query:{n}"), "expr": query}))
        .collect();
    // JSON is YAML.
    let rules = json!({"groups": [{"name": "dashboard", "rules": rules}]});
    let file = folder.join("dashboard-rules.yml");
    fs::write(&file, rules.to_string()).map_err(Failure::io(file.display()))?;
    command::run(Command::new("promtool").args(["check", "rules"]).arg(&file))
}

/// The lines that are figures, without their values.
fn series(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|it| !it.starts_with('#') && !it.is_empty());
    let series = lines.filter_map(|it| it.rsplit_once(' '));
    series.map(|(series, _)| series.to_owned()).collect()
}

/// The name of a series.
fn name(series: &str) -> &str {
    series.split('{').next().unwrap_or(series)
}

/// The names of our figures in a query.
fn names(query: &str) -> impl Iterator<Item = &str> {
    let words = query.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words.filter(|it| OURS.iter().any(|ours| it.starts_with(ours)))
}

fn read(path: &str) -> Result<String, Failure> {
    fs::read_to_string(root().join(path)).map_err(Failure::io(path))
}

fn call(address: &str, tool: &str) -> Result<String, Failure> {
    let params = json!({"name": tool, "arguments": {}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    exchange(address, "POST", "/mcp", &body.to_string())
}

/// The body of the answer.
fn exchange(address: &str, method: &str, path: &str, body: &str) -> Result<String, Failure> {
    let failed = |source| Failure::Io {
        what: format!("{method} {path} at {address}"),
        source,
    };
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let length = body.len();
    // A monitor names the server by an address of its own.
    let host = match method {
        "GET" => "10.1.2.3:9464",
        _ => address,
    };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    match answer.split_once("\r\n\r\n") {
        // Prometheus sends a long body in pieces.
        Some((head, body))
            if head
                .to_ascii_lowercase()
                .contains("transfer-encoding: chunked") =>
        {
            whole(body).ok_or_else(|| Failure::unreadable(path, "its pieces are not whole"))
        }
        Some((_, body)) => Ok(body.to_owned()),
        None => Err(Failure::unreadable(path, "it is no HTTP response")),
    }
}

/// A body that came in pieces (RFC 9112 §7.1).
fn whole(mut pieces: &str) -> Option<String> {
    let mut body = String::new();
    loop {
        let (size, rest) = pieces.split_once("\r\n")?;
        match usize::from_str_radix(size, 16).ok()? {
            0 => return Some(body),
            size => {
                body.push_str(rest.get(..size)?);
                pieces = rest.get(size..)?.strip_prefix("\r\n")?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALERTS, name, names, read, series, whole};

    #[test]
    fn the_page_for_operators_explains_each_alert() {
        let page = read("docs/operations.md").unwrap();
        let alerts = read(ALERTS).unwrap();
        let names = alerts
            .lines()
            .filter_map(|it| it.trim().strip_prefix("- alert: "));
        let names: Vec<_> = names.collect();
        assert!(!names.is_empty());
        for name in names {
            assert!(page.contains(&format!("| `{name}` |")), "{name}");
        }
    }

    #[test]
    fn pieces_make_a_body() {
        let pieces = "3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n";
        assert_eq!(whole(pieces).as_deref(), Some("abc0123456789"));
        assert_eq!(whole("3\r\nab"), None);
    }

    #[test]
    fn figures_are_told_from_what_is_said_of_them() {
        let text = "# HELP a text\n# TYPE a counter\na{b=\"c d\"} 1\n\na_sum 2.5\n";
        let found = series(text);
        assert_eq!(found, ["a{b=\"c d\"}", "a_sum"]);
        assert_eq!(name(&found[0]), "a");
    }

    #[test]
    fn a_query_names_the_figures_it_needs() {
        let query = "sum by (le) (rate(mcp_server_x_bucket{le=\"1\"}[1m])) / up + qortal_node_y";
        let found: Vec<_> = names(query).collect();
        assert_eq!(found, ["mcp_server_x_bucket", "qortal_node_y"]);
    }
}
