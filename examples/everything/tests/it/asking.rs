//! Questions to the client: the same tools, asked while they wait or asked by their results.

use mcp_protocol::{Revision, lifecycle};
use serde_json::{Value, json};

use crate::client::{Client, Heard, Transport, answer_to};

/// Calls a tool, and answers until there is a result.
async fn call(client: &mut Client, tool: &str) -> Heard {
    let mut params = json!({"name": tool});
    loop {
        let heard = client.converse("tools/call", params.clone()).await;
        let result = &heard.response["result"];
        if result["resultType"] != "input_required" {
            return heard;
        }
        let questions = result["inputRequests"].as_object().unwrap();
        let answers = questions
            .iter()
            .map(|(key, it)| (key.clone(), answer_to(it)));
        params["inputResponses"] = Value::Object(answers.collect());
        match result.get("requestState") {
            Some(state) => params["requestState"] = state.clone(),
            None => _ = params.as_object_mut().unwrap().remove("requestState"),
        }
    }
}

/// What the answer is where the user cannot be asked.
const UNASKED: &str = "the client does not support elicitation";

#[tokio::test]
async fn r007_r016_a_tool_asks_clients_of_every_revision() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            for (tool, questions, expect) in [
                ("test_input_required_result_elicitation", 1, "Hello, Ada!"),
                ("test_input_required_result_sampling", 1, "Paris"),
                (
                    "test_input_required_result_list_roots",
                    1,
                    "The client works in file:///tmp.",
                ),
                ("test_input_required_result_request_state", 1, "state-ok"),
                (
                    "test_input_required_result_multiple_inputs",
                    3,
                    "3 answers have come.",
                ),
                (
                    "test_input_required_result_multi_round",
                    2,
                    "Ada likes blue.",
                ),
                ("test_streaming_elicitation", 1, "Hello, Ada!"),
            ] {
                let heard = call(&mut client, tool).await;
                let text = &heard.response["result"]["content"][0]["text"];
                let shown = format!("{tool} at {} on {transport:?}", revision.name());
                let needs_user = !tool.ends_with("sampling") && !tool.ends_with("list_roots");
                if needs_user && !revision.features().elicitation {
                    assert!(text.as_str().unwrap().contains(UNASKED), "{shown}: {text}");
                    assert_eq!(heard.before.len(), 0, "{shown}");
                    continue;
                }
                assert_eq!(text, expect, "{shown}");
                // Without a handshake the server sends no requests.
                let asked = if revision.has_handshake() {
                    questions
                } else {
                    0
                };
                assert_eq!(heard.before.len(), asked, "{shown}");
            }
            client.finish().await;
        }
    }
}

#[tokio::test]
async fn a_state_that_was_changed_is_refused() {
    for transport in Transport::BOTH {
        let mut client = Client::open(transport, Revision::V2026_07_28).await;
        let tool = "test_input_required_result_request_state";
        let first = client.request("tools/call", json!({"name": tool})).await;
        let state = first["result"]["requestState"].as_str().unwrap().to_owned();
        let answers = json!({"confirm": {"action": "accept", "content": {"ok": true}}});
        let retry = |tool: &str, state: Value| json!({"name": tool, "inputResponses": answers, "requestState": state});
        let (head, tail) = state.split_at(state.len() / 2);
        let other = "test_input_required_result_tampered_state";
        for (tool, state) in [
            (tool, json!(format!("{state}x"))),
            (
                tool,
                json!(format!("{head}{}", tail.replace('A', "B") + "AAAA")),
            ),
            (tool, json!("")),
            (tool, json!(7)),
            (other, json!(state)),
        ] {
            let refused = client
                .request("tools/call", retry(tool, state.clone()))
                .await;
            assert_eq!(
                refused["error"]["code"], -32602,
                "{tool} {state}: {refused}"
            );
        }
        let done = client
            .request("tools/call", retry(tool, json!(state)))
            .await;
        assert_eq!(done["result"]["content"][0]["text"], "state-ok");
        client.finish().await;
    }
}

#[tokio::test]
async fn invalid_answers_are_requested_again() {
    for transport in Transport::BOTH {
        let mut client = Client::open(transport, Revision::V2026_07_28).await;
        for answers in [
            json!({}),
            json!(null),
            json!({"user_name": 12345}),
            json!({"user_name": {"action": "nonsense"}}),
            json!({"other": {"action": "accept"}}),
        ] {
            let tool = "test_input_required_result_elicitation";
            let params = json!({"name": tool, "inputResponses": answers});
            let asked = client.request("tools/call", params).await;
            let question = &asked["result"]["inputRequests"]["user_name"]["method"];
            assert_eq!(question, "elicitation/create", "{answers}: {asked}");
        }
        let params = json!({"name": "test_simple_text", "inputResponses": [1]});
        let refused = client.request("tools/call", params).await;
        assert_eq!(refused["error"]["code"], -32602);
        client.finish().await;
    }
}

#[tokio::test]
async fn r013_a_client_is_asked_only_what_it_declared_with_the_request() {
    for transport in Transport::BOTH {
        let mut client = Client::open(transport, Revision::V2026_07_28).await;
        let all = json!({"name": "test_missing_capability"});
        let served = client.request("tools/call", all.clone()).await;
        assert_eq!(served["result"]["isError"], false);
        // Of what was declared a moment ago nothing is left.
        let nothing = json!({lifecycle::CLIENT_CAPABILITIES: {}});
        let params = json!({"name": "test_missing_capability", "_meta": nothing});
        let refused = client.request("tools/call", params).await;
        assert_eq!(refused["error"]["code"], -32021);
        let required = &refused["error"]["data"]["requiredCapabilities"];
        assert_eq!(required, &json!({"sampling": {}}));
        let params = json!({"name": "test_streaming_elicitation", "_meta": nothing});
        let failed = client.request("tools/call", params).await;
        assert_eq!(failed["result"]["isError"], true);
        let served = client.request("tools/call", all).await;
        assert_eq!(served["result"]["isError"], false);
        client.finish().await;
    }
}

#[tokio::test]
async fn a_prompt_asks_too() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            let name = "test_input_required_result_prompt";
            let mut result = client.request("prompts/get", json!({"name": name})).await;
            if result["result"]["resultType"] == "input_required" {
                let question = &result["result"]["inputRequests"]["user_context"];
                let answers = json!({"user_context": answer_to(question)});
                let params = json!({"name": name, "inputResponses": answers});
                result = client.request("prompts/get", params).await;
            }
            if revision.features().elicitation {
                let text = &result["result"]["messages"][0]["content"]["text"];
                assert_eq!(text, "Use this context: tests", "{}", revision.name());
            } else {
                let message = result["error"]["message"].as_str().unwrap();
                assert!(message.contains(UNASKED), "{message}");
            }
            client.finish().await;
        }
    }
}
