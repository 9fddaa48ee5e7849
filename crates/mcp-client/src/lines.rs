//! Messages as lines, over any reader and writer (`basic/transports`, "stdio").

use std::sync::Arc;

use memchr::memchr;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::{
        OwnedSemaphorePermit,
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    },
};

use crate::{ClientError, conversation::Conversation};

/// Memory of a line buffer that is kept for the next line.
const KEPT_BYTES: usize = 64 << 10;

/// A line to write, and its permit. Requests in either direction bound the length of the queue.
type Line = (String, Option<OwnedSemaphorePermit>);

/// The sender of the queue of lines to write.
pub(crate) struct Writer(Mutex<Option<UnboundedSender<Line>>>);

impl Writer {
    pub(crate) fn new() -> (Self, UnboundedReceiver<Line>) {
        let (sender, lines) = unbounded_channel();
        (Self(Mutex::new(Some(sender))), lines)
    }

    /// Queues a line.
    pub(crate) fn send(
        &self,
        text: String,
        slot: Option<OwnedSemaphorePermit>,
    ) -> Result<(), ClientError> {
        let sender = self.0.lock();
        let sender = sender.as_ref().ok_or(ClientError::Closed)?;
        sender.send((text, slot)).map_err(|_| ClientError::Closed)
    }

    /// Closes the output after all queued lines have been written.
    pub(crate) fn close(&self) {
        *self.0.lock() = None;
    }
}

/// Writes queued lines until the queue is closed.
pub(crate) async fn write(
    to: Arc<Conversation>,
    mut lines: UnboundedReceiver<Line>,
    mut output: impl AsyncWrite + Unpin,
) {
    while let Some((mut text, _slot)) = lines.recv().await {
        text.push('\n');
        let written = async {
            output.write_all(text.as_bytes()).await?;
            output.flush().await
        };
        if let Err(why) = written.await {
            tracing::debug!(%why, "the server has stopped reading");
            return to.end(|| ClientError::Closed);
        }
    }
    // The reader sees the end at the latest when the output is dropped.
    let _closed = output.shutdown().await;
}

/// Reads messages until the input ends or a line is too long.
pub(crate) async fn read(to: Arc<Conversation>, input: impl AsyncRead + Unpin) {
    let mut input = BufReader::new(input);
    let limit = to.config.limits.message_bytes;
    let mut line = Vec::new();
    loop {
        match next(&mut input, &mut line, limit).await {
            Ok(true) => to.receive_line(&line),
            Ok(false) => return to.end(|| ClientError::Closed),
            Err(ClientError::TooLarge { limit }) => {
                return to.end(|| ClientError::TooLarge { limit });
            }
            Err(_) => return to.end(|| ClientError::Closed),
        }
        if line.capacity() > KEPT_BYTES {
            line = Vec::new();
        }
    }
}

/// Reads one line. Returns `false` at the end of the input.
async fn next(
    input: &mut BufReader<impl AsyncRead + Unpin>,
    line: &mut Vec<u8>,
    limit: usize,
) -> Result<bool, ClientError> {
    line.clear();
    loop {
        let read = input.fill_buf().await.map_err(|_| ClientError::Closed)?;
        if read.is_empty() {
            return Ok(false);
        }
        let end = memchr(b'\n', read);
        let taken = read.get(..end.unwrap_or(read.len())).unwrap_or(read);
        if line.len() + taken.len() > limit {
            return Err(ClientError::TooLarge { limit });
        }
        line.extend_from_slice(taken);
        let used = taken.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(text: &str, expected: Result<Option<&str>, ()>) {
        let mut line = Vec::new();
        let read = next(&mut BufReader::new(text.as_bytes()), &mut line, 3).await;
        let line = String::from_utf8(line).unwrap();
        let read = read.map(|found| found.then_some(line.as_str()));
        assert_eq!(read.map_err(|_| ()), expected, "{text}");
    }

    #[tokio::test]
    async fn a_line_has_at_most_its_limit_of_bytes() {
        check("abc\n", Ok(Some("abc"))).await;
        check("abcd\n", Err(())).await;
        check("abcd", Err(())).await;
        check("\n", Ok(Some(""))).await;
        check("", Ok(None)).await;
    }
}
