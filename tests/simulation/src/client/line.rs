//! A client on stdio.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use mcp_server::ShutdownReport;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf},
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};

use crate::{
    client::{
        Flight,
        connection::Connection,
        message::{cancelled, request},
    },
    judge::Asked,
    random::Random,
    stage::Site,
};

/// A server that has no room reads nothing until its client has read.
const WRITES: Duration = Duration::from_secs(90);

/// A stream, and the task that reads it.
pub(crate) struct Line {
    pub(crate) connection: Connection,
    site: Site,
    write: WriteHalf<DuplexStream>,
    /// Nothing is read before.
    reads_at: Arc<Mutex<Instant>>,
    reading: JoinHandle<()>,
    served: JoinHandle<io::Result<ShutdownReport>>,
}

impl Line {
    pub(crate) fn open(connection: Connection, site: Site, random: &mut Random) -> Self {
        let (stream, served) = site.stdio(connection.plan.number, random);
        let (read, write) = tokio::io::split(stream);
        let reads_at = Arc::new(Mutex::new(Instant::now()));
        let reading = tokio::spawn(read_all(read, connection.clone(), Arc::clone(&reads_at)));
        Self {
            connection,
            site,
            write,
            reads_at,
            reading,
            served,
        }
    }

    pub(crate) fn pause(&self, pause: Duration) {
        *self.reads_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + pause;
    }

    /// Whether what is sent now is read late.
    pub(crate) fn is_paused(&self) -> bool {
        *self.reads_at.lock().unwrap_or_else(PoisonError::into_inner) > Instant::now()
    }

    pub(crate) fn tools(&self) -> usize {
        self.site.listed("standard")
    }

    pub(crate) async fn send(
        &mut self,
        method: &str,
        params: Value,
        asked: Asked,
    ) -> Option<Flight> {
        let id = self.connection.next_id();
        let message = request(self.connection.plan.revision, id, method, params);
        let done = self.connection.sends(id, &message, asked);
        self.write(&message).await;
        Some(Flight {
            id,
            done,
            task: None,
        })
    }

    pub(crate) async fn cancel(&mut self, id: u64) {
        self.connection.judge.gave_up(self.connection.number, id);
        self.write(&cancelled(self.connection.plan.revision, id))
            .await;
    }

    async fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        let judge = &self.connection.judge;
        match timeout(WRITES, self.write.write_all(line.as_bytes())).await {
            Ok(Ok(())) => (),
            // It ends when it is stopped.
            Ok(Err(_)) if judge.has_stopped() => (),
            failed => judge.broke(format!(
                "{} cannot write: {failed:?}",
                self.connection.number
            )),
        }
    }

    /// Ends the stream in either way, and opens another.
    pub(crate) async fn reconnect(&mut self, says_goodbye: bool, random: &mut Random) {
        let next = Self::open(self.connection.next(&self.site), self.site.clone(), random);
        let before = std::mem::replace(self, next);
        match says_goodbye {
            true => before.finish().await,
            false => before.leave().await,
        }
    }

    /// Reads on to the end: everything that was accepted is answered by then.
    pub(crate) async fn finish(mut self) {
        // After a stop the server may be gone already.
        let _ = self.write.shutdown().await;
        let (read, served) = (self.reading.await, self.served.await);
        for failed in [read.err(), served.err()].into_iter().flatten() {
            self.connection
                .judge
                .broke(crate::said(&*failed.into_panic()));
        }
    }

    async fn leave(self) {
        self.reading.abort();
        self.connection.left();
        drop(self.write);
        // What held the other half is dropped with it.
        let _ = self.reading.await;
        if let Err(failed) = self.served.await {
            self.connection
                .judge
                .broke(crate::said(&*failed.into_panic()));
        }
    }
}

async fn read_all(
    read: ReadHalf<DuplexStream>,
    connection: Connection,
    reads_at: Arc<Mutex<Instant>>,
) {
    let mut lines = BufReader::new(read).lines();
    let mut was_late = false;
    loop {
        let at = *reads_at.lock().unwrap_or_else(PoisonError::into_inner);
        if at > Instant::now() {
            sleep_until(at).await;
            was_late = true;
            continue;
        }
        match lines.next_line().await {
            Ok(Some(line)) => match serde_json::from_str(&line) {
                Ok(message) => connection.heard(&message),
                // A server that ends waits a second for one that does not read, and then leaves it half a line.
                Err(_) if was_late && connection.judge.has_stopped() => break,
                Err(err) => connection.judge.broke(format!("no JSON: {err}: {line}")),
            },
            Ok(None) | Err(_) => break,
        }
    }
    connection.ended();
}
