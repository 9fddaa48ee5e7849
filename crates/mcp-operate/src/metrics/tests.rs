//! Tests of `metrics`.

use mcp_protocol::{Request, RequestId, Revision, ServerInfo, TaskSupport, ToolAnnotations};
use mcp_server::{InMemoryTaskStore, RequestContext, ToolRouter, tool_schema::NoParams};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::*;

#[test]
fn figures_are_sorted_and_there_once() {
    const OWN: &[MetricDefinition<u64>] = &[
        MetricDefinition::observable_gauge("zz_last", "The last.", |it| *it),
        MetricDefinition::observable_gauges("aa_first", "The first.", "of", |it| {
            vec![("b".to_owned(), *it), ("a".to_owned(), 1)]
        }),
    ];
    let metrics = Metrics::new("example", "1", |_| None).unwrap();
    let server = Server::builder(ServerInfo::new("example", "1")).build();
    let (server, usage) = (Arc::new(server.unwrap()), TransportStats::default());
    let running = ServerMetricsSource::new(server, usage, CancellationToken::new());
    metrics.register_server(running.clone()).unwrap();
    assert!(metrics.register_server(running).is_err());
    metrics.register_source(OWN, 7).unwrap();
    assert!(metrics.register_source(OWN, 8).is_err());
    for name in ["two words", "1st_total", "", "no_total_at_the_end"] {
        assert!(
            metrics.register_counter(name, "Wrong.", &[]).is_err(),
            "{name}"
        );
    }
    let text = String::from_utf8(metrics.encode().unwrap()).unwrap();
    let lines = text.lines().filter(|it| !it.starts_with("# HELP"));
    let lines: Vec<_> = lines.filter(|it| !it.contains("process_")).collect();
    let first = [
        "# TYPE aa_first gauge",
        "aa_first{of=\"a\"} 1",
        "aa_first{of=\"b\"} 7",
        "# TYPE example_build_info gauge",
        "example_build_info{version=\"1\"} 1",
        "# TYPE example_calls_in_flight gauge",
        "example_calls_in_flight 0",
    ];
    assert!(lines.starts_with(&first), "{text}");
    assert_eq!(lines.last(), Some(&"zz_last 7"), "{text}");
    assert!(text.contains("\nexample_draining 0\n"), "{text}");
}

async fn fail(_: NoParams) -> Result<String, &'static str> {
    sleep(Duration::from_secs(7)).await;
    Err("It failed.")
}

#[tokio::test(start_paused = true)]
async fn a_call_counts_once_and_as_what_came_of_it_with_a_task_or_without() {
    let metrics = Metrics::new("example", "1", |it| (it == "fail").then_some("fail"));
    let metrics = Arc::new(metrics.unwrap());
    let tools = ToolRouter::new().tool("fail", "Fails.", ToolAnnotations::PURE, fail);
    let server = Server::builder(ServerInfo::new("example", "1"))
        .tools(tools.map_last_tool(|it| it.with_task_support(TaskSupport::Optional)))
        .tasks(InMemoryTaskStore::default())
        .observer(Arc::clone(&metrics));
    let server = server.build().unwrap();
    let ask = async |method: &str, params: Value| -> Value {
        let request = Request {
            id: RequestId::Integer(1),
            method: method.to_owned(),
            params: params.as_object().cloned(),
        };
        let cx = RequestContext::default();
        let answer = server.handle(Revision::V2025_11_25, request, &cx);
        serde_json::from_slice(&answer.await.to_vec()).unwrap()
    };
    let task = json!({"name": "fail", "task": {}});
    for params in [json!({"name": "fail"}), task.clone(), task.clone()] {
        ask("tools/call", params).await;
        sleep(Duration::from_secs(8)).await;
    }
    // One that its client does not want any more is no failure.
    let created = ask("tools/call", task).await;
    let id = &created["result"]["task"]["taskId"];
    ask("tasks/cancel", json!({"taskId": id})).await;
    sleep(Duration::from_secs(8)).await;
    let text = String::from_utf8(metrics.encode().unwrap()).unwrap();
    let calls = "mcp_server_operation_duration_seconds_count{";
    let mut calls = text
        .lines()
        .filter(|it| it.starts_with(calls) && it.contains("\"fail\""));
    let failed = calls.next().unwrap_or_default();
    assert!(
        failed.contains(r#"error_type="tool_error""#) && failed.ends_with("} 3"),
        "{text}"
    );
    assert_eq!(calls.next(), None, "{text}");
    let times = "_sum{error_type=\"tool_error\",";
    let time = text.lines().find(|it| it.contains(times));
    let (_, time) = time.and_then(|it| it.rsplit_once(' ')).unwrap_or_default();
    // The time of an answer is not that of the paused clock.
    assert!(
        time.parse::<f64>()
            .is_ok_and(|it| (14.0..15.0).contains(&it)),
        "{text}"
    );
}
