//! `qortal-mcp http`: MCP over HTTP.

mod descriptors;
mod listen;
mod management;

use std::{error::Error, io, sync::Arc};

use mcp_http::{Authorization, Stop, Usage};
use mcp_server::{BuildError, Ended};
use qortal_tools::Catalog;

pub(crate) use listen::Listen;
use management::Management;

use crate::{
    args::Arguments,
    config::{Config, HttpConfig, setting::hidden},
    exit::Exit,
    landing::{self, NodeFacts},
    live::Live,
    operate::{self, AccessLog, Observers, Operated, ServiceState},
    run::{
        Started, limits,
        reload::Reload,
        scopes::Scopes,
        server,
        signals::{self, Signals},
    },
    text,
    token_file::{TokenFile, TokenFileError},
};

#[derive(Debug, thiserror::Error)]
enum HttpError {
    #[error(
        "cannot listen on {address}\nhint: the port may be in use; choose another with --listen 127.0.0.1:PORT"
    )]
    Bind {
        address: Listen,
        #[source]
        source: io::Error,
    },
    #[error(
        "{address} can be reached from other machines, and no access tokens are configured\nhint: --token-file PATH admits clients by token; --no-auth admits everyone"
    )]
    Open { address: Listen },
    #[error(transparent)]
    TokenFile(#[from] TokenFileError),
    #[error(transparent)]
    Config(#[from] mcp_http::ConfigError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error("traces cannot be sent")]
    Observers(#[source] Box<dyn Error + Send + Sync>),
    #[error("the HTTP server failed")]
    Serve(#[from] io::Error),
}

pub(crate) async fn serve(
    config: &Config,
    arguments: &Arc<Arguments>,
    started: &Started,
    catalog: Catalog,
) -> Exit {
    match try_serve(config, arguments, started, catalog).await {
        Ok(ended) => ended.into(),
        Err(err) => {
            let err = err.without_secrets();
            text::print_error(&err, err.exit())
        }
    }
}

impl HttpError {
    /// The same without a host or an origin that could be a key or a token.
    fn without_secrets(mut self) -> Self {
        use mcp_http::ConfigError::{Host, Origin};
        if let Self::Config(Host(name) | Origin(name)) = &mut self
            && let Some(instead) = hidden(name)
        {
            *name = instead;
        }
        self
    }

    const fn exit(&self) -> Exit {
        match self {
            Self::Open { .. } | Self::TokenFile(_) | Self::Config(_) | Self::Observers(_) => {
                Exit::Usage
            }
            Self::Bind { .. } | Self::Build(_) | Self::Serve(_) => Exit::Io,
        }
    }
}

async fn try_serve(
    config: &Config,
    arguments: &Arc<Arguments>,
    started: &Started,
    catalog: Catalog,
) -> Result<Ended, HttpError> {
    let http = &config.http;
    let address = &http.listen;
    let tokens = http
        .token_file
        .as_deref()
        .map(TokenFile::read)
        .transpose()?
        .map(Arc::new);
    let reload = Arc::new(Reload::new(config, arguments, tokens.clone()));
    let Signals { leaving, stop } = signals::listen(&reload, http.drain_delay)?;
    if !address.is_local() && tokens.is_none() && !http.no_auth {
        return Err(HttpError::Open {
            address: address.clone(),
        });
    }
    let management = Management::bind(http, tokens.is_some()).await?;
    let connections = descriptors::connections(http.max_connections);
    let bound = address.bind().await;
    // The file of a socket is removed when everything has ended.
    let (listener, address, _file) = bound.map_err(|source| HttpError::Bind {
        address: address.clone(),
        source,
    })?;
    let catalog = Arc::new(catalog);
    let live = Live::new(Arc::clone(&catalog));
    let scopes = Arc::new(Scopes::new(catalog.selection()));
    let scope_of = Arc::clone(&scopes);
    let mut builder = server(Arc::clone(&catalog), &live)
        .limits(
            limits()
                .with_calls_per_second(http.rate_limit)
                .with_calls_per_client(http.client_rate_limit),
        )
        .memory(config.memory.clone())
        .scope(move |extensions| scope_of.of(extensions));
    let observers = Observers::start(AccessLog::HTTP, started.metrics.clone());
    let observers = observers.map_err(HttpError::Observers)?;
    builder = observers.observe(builder);
    // Without sessions, any replica can answer any request.
    if !http.sessions {
        builder = builder.without_sessions();
    }
    let server = Arc::new(builder.build()?);
    let usage = Usage::default();
    let facts = Arc::new(NodeFacts::new(&catalog));
    let operated = Arc::new(Operated {
        facts: Arc::clone(&facts),
        node: started.node.clone(),
        metrics: started.metrics.clone(),
        memory: config.memory.clone(),
        usage: usage.clone(),
        server: Arc::clone(&server),
        leaving,
        needs_node: http.ready_needs_node,
    });
    let mut pages = operate::public_pages(&operated);
    if http.landing_page {
        let paths = scopes.paths();
        pages.extend(landing::pages(
            &catalog,
            &facts,
            paths,
            http,
            config.demo.is_on(),
        ));
    }
    reload.serves(Arc::clone(&server), Arc::clone(&scopes));
    let endpoints = scopes
        .paths()
        .into_iter()
        .map(|path| (path, Arc::clone(&server)));
    let mut served = mcp_http::Config::new(Arc::clone(&server));
    served.endpoints = endpoints.collect();
    served.pages = pages;
    served.usage = usage;
    served.authorization = tokens.map(|it| Authorization::preshared(it));
    served.limits = bounds(served.limits, connections, http).with_drain(config.drain_timeout);
    served.allowed_hosts.clone_from(&http.allow_host);
    served.allowed_origins.clone_from(&http.allow_origin);
    // What is wrong with hosts and origins is said before the greeting.
    mcp_http::Service::new(served.clone())?;
    for note in notes(&address, http) {
        text::print_note(note);
    }
    text::print_note(&greeting(&address, started, http.token_file.is_some()));
    let managed = Stop::new();
    let serving = async {
        let served = mcp_http::serve(listener, served, stop).await;
        live.stop().await;
        managed.finish();
        served
    };
    operate::tell(ServiceState::Ready);
    let (served, management, ()) = tokio::join!(
        serving,
        management.serve(&operated, managed.clone()),
        operate::keep_alive(managed.finishing())
    );
    observers.stop().await;
    management?;
    Ok(served?)
}

/// The limits of the transport, within the connections that fit.
fn bounds(limits: mcp_http::Limits, connections: usize, http: &HttpConfig) -> mcp_http::Limits {
    // At most half of the connections, so that requests always find one.
    let streams = http.max_streams.map_or(limits.streams, |it| {
        usize::try_from(it.get()).unwrap_or(usize::MAX)
    });
    let streams = streams.min(connections.div_ceil(2));
    limits
        .with_connections(connections)
        .with_streams(streams)
        .with_streams_per_client(streams.div_ceil(2))
}

/// What an operator should know of who can call.
fn notes(address: &Listen, http: &HttpConfig) -> Vec<&'static str> {
    if address.is_local() {
        return Vec::new();
    }
    let everyone = "note: everyone who reaches this address can call, because of --no-auth";
    let host = "note: clients must send a loopback Host header; --allow-host NAME admits the name they use";
    let is_open = http.token_file.is_none().then_some(everyone);
    let is_loopback = http.allow_host.is_empty().then_some(host);
    is_open.into_iter().chain(is_loopback).collect()
}

/// The next steps: the URL, a request to try, and a client's configuration.
fn greeting(address: &Listen, started: &Started, needs_token: bool) -> String {
    let node = match started.demo {
        Some(_) => "an embedded simulated node (--demo)".to_owned(),
        None => started.node.url().to_owned(),
    };
    let own = match started.node.own_urls().count() {
        0 => String::new(),
        count => format!("\nWhile it does not answer, {count} more of your nodes are asked first."),
    };
    let public = match (started.note, started.node.public_urls().count()) {
        (Some(note), _) => format!("\n{note}"),
        (None, 0) if !own.is_empty() => own,
        (None, 0) => "\nWhile it does not answer, no other is asked; --public allows public nodes, which volunteers run.".to_owned(),
        (None, count) => {
            format!("{own}\nWhile it does not answer, {count} public nodes are asked.")
        }
    };
    let version = env!("CARGO_PKG_VERSION");
    let (header, headers) = match needs_token {
        true => (
            " -H \"Authorization: Bearer $TOKEN\"",
            r#", "headers": {"Authorization": "Bearer TOKEN"}"#,
        ),
        false => ("", ""),
    };
    let url = match address {
        Listen::Tcp(address) => format!("http://{address}/mcp"),
        Listen::Unix(path) => {
            let path = path.display();
            return format!(
                r#"qortal-mcp {version} serves MCP at unix:{path}
The node is {node}.{public}

Try it:
  curl -s --unix-socket {path} http://localhost/mcp -H 'Content-Type: application/json'{header} \
    -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_node_status"}}}}'

Stop with Ctrl-C."#
            );
        }
    };
    format!(
        r#"qortal-mcp {version} serves MCP at {url}
The node is {node}.{public}

Try it:
  curl -s {url} -H 'Content-Type: application/json'{header} \
    -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_node_status"}}}}'

Add it to a client (Claude Code, Cursor and many others accept this form):
  {{"mcpServers": {{"qortal": {{"type": "http", "url": "{url}"{headers}}}}}}}

Stop with Ctrl-C."#
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn who_can_call_beyond_loopback_is_said() {
        for (options, expected) in [
            ("--listen 127.0.0.1:0", [false, false]),
            ("--listen unix:/tmp/x", [false, false]),
            ("--listen 0.0.0.0:0 --no-auth", [true, true]),
            ("--listen 0.0.0.0:0 --no-auth --allow-host x", [true, false]),
            ("--listen 0.0.0.0:0 --token-file tokens", [false, true]),
        ] {
            let line = format!("qortal-mcp http {options}");
            let arguments = Arguments::try_parse_from(line.split(' ')).unwrap();
            let http = Config::new(&arguments, &|_| None).unwrap().http;
            let notes = notes(&http.listen, &http).join(" ");
            let said = ["everyone", "--allow-host NAME"].map(|it| notes.contains(it));
            assert_eq!(said, expected, "{options}");
        }
    }
}
