//! Event streams: the format of a response with several messages (the HTML standard, "Server-sent events").

use std::{mem, time::Duration};

/// A comment, which keeps a stream without events open.
pub const COMMENT: &[u8] = b":\n\n";
/// The bytes before the message of an event.
pub const EVENT_START: &[u8] = b"data: ";
/// The bytes after the message of an event.
pub const EVENT_END: &[u8] = b"\n\n";

/// Returns an event with the message in these segments. The message is compact JSON, which has no line breaks.
#[must_use]
pub fn event<T: AsRef<[u8]>>(segments: &[T]) -> Vec<u8> {
    let length: usize = segments.iter().map(|segment| segment.as_ref().len()).sum();
    let mut event = Vec::with_capacity(EVENT_START.len() + length + EVENT_END.len());
    event.extend_from_slice(EVENT_START);
    for segment in segments {
        event.extend_from_slice(segment.as_ref());
    }
    event.extend_from_slice(EVENT_END);
    event
}

/// Returns an event without a message, after which the client reconnects. It contains the ID to resume from and the
/// time to wait.
#[must_use]
pub fn reconnect_event(id: u64, wait: Duration) -> String {
    format!("id: {id}\nretry: {}\ndata: \n\n", wait.as_millis())
}

/// An event exceeds the limit of its [`Decoder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is longer than {limit} bytes")]
#[non_exhaustive]
pub struct EventTooLarge {
    /// The limit, in bytes.
    pub limit: usize,
}

/// A decoder for one stream, which arrives in chunks.
#[derive(Debug, Default)]
pub struct Decoder {
    limit: usize,
    /// The incomplete line.
    line: Vec<u8>,
    /// Whether the last byte was a carriage return. A line feed after it does not end another line.
    is_after_return: bool,
    data: Vec<u8>,
    id: Option<Vec<u8>>,
    last_id: Option<Vec<u8>>,
    retry: Option<Duration>,
}

impl Decoder {
    /// Creates a decoder for events of at most `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Returns the ID of the last event, from which a client resumes.
    #[must_use]
    pub fn last_id(&self) -> Option<&[u8]> {
        self.last_id.as_deref()
    }

    /// Returns the time to wait before reconnecting, if the server has set one.
    #[must_use]
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Decodes a chunk and returns the data of the events that it completes. An event without data is not a message.
    ///
    /// # Errors
    /// Returns an error if an event exceeds the limit.
    pub fn feed(&mut self, piece: &[u8]) -> Result<Vec<Vec<u8>>, EventTooLarge> {
        let mut complete = Vec::new();
        for &byte in piece {
            let is_second = mem::replace(&mut self.is_after_return, byte == b'\r');
            match byte {
                b'\n' if is_second => (),
                b'\n' | b'\r' => {
                    let line = mem::take(&mut self.line);
                    complete.extend(self.end_line(&line));
                }
                _ if self.line.len() + self.data.len() >= self.limit => {
                    return Err(EventTooLarge { limit: self.limit });
                }
                _ => self.line.push(byte),
            }
        }
        Ok(complete)
    }

    fn end_line(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        if line.is_empty() {
            if let Some(id) = self.id.take() {
                self.last_id = Some(id);
            }
            let mut data = mem::take(&mut self.data);
            // Each data line has added a line feed.
            data.pop();
            return (!data.is_empty()).then_some(data);
        }
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let name = parts.next().unwrap_or_default();
        let value = parts.next().unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"id" if !value.contains(&0) => self.id = Some(value.to_owned()),
            b"retry" => {
                let text = std::str::from_utf8(value).ok();
                let milliseconds = text.and_then(|text| text.parse().ok());
                self.retry = milliseconds.map(Duration::from_millis).or(self.retry);
            }
            // A comment has an empty field name.
            _ => (),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(stream: &[u8], size: usize) -> (Vec<String>, Decoder) {
        let mut events = Decoder::new(64);
        let mut found = Vec::new();
        for piece in stream.chunks(size) {
            found.extend(events.feed(piece).unwrap());
        }
        let text = found.into_iter().map(|it| String::from_utf8(it).unwrap());
        (text.collect(), events)
    }

    #[test]
    fn decoder_reads_events_in_pieces_of_any_size() {
        for (stream, expect, last_id) in [
            ("data: {}\n\n", &["{}"][..], None),
            ("data:{}\r\n\r\ndata: 2\r\r", &["{}", "2"], None),
            (": ping\n\ndata: a\ndata: b\n\n", &["a\nb"], None),
            ("\u{feff}data: a\n\n", &["a"], None),
            ("id: 7\ndata: \n\n", &[], Some("7")),
            (
                "event: message\nid: x\nretry: 500\ndata: a\n\n",
                &["a"],
                Some("x"),
            ),
            ("id: 7\ndata: a\n\nid\ndata: b\n\n", &["a", "b"], Some("")),
            ("id: 7\ndata: half", &[], None),
            ("data\n\nnonsense\n\n:\n", &[], None),
        ] {
            for size in [1, 2, 3, 64] {
                let (found, events) = read(stream.as_bytes(), size);
                assert_eq!(found, expect, "{stream:?}");
                let id = events.last_id();
                assert_eq!(id, last_id.map(str::as_bytes), "{stream:?}");
            }
        }
        let (_, events) = read(b"retry: 500\nretry: x\n\n", 4);
        assert_eq!(events.retry(), Some(Duration::from_millis(500)));
    }

    #[test]
    fn decoder_fails_for_an_event_beyond_its_limit() {
        for stream in [&b"data: 0123456789\n"[..], b"0123456789"] {
            let mut events = Decoder::new(64);
            let mut outcomes = std::iter::repeat_with(|| events.feed(stream)).take(9);
            assert!(outcomes.any(|it| matches!(it, Err(EventTooLarge { limit: 64 }))));
        }
    }

    #[test]
    fn decoder_reads_events_that_are_written() {
        let mut decoder = Decoder::new(64);
        let mut stream = event(&["{\"a\":", "1}"]);
        stream.extend_from_slice(COMMENT);
        stream.extend_from_slice(reconnect_event(7, Duration::from_millis(500)).as_bytes());
        assert_eq!(decoder.feed(&stream), Ok(vec![b"{\"a\":1}".to_vec()]));
        assert_eq!(decoder.last_id(), Some(&b"7"[..]));
        assert_eq!(decoder.retry(), Some(Duration::from_millis(500)));
    }
}
