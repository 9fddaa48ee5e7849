//! Tests of `upstream`.

use std::time::Duration;

use qortal_types::Height;
use tokio::time::{Instant, advance};

use super::Upstream;
use crate::{Endpoint, NodeConfig, NodeError, NodeErrorKind};

const MINUTE: Duration = Duration::from_secs(60);

fn upstream() -> Upstream {
    let url = "http://localhost:12391";
    Upstream::new(&NodeConfig::new(url), 0, url, None).unwrap()
}

fn fail(upstream: &Upstream, sent: Instant) {
    let after = Duration::from_secs(2);
    let error = NodeError::new(Endpoint::BlocksHeight, NodeErrorKind::TimedOut { after });
    upstream.failed(error, sent);
}

#[tokio::test(start_paused = true)]
async fn result_of_a_request_sent_before_the_last_change_changes_nothing() {
    let upstream = upstream();
    let early = Instant::now();
    advance(Duration::from_secs(1)).await;
    assert!(upstream.answers());
    fail(&upstream, Instant::now());
    upstream.lives(early, false);
    assert!(!upstream.answers());
    let open = Instant::now();
    advance(Duration::from_secs(1)).await;
    upstream.lives(Instant::now(), false);
    assert!(upstream.answers());
    fail(&upstream, open);
    assert!(upstream.answers());
}

#[tokio::test(start_paused = true)]
async fn height_is_certain_while_it_is_new_and_its_node_answers() {
    let upstream = upstream();
    let known = || (upstream.last_height(), upstream.height_within(MINUTE));
    assert_eq!(known(), (None, None));
    let early = Instant::now();
    let [five, six] = [5, 6].map(|it| Some(Height::new(it)));
    upstream.set_height(Height::new(5));
    advance(MINUTE).await;
    assert_eq!(known(), (five, five));
    advance(Duration::from_secs(1)).await;
    assert_eq!(known(), (five, None));
    upstream.set_height(Height::new(6));
    assert_eq!(known(), (six, six));
    fail(&upstream, Instant::now());
    assert_eq!(known(), (six, None));
    upstream.lives(Instant::now(), false);
    upstream.set_height(Height::new(6));
    fail(&upstream, early);
    assert_eq!(known(), (six, six), "it failed before");
}

#[tokio::test(start_paused = true)]
async fn silence_is_known_while_the_circuit_is_open() {
    let upstream = upstream();
    let silence = || {
        let error = upstream.silence(Endpoint::AdminStatus)?;
        Some(error.kind().clone())
    };
    let lasts = |seconds| {
        let lasts = Duration::from_secs(seconds);
        Some(NodeErrorKind::Silent { lasts })
    };
    assert_eq!(silence(), None);
    fail(&upstream, Instant::now());
    assert_eq!(silence(), lasts(0));
    advance(Duration::from_secs(61)).await;
    assert_eq!(silence(), lasts(61));
    // That costs no one any time.
    let refused = NodeError::new(Endpoint::BlocksHeight, NodeErrorKind::Unreachable);
    upstream.failed(refused, Instant::now());
    assert_eq!(silence(), None);
    fail(&upstream, Instant::now());
    upstream.lives(Instant::now(), false);
    assert_eq!(silence(), None);
}

#[tokio::test(start_paused = true)]
async fn request_is_lost_by_a_node_that_was_away_since_or_answers_later_ones() {
    let second = Some(Duration::from_secs(1));
    let died = |upstream: &Upstream| {
        let error = NodeError::new(Endpoint::BlocksHeight, NodeErrorKind::Unreachable);
        upstream.died(error, Instant::now());
    };
    for (millis, is_open, has_lost, quick, slow) in [
        (900, false, false, false, false),
        (1_000, false, false, true, false),
        (900, true, false, true, true),
        (900, false, true, true, true),
    ] {
        let upstream = upstream();
        let sent = Instant::now();
        advance(Duration::from_millis(millis)).await;
        if is_open {
            died(&upstream);
            assert!(upstream.died_since(sent) && !upstream.has_lost(sent, second));
        }
        upstream.lives(Instant::now(), has_lost);
        assert!(!upstream.died_since(sent));
        let lost = (
            upstream.has_lost(sent, second),
            upstream.has_lost(sent, None),
        );
        assert_eq!(lost, (quick, slow), "{millis} {is_open} {has_lost}");
        let later = Instant::now();
        assert!(!upstream.has_lost(later, second), "sent when it was back");
    }
}
