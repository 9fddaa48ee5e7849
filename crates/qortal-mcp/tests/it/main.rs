//! The program as a process: its output, its exit codes, and that only the protocol is on standard output.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should say so"
)]

mod access;
mod access_log;
mod access_modes;
mod all_rows;
mod causes;
mod commands;
mod doctor;
mod health;
mod http;
mod install;
mod landing;
mod logs;
mod oauth;
mod operate;
#[cfg(feature = "otel")]
mod otel;
mod questions;
mod secrets;
mod service;
mod stdio;
mod stopping;
#[cfg(unix)]
mod terminal;
mod tls;
mod watch;

use std::{process::Stdio, time::Duration};

use mcp_client::{Client, ClientConfig};
use tokio::process::{Child, Command};

/// The program with a clean environment, killed when the test ends.
fn program(line: &str) -> Command {
    program_of(line.split_whitespace())
}

fn program_of<'a>(words: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qortal-mcp"));
    command
        .args(words)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// A client of the program on its standard input and output.
async fn client(command: &mut Command) -> Client {
    let client = Client::spawn(command, ClientConfig::new("test", "0"));
    soon(client).await.unwrap()
}

/// The result of a run.
struct Ended {
    code: Option<i32>,
    output: String,
    errors: String,
}

async fn run(line: &str) -> Ended {
    ended(program(line).stdin(Stdio::null()).spawn().unwrap()).await
}

/// Like [`run`], with arguments that may contain spaces.
async fn run_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Ended {
    ended(program_of(words).stdin(Stdio::null()).spawn().unwrap()).await
}

async fn ended(child: Child) -> Ended {
    let output = soon(child.wait_with_output()).await.unwrap();
    Ended {
        code: output.status.code(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(60), future)
        .await
        .unwrap_or_else(|_| panic!("nothing happened within 60 seconds"))
}

/// Terminates a process as a host does.
#[cfg(unix)]
async fn terminate(child: &Child) {
    signal(child, "TERM").await;
}

#[cfg(unix)]
async fn signal(child: &Child, name: &str) {
    let pid = child.id().unwrap().to_string();
    let status = Command::new("kill")
        .args([&format!("-{name}"), &pid])
        .status()
        .await
        .unwrap();
    assert!(status.success());
}
