//! `weather-server` serves stdio, `weather-server 127.0.0.1:8000 TOKEN_FILE` serves HTTP with access tokens, and `/ready` and
//! `/metrics` at 127.0.0.1:9464.

use std::{error::Error, path::Path, sync::Arc, time::Duration};

use mcp_operate::{AdminServer, ListenAddr, Metrics, ReadyPage, ServerMetricsSource, Signals};
use mcp_server::{AuthInfo, Extensions, ShutdownToken};
use weather_server::{
    access::{granted, tokens},
    builder, tool,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [address, token_file] = &*arguments {
        return serve(address.parse()?, Path::new(token_file)).await;
    }
    let (server, stop) = (Arc::new(builder().build()?), ShutdownToken::new());
    let mut caller = Extensions::new();
    // The user who started this program.
    caller.insert(granted(AuthInfo::for_subject("staff")));
    let (input, output) = (mcp_stdio::stdin()?, mcp_stdio::stdout()?);
    let limits = mcp_stdio::StdioLimits::default();
    mcp_stdio::serve_with_extensions(server, caller, input, output, stop, limits).await?;
    Ok(())
}

async fn serve(address: ListenAddr, token_file: &Path) -> Result<(), Box<dyn Error>> {
    let Signals {
        shutting_down: leaving,
        stop,
        ..
    } = Signals::handle(Duration::ZERO, || ())?;
    let metrics = Arc::new(Metrics::new("weather", env!("CARGO_PKG_VERSION"), tool)?);
    let server = Arc::new(builder().observer(Arc::clone(&metrics)).build()?);
    let config =
        mcp_http::HttpConfig::new(Arc::clone(&server)).with_authorization(tokens(token_file)?);
    metrics.register_server(ServerMetricsSource::new(
        server,
        config.stats.clone(),
        leaving.clone(),
    ))?;
    let pages = vec![
        ReadyPage::until_cancelled(leaving).into_page(),
        metrics.route(),
    ];
    let monitors = AdminServer::bind(&"127.0.0.1:9464".parse()?).await?;
    let (listener, _, _file) = address.bind().await?;
    let served = mcp_http::serve(listener, config, stop);
    mcp_operate::serve_monitored(served, Some((monitors, pages)), async |_| ()).await?;
    Ok(())
}
