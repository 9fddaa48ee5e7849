//! A server to be abused, and the bytes that clients send it.

use std::net::SocketAddr;

use crate::bench::programs::{Running, free_address};
use crate::bench::soak::Abuses;
use crate::failure::Failure;
use crate::tree::root;

/// A server, and how it is known to answer.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) name: &'static str,
    /// How it is started; the address follows.
    pub(super) command: Vec<String>,
    /// What good clients call, with an address of the demo's chain.
    pub(super) tool: &'static str,
    /// What stands in each good answer.
    pub(super) needle: &'static str,
    pub(super) abuses: Abuses,
}

/// A server that runs.
#[derive(Debug)]
pub(super) struct Serving {
    running: Running,
    pub(super) address: SocketAddr,
}

impl Serving {
    pub(super) fn process(&self) -> u32 {
        self.running.id()
    }
}

impl Target {
    pub(super) fn start(&self) -> Result<Serving, Failure> {
        let address = free_address()?;
        let folder = root().join("target/bench");
        std::fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
        let log = folder.join(format!("soak-{}.log", self.name));
        let mut command = self.command.clone();
        command.push(address.to_string());
        let running = Running::start(&command, &log)?;
        Ok(Serving { running, address })
    }

    /// What a good client sends.
    pub(super) fn good_request(&self) -> Vec<u8> {
        let tool = self.tool;
        let arguments = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
        post(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        ))
    }
}

/// A POST of a message to the endpoint.
pub(super) fn post(message: &str) -> Vec<u8> {
    let mut bytes = head(message.len(), "");
    bytes.extend_from_slice(message.as_bytes());
    bytes
}

/// The head of a POST with a body of this length, and these lines more.
pub(super) fn head(length: usize, more: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{more}Content-Length: {length}\r\n\r\n"
    )
    .into_bytes()
}
