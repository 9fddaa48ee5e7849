//! Whether Prometheus itself, with the files for operators, finds something for every query and evaluates every alert.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::command::{progress, wait_for};
use crate::failure::Failure;
use crate::metrics::exchange;
use crate::server::{Server, free_address};
use crate::tree::root;

/// Looks of Prometheus at the server, a second apart, before it is asked: a rate needs two.
const LOOKS: f64 = 4.0;
/// How long these may take.
const SOON: Duration = Duration::from_secs(60);

/// Has Prometheus scrape the server at `management`, and judges these queries and the alerts.
pub(super) fn judge(
    management: &str,
    queries: &[String],
    alerts: &str,
    folder: &Path,
) -> Result<(), Failure> {
    let address = free_address()?;
    let data = folder.join("prometheus");
    if data.exists() {
        fs::remove_dir_all(&data).map_err(Failure::io(data.display()))?;
    }
    let config = folder.join("prometheus.yml");
    let jobs = json!([{"job_name": "qortal-mcp", "static_configs": [{"targets": [management]}]}]);
    // JSON is YAML.
    let text = json!({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [root().join(alerts)],
        "scrape_configs": jobs
    });
    fs::write(&config, text.to_string()).map_err(Failure::io(config.display()))?;
    let arguments = [
        format!("--config.file={}", config.display()),
        format!("--storage.tsdb.path={}", data.display()),
        format!("--web.listen-address={address}"),
        "--log.level=warn".to_owned(),
    ];
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let log = folder.join("prometheus.log");
    let prometheus = Server::start_at(address, Path::new("prometheus"), &arguments, &log)?;
    let judged = ask(&address.to_string(), queries);
    prometheus.stop()?;
    judged
}

fn ask(address: &str, queries: &[String]) -> Result<(), Failure> {
    // It listens before it answers.
    let ready = || {
        let said = exchange(address, "GET", "/-/ready", "")?;
        Ok(said.contains("is Ready").then_some(()))
    };
    if wait_for(SOON, ready)?.is_none() {
        return Err(Failure::Found("Prometheus is not ready".to_owned()));
    }
    let looked = || {
        let result = query(address, "count_over_time(up{job=\"qortal-mcp\"}[1m])")?;
        Ok((first_value(&result) >= Some(LOOKS)).then_some(()))
    };
    if wait_for(SOON, looked)?.is_none() {
        return Err(Failure::Found(
            "Prometheus does not look at the server".to_owned(),
        ));
    }
    let mut empty = Vec::new();
    for text in queries {
        if query(address, text)?.as_array().is_none_or(Vec::is_empty) {
            empty.push(text.as_str());
        }
    }
    if !empty.is_empty() {
        let empty = empty.join("\n");
        return Err(Failure::Found(format!(
            "Prometheus finds nothing for\n{empty}"
        )));
    }
    let evaluated = || {
        let rules = rules(address)?;
        let is_pending = rules.iter().any(|(_, health)| health == "unknown");
        Ok((!is_pending && !rules.is_empty()).then_some(rules))
    };
    let rules = wait_for(SOON, evaluated)?;
    let rules = rules.ok_or_else(|| Failure::Found("alerts are not evaluated".to_owned()))?;
    if let Some((name, health)) = rules.iter().find(|(_, health)| health != "ok") {
        return Err(Failure::Found(format!("the alert {name} is {health}")));
    }
    progress(&format!(
        "Prometheus answers {} queries of the dashboard and evaluates {} alerts",
        queries.len(),
        rules.len()
    ))
}

/// The result of a query; an error of it fails.
fn query(address: &str, query: &str) -> Result<Value, Failure> {
    let path = format!("/api/v1/query?query={}", encoded(query));
    let answer = api(address, &path)?;
    let result = answer.pointer("/data/result").cloned();
    result.ok_or_else(|| Failure::Found(format!("Prometheus answers {answer} to {query}")))
}

/// The name of each rule, and how it is.
fn rules(address: &str) -> Result<Vec<(String, String)>, Failure> {
    let answer = api(address, "/api/v1/rules")?;
    let groups = answer.pointer("/data/groups").and_then(Value::as_array);
    let groups = groups.into_iter().flatten();
    let rules = groups.filter_map(|it| it.get("rules")?.as_array());
    let text = |rule: &Value, member: &str| {
        let text = rule.get(member).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let rules = rules.flatten();
    Ok(rules
        .map(|it| (text(it, "name"), text(it, "health")))
        .collect())
}

fn api(address: &str, path: &str) -> Result<Value, Failure> {
    let body = exchange(address, "GET", path, "")?;
    serde_json::from_str(&body).map_err(|why| Failure::unreadable(path, why))
}

/// The value of the first series.
fn first_value(result: &Value) -> Option<f64> {
    result.pointer("/0/value/1")?.as_str()?.parse().ok()
}

/// A query as a part of a URL.
fn encoded(query: &str) -> String {
    let mut text = String::new();
    for byte in query.bytes() {
        match byte.is_ascii_alphanumeric() {
            true => text.push(char::from(byte)),
            false => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{encoded, first_value};

    #[test]
    fn a_query_is_encoded_and_its_value_is_read() {
        assert_eq!(encoded("up{a=\"b\"}"), "up%7Ba%3D%22b%22%7D");
        let result = json!([{"metric": {}, "value": [1.0, "4"]}]);
        assert_eq!(first_value(&result), Some(4.0));
        assert_eq!(first_value(&json!([])), None);
    }
}
