//! One HTTP/1.1 request and its answer on a raw connection.

use bytes::BytesMut;
use memchr::memmem::{self, Finder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::failure::Failure;

/// No answer measured here is near this; a longer one is refused.
const LONGEST_ANSWER: usize = 16 * 1024 * 1024;

/// Sends `request` and returns the body of its answer, which has status 200 and contains `needle`.
pub(crate) async fn exchange(
    mut stream: TcpStream,
    request: &[u8],
    needle: &Finder<'_>,
) -> Result<Vec<u8>, Failure> {
    stream
        .set_nodelay(true)
        .map_err(Failure::io("TCP_NODELAY"))?;
    let sent = stream.write_all(request).await;
    sent.map_err(Failure::io("send"))?;
    let mut buffer = BytesMut::with_capacity(64 * 1024);
    let head = loop {
        if let Some(head) = Head::read(&buffer)? {
            break head;
        }
        more(&mut stream, &mut buffer).await?;
    };
    while buffer.len() < head.end + head.content_length {
        more(&mut stream, &mut buffer).await?;
    }
    let body = buffer.get(head.end..).unwrap_or_default();
    if head.status != 200 {
        return Err(wrong(&format!("status {}", head.status), body));
    }
    if body.len() > head.content_length {
        return Err(wrong("more than one answer", body));
    }
    if needle.find(body).is_none() {
        return Err(wrong("the expected text is missing", body));
    }
    Ok(body.to_vec())
}

async fn more(stream: &mut TcpStream, buffer: &mut BytesMut) -> Result<(), Failure> {
    let read = stream.read_buf(buffer).await;
    if read.map_err(Failure::io("receive"))? == 0 {
        return Err(wrong("the connection was closed", buffer));
    }
    if buffer.len() > LONGEST_ANSWER {
        return Err(wrong("the answer has no end", &[]));
    }
    Ok(())
}

struct Head {
    status: u16,
    content_length: usize,
    /// Where the body begins.
    end: usize,
}

impl Head {
    /// The head at the start of `bytes`, once it is complete.
    fn read(bytes: &[u8]) -> Result<Option<Self>, Failure> {
        let Some(end) = memmem::find(bytes, b"\r\n\r\n") else {
            return Ok(None);
        };
        let head = bytes.get(..end).unwrap_or_default();
        let text = str::from_utf8(head).map_err(|_| wrong("the head is not text", &[]))?;
        let mut lines = text.split("\r\n");
        let status = lines
            .next()
            .and_then(|line| line.strip_prefix("HTTP/1.1 "))
            .and_then(|line| line.get(..3)?.parse().ok());
        let content_length = lines
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .and_then(|(_, value)| value.trim().parse().ok());
        match (status, content_length) {
            (Some(status), Some(content_length)) if content_length <= LONGEST_ANSWER => {
                Ok(Some(Self {
                    status,
                    content_length,
                    end: end + 4,
                }))
            }
            _ => Err(wrong("no status or no content-length", head)),
        }
    }
}

/// A wrong answer, with its beginning.
fn wrong(what: &str, answer: &[u8]) -> Failure {
    let answer: String = String::from_utf8_lossy(answer).chars().take(200).collect();
    Failure::Answer(format!("{what} in {answer:?}"))
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn a_head_has_a_status_and_a_length() {
        let head = Head::read(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        let head = head.unwrap().unwrap();
        assert_eq!((head.status, head.content_length, head.end), (200, 2, 38));
        assert!(Head::read(b"HTTP/1.1 200 OK\r\n").unwrap().is_none());
        assert!(Head::read(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n").is_err());
        assert!(Head::read(b"SSH-2.0\r\n\r\n").is_err());
    }
}
