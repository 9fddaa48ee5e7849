//! A catalog with subscriptions on a simulated node, and the requests that the node receives.

use std::{sync::Arc, time::Duration};

use qortal_resources::{PollInterval, Subscriptions};
use qortal_testnode::{Fault, Scenario, TestNode};
use qortal_tools::Catalog;
use test_chain::Chain;
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::yield_now,
    time::timeout,
};

/// Timeout of a test, generous enough for a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Returns a policy that never polls during a test, so the node pushes every reported change.
pub(crate) fn push_only() -> PollInterval {
    let mut policy = quick();
    policy.interval = Duration::from_secs(3_600);
    policy
}

/// Returns a policy with short intervals.
pub(crate) fn quick() -> PollInterval {
    let mut policy = PollInterval::default();
    policy.interval = Duration::from_millis(5);
    policy.slow_interval = Duration::from_millis(5);
    policy.min_read_interval = Duration::from_millis(1);
    policy.retry_delay = Duration::from_millis(5);
    policy.max_retry_delay = Duration::from_millis(20);
    policy
}

pub(super) struct Bench {
    pub(super) node: TestNode,
    pub(super) catalog: Arc<Catalog>,
    pub(super) subscriptions: Subscriptions,
    pub(super) updates: UnboundedReceiver<String>,
}

impl Bench {
    /// Creates a bench with a node that has no websockets.
    pub(super) async fn polling() -> Self {
        let bench = Self::new(quick()).await;
        bench.recover();
        bench
    }

    /// Clears all faults, but keeps the node without websockets.
    pub(super) fn recover(&self) {
        self.node.clear_faults();
        let missing = Fault::Status(404, String::new());
        self.node.fault("/websockets/*", missing);
    }

    pub(super) async fn new(policy: PollInterval) -> Self {
        let Chain { node, catalog } = Chain::of(Scenario::recorded()).await;
        let catalog = Arc::new(catalog);
        let (sender, updates) = unbounded_channel();
        let on_update = move |uri: &str| drop(sender.send(uri.to_owned()));
        Self {
            subscriptions: Subscriptions::with_policy(Arc::clone(&catalog), on_update, policy),
            node,
            catalog,
            updates,
        }
    }

    pub(super) async fn update(&mut self) -> String {
        let update = timeout(PATIENCE, self.updates.recv()).await;
        update.expect("there was no update").unwrap()
    }

    /// Returns the number of requests whose path begins with `path`.
    pub(super) fn asked(&self, path: &str) -> usize {
        let journal = self.node.journal();
        journal
            .iter()
            .filter(|it| it.target.starts_with(path))
            .count()
    }

    pub(super) async fn until_asked(&self, path: &str, times: usize) {
        let asked = async {
            while self.asked(path) < times {
                yield_now().await;
            }
        };
        timeout(PATIENCE, asked).await.expect("it is asked");
    }

    /// Returns the requests and the ends of websockets, by method.
    pub(super) fn sockets(&self, method: &str) -> Vec<String> {
        let journal = self.node.journal();
        let sockets = journal.iter().filter(|it| it.method == method);
        let sockets = sockets.filter_map(|it| it.target.strip_prefix("/websockets"));
        let mut sockets: Vec<_> = sockets.map(str::to_owned).collect();
        sockets.sort();
        sockets
    }

    pub(super) async fn until_closed(&self, count: usize) {
        let closed = async {
            while self.sockets("CLOSE").len() < count {
                yield_now().await;
            }
        };
        timeout(PATIENCE, closed).await.expect("they are closed");
    }

    pub(super) async fn stop(self) {
        self.subscriptions.stop().await;
        self.node.stop().await;
    }
}
