//! Servers at the other end of a stream that do what none should.

use std::time::Duration;

use mcp_client::{
    Client, ClientConfig, ClientError, ClientHandler, ListError,
    mcp_protocol::{
        CallToolResult, Capability, ContentBlock, ErrorObject, Object, Revision, ServerRequest,
        Tool,
    },
};
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, sync::oneshot, time::Instant};

use crate::{
    odd_server::{Server, config, connect, limits},
    server::object,
};

/// A client that has shaken hands, and what the server then does.
async fn after_handshake<T>(
    act: impl AsyncFnOnce(Server) -> T,
    ask: impl AsyncFnOnce(Client),
) -> T {
    let (client, mut server) = connect(config().with_revision(Revision::V2025_11_25));
    let (acted, ()) = tokio::join!(
        async {
            server.shake().await;
            act(server).await
        },
        async { ask(client.await.unwrap()).await },
    );
    acted
}

fn text() -> Value {
    json!({"content": [{"type": "text", "text": "done"}]})
}

#[tokio::test(start_paused = true)]
async fn answers_twice_and_to_others_are_ignored() {
    let serve = async |mut server: Server| {
        let request = server.hear().await.unwrap();
        for id in [json!(999), json!("3"), json!(-1), json!(null), json!(1.5)] {
            server
                .answer(&json!({"id": id}), json!({"content": []}))
                .await;
        }
        server.answer(&request, text()).await;
        server.answer(&request, json!({"content": []})).await;
        let request = server.hear().await.unwrap();
        server.answer(&request, text()).await;
        server
    };
    after_handshake(serve, async |client| {
        for _ in 0..2 {
            let result = client.call_tool("any", Object::new()).await.unwrap();
            assert_eq!(result.content, [ContentBlock::text("done")]);
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn lines_that_are_no_messages_are_skipped() {
    let serve = async |mut server: Server| {
        let request = server.hear().await.unwrap();
        for line in [
            "",
            "\r",
            "Starting up…",
            "{",
            "[]",
            "{}",
            "null",
            "\u{0}",
            r#"{"id":3}"#,
        ] {
            server.say(line).await;
        }
        server.answer(&request, text()).await;
        let request = server.hear().await.unwrap();
        let many: Vec<u8> = vec![0; 20_000];
        server
            .say(
                &json!([{"jsonrpc": "2.0", "method": "notifications/x"},
            {"jsonrpc": "2.0", "id": request["id"], "result": {"content": many}}])
                .to_string(),
            )
            .await;
        server
    };
    after_handshake(serve, async |client| {
        assert!(client.call_tool("any", Object::new()).await.is_ok());
        assert!(client.call_tool("any", Object::new()).await.is_ok());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_cannot_be_read_is_an_error_at_once() {
    let many = format!(r#"{{"content":{}}}"#, json!(vec![0; 20_000]));
    let many = many.replace('0', "[[[[[[[0]]]]]]]");
    for result in ["[1]", "7", "{}", r#"{"content":7}"#, &many] {
        let serve = async |mut server: Server| {
            let id = server.hear().await.unwrap()["id"].clone();
            let response = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
            server.say(&response).await;
            server
        };
        after_handshake(serve, async |client| {
            let begun = Instant::now();
            let outcome = client.call_tool("any", Object::new()).await;
            assert!(
                matches!(outcome, Err(ClientError::Decode(_))),
                "{result:.50}: {outcome:?}"
            );
            assert_eq!(begun.elapsed(), Duration::ZERO, "{result:.50}");
        })
        .await;
    }
}

/// A server takes fewer values of a request than a client may want of an answer.
#[tokio::test(start_paused = true)]
async fn the_values_of_an_answer_are_bounded_by_the_client() {
    for (limits, is_read) in [
        (limits(), false),
        (limits().with_message_values(200_000), true),
    ] {
        let config = config()
            .with_revision(Revision::V2025_11_25)
            .with_limits(limits);
        let (client, mut server) = connect(config);
        let serve = async {
            server.shake().await;
            let request = server.hear().await.unwrap();
            let numbers =
                json!({"content": [], "structuredContent": {"numbers": vec![0; 150_000]}});
            server.answer(&request, numbers).await;
        };
        let ask = async {
            let client = client.await.unwrap();
            client.call_tool("any", Object::new()).await
        };
        let ((), outcome) = tokio::join!(serve, ask);
        assert_eq!(outcome.is_ok(), is_read, "{:.200}", format!("{outcome:?}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_closes_half_way_ends_every_request() {
    let serve = async |mut server: Server| {
        let request = server.hear().await.unwrap();
        server.hear().await.unwrap();
        let whole = json!({"jsonrpc": "2.0", "id": request["id"], "result": text()}).to_string();
        server
            .output
            .write_all(&whole.as_bytes()[..20])
            .await
            .unwrap();
    };
    after_handshake(serve, async |client| {
        let call = || client.call_tool("any", Object::new());
        let (one, two) = tokio::join!(call(), call());
        assert!(matches!(one, Err(ClientError::Closed)), "{one:?}");
        assert!(matches!(two, Err(ClientError::Closed)), "{two:?}");
        let after = client.call_tool("any", Object::new()).await;
        assert!(matches!(after, Err(ClientError::Closed)), "{after:?}");
        client.close().await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_large_ends_the_connection_and_is_not_kept() {
    let serve = async |mut server: Server| {
        server.hear().await.unwrap();
        let piece = vec![b'x'; 1 << 20];
        let mut written = 0;
        while written < 100 << 20 && server.output.write_all(&piece).await.is_ok() {
            written += piece.len();
        }
        written
    };
    let written = after_handshake(serve, async |client| {
        let outcome = client.call_tool("any", Object::new()).await;
        assert!(
            matches!(outcome, Err(ClientError::TooLarge { limit: 1_048_576 })),
            "{outcome:?}"
        );
        client.close().await;
    })
    .await;
    assert!(written < 4 << 20, "{written} bytes have been taken");
}

/// Lists tools of a server that answers the n-th request with one tool and the cursor that a function returns.
async fn list(cursor: impl Fn(usize) -> Value) -> (usize, ListError<Tool>) {
    let serve = async |mut server: Server| {
        let mut asked = 0;
        while let Some(request) = server.hear().await {
            let tool = json!({"name": format!("tool{asked}"), "inputSchema": {"type": "object"}});
            let page = json!({"tools": [tool], "nextCursor": cursor(asked)});
            asked += 1;
            server.answer(&request, page).await;
        }
        asked
    };
    let (sender, unfinished) = oneshot::channel();
    let asked = after_handshake(serve, async |client| {
        sender
            .send(client.list_all::<Tool>().await.unwrap_err())
            .unwrap();
        client.close().await;
    })
    .await;
    (asked, unfinished.await.unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_list_without_an_end_has_the_entries_so_far() {
    let (asked, unfinished) = list(|asked| format!("{asked}").into()).await;
    assert!(matches!(
        unfinished.error,
        ClientError::TooMany { limit: 100, .. }
    ));
    assert_eq!((asked, unfinished.items.len()), (100, 100));
    for (cursors, read) in [(["", ""], 1), (["a", ""], 2), (["a", "a"], 2)] {
        let (asked, unfinished) = list(|asked| cursors[asked].into()).await;
        let ClientError::Cursor(cursor) = &unfinished.error else {
            panic!("{unfinished}");
        };
        assert_eq!(cursor, cursors[read - 1]);
        assert_eq!((asked, unfinished.items.len()), (read, read), "{cursors:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn null_is_absence() {
    let serve = async |mut server: Server| {
        let request = server.hear().await.unwrap();
        let block = json!({"type": "text", "text": "done", "annotations": null, "_meta": null});
        let result = json!({"content": [block], "structuredContent": null, "isError": null,
            "_meta": null, "task": null, "resultType": null});
        let response =
            json!({"jsonrpc": "2.0", "id": request["id"], "result": result, "error": null});
        server.say(&response.to_string()).await;
        let request = server.hear().await.unwrap();
        let tool = json!({"name": "a", "inputSchema": {"type": "object"}, "outputSchema": null, "title": null});
        server
            .answer(&request, json!({"tools": [tool], "nextCursor": null}))
            .await;
        server
    };
    after_handshake(serve, async |client| {
        let result = client.call_tool("any", Object::new()).await.unwrap();
        assert_eq!(result, CallToolResult::text("done"));
        let tools = client.list_all::<Tool>().await.unwrap();
        assert_eq!((tools.len(), &tools[0].output_schema), (1, &None));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_for_ever_is_not_answered_for_ever() {
    let (client, mut server) = connect(config());
    let serve = async {
        let probe = server.hear().await.unwrap();
        let result = json!({"supportedVersions": ["2026-07-28"], "capabilities": {}});
        server.answer(&probe, result).await;
        let mut ids = Vec::new();
        while let Some(request) = server.hear().await {
            let params = &request["params"];
            // Every other result has a state, which is returned with the next request alone.
            let expect = (ids.len() % 2 == 1).then(|| json!(format!("{}", ids.len() - 1)));
            assert_eq!(params.get("requestState"), expect.as_ref());
            assert_eq!(params.get("inputResponses").is_some(), !ids.is_empty());
            ids.push(request["id"].clone());
            let form = json!({"message": "?", "requestedSchema": {"type": "object"}});
            let question = json!({"method": "elicitation/create", "params": form});
            let mut result =
                json!({"resultType": "input_required", "inputRequests": {"again": question}});
            if ids.len() % 2 == 1 {
                result["requestState"] = json!(format!("{}", ids.len() - 1));
            }
            server.answer(&request, result).await;
        }
        ids.dedup();
        assert_eq!(ids.len(), 10);
    };
    let ask = async {
        let client = client.await.unwrap();
        let outcome = client.call_tool("any", Object::new()).await;
        assert!(
            matches!(outcome, Err(ClientError::TooMany { limit: 10, .. })),
            "{outcome:?}"
        );
        client.close().await;
    };
    tokio::join!(serve, ask);
}

#[tokio::test(start_paused = true)]
async fn requests_of_the_server_are_answered_or_taken_back() {
    let serve = async |mut server: Server| {
        let call = server.hear().await.unwrap();
        let elicit = json!({"message": "?", "requestedSchema": {"type": "object"}});
        for (id, method, params, expect) in [
            (json!(1), "ping", json!({}), "result"),
            (json!("a"), "elicitation/create", elicit, "result"),
            (json!(2), "roots/list", json!({}), "error"),
            (json!(3), "nope", json!({}), "error"),
            (json!(4), "elicitation/create", json!({}), "error"),
        ] {
            let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            server.say(&request.to_string()).await;
            let answer = server.hear().await.unwrap();
            assert!(
                answer["id"] == id && answer.get(expect).is_some(),
                "{method}: {answer}"
            );
        }
        server.answer(&call, text()).await;
        server
    };
    after_handshake(serve, async |client| {
        assert!(client.call_tool("any", Object::new()).await.is_ok());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn no_more_requests_are_in_flight_than_there_may_be() {
    let limits = limits().with_requests_in_flight(2);
    let config = config()
        .with_revision(Revision::V2025_11_25)
        .with_limits(limits);
    let (client, mut server) = connect(config);
    let (opened, ()) = tokio::join!(client, server.shake());
    let client = opened.unwrap();
    let (all_heard, is_heard) = oneshot::channel();
    let serve = async {
        let first = server.hear().await.unwrap();
        server.hear().await.unwrap();
        // A third one is not sent while nothing is answered.
        let third = tokio::time::timeout(Duration::from_millis(500), server.hear()).await;
        assert!(third.is_err(), "{third:?}");
        server.answer(&first, text()).await;
        server.hear().await.unwrap();
        all_heard.send(()).unwrap();
        server
    };
    let call = || client.call_tool("any", Object::new());
    let ask = async {
        let calls = async { tokio::join!(call(), call(), call()) };
        tokio::select! {
            _ = calls => panic!("two of them are never answered"),
            heard = is_heard => heard.unwrap(),
        }
    };
    let ((), _server) = tokio::join!(ask, serve);
}

/// Panics, or thinks for as long as it takes.
struct Odd;

impl ClientHandler for Odd {
    fn capabilities(&self) -> &[Capability] {
        &[Capability::Roots, Capability::Sampling]
    }

    async fn on_request(&self, request: ServerRequest) -> Result<Object, ErrorObject> {
        match request {
            ServerRequest::ListRoots => panic!("it has a defect"),
            _ => tokio::time::sleep(Duration::from_secs(60)).await,
        }
        Ok(object(
            json!({"role": "assistant", "content": {"type": "text", "text": "x"}, "model": "m"}),
        ))
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_handler_is_not_counted_and_its_defect_is_an_error() {
    let config = ClientConfig::new("test", "0").with_revision(Revision::V2025_11_25);
    let (client, mut server) = connect(
        config
            .with_handler(Odd)
            .with_limits(limits().with_server_requests(1)),
    );
    let serve = async {
        server.shake().await;
        let call = server.hear().await.unwrap();
        for (id, method, expect) in [
            (1, "roots/list", "error"),
            (2, "sampling/createMessage", "result"),
        ] {
            let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}});
            server.say(&request.to_string()).await;
            let answer = server.hear().await.unwrap();
            assert!(
                answer["id"] == id && answer.get(expect).is_some(),
                "{method}: {answer}"
            );
        }
        // This one is taken back.
        let request = json!({"jsonrpc": "2.0", "id": 3, "method": "sampling/createMessage"});
        server.say(&request.to_string()).await;
        let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}});
        server.say(&cancelled.to_string()).await;
        let nothing = tokio::time::timeout(Duration::from_secs(1), server.hear()).await;
        assert!(nothing.is_err(), "{nothing:?}");
        // It takes up no room any more.
        let ping = json!({"jsonrpc": "2.0", "id": 4, "method": "ping"});
        server.say(&ping.to_string()).await;
        assert_eq!(server.hear().await.unwrap()["id"], 4);
        server.answer(&call, text()).await;
        server
    };
    let ask = async {
        let client = client.await.unwrap();
        let called = client.call_tool("any", Object::new()).await;
        assert!(called.is_ok(), "{called:?}");
        client
    };
    tokio::join!(serve, ask);
}
