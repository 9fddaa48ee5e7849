//! `qortal-mcp http`: MCP over HTTP.

use std::{io, net::SocketAddr, sync::Arc};

use mcp_server::BuildError;
use qortal_tools::Catalog;
use tokio::net::TcpListener;

use crate::{
    args::Http,
    config::{Config, DEFAULT_LISTEN},
    exit::Exit,
    live::Live,
    run::{Started, limits, scopes::Scopes, server, stop_on_signals},
    text,
};

#[derive(Debug, thiserror::Error)]
enum HttpError {
    #[error(
        "cannot listen on {address}\nhint: the port may be in use; choose another with --listen 127.0.0.1:PORT"
    )]
    Bind {
        address: SocketAddr,
        #[source]
        source: io::Error,
    },
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error("the HTTP server failed")]
    Serve(#[from] io::Error),
}

pub(crate) async fn serve(
    config: &Config,
    started: &Started,
    http: Http,
    catalog: Catalog,
) -> Exit {
    match try_serve(config, started, http, catalog).await {
        Ok(()) => Exit::Success,
        Err(err) => text::print_error(&err, Exit::Io),
    }
}

async fn try_serve(
    config: &Config,
    started: &Started,
    http: Http,
    catalog: Catalog,
) -> Result<(), HttpError> {
    let stop = stop_on_signals()?;
    let address = http.listen.or(config.listen).unwrap_or(DEFAULT_LISTEN);
    let listener = TcpListener::bind(address)
        .await
        .map_err(|source| HttpError::Bind { address, source })?;
    let address = listener.local_addr()?;
    let catalog = Arc::new(catalog);
    let live = Live::new(Arc::clone(&catalog));
    let scopes = Arc::new(Scopes::new(catalog.selection()));
    let scope_of = Arc::clone(&scopes);
    let mut builder = server(catalog, &live)
        .limits(limits().with_calls_per_second(http.rate_limit))
        .scope(move |extensions| scope_of.of(extensions));
    // Without sessions, any replica can answer any request.
    if !http.sessions && !config.sessions {
        builder = builder.without_sessions();
    }
    let server = Arc::new(builder.build()?);
    let endpoints = scopes
        .paths()
        .map(|path| (path.to_owned(), Arc::clone(&server)));
    let mut served = mcp_http::Config::new(Arc::clone(&server));
    served.endpoints = endpoints.collect();
    served.allowed_hosts = http.allow_host;
    served.allowed_origins = http.allow_origin;
    if !address.ip().is_loopback() && served.allowed_hosts.is_empty() {
        text::print_note(
            "warning: only requests with a loopback Host header are accepted; allow others with --allow-host",
        );
    }
    text::print_note(&greeting(address, started));
    let served = mcp_http::serve(listener, served, stop).await;
    live.stop().await;
    Ok(served?)
}

/// The next steps: the URL, a request to try, and a client's configuration.
fn greeting(address: SocketAddr, started: &Started) -> String {
    let url = format!("http://{address}/mcp");
    let node = match started.demo {
        Some(_) => "an embedded simulated node (--demo)".to_owned(),
        None => started.node.url().to_owned(),
    };
    format!(
        r#"qortal-mcp {version} serves MCP at {url}
The node is {node}.

Try it:
  curl -s {url} -H 'Content-Type: application/json' \
    -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_node_status"}}}}'

Add it to a client (Claude Code, Cursor and many others accept this form):
  {{"mcpServers": {{"qortal": {{"type": "http", "url": "{url}"}}}}}}

Stop with Ctrl-C."#,
        version = env!("CARGO_PKG_VERSION"),
    )
}
