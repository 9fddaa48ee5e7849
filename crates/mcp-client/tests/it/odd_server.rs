//! A server that does what its test says, line by line.

use std::time::Duration;

use mcp_client::{Client, ClientConfig, ClientError, ClientLimits};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use crate::server::Ada;

/// The other end of a client's stream, line by line.
pub(crate) struct Server {
    input: Lines<BufReader<ReadHalf<DuplexStream>>>,
    pub(crate) output: WriteHalf<DuplexStream>,
}

impl Server {
    pub(crate) async fn hear(&mut self) -> Option<Value> {
        let line = self.input.next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    pub(crate) async fn say(&mut self, text: &str) {
        // The client may be gone.
        let _written = self.output.write_all(format!("{text}\n").as_bytes()).await;
    }

    pub(crate) async fn answer(&mut self, request: &Value, result: Value) {
        let response = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
        self.say(&response.to_string()).await;
    }

    /// Shakes hands, as a server of 2025-11-25.
    pub(crate) async fn shake(&mut self) {
        let request = self.hear().await.unwrap();
        let result = json!({"protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {}, "serverInfo": {"name": "odd", "version": "0"}});
        self.answer(&request, result).await;
        assert_eq!(
            self.hear().await.unwrap()["method"],
            "notifications/initialized"
        );
    }
}

pub(crate) fn limits() -> ClientLimits {
    ClientLimits::default()
        .with_message_bytes(1 << 20)
        .with_message_values(100_000)
        .with_request_timeout(Duration::from_secs(2))
        .with_probe_timeout(Duration::from_secs(1))
        .with_close_timeout(Duration::from_secs(1))
}

pub(crate) fn config() -> ClientConfig {
    let config = ClientConfig::new("test", "0").with_handler(Ada::default());
    config.with_limits(limits())
}

pub(crate) fn connect(
    config: ClientConfig,
) -> (impl Future<Output = Result<Client, ClientError>>, Server) {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, output) = tokio::io::split(theirs);
    let input = BufReader::new(read).lines();
    let (read, write) = tokio::io::split(ours);
    (
        Client::from_stream(read, write, config),
        Server { input, output },
    )
}
