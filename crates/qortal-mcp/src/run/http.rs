//! `qortal-mcp http`: MCP over HTTP.

mod access;
mod descriptors;
mod greeting;
mod listen;
mod management;
mod tls;

use std::{error::Error, io, sync::Arc};

use mcp_http::{Stop, Usage};
use mcp_server::{BuildError, Ended};
use qortal_tools::Catalog;

use access::Access;
pub(crate) use listen::Listen;
use management::Management;
use tls::TlsError;

use crate::{
    args::Arguments,
    config::{Config, HttpConfig, setting::hidden},
    exit::Exit,
    landing::{self, NodeFacts},
    live::Live,
    oauth,
    operate::{self, AccessLog, Observers, Operated, ServiceState},
    permit::Permitted,
    run::{
        Started, configured,
        reload::Reload,
        scopes::Scopes,
        server,
        signals::{self, Signals},
    },
    text,
    token_file::TokenFileError,
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
        "{address} can be reached from other machines, and no access tokens are configured\nhint: --token-file PATH admits clients by token, --oauth-issuer URL by those of an authorization server; --no-auth admits everyone"
    )]
    Open { address: Listen },
    #[error(
        "tokens are issued for a URL, and that of this server is not known\nhint: --public-url https://mcp.example.org says by which URL clients reach it"
    )]
    NoPublicUrl,
    #[error(transparent)]
    TokenFile(#[from] TokenFileError),
    #[error(transparent)]
    Issuer(oauth::StartError),
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Config(#[from] mcp_http::ConfigError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error("traces or metrics cannot be sent")]
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
        use mcp_http::ConfigError::{Authorization, Host, Origin, Proxy};
        if let Self::Config(Host(name) | Origin(name) | Proxy(name) | Authorization(name)) =
            &mut self
            && let Some(instead) = hidden(name)
        {
            *name = instead;
        }
        self
    }

    const fn exit(&self) -> Exit {
        match self {
            Self::Open { .. }
            | Self::NoPublicUrl
            | Self::TokenFile(_)
            | Self::Issuer(_)
            | Self::Tls(_)
            | Self::Config(_)
            | Self::Observers(_) => Exit::Usage,
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
    let access = Access::read(http)?;
    let reload = Arc::new(Reload::new(config, arguments, access.files()));
    let Signals { leaving, stop } = signals::listen(&reload, http.drain_delay)?;
    if !address.is_local() && !access.needs_token() && !http.no_auth {
        return Err(HttpError::Open {
            address: address.clone(),
        });
    }
    let management = Management::bind(http, access.needs_token()).await?;
    let connections = descriptors::connections(http.max_connections);
    let bound = address.bind().await;
    // The file of a socket is removed when everything has ended.
    let (listener, address, _file) = bound.map_err(|source| HttpError::Bind {
        address: address.clone(),
        source,
    })?;
    let catalog = Arc::new(catalog);
    let live = Live::new(Arc::clone(&catalog));
    let rules = Arc::new(http.access.oauth_scopes.clone());
    let scopes = Arc::new(Scopes::new(catalog.selection(), &rules));
    let issuer = access.issuer(http, &address, &scopes.paths())?;
    let scope_of = Arc::clone(&scopes);
    let mut builder = match rules.is_empty() {
        true => server(Arc::clone(&catalog), &live),
        false => Permitted::in_server(&catalog, &live, &rules),
    };
    builder = builder
        // Each listener has a connection, and the transport limits the streams.
        .limits(configured(config).with_listen_requests(connections))
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
    served.authorization = access.authorization(http, &address, issuer.as_ref())?;
    served
        .trusted_proxies
        .clone_from(&http.access.trusted_proxy);
    served.tls = access.tls.as_ref().map(|it| it.tls());
    served.limits = bounds(served.limits, connections, http).with_drain(config.drain_timeout);
    served.allowed_hosts = http.hosts();
    served.allowed_origins.clone_from(&http.allow_origin);
    // What is wrong with hosts and origins is said before the greeting.
    mcp_http::Service::new(served.clone())?;
    for note in greeting::notes(&address, http) {
        text::print_note(&note);
    }
    text::print_note(&greeting::greeting(&address, started, &access, http));
    let managed = Stop::new();
    let serving = async {
        let served = mcp_http::serve(listener, served, stop).await;
        live.stop().await;
        managed.finish();
        served
    };
    let ended = managed.finishing();
    let keys = async {
        if let Some(issuer) = &issuer {
            issuer.run(ended).await;
        }
    };
    let certificates = async {
        if let Some(files) = access.tls.clone() {
            files.run(ended).await;
        }
    };
    let managing = management.serve(&operated, managed.clone());
    operate::tell(ServiceState::Ready);
    let keeping = operate::keep_alive(ended);
    let (served, management, (), (), ()) =
        tokio::join!(serving, managing, keeping, keys, certificates);
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
