//! Tasks on the wire, in the form of each revision, and back.

use serde_json::{Value, json, value::RawValue};

use crate::{ErrorObject, Revision, Task, TaskState, TaskSupport, Tool, ToolAnnotations, render};

/// 2024-02-29, the last millisecond of it.
const NOW: u64 = 1_709_251_199_999;

fn task(state: TaskState) -> Task {
    let mut task = Task::new("a1".to_owned(), NOW, Some(60_000), Some(2_000));
    task.set_state(state, NOW + 1);
    task
}

fn result(json: &Value) -> TaskState {
    TaskState::Completed(RawValue::from_string(json.to_string()).unwrap())
}

fn told(task: &Task, revision: Revision) -> Value {
    let rules = revision.features();
    let json = render::task_with_result(&render::task(task, rules), task, rules);
    serde_json::from_str(&json).unwrap()
}

#[test]
fn a_task_has_the_members_of_its_revision_in_every_state() {
    let asked = json!({"name": {"method": "roots/list", "params": {}}});
    let answer = json!({"content": [], "isError": false});
    let failed = json!({"content": [], "isError": true});
    let error = ErrorObject::new(-32603, "broken");
    let requests = asked.as_object().unwrap().clone();
    // The state; its name in either revision; what the extension adds, and the message.
    let cases = [
        (TaskState::Working, ["working"; 2], json!({}), None),
        (
            TaskState::InputRequired(requests),
            ["input_required"; 2],
            json!({"inputRequests": asked}),
            None,
        ),
        (
            result(&answer),
            ["completed"; 2],
            json!({"result": answer}),
            None,
        ),
        // A tool that failed has completed its task, but for 2025-11-25.
        (
            result(&failed),
            ["failed", "completed"],
            json!({"result": failed}),
            None,
        ),
        (
            TaskState::Failed(error.clone()),
            ["failed"; 2],
            json!({"error": error.to_value()}),
            Some("broken"),
        ),
        (TaskState::Cancelled, ["cancelled"; 2], json!({}), None),
    ];
    for (state, [core, extension], more, message) in cases {
        let task = task(state);
        let mut common = json!({
            "taskId": "a1",
            "createdAt": "2024-02-29T23:59:59.999Z",
            "lastUpdatedAt": "2024-03-01T00:00:00.000Z",
        });
        if let Some(message) = message {
            common["statusMessage"] = message.into();
        }
        let mut expect = common.clone();
        expect["status"] = core.into();
        expect["ttl"] = 60_000.into();
        expect["pollInterval"] = 2_000.into();
        assert_eq!(told(&task, Revision::V2025_11_25), expect);
        let mut expect = common;
        expect["status"] = extension.into();
        expect["ttlMs"] = 60_000.into();
        expect["pollIntervalMs"] = 2_000.into();
        let members = more.as_object().unwrap().clone();
        expect.as_object_mut().unwrap().extend(members);
        assert_eq!(told(&task, Revision::V2026_07_28), expect);
        // A store gives back what it was given.
        let read = Task::read(&render::task_json_for_store(&task)).unwrap();
        assert_eq!(
            render::task_json_for_store(&read),
            render::task_json_for_store(&task)
        );
        assert_eq!(
            task.is_terminal(),
            !matches!(extension, "working" | "input_required")
        );
    }
}

#[test]
fn a_created_task_is_the_result_or_a_member_of_it() {
    let task = Task::new("a1".to_owned(), 0, None, None);
    let core = render::create_task_result(&task, Revision::V2025_11_25.features());
    assert_eq!(core["task"]["taskId"], "a1");
    assert_eq!(core["task"]["ttl"], Value::Null);
    assert_eq!(core["task"]["createdAt"], "1970-01-01T00:00:00.000Z");
    let extension = render::create_task_result(&task, Revision::V2026_07_28.features());
    let names: Vec<_> = extension.keys().map(String::as_str).collect();
    let expect = [
        "resultType",
        "taskId",
        "status",
        "createdAt",
        "lastUpdatedAt",
        "ttlMs",
    ];
    assert_eq!(names, expect);
    assert_eq!(extension["resultType"], "task");
}

#[test]
fn what_a_server_says_of_a_task_is_read_in_either_form() {
    let core = json!({"taskId": "a", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": 5, "pollInterval": 7});
    let read = Task::read(&core.to_string()).unwrap();
    assert_eq!((read.ttl_ms, read.poll_interval_ms), (Some(5), Some(7)));
    for (change, value) in [
        ("status", json!("done")),
        ("taskId", json!(1)),
        ("ttl", json!("soon")),
        ("createdAt", Value::Null),
    ] {
        let mut changed = core.clone();
        changed[change] = value;
        assert!(Task::read(&changed.to_string()).is_err(), "{change}");
    }
}

#[test]
fn a_tool_says_whether_it_may_be_a_task_in_one_revision() {
    for (support, expect) in [
        (TaskSupport::Forbidden, Value::Null),
        (TaskSupport::Optional, json!({"taskSupport": "optional"})),
        (TaskSupport::Required, json!({"taskSupport": "required"})),
    ] {
        let tool = Tool::new("a", "b", json!({"type": "object"}), ToolAnnotations::PURE);
        let tool = tool.with_task_support(support);
        for &revision in Revision::ALL {
            let told = render::tool(&tool, revision.features());
            let said = told.get("execution").cloned().unwrap_or_default();
            let is_said = revision == Revision::V2025_11_25;
            let expect = if is_said { expect.clone() } else { Value::Null };
            assert_eq!(said, expect, "{revision:?}");
        }
    }
}
