//! `gateway-server 127.0.0.1:8000 a_=http://127.0.0.1:8001/mcp b_=PROGRAM` serves the tools of both as `a_…` and `b_…`.

use std::{error::Error, sync::Arc};

use gateway_server::Gateway;
use mcp_client::{Client, ClientConfig, Endpoint};
use mcp_protocol::ServerInfo;
use mcp_server::Server;
use tokio::{net::TcpListener, process::Command, signal};
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let listener = TcpListener::bind(arguments.next().unwrap_or_default()).await?;
    let mut gateway = Gateway::default();
    for argument in arguments {
        let (prefix, server) = argument.split_once('=').ok_or("expected PREFIX=SERVER")?;
        let config = ClientConfig::new("gateway", env!("CARGO_PKG_VERSION"));
        let client = match server.starts_with("http") {
            true => Client::connect(Endpoint::new(server)?, config).await?,
            false => Client::spawn(&mut Command::new(server), config).await?,
        };
        gateway.add(prefix.to_owned(), client).await?;
    }
    let server = Server::builder(ServerInfo::new("gateway", "1.0.0"));
    let config = mcp_http::HttpConfig::new(Arc::new(server.tools(gateway).build()?));
    tokio::select! {
        served = mcp_http::serve(listener, config, CancellationToken::new()) => drop(served?),
        signal = signal::ctrl_c() => signal?,
    }
    Ok(())
}
