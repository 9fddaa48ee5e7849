//! Calls that the server answers with tasks.

use std::{sync::atomic::Ordering, time::Duration};

use mcp_client::{
    Client, ClientConfig, ClientError, ClientLimits,
    mcp_protocol::{Object, Revision},
};

use crate::{
    served::{connect, soon, until},
    server::{Served, config},
};

/// Does something with a client that knows tasks, on each transport and in each form that tasks have, with the tools that may be
/// and must be tasks there. Over HTTP a server asks only clients that it keeps sessions with, or that have no handshake.
async fn each(config: ClientConfig, act: impl AsyncFn(&Served, &Client, &str)) {
    let one = async |over_http, revision, suffix| {
        let served = Served::new();
        let config = config.clone().with_tasks().with_revision(revision);
        let (client, task) = connect(&served, over_http, config).await;
        soon(act(&served, &client, suffix)).await;
        soon(client.close()).await;
        served.stop();
        soon(task).await.unwrap();
    };
    let (core, extension) = (Revision::V2025_11_25, Revision::V2026_07_28);
    tokio::join!(
        one(false, core, "_alone"),
        one(true, core, "_alone"),
        one(false, extension, ""),
        one(true, extension, ""),
        one(true, extension, "_alone"),
    );
}

#[tokio::test]
async fn a_task_is_polled_and_answered_to_its_end() {
    each(config(), async |_, client, suffix| {
        let tool = format!("confirm{suffix}");
        let result = client.call_tool(&tool, Object::new()).await.unwrap();
        let said: Vec<_> = result.content.iter().map(|it| format!("{it:?}")).collect();
        assert!(said[0].contains("Hello, Ada!"), "{said:?}");
        assert!(said[1].contains("true"), "{said:?}");
    })
    .await;
}

#[tokio::test]
async fn a_client_that_does_not_know_tasks_gets_none() {
    let served = Served::new();
    let (client, task) = connect(&served, false, config()).await;
    let result = soon(client.call_tool("confirm", Object::new())).await;
    let said = format!("{:?}", result.unwrap().content);
    assert!(said.contains("false"), "{said}");
    soon(client.close()).await;
    soon(task).await.unwrap();
}

#[tokio::test]
async fn a_call_that_is_dropped_or_takes_too_long_cancels_its_task() {
    let limits = ClientLimits::default().with_task_timeout(Duration::from_millis(300));
    each(
        config().with_limits(limits),
        async |served, client, suffix| {
            let tool = &format!("wait{suffix}");
            let runs = || served.waiting.load(Ordering::SeqCst);
            let late = client.call_tool(tool, Object::new()).await;
            assert!(
                matches!(late, Err(ClientError::TimedOut { .. })),
                "{late:?}"
            );
            until("it is cancelled", || runs() == 0).await;
            let call = client.call_tool(tool, Object::new());
            let dropped = tokio::time::timeout(Duration::from_millis(150), call).await;
            assert!(dropped.is_err());
            until("it is cancelled", || runs() == 0).await;
        },
    )
    .await;
}
