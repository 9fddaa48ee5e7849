//! Programs as servers.

use std::{process::Stdio, time::Duration};

use mcp_client::{
    Client, ClientConfig, ClientError, ClientLimits,
    mcp_protocol::{Object, Revision},
};
use tokio::process::Command;

/// What answers `initialize`, in the shell; the id of the first request is 1.
const SHAKES: &str = r#"read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"0"}}}'; read line;"#;

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stderr(Stdio::null());
    command
}

fn config() -> ClientConfig {
    let limits = ClientLimits::default().with_close_timeout(Duration::from_millis(200));
    let config = ClientConfig::new("test", "0").with_revision(Revision::V2025_11_25);
    config.with_limits(limits.with_request_timeout(Duration::from_secs(20)))
}

#[tokio::test]
async fn a_program_that_does_not_start_is_not_connected() {
    let client = Client::spawn(&mut Command::new("/no/such/program"), config()).await;
    assert!(
        matches!(client, Err(ClientError::NotConnected(_))),
        "{client:?}"
    );
}

#[tokio::test]
async fn a_program_that_ends_closes_the_connection() {
    let client = Client::spawn(&mut shell("exit 3"), config()).await;
    assert!(matches!(client, Err(ClientError::Closed)), "{client:?}");
    let dies = format!("{SHAKES} read line; kill -9 $$");
    let client = Client::spawn(&mut shell(&dies), config()).await.unwrap();
    let call = client.call_tool("any", Object::new()).await;
    assert!(matches!(call, Err(ClientError::Closed)), "{call:?}");
    client.close().await;
}

#[tokio::test]
async fn a_program_that_ends_with_its_input_is_not_killed() {
    let folder = std::env::temp_dir().join(format!("mcp-client-{}", std::process::id()));
    let script = format!(
        "{SHAKES} cat >/dev/null; echo ended >'{}'",
        folder.display()
    );
    let limits = ClientLimits::default().with_close_timeout(Duration::from_secs(20));
    let client = Client::spawn(&mut shell(&script), config().with_limits(limits))
        .await
        .unwrap();
    client.close().await;
    assert_eq!(std::fs::read_to_string(&folder).unwrap(), "ended\n");
    std::fs::remove_file(&folder).unwrap();
}

#[tokio::test]
async fn a_program_that_ignores_the_end_of_its_input_is_killed() {
    let folder = std::env::temp_dir().join(format!("mcp-client-{}-pid", std::process::id()));
    let script = format!(
        "echo $$ >'{}'; trap '' TERM; {SHAKES} while :; do sleep 0.1; done",
        folder.display()
    );
    let client = Client::spawn(&mut shell(&script), config()).await.unwrap();
    client.close().await;
    let pid = std::fs::read_to_string(&folder).unwrap();
    std::fs::remove_file(&folder).unwrap();
    let is_there = shell(&format!("kill -0 {pid}")).status().await.unwrap();
    assert!(!is_there.success(), "{pid} is still there");
}
