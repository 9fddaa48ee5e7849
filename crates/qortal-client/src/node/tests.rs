//! Tests of `node`.

use std::{sync::mpsc, time::Duration};

use paged_buffer::ORDINARY_BYTES;
use parking_lot::Mutex;
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny},
};

use super::{Answer, Config, Endpoint, Node, Received};

/// Long enough for a busy machine; a task that cannot run would never send.
const PATIENCE: Duration = Duration::from_secs(30);

static OTHER_TASK: Mutex<Option<mpsc::Receiver<()>>> = Mutex::new(None);

/// Cannot be read before another task has run.
struct AfterAnother;

impl<'de> Deserialize<'de> for AfterAnother {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer)?;
        let other = OTHER_TASK.lock().take();
        let other = other.ok_or_else(|| D::Error::custom("there is no other task"))?;
        other.recv_timeout(PATIENCE).map_err(D::Error::custom)?;
        Ok(Self)
    }
}

/// On one thread, so that what is read on it would stop everything else.
#[tokio::test]
async fn other_tasks_go_on_while_a_large_answer_is_read() {
    let (sender, receiver) = mpsc::channel();
    *OTHER_TASK.lock() = Some(receiver);
    let node = Node::new(Config::new("http://127.0.0.1:1")).unwrap();
    let body = format!("{}{{}}", " ".repeat(ORDINARY_BYTES));
    let answer = Answer::new(Endpoint::Name, Received::good(body)).unwrap();
    let other = async { sender.send(()) };
    let (read, sent) = tokio::join!(biased; node.read::<AfterAnother>(&answer), other);
    sent.unwrap();
    assert!(read.is_ok());
}
