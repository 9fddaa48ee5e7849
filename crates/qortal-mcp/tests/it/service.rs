//! What a service manager and load balancers see of a server that starts, reads its files again, and stops.
#![cfg(target_os = "linux")]

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::UnixDatagram,
    process::Child,
};

use crate::{
    access::post,
    operate::{free_address, probe},
    program, signal, soon, terminate,
};

/// What stands in for systemd: a socket that is told states.
struct Manager {
    socket: UnixDatagram,
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Manager {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        Self {
            socket,
            path,
            _folder: folder,
        }
    }

    /// The next state, other than that the server still runs.
    async fn told(&self) -> String {
        loop {
            let text = self.anything().await;
            if text != "WATCHDOG=1\n" {
                return text;
            }
        }
    }

    async fn anything(&self) -> String {
        let mut text = [0; 512];
        let length = soon(self.socket.recv(&mut text)).await.unwrap();
        String::from_utf8(text[..length].to_vec()).unwrap()
    }
}

fn start(options: &str, manager: Option<&Path>, watchdog: bool) -> Child {
    let line = format!("http --demo=recorded --listen 127.0.0.1:0 {options}");
    let mut command = program(&line);
    if let Some(path) = manager {
        command.env("NOTIFY_SOCKET", path);
    }
    if watchdog {
        command.env("WATCHDOG_USEC", "200000");
    }
    command.stdin(Stdio::null()).spawn().unwrap()
}

/// Waits for the address of a server.
pub(crate) async fn address(child: &mut Child) -> String {
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut found = None;
    while found.is_none() {
        let line = soon(lines.next_line()).await.unwrap().unwrap();
        let url = line.split_once("serves MCP at http://");
        found = url.and_then(|(_, rest)| Some(rest.split_once("/mcp")?.0.to_owned()));
    }
    // Standard error stays open: the server goes on to write to it.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    found.unwrap()
}

#[tokio::test]
async fn a_service_manager_is_told_of_start_reload_and_stop() {
    let manager = Manager::new();
    let mut child = start("", Some(&manager.path), false);
    let address = address(&mut child).await;
    assert_eq!(manager.told().await, "READY=1\n");
    let answer = post(&address, "/mcp", None, "ping").await;
    assert!(answer.contains("200 OK"), "{answer}");
    signal(&child, "HUP").await;
    let reloading = manager.told().await;
    let time = reloading
        .strip_prefix("RELOADING=1\nMONOTONIC_USEC=")
        .unwrap_or_else(|| panic!("{reloading}"));
    assert!(time.trim_end().parse::<u64>().is_ok(), "{reloading}");
    assert_eq!(manager.told().await, "READY=1\n");
    terminate(&child).await;
    assert_eq!(manager.told().await, "STOPPING=1\n");
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn a_watchdog_is_told_again_and_again_that_the_server_runs() {
    let manager = Manager::new();
    let mut child = start("", Some(&manager.path), true);
    let mut alive = 0;
    while alive < 3 {
        alive += usize::from(manager.anything().await == "WATCHDOG=1\n");
    }
    terminate(&child).await;
    assert_eq!(manager.told().await, "STOPPING=1\n");
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn a_service_manager_that_has_gone_stops_nothing() {
    let mut child = start("", Some(Path::new("/nowhere/notify")), false);
    let address = address(&mut child).await;
    assert_eq!(probe(&address, "/ready").await.0, 200);
    terminate(&child).await;
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn for_the_drain_delay_everything_is_served_and_a_second_signal_ends_it() {
    let management = free_address();
    let mut child = start(
        &format!("--drain-delay 600 --management-listen {management}"),
        None,
        false,
    );
    let address = address(&mut child).await;
    assert_eq!(probe(&address, "/ready").await.0, 200);
    terminate(&child).await;
    let told = async { while probe(&address, "/ready").await.0 != 503 {} };
    soon(told).await;
    for path in ["/ready", "/health"] {
        let (status, body) = probe(&address, path).await;
        let expected = if path == "/ready" { 503 } else { 200 };
        assert_eq!(status, expected, "{path}: {body}");
    }
    assert_eq!(probe(&management, "/ready").await.0, 503);
    // A new connection and a new request.
    let answer = post(&address, "/mcp", None, "tools/list").await;
    assert!(answer.contains("200 OK"), "{answer}");
    terminate(&child).await;
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn after_the_drain_delay_it_ends() {
    let mut child = start("--drain-delay 0.1", None, false);
    address(&mut child).await;
    terminate(&child).await;
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
}
