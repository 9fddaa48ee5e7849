//! Tools that take long, as tasks, on both transports.

use std::time::Duration;

use mcp_protocol::{Revision, lifecycle::CLIENT_CAPABILITIES};
use serde_json::{Value, json};

use crate::client::{Client, Transport};

const CORE: Revision = Revision::V2025_11_25;
const EXTENSION: Revision = Revision::V2026_07_28;

/// The params of a client that knows the extension.
fn knowing(mut params: Value) -> Value {
    params["_meta"][CLIENT_CAPABILITIES] = json!({"elicitation": {}, "sampling": {}, "roots": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    params
}

/// Asks for a task until it has the status.
async fn until(client: &mut Client, id: &Value, status: &str) -> Value {
    let mut polls = tokio::time::interval(Duration::from_millis(20));
    loop {
        polls.tick().await;
        let asked = knowing(json!({"taskId": id}));
        let got = client.request("tasks/get", asked).await["result"].clone();
        if got["status"] == status {
            return got;
        }
        assert_eq!(got["status"], "working", "{got}");
    }
}

#[tokio::test]
async fn r119_r123_r124_a_task_of_the_extension_is_polled_and_answered() {
    for transport in Transport::BOTH {
        let mut client = Client::open(transport, EXTENSION).await;
        let said = client.request("server/discover", json!({})).await;
        let extensions = &said["result"]["capabilities"]["extensions"];
        assert_eq!(extensions["io.modelcontextprotocol/tasks"], json!({}));
        let call = json!({"name": "confirm_delete", "arguments": {"filename": "a"}});
        let created = client.request("tools/call", knowing(call)).await;
        let id = &created["result"]["taskId"];
        let got = until(&mut client, id, "input_required").await;
        assert_eq!(
            got["inputRequests"]["confirm"]["method"],
            "elicitation/create"
        );
        let answer = json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
        let update = json!({"taskId": id, "inputResponses": answer});
        client.request("tasks/update", knowing(update)).await;
        let got = until(&mut client, id, "completed").await;
        assert_eq!(
            got["result"]["content"][0]["text"],
            "a would be deleted now."
        );
        let call = json!({"name": "slow_compute", "arguments": {"seconds": 3_600}});
        let created = client.request("tools/call", knowing(call)).await;
        let id = &created["result"]["taskId"];
        assert_eq!(
            until(&mut client, id, "working").await["statusMessage"],
            "begun"
        );
        client
            .request("tasks/cancel", knowing(json!({"taskId": id})))
            .await;
        until(&mut client, id, "cancelled").await;
        // What still runs ends with the server.
        let call = json!({"name": "slow_compute", "arguments": {"seconds": 3_600}});
        client.request("tools/call", knowing(call)).await;
        client.finish().await;
    }
}

#[tokio::test]
async fn r125_r126_a_task_of_the_core_is_asked_for_and_fetched() {
    for transport in Transport::BOTH {
        let mut client = Client::open(transport, CORE).await;
        let listed = client.request("tools/list", json!({})).await;
        let listed = listed["result"]["tools"].as_array().unwrap();
        let support = |name: &str| {
            let mut tools = listed.iter().filter(|it| it["name"] == name);
            tools.next().unwrap()["execution"]["taskSupport"].clone()
        };
        assert_eq!(support("slow_compute"), "optional");
        assert_eq!(support("failing_job"), "required");
        assert_eq!(support("greet"), Value::Null);
        let call = json!({"name": "confirm_delete", "arguments": {"filename": "a"}, "task": {}});
        let created = client.request("tools/call", call).await;
        let id = &created["result"]["task"]["taskId"];
        until(&mut client, id, "input_required").await;
        let heard = client.converse("tasks/result", json!({"taskId": id})).await;
        let related = json!({"io.modelcontextprotocol/related-task": {"taskId": id}});
        // A notification of the task's state may come before it.
        let mut before = heard.before.iter();
        let asked = before.find(|it| it["method"] == "elicitation/create");
        assert_eq!(asked.unwrap()["params"]["_meta"], related);
        assert_eq!(heard.response["result"]["_meta"], related);
        let text = &heard.response["result"]["content"][0]["text"];
        assert_eq!(text, "a would be deleted now.");
        let call = json!({"name": "slow_compute", "arguments": {"seconds": 3_600}, "task": {}});
        let created = client.request("tools/call", call).await;
        let id = &created["result"]["task"]["taskId"];
        let said = client.request("tasks/cancel", json!({"taskId": id})).await;
        assert_eq!(said["result"]["status"], "cancelled");
        client.finish().await;
    }
}

/// A proxy finds the server of a task by a header.
#[tokio::test]
async fn r130_requests_about_a_task_name_it_in_a_header() {
    let mut client = Client::open(Transport::Http, EXTENSION).await;
    let asked = knowing(json!({"taskId": "a", "name": "b"}));
    let said = client.request("tasks/get", asked).await;
    assert_eq!(said["error"]["code"], -32020);
    client.finish().await;
}
