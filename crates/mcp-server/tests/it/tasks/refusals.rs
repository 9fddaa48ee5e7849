//! What is refused, and how.

use mcp_protocol::{Revision, lifecycle::CLIENT_CAPABILITIES};
use mcp_server::ServerLimits;
use serde_json::{Value, json};

use super::{BOTH, CORE, EXTENSION, World, tools};

/// A request, and the code of its error; none is a result.
struct Row {
    what: &'static str,
    revision: Revision,
    method: &'static str,
    params: Value,
    code: Option<i64>,
}

fn row(
    what: &'static str,
    revision: Revision,
    method: &'static str,
    params: Value,
    code: Option<i64>,
) -> Row {
    Row {
        what,
        revision,
        method,
        params,
        code,
    }
}

#[tokio::test(start_paused = true)]
async fn every_refusal_has_its_code() {
    let now = json!({"seconds": 0});
    let call = |name: &str| json!({"name": name, "arguments": now});
    let as_task = |name: &str| json!({"name": name, "arguments": now, "task": {}});
    let undeclared = |mut params: Value| {
        params["_meta"] = json!({CLIENT_CAPABILITIES: {}});
        params
    };
    let nothing = json!({"taskId": "0123456789abcdef0123456789abcdef"});
    let rows = [
        row(
            "R-122 never a task",
            CORE,
            "tools/call",
            as_task("never"),
            Some(-32601),
        ),
        row(
            "R-122 a task alone",
            CORE,
            "tools/call",
            call("only"),
            Some(-32601),
        ),
        row("R-122 it is one", CORE, "tools/call", as_task("only"), None),
        row(
            "an unknown tool",
            CORE,
            "tools/call",
            as_task("no_such"),
            Some(-32602),
        ),
        row(
            "R-088 no task here",
            EXTENSION,
            "tools/call",
            as_task("never"),
            None,
        ),
        row(
            "R-121 a task alone",
            EXTENSION,
            "tools/call",
            undeclared(call("only")),
            Some(-32021),
        ),
        row(
            "an unknown tool",
            EXTENSION,
            "tools/call",
            call("no_such"),
            Some(-32602),
        ),
        row(
            "R-121 get",
            EXTENSION,
            "tasks/get",
            undeclared(nothing.clone()),
            Some(-32021),
        ),
        row(
            "R-121 update",
            EXTENSION,
            "tasks/update",
            undeclared(nothing.clone()),
            Some(-32021),
        ),
        row(
            "R-121 cancel",
            EXTENSION,
            "tasks/cancel",
            undeclared(nothing.clone()),
            Some(-32021),
        ),
        row(
            "not there",
            EXTENSION,
            "tasks/result",
            nothing.clone(),
            Some(-32601),
        ),
        row(
            "not there",
            EXTENSION,
            "tasks/list",
            json!({}),
            Some(-32601),
        ),
        row(
            "not there",
            CORE,
            "tasks/update",
            nothing.clone(),
            Some(-32601),
        ),
        row("no caller", CORE, "tasks/list", json!({}), Some(-32601)),
        row("unknown", CORE, "tasks/get", nothing.clone(), Some(-32602)),
        row(
            "unknown",
            CORE,
            "tasks/result",
            nothing.clone(),
            Some(-32602),
        ),
        row(
            "unknown",
            CORE,
            "tasks/cancel",
            nothing.clone(),
            Some(-32602),
        ),
        row(
            "unknown",
            EXTENSION,
            "tasks/get",
            nothing.clone(),
            Some(-32602),
        ),
        row("unknown", EXTENSION, "tasks/cancel", nothing, Some(-32602)),
        row("no id", CORE, "tasks/get", json!({}), Some(-32602)),
        row(
            "no id",
            EXTENSION,
            "tasks/get",
            json!({"taskId": 1}),
            Some(-32602),
        ),
        row(
            "no answers",
            EXTENSION,
            "tasks/update",
            json!({"taskId": "a"}),
            Some(-32602),
        ),
    ];
    for Row {
        what,
        revision,
        method,
        params,
        code,
    } in rows
    {
        let world = World::new();
        let answer = world.ask(revision, method, params).await;
        let said = answer["error"]["code"].as_i64();
        assert_eq!(said, code, "{what}, {revision} {method}: {answer}");
        if code == Some(-32021) {
            let required = &answer["error"]["data"]["requiredCapabilities"];
            let expect = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
            assert_eq!(required, &expect, "{what}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn r088_without_tasks_a_server_has_none_of_it() {
    let world = World::built(ServerLimits::default(), |it| it);
    for &revision in Revision::ALL {
        let call = json!({"name": "slow", "arguments": {"seconds": 50}, "task": {}});
        let answer = world.ask(revision, "tools/call", call).await;
        assert_eq!(answer["result"]["isError"], false, "{revision}");
        let get = world
            .ask(revision, "tasks/get", json!({"taskId": "a"}))
            .await;
        assert_eq!(get["error"]["code"], -32601, "{revision}");
        let listed = world.ask(revision, "tools/list", json!({})).await;
        let mut listed = listed["result"]["tools"].as_array().unwrap().iter();
        assert!(listed.all(|it| it.get("execution").is_none()));
    }
}

/// neither does an era without tasks, whatever the server has.
#[tokio::test(start_paused = true)]
async fn r088_a_revision_without_tasks_ignores_them() {
    let world = World::new();
    let others = Revision::ALL.iter().filter(|it| !BOTH.contains(it));
    for &revision in others {
        let call = json!({"name": "slow", "arguments": {"seconds": 50}, "task": {}});
        let answer = world.ask(revision, "tools/call", call).await;
        assert_eq!(answer["result"]["content"][0]["text"], "50 seconds");
        let get = world
            .ask(revision, "tasks/get", json!({"taskId": "a"}))
            .await;
        assert_eq!(get["error"]["code"], -32601, "{revision}");
        let call = json!({"name": "only", "arguments": {"seconds": 0}});
        let only = world.ask(revision, "tools/call", call).await;
        assert_eq!(only["error"]["code"], -32601, "{revision}");
        let said = world.ask(revision, "initialize", json!({})).await;
        let capabilities = &said["result"]["capabilities"];
        assert!(capabilities.get("tasks").is_none() && capabilities.get("extensions").is_none());
    }
}

/// A set may call tools that it does not list; none of them is a task in 2025-11-25, where the list says which may be.
#[tokio::test(start_paused = true)]
async fn a_tool_that_is_not_listed_is_called_as_ever() {
    use mcp_server::{ListVariant, ToolRouter};
    let hidden = |work: &std::sync::Arc<_>| {
        let is_staff = |scope: &ListVariant| scope.key() == "staff";
        ToolRouter::new().merge_for_variants(is_staff, tools(work))
    };
    let world = World::of(hidden, ServerLimits::default(), |it| {
        it.tasks(mcp_server::InMemoryTaskStore::default())
    });
    for revision in BOTH {
        let call = json!({"name": "slow", "arguments": {"seconds": 0}, "task": {}});
        let answer = world.ask(revision, "tools/call", call).await;
        assert_eq!(answer["error"]["code"], -32602, "{revision}");
    }
}
