//! Threads that subscribe at the same time share the tasks, which end when no one subscribes again.

use std::{
    hint::spin_loop,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use qortal_client::{Config, Node, api::chat::ChatRoom};
use qortal_testnode::{Scenario, TestNode};
use tokio::{runtime::Handle, time::advance};

use super::{IdleTimer, PollPolicy, ResourceHandle, Subscriptions, Topic};
use crate::catalog::{Catalog, Selection};

/// More than enough: with separate locks to look up and to insert, four rounds in five start two tasks.
const ROUNDS: u32 = 50;

#[tokio::test]
async fn threads_that_subscribe_at_once_share_the_tasks() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let client = Node::new(Config::new(node.url())).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let subscriptions = Subscriptions::new(Arc::new(catalog), |_| ());
    let (runtime, arrived) = (Handle::current(), AtomicU32::new(0));
    let begin = |step: u32| {
        arrived.fetch_add(1, Ordering::SeqCst);
        while arrived.load(Ordering::SeqCst) < 2 * step {
            spin_loop();
        }
    };
    let subscribe = || -> Vec<Arc<ResourceHandle>> {
        let _entered = runtime.enter();
        let rounds = 0..ROUNDS;
        let handles = rounds.map(|round| {
            begin(2 * round + 1);
            let topic = subscriptions.0.topic(Topic::Chat(ChatRoom::Group(round)));
            let topic = topic.unwrap();
            let changes = topic.changes.clone();
            begin(2 * round + 2);
            let uri = format!("qortal://chat/group/{round}");
            subscriptions
                .0
                .resource(&uri, topic, changes, None)
                .unwrap()
        });
        handles.collect()
    };
    let [one, other] = thread::scope(|scope| {
        [scope.spawn(subscribe), scope.spawn(subscribe)].map(|it| it.join().unwrap())
    });
    for (one, other) in one.iter().zip(&other) {
        assert!(Arc::ptr_eq(one, other), "two tasks for {}", one.uri);
    }
    assert_eq!(subscriptions.0.state.lock().topics.len(), ROUNDS as usize);
    assert_eq!(
        subscriptions.0.state.lock().tasks.len(),
        2 * ROUNDS as usize
    );
    subscriptions.stop().await;
    node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn polling_slows_down_and_ends_unless_the_timer_is_reset() {
    let idle = IdleTimer::new(PollPolicy::default());
    let seconds = |idle: &IdleTimer| idle.interval().map(|it| it.as_secs());
    for (minutes, expect) in [
        (0, Some(15)),
        (29, Some(15)),
        (1, Some(60)),
        (23 * 60 + 29, Some(60)),
        (1, None),
    ] {
        advance(Duration::from_secs(minutes * 60)).await;
        assert_eq!(seconds(&idle), expect);
    }
    idle.reset();
    assert_eq!(seconds(&idle), Some(15));
}
