//! A stream of events, as it comes in pieces (the HTML standard, "Server-sent events").

use std::time::Duration;

use crate::Error;

/// Reads the events of one stream.
#[derive(Debug, Default)]
pub(crate) struct Events {
    limit: usize,
    /// The line that has not ended.
    line: Vec<u8>,
    /// After a carriage return, a line feed ends no line of its own.
    is_after_return: bool,
    data: Vec<u8>,
    id: Option<Vec<u8>>,
    /// The id of the last event: what a client continues after.
    pub(crate) last_id: Option<Vec<u8>>,
    /// How long to wait before continuing.
    pub(crate) retry: Option<Duration>,
}

impl Events {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Takes a piece, and returns the data of the events that it completes. What has none is no message.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let mut complete = Vec::new();
        for &byte in piece {
            let is_second = std::mem::replace(&mut self.is_after_return, byte == b'\r');
            match byte {
                b'\n' if is_second => (),
                b'\n' | b'\r' => {
                    let line = std::mem::take(&mut self.line);
                    complete.extend(self.end_line(&line));
                }
                _ if self.line.len() + self.data.len() >= self.limit => {
                    return Err(Error::TooLarge { limit: self.limit });
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
            let mut data = std::mem::take(&mut self.data);
            // Each line of data has added one.
            data.pop();
            return (!data.is_empty()).then_some(data);
        }
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut parts = line.splitn(2, |it| *it == b':');
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
                let milliseconds = text.and_then(|it| it.parse().ok());
                self.retry = milliseconds.map(Duration::from_millis).or(self.retry);
            }
            // A comment has no name.
            _ => (),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(stream: &[u8], size: usize) -> (Vec<String>, Events) {
        let mut events = Events::new(64);
        let mut found = Vec::new();
        for piece in stream.chunks(size) {
            found.extend(events.feed(piece).unwrap());
        }
        let text = found.into_iter().map(|it| String::from_utf8(it).unwrap());
        (text.collect(), events)
    }

    #[test]
    fn events_are_read_in_pieces_of_any_size() {
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
                let id = events.last_id.as_deref();
                assert_eq!(id, last_id.map(str::as_bytes), "{stream:?}");
            }
        }
        let (_, events) = read(b"retry: 500\nretry: x\n\n", 4);
        assert_eq!(events.retry, Some(Duration::from_millis(500)));
    }

    #[test]
    fn an_event_that_does_not_end_is_too_large() {
        for stream in [&b"data: 0123456789\n"[..], b"0123456789"] {
            let mut events = Events::new(64);
            let mut outcomes = std::iter::repeat_with(|| events.feed(stream)).take(9);
            assert!(outcomes.any(|it| matches!(it, Err(Error::TooLarge { limit: 64 }))));
        }
    }
}
