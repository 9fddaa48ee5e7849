//! A server under test, and the bytes that clients send it.

use std::net::SocketAddr;

use crate::bench::programs::{Running, free_address};
use xtask::failure::Failure;
use xtask::tree::root;

/// A server that runs; ended when dropped.
#[derive(Debug)]
pub(super) struct Server {
    running: Running,
    pub(super) address: SocketAddr,
}

impl Server {
    /// Starts `command`; the address to listen on follows its last word.
    pub(super) fn start(mut command: Vec<String>) -> Result<Self, Failure> {
        let address = free_address()?;
        let folder = root().join("target/bench");
        std::fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
        command.push(address.to_string());
        let running = Running::start(&command, &folder.join("soak.log"))?;
        Ok(Self { running, address })
    }

    pub(super) fn process(&self) -> u32 {
        self.running.id()
    }
}

/// A POST of a message to the endpoint.
pub(super) fn post(message: &str) -> Vec<u8> {
    let mut bytes = head(message.len(), "");
    bytes.extend_from_slice(message.as_bytes());
    bytes
}

/// A POST of a call.
pub(super) fn call(tool: &str, arguments: &str) -> Vec<u8> {
    post(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    ))
}

/// The head of a POST with a body of this length, and these lines more.
pub(super) fn head(length: usize, more: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{more}Content-Length: {length}\r\n\r\n"
    )
    .into_bytes()
}
