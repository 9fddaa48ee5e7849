//! Whether the figures of a running server, the alerts and the dashboard fit together: Prometheus looks at the server, is asked every
//! query of the dashboard, and evaluates every alert.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::{Client, Url};
use serde_json::{Value, json};
use tokio::time::sleep;

use xtask::command::run;
use xtask::server::{Server, free_address};

use crate::client::{Query, client};
use crate::site::{Site, need, path, secret};

/// Names that a client invents. None of them may become a label.
const INVENTED: usize = 1_000;
/// Looks of Prometheus at the server, a second apart, before it is asked: a rate needs two.
const LOOKS: f64 = 4.0;
/// How long Prometheus may take for anything.
const SOON: Duration = Duration::from_secs(60);
/// How the names of our figures begin.
const OURS: [&str; 4] = ["mcp_server_", "qortal_node_", "qortal_mcp_", "process_"];

#[tokio::test]
async fn figures_alerts_and_dashboard_fit_together() {
    let site = Site::begin("metrics").await;
    let management = free_address().unwrap().to_string();
    let options = ["http", "--demo", "--listen", "ADDRESS"];
    let server = site.server(&[&options[..], &["--management-listen", &management]].concat());
    let client = client(true);
    let send = async |message: String| {
        let post = client.post(server.url()).body(message);
        let sent = post.header("Content-Type", "application/json").send();
        sent.await.unwrap().text().await.unwrap()
    };
    let call = async |tool: &str| {
        let answer = send(Query::call(tool, &json!({})).message().to_owned()).await;
        assert!(answer.contains("jsonrpc"), "{answer}");
    };
    for tool in ["get_block_height", "get_node_health", "get_balance"] {
        call(tool).await;
    }
    call("invented_0").await;
    // A request that is refused.
    client.put(server.url()).send().await.unwrap();
    let page = format!("http://{management}/metrics");
    let before = get(&client, &page).await;
    for n in 1..=INVENTED {
        call(&format!("invented_{n}")).await;
        let message = format!(r#"{{"jsonrpc":"2.0","id":{n},"method":"invented/{n}"}}"#);
        send(message).await;
    }
    let after = get(&client, &page).await;
    // The unknown method is new, and is one series of each bucket.
    let (few, many) = (series(&before).count(), series(&after).count());
    assert!(many <= few + 20, "{few} series become {many}");
    assert!(!after.contains("invented"), "{after}");

    let file = site.folder.join("metrics.txt");
    fs::write(&file, &after).unwrap();
    let mut lint = Command::new(need("promtool"));
    run(lint
        .args(["check", "metrics"])
        .stdin(File::open(file).unwrap()))
    .unwrap();
    let configuration = path("deploy/prometheus/prometheus.yml");
    run(Command::new("promtool").args(["check", "config", &configuration])).unwrap();

    let alerts = fs::read_to_string(path("deploy/prometheus/alerts.yml")).unwrap();
    let with_tls = metrics_with_tls(&site, &client).await;
    // A histogram is also spoken of as a whole.
    let known = series(&after).chain(series(&with_tls));
    let known = known.flat_map(|it| [it, it.trim_end_matches("_bucket")]);
    let known: BTreeSet<&str> = known.collect();
    let words = alerts.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    let used = words.filter(|it| OURS.iter().any(|ours| it.starts_with(ours)));
    let unknown: BTreeSet<&str> = used.filter(|it| !known.contains(it)).collect();
    assert_eq!(unknown, BTreeSet::new(), "the server has none of these");
    asks_prometheus(&site.folder, &client, &management).await;
    let ready = get(&client, &format!("http://{management}/ready")).await;
    assert!(ready.contains(r#""status":"ready""#), "{ready}");
}

/// The metrics of a server that has files to watch, its certificate and the key.
async fn metrics_with_tls(site: &Site, client: &Client) -> String {
    let [certificate, key] = ["first.pem", "first.key"].map(|name| {
        secret(
            &site.folder,
            &format!("crates/qortal-mcp/tests/keys/{name}"),
        )
    });
    let management = free_address().unwrap().to_string();
    let mut arguments = vec!["http", "--demo", "--listen", "ADDRESS"];
    arguments.extend(["--management-listen", &management]);
    arguments.extend(["--tls-cert", &certificate, "--tls-key", &key]);
    let _server = site.server(&arguments);
    get(client, &format!("http://{management}/metrics")).await
}

/// Every query finds something, and every alert is evaluated.
async fn asks_prometheus(folder: &Path, client: &Client, management: &str) {
    let (address, data) = (free_address().unwrap(), folder.join("prometheus"));
    let _old = fs::remove_dir_all(&data);
    let configuration = folder.join("prometheus.yml");
    // JSON is YAML.
    let text = json!({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [path("deploy/prometheus/alerts.yml")],
        "scrape_configs": [{"job_name": "qortal-mcp", "static_configs": [{"targets": [management]}]}],
    });
    fs::write(&configuration, text.to_string()).unwrap();
    let arguments = [
        format!("--config.file={}", configuration.display()),
        format!("--storage.tsdb.path={}", data.display()),
        format!("--web.listen-address={address}"),
        "--log.level=warn".to_owned(),
    ];
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let log = folder.join("prometheus.log");
    let prometheus = Server::start_at(address, need("prometheus"), &arguments, &log).unwrap();
    let api = format!("http://{address}/api/v1");
    let query = async |query: &str| {
        let url = Url::parse_with_params(&format!("{api}/query"), [("query", query)]).unwrap();
        let answer: Value =
            serde_json::from_str(&get(client, url.as_str()).await).unwrap_or_default();
        answer["data"]["result"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    };
    eventually("Prometheus looks at the server", async || {
        let looks = query(r#"count_over_time(up{job="qortal-mcp"}[1m])"#).await;
        let looks = looks
            .first()
            .and_then(|it| it["value"][1].as_str()?.parse::<f64>().ok());
        looks >= Some(LOOKS)
    })
    .await;
    let dashboard = fs::read_to_string(path("deploy/grafana/qortal-mcp.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.filter_map(|it| it["targets"].as_array()).flatten();
    let mut asked = 0;
    for text in targets.filter_map(|it| it["expr"].as_str()) {
        let text = text
            .replace("$__rate_interval", "1m")
            .replace("$instance", ".*");
        assert!(
            !query(&text).await.is_empty(),
            "Prometheus finds nothing for {text}"
        );
        asked += 1;
    }
    assert!(asked > 0, "the dashboard asks nothing");
    let mut alerts = Vec::new();
    eventually("alerts are evaluated", async || {
        let answer: Value =
            serde_json::from_str(&get(client, &format!("{api}/rules")).await).unwrap();
        let groups = answer["data"]["groups"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let rules = groups
            .iter()
            .filter_map(|it| it["rules"].as_array())
            .flatten();
        alerts = rules
            .map(|it| (it["name"].to_string(), it["health"].to_string()))
            .collect();
        !alerts.is_empty() && alerts.iter().all(|(_, health)| health != "\"unknown\"")
    })
    .await;
    let ill: Vec<_> = alerts
        .iter()
        .filter(|(_, health)| health != "\"ok\"")
        .collect();
    assert!(ill.is_empty(), "{ill:?}");
    println!(
        "Prometheus answers {asked} queries of the dashboard and evaluates {} alerts",
        alerts.len()
    );
    prometheus.stop().unwrap();
}

/// Asks until it is so. Another program does not announce that it is.
async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !is_so().await {
        assert!(
            begun.elapsed() < SOON,
            "not after {} s: {what}",
            SOON.as_secs()
        );
        sleep(Duration::from_millis(200)).await;
    }
}

/// A monitor names the server by an address of its own.
async fn get(client: &Client, url: &str) -> String {
    let sent = client.get(url).header("Host", "10.1.2.3:9464").send().await;
    sent.unwrap().text().await.unwrap()
}

/// The names of the figures on a page, one for each series.
fn series(page: &str) -> impl Iterator<Item = &str> {
    let lines = page.lines().filter(|it| !it.starts_with('#'));
    lines.filter_map(|it| it.split(['{', ' ']).next().filter(|name| !name.is_empty()))
}
