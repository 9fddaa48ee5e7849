//! Threads that begin to watch the same at the same time share its tasks.

use std::{
    hint::spin_loop,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use qortal_client::{Config, Node, api::chat::ChatRoom};
use qortal_testnode::{Scenario, TestNode};
use tokio::runtime::Handle;

use super::{Followed, Topic, Watcher};
use crate::catalog::{Catalog, Selection};

/// More than enough: four rounds in five had two tasks while looking up and inserting took the lock twice.
const ROUNDS: u32 = 50;

#[tokio::test]
async fn threads_that_begin_at_once_share_the_task_of_a_topic_and_of_a_resource() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let client = Node::new(Config::new(node.url())).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let watcher = Watcher::new(Arc::new(catalog), |_| ());
    let (runtime, arrived) = (Handle::current(), AtomicU32::new(0));
    let begin = |step: u32| {
        arrived.fetch_add(1, Ordering::SeqCst);
        while arrived.load(Ordering::SeqCst) < 2 * step {
            spin_loop();
        }
    };
    let watch = || -> Vec<Arc<Followed>> {
        let _entered = runtime.enter();
        let rounds = 0..ROUNDS;
        let watched = rounds.map(|round| {
            begin(2 * round + 1);
            let source = watcher.0.source(Topic::Chat(ChatRoom::Group(round)));
            let source = source.unwrap();
            let news = source.news.clone();
            begin(2 * round + 2);
            let uri = format!("qortal://chat/group/{round}");
            watcher.0.follow(&uri, source, news, None).unwrap()
        });
        watched.collect()
    };
    let [one, other] = thread::scope(|scope| {
        [scope.spawn(watch), scope.spawn(watch)].map(|it| it.join().unwrap())
    });
    for (one, other) in one.iter().zip(&other) {
        assert!(Arc::ptr_eq(one, other), "two tasks for {}", one.uri);
    }
    assert_eq!(watcher.0.state().topics.len(), ROUNDS as usize);
    assert_eq!(watcher.0.state().tasks.len(), 2 * ROUNDS as usize);
    watcher.stop().await;
    node.stop().await;
}
