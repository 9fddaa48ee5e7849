//! `weather-server` serves stdio, `weather-server 127.0.0.1:8000` serves HTTP with access tokens.

use std::{error::Error, sync::Arc};

use mcp_server::Extensions;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use weather_server::{
    access::{grant, tokens},
    server,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (server, stop) = (Arc::new(server()?), CancellationToken::new());
    if let Some(address) = std::env::args().nth(1) {
        let config = mcp_http::Config::new(server).with_authorization(tokens());
        mcp_http::serve(TcpListener::bind(address).await?, config, stop).await?;
        return Ok(());
    }
    let mut caller = Extensions::new();
    // The user who started this program.
    caller.insert(grant("staff"));
    let (input, output) = (mcp_stdio::stdin()?, mcp_stdio::stdout()?);
    let limits = mcp_stdio::Limits::default();
    mcp_stdio::serve_with_extensions(server, caller, input, output, stop, limits).await?;
    Ok(())
}
