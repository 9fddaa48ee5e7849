//! Tests of `reading`.

use std::{sync::mpsc, time::Duration};

use message_buffer::ORDINARY_BYTES;
use parking_lot::Mutex;

use super::{Answer, Endpoint, Node, NodeError};
use crate::{NodeConfig, transport::Received};

/// Long enough for a busy machine; a task that cannot run would never send.
const PATIENCE: Duration = Duration::from_secs(30);

static OTHER_TASK: Mutex<Option<mpsc::Receiver<()>>> = Mutex::new(None);

/// Cannot be read before another task has run.
fn after_another(_: &Node, _: &Answer) -> Result<(), NodeError> {
    let other = OTHER_TASK.lock().take().unwrap();
    other.recv_timeout(PATIENCE).unwrap();
    Ok(())
}

/// On one thread, so that what is read on it would stop everything else.
#[tokio::test]
async fn other_tasks_go_on_while_a_large_answer_is_read() {
    let (sender, receiver) = mpsc::channel();
    *OTHER_TASK.lock() = Some(receiver);
    let node = Node::new(NodeConfig::new("http://127.0.0.1:1")).unwrap();
    let body = " ".repeat(ORDINARY_BYTES + 1);
    let answer = Answer::new(Endpoint::Name, Received::good(body)).unwrap();
    let other = async { sender.send(()) };
    let (read, sent) = tokio::join!(biased; node.in_turn(answer, after_another), other);
    sent.unwrap();
    assert!(read.is_ok());
}
