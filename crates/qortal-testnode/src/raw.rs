//! Faults on the wire: scripts for connections after hyper has read the request.

use std::{fmt::Write as _, io, time::Duration};

use bytes::Bytes;
use hyper::header::HeaderValue;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{sleep, timeout},
};

use crate::{
    Fault,
    answer::{Answer, JSON},
    wire::Wire,
};

/// Maximum time for which a fault holds a connection. Clients under test have shorter timeouts.
const LONGEST: Duration = Duration::from_secs(120);
/// Length of a huge body in bytes.
const HUGE: usize = 64 * 1024 * 1024;
/// Length of the pieces of endless and huge bodies.
const PIECE: usize = 16 * 1024;

/// A script for a connection that was taken over from hyper.
#[derive(Debug)]
pub(crate) enum Script {
    Reset,
    /// Sends these bytes, then nothing until the client disconnects.
    Stall(Vec<u8>),
    /// Sends these bytes and closes the connection.
    Close(Vec<u8>),
    Slow {
        bytes: Vec<u8>,
        bytes_per_tick: usize,
        tick: Duration,
    },
    Huge,
    Endless,
}

/// Converts a fault to another response, or to a script for the connection.
pub(crate) fn plan(fault: Fault, answer: &Answer) -> Result<Answer, Script> {
    match fault {
        Fault::Refuse | Fault::ResetBeforeResponse => Err(Script::Reset),
        Fault::StallBeforeHeaders => Err(Script::Stall(Vec::new())),
        Fault::StallAfterHeaders => Err(Script::Stall(head(answer, answer.body.len().max(1)))),
        Fault::TruncateBody => {
            let mut bytes = head(answer, answer.body.len().max(1));
            bytes.extend(answer.body.iter().take(answer.body.len() / 2));
            Err(Script::Close(bytes))
        }
        Fault::WrongLength => Err(with_length(answer, answer.body.len() / 2)),
        Fault::Slow {
            bytes_per_tick,
            tick,
        } => {
            let mut bytes = head(answer, answer.body.len());
            bytes.extend_from_slice(&answer.body);
            Err(Script::Slow {
                bytes,
                bytes_per_tick: bytes_per_tick.max(1),
                tick,
            })
        }
        Fault::HugeBody => Err(Script::Huge),
        Fault::EndlessBody => Err(Script::Endless),
        Fault::Status(status, body) => {
            let is_json = body.starts_with(['{', '[']);
            let content_type = if is_json { JSON } else { "text/plain" };
            Ok(Answer::new(status, content_type, body))
        }
        Fault::NotJson => {
            let page = "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>Please log in.</body></html>\n";
            Ok(Answer::new(200, "text/html", page))
        }
        Fault::WrongShape => {
            let is_object = answer.body.starts_with(b"{");
            let body = if is_object {
                r#"["another","shape"]"#
            } else {
                r#"{"another":["shape"]}"#
            };
            Ok(Answer::new(200, JSON, body))
        }
        Fault::PingFlood => Ok(answer.clone()),
        Fault::Inject { member, text } => Ok(injected(answer, member.as_deref(), &text)),
        Fault::Redirect(location) => {
            Ok(Answer::new(302, "text/plain", Bytes::new()).with_header("location", location))
        }
    }
}

/// Returns the response with a text appended to its strings.
fn injected(answer: &Answer, member: Option<&str>, text: &str) -> Answer {
    let body = match serde_json::from_slice(&answer.body) {
        Ok(mut json) => {
            inject(&mut json, None, member, text);
            json.to_string().into()
        }
        Err(_) => [&answer.body[..], text.as_bytes()].concat().into(),
    };
    Answer {
        body,
        ..answer.clone()
    }
}

fn inject(json: &mut Value, name: Option<&str>, member: Option<&str>, text: &str) {
    match json {
        Value::String(found) if member.is_none() || member == name => found.push_str(text),
        Value::Array(items) => {
            for item in items {
                inject(item, name, member, text);
            }
        }
        Value::Object(members) => {
            for (name, it) in members {
                inject(it, Some(name), member, text);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

/// Returns a script that sends a response with a declared length, which may differ from its actual length.
pub(crate) fn with_length(answer: &Answer, length: usize) -> Script {
    let mut bytes = head(answer, length);
    bytes.extend_from_slice(&answer.body);
    Script::Close(bytes)
}

/// Returns the status line and headers of `answer`, with a declared body of `length` bytes.
fn head(answer: &Answer, length: usize) -> Vec<u8> {
    let mut head = format!(
        "HTTP/1.1 {} Simulated\r\ncontent-length: {length}\r\n",
        answer.status
    );
    let content_type = answer.content_type.iter().map(|it| ("content-type", it));
    let others = answer.headers.iter().map(|(name, value)| (*name, value));
    for (name, value) in content_type.chain(others) {
        // Invalid header values are left out, as in hyper. Writing to a `String` cannot fail.
        if HeaderValue::from_str(value).is_ok() {
            let _ = write!(head, "{name}: {value}\r\n");
        }
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// Runs a script to its end, for at most [`LONGEST`].
pub(crate) async fn play(script: Script, mut stream: Box<dyn Wire>) {
    // Most scripts end when the client disconnects.
    let _ = timeout(LONGEST, play_to_end(script, &mut stream)).await;
}

async fn play_to_end(script: Script, stream: &mut Box<dyn Wire>) -> io::Result<()> {
    match script {
        Script::Reset => stream.reset(),
        Script::Stall(bytes) => {
            stream.write_all(&bytes).await?;
            until_closed(stream).await
        }
        Script::Close(bytes) => {
            stream.write_all(&bytes).await?;
            stream.shutdown().await?;
            until_closed(stream).await
        }
        Script::Slow {
            bytes,
            bytes_per_tick,
            tick,
        } => {
            for piece in bytes.chunks(bytes_per_tick) {
                sleep(tick).await;
                stream.write_all(piece).await?;
            }
            stream.shutdown().await
        }
        Script::Huge => {
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {HUGE}\r\n\r\n["
            );
            stream.write_all(head.as_bytes()).await?;
            let piece = zeros();
            for _ in 1..HUGE / PIECE {
                stream.write_all(&piece).await?;
            }
            // The last piece is shortened by a comma and two digits to make room for the brackets.
            stream
                .write_all(piece.get(..PIECE - 3).unwrap_or_default())
                .await?;
            stream.write_all(b" ]").await?;
            stream.shutdown().await
        }
        Script::Endless => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n[\r\n";
            stream.write_all(head.as_bytes()).await?;
            let mut chunk = format!("{PIECE:x}\r\n").into_bytes();
            chunk.extend(zeros());
            chunk.extend_from_slice(b"\r\n");
            loop {
                stream.write_all(&chunk).await?;
            }
        }
    }
}

/// Returns a piece from the middle of a JSON list.
fn zeros() -> Vec<u8> {
    b"0,".repeat(PIECE / 2)
}

/// Discards input until the client closes its side.
pub(crate) async fn until_closed(stream: &mut Box<dyn Wire>) -> io::Result<()> {
    let mut rubbish = [0; 1024];
    while stream.read(&mut rubbish).await? > 0 {}
    Ok(())
}
