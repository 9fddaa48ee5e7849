//! The embedded simulated node behind `--demo`.

use std::time::{SystemTime, UNIX_EPOCH};

use qortal_testnode::{Scenario, StartError, TestNode};

use crate::config::choice::Demo;

/// Starts a simulated node on its own loopback port, if one is to be used. It never panics: it answers unknown requests as
/// a node does.
pub(crate) async fn start(demo: Demo) -> Result<Option<TestNode>, StartError> {
    let scenario = match demo {
        Demo::Off => return Ok(None),
        Demo::Invented => Scenario::demo(now_millis()),
        Demo::Frozen => Scenario::demo(now_millis()).frozen(),
        Demo::Recorded => Scenario::recorded(),
    };
    TestNode::start_lenient(scenario).await.map(Some)
}

/// What everyone should know of such a chain.
pub(crate) const fn note(demo: Demo) -> Option<&'static str> {
    match demo {
        Demo::Off => None,
        Demo::Invented | Demo::Frozen => Some(
            "The node is simulated (--demo): all accounts, names, trades and messages of its chain are invented, and none is from the main network.",
        ),
        Demo::Recorded => Some(
            "The node is simulated (--demo=recorded): its chain was recorded from a small private network and contains nothing from the main network.",
        ),
    }
}

/// Milliseconds since 1970.
pub(crate) fn now_millis() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
