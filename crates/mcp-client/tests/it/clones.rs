//! Clones of a client, which share its connection and its end.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use mcp_client::{
    Client, ClientError, ClientLimits,
    mcp_protocol::{ContentBlock, Object, Revision},
};

use crate::{
    served::{connect, soon, until},
    server::{Served, config},
};

#[tokio::test]
async fn closing_one_client_ends_all_its_clones() {
    for over_http in [false, true] {
        let served = Served::new();
        let (client, task) = connect(&served, over_http, config()).await;
        let (other, third) = (client.clone(), client.clone());
        let waiting = tokio::spawn(async move { other.call_tool("wait", Object::new()).await });
        until("the call runs", || {
            served.waiting.load(Ordering::SeqCst) == 1
        })
        .await;
        // Whichever is first, both return at the end.
        soon(async { tokio::join!(client.close(), third.close()) }).await;
        let outcome = soon(waiting).await.unwrap();
        assert!(matches!(outcome, Err(ClientError::Closed)), "{outcome:?}");
        let outcome = soon(client.call_tool("echo", Object::new())).await;
        assert!(matches!(outcome, Err(ClientError::Closed)), "{outcome:?}");
        served.stop();
        soon(task).await.unwrap();
    }
}

#[tokio::test]
async fn a_client_of_a_server_in_this_process_ends_it() {
    let served = Served::new();
    for revision in Revision::ALL {
        let limits = ClientLimits::default().with_close_timeout(Duration::from_millis(10));
        let config = config().with_limits(limits).with_revision(*revision);
        let client = soon(Client::connect(&served.server, config)).await.unwrap();
        let result = soon(client.call_tool("count", Object::new()))
            .await
            .unwrap();
        assert_eq!(result.content, [ContentBlock::text("three")]);
        let waiting = client.clone();
        let waiting = tokio::spawn(async move { waiting.call_tool("wait", Object::new()).await });
        until("the call runs", || {
            served.waiting.load(Ordering::SeqCst) == 1
        })
        .await;
        soon(client.close()).await;
        assert_eq!(served.waiting.load(Ordering::SeqCst), 0);
        assert!(soon(waiting).await.unwrap().is_err());
        assert_eq!(Arc::strong_count(&served.server), 1);
    }
}

#[tokio::test]
async fn the_connection_ends_with_the_last_clone() {
    let served = Served::new();
    let (client, task) = connect(&served, false, config()).await;
    let other = client.clone();
    drop(client);
    soon(other.call_tool("echo", Object::new())).await.unwrap();
    assert!(!task.is_finished());
    drop(other);
    soon(task).await.unwrap();
}

#[test]
fn a_client_can_be_shared_between_threads() {
    fn check<T: Clone + Send + Sync + 'static>() {}
    check::<Client>();
}
