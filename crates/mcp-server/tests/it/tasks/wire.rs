//! The life of a task on the wire, one file for each revision.

use std::sync::Arc;

use insta::Settings;
use mcp_protocol::Revision;
use mcp_server::{AuthInfo, Extensions, RequestContext, transport::ClientChannel};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{BOTH, CORE, World, id_in, pass, settle, user};
use crate::session;

/// Asks in one session of one user, and notes what was said, with `TASK` for the id.
struct Recorder {
    world: World,
    cx: RequestContext,
    revision: Revision,
    id: String,
    said: String,
}

impl Recorder {
    async fn ask(&mut self, what: &str, method: &str, params: Value) -> Value {
        let answer = self
            .world
            .ask_as(&self.cx, self.revision, method, params.clone());
        let answer = answer.await;
        let created = &answer["result"];
        let id = created["task"]["taskId"]
            .as_str()
            .or(created["taskId"].as_str());
        if let Some(id) = id {
            id.clone_into(&mut self.id);
        }
        let sent = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let section = format!("=== {what} {}\n{sent}\n---\n{answer:#}\n\n", self.revision);
        self.said += &section.replace(&self.id, "TASK");
        answer
    }
}

/// A session of a user.
fn in_session() -> RequestContext {
    let (_, _, session) = session(CORE);
    let (channel, _) = ClientChannel::new(CancellationToken::new());
    let channel = Arc::new(channel.with_session(session));
    let mut extensions = Extensions::new();
    extensions.insert(AuthInfo::for_subject("alice"));
    RequestContext::from_extensions(extensions).with_channel(channel)
}

#[tokio::test(start_paused = true)]
async fn the_life_of_a_task_has_one_shape_in_each_revision() {
    for revision in BOTH {
        let mut recorder = Recorder {
            world: World::new(),
            cx: match revision {
                CORE => in_session(),
                _ => user("alice"),
            },
            revision,
            id: String::from("TASK"),
            said: String::new(),
        };
        let call = |tool: &str, seconds: u32| {
            let arguments = match tool {
                "slow" => json!({"seconds": seconds}),
                _ => json!({}),
            };
            let mut call = json!({"name": tool, "arguments": arguments});
            if revision == CORE {
                call["task"] = json!({"ttl": 90_000});
            }
            call
        };
        let created = recorder
            .ask("created", "tools/call", call("slow", 20))
            .await;
        let asked = json!({"taskId": id_in(&created)});
        recorder.ask("working", "tasks/get", asked.clone()).await;
        pass(21).await;
        recorder.ask("completed", "tasks/get", asked.clone()).await;
        if revision == CORE {
            recorder
                .ask("its result", "tasks/result", asked.clone())
                .await;
            recorder.ask("listed", "tasks/list", json!({})).await;
        }
        recorder
            .ask("cancelled too late", "tasks/cancel", asked)
            .await;
        let created = recorder
            .ask("another one", "tools/call", call("ask", 0))
            .await;
        let asked = json!({"taskId": id_in(&created)});
        settle().await;
        recorder.ask("it asks", "tasks/get", asked.clone()).await;
        if revision != CORE {
            let answer = json!({"name": {"action": "accept", "content": {"name": "Ada"}}});
            let update = json!({"taskId": asked["taskId"], "inputResponses": answer});
            recorder.ask("it is answered", "tasks/update", update).await;
        }
        recorder
            .ask("cancelled", "tasks/cancel", asked.clone())
            .await;
        recorder.ask("it has ended", "tasks/get", asked).await;
        let created = recorder
            .ask("one that breaks", "tools/call", call("panic", 0))
            .await;
        let asked = json!({"taskId": id_in(&created)});
        pass(59).await;
        pass(1).await;
        recorder.ask("it has failed", "tasks/get", asked).await;
        let mut settings = Settings::new();
        settings.set_snapshot_path("../../snapshots/tasks");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(revision.name(), recorder.said));
    }
}
