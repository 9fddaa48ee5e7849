//! A non-blocking log output, so that an unread standard error cannot stop a server.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// Messages that wait to be written: a burst, while a pipe is read.
const WAITING: usize = 1_024;
/// The largest message; the text of clients and nodes in it is bounded already.
const MESSAGE_BYTES: usize = 64 << 10;
/// How long the last messages may take to be written at the end.
const FLUSH: Duration = Duration::from_millis(300);

/// A writer that writes messages on its own thread. It counts messages that do not fit into the queue, and writes the count once
/// there is room again.
#[derive(Debug, Clone)]
pub struct LogWriter {
    waiting: SyncSender<Item>,
    dropped: Arc<AtomicU64>,
}

enum Item {
    Message(Vec<u8>),
    /// Everything before it has been written.
    Flush(SyncSender<()>),
}

impl LogWriter {
    /// Starts the thread. `report` formats the number of dropped messages.
    ///
    /// The thread ends with the process because a write to an unread pipe cannot be cancelled.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn start(
        mut output: impl Write + Send + 'static,
        report: fn(u64) -> String,
    ) -> io::Result<Self> {
        let (waiting, items) = sync_channel(WAITING);
        let dropped = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&dropped);
        let thread = thread::Builder::new().name("log".to_owned());
        thread.spawn(move || write_all(&mut output, &items, &counted, report))?;
        Ok(Self { waiting, dropped })
    }

    /// Queues a message, or counts it as dropped if the queue is full.
    pub fn send(&self, message: Vec<u8>) {
        let fits = message.len() <= MESSAGE_BYTES;
        if !fits || self.waiting.try_send(Item::Message(message)).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits briefly for the queued messages to be written.
    pub fn flush(&self) {
        let (written, wait) = sync_channel(1);
        let deadline = Instant::now() + FLUSH;
        let mut flush = Item::Flush(written);
        while let Err(TrySendError::Full(back)) = self.waiting.try_send(flush) {
            if Instant::now() >= deadline {
                return;
            }
            flush = back;
            thread::yield_now();
        }
        // If it takes longer, no one reads.
        let _ = wait.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
}

fn write_all(
    output: &mut impl Write,
    items: &Receiver<Item>,
    dropped: &AtomicU64,
    report: fn(u64) -> String,
) {
    for item in items {
        // An output that is closed or full has no other place to say so.
        match item {
            Item::Message(message) => {
                let missing = dropped.swap(0, Ordering::Relaxed);
                if missing > 0 {
                    let _ = writeln!(output, "{}", report(missing));
                }
                let _ = output.write_all(&message);
            }
            Item::Flush(written) => {
                let _ = output.flush();
                let _ = written.send(());
            }
        }
    }
}

impl Write for LogWriter {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        self.send(message.to_vec());
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, mpsc::Sender};

    use super::*;

    /// An output that is read only when it is told to.
    struct Pipe {
        may_write: Receiver<()>,
        written: Arc<Mutex<String>>,
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.may_write
                .recv()
                .map_err(|_| io::ErrorKind::BrokenPipe)?;
            let text = String::from_utf8_lossy(bytes);
            self.written.lock().unwrap().push_str(&text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn pipe() -> (LogWriter, Sender<()>, Arc<Mutex<String>>) {
        let (read, may_write) = std::sync::mpsc::channel();
        let written = Arc::default();
        let output = Pipe {
            may_write,
            written: Arc::clone(&written),
        };
        let report = |count| format!("{count} messages were dropped");
        (LogWriter::start(output, report).unwrap(), read, written)
    }

    #[test]
    fn messages_that_do_not_fit_are_counted_and_reported_once_there_is_room() {
        let (log, read, written) = pipe();
        log.send(vec![b'x'; MESSAGE_BYTES + 1]);
        for _ in 0..2 * WAITING {
            log.send(b"a\n".to_vec());
        }
        for _ in 0..4 * WAITING {
            read.send(()).unwrap();
        }
        log.flush();
        log.send(b"last\n".to_vec());
        log.flush();
        let written = written.lock().unwrap();
        let count = written.matches("a\n").count();
        assert!((WAITING..=WAITING + 1).contains(&count), "{count}");
        let reported = written
            .lines()
            .filter_map(|it| it.strip_suffix(" messages were dropped"))
            .map(|it| it.parse::<usize>().unwrap());
        assert_eq!(reported.sum::<usize>() + count, 2 * WAITING + 1);
        assert!(written.ends_with("last\n"), "{written}");
    }

    #[test]
    fn an_output_that_is_never_read_or_fails_holds_no_one_up() {
        let (log, read, _) = pipe();
        for _ in 0..2 * WAITING {
            log.send(b"a\n".to_vec());
        }
        log.flush();
        drop(read);
        log.flush();
    }
}
