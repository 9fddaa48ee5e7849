//! `qortal-mcp http`: MCP over HTTP.

mod access;
mod greeting;

use std::{error::Error, io, sync::Arc};

use mcp_http::{Stop, Usage};
use mcp_operate::{
    IssuerError, Listen, Management, MetricsError, ReadyPage, Running, ServiceState, Signals,
    TlsError, TlsFiles, TokenFileError, connections, keep_alive, secret::hidden, tell,
};
use mcp_server::{BuildError, Ended};
use qortal_tools::Catalog;

use access::Access;

use crate::{
    args::Arguments,
    config::{Config, Values},
    exit::Exit,
    landing::{self, NodeFacts},
    live::Live,
    operate::{self, NodeCheck, Observers, Transport},
    permit,
    run::{Started, configured, reload::Reload, scopes::Scopes, server},
    text,
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
    #[error("{0}\nhint: --oauth-http-issuer allows http:// for one on this machine")]
    IssuerUrl(IssuerError),
    #[error(transparent)]
    Issuer(IssuerError),
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Config(#[from] mcp_http::ConfigError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error("traces or metrics cannot be sent")]
    Observers(#[source] Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Metrics(#[from] MetricsError),
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
            Self::Bind { .. } | Self::Build(_) | Self::Metrics(_) | Self::Serve(_) => Exit::Io,
            _ => Exit::Usage,
        }
    }
}

async fn try_serve(
    config: &Config,
    arguments: &Arc<Arguments>,
    started: &Started,
    catalog: Catalog,
) -> Result<Ended, HttpError> {
    let settings = &config.values;
    let address = &settings.listen;
    let access = Access::read(settings)?;
    let reload = Arc::new(Reload::new(config, arguments, access.files()));
    let reloaded = Arc::clone(&reload);
    let delay = settings.drain_delay.unwrap_or_default();
    let signals = Signals::listen(delay, move || reloaded.run())?;
    let addresses = std::iter::once(address).chain(&settings.management_listen);
    for address in addresses {
        // Beyond this machine an explicit word is needed.
        if !address.is_local() && !access.needs_token() && !settings.no_auth {
            let address = address.clone();
            return Err(HttpError::Open { address });
        }
    }
    let bind_error = |address: &Listen| {
        let address = address.clone();
        move |source| HttpError::Bind { address, source }
    };
    let management = match &settings.management_listen {
        Some(address) => Some(
            Management::bind(address)
                .await
                .map_err(bind_error(address))?,
        ),
        None => None,
    };
    let connections = connections(settings.max_connections);
    // The file of a socket is removed when everything has ended.
    let (listener, address, _file) = address.bind().await.map_err(bind_error(address))?;
    let catalog = Arc::new(catalog);
    let live = Live::new(Arc::clone(&catalog));
    let rules = Arc::new(settings.oauth_scopes.clone());
    let scopes = Arc::new(Scopes::new(catalog.selection(), &rules));
    let issuer = access.issuer(settings, &address, &scopes.paths())?;
    let scope_of = Arc::clone(&scopes);
    let mut builder = if rules.is_empty() {
        server(Arc::clone(&catalog), &live)
    } else {
        permit::in_server(&catalog, &live, &rules)
    };
    builder = builder
        // Each listener has a connection, and the transport limits the streams.
        .limits(configured(config).with_listen_requests(connections))
        .memory(config.memory.clone())
        .scope(move |extensions| scope_of.of(extensions));
    let observed = Observers::start(Transport::Http, builder);
    let (observers, mut builder) = observed.map_err(HttpError::Observers)?;
    if let Some(metrics) = started.metrics.clone() {
        builder = builder.observer(metrics);
    }
    // Without sessions, any replica can answer any request.
    if !settings.sessions {
        builder = builder.without_sessions();
    }
    let server = Arc::new(builder.build()?);
    let usage = Usage::default();
    let facts = Arc::new(NodeFacts::new(&catalog));
    let is_needed = settings.ready_needs_node;
    let check = Arc::new(NodeCheck {
        facts: Arc::clone(&facts),
        node: started.node.clone(),
        is_needed,
    });
    let ready = ReadyPage::new(signals.leaving.clone());
    let operated = ready.clone().with_check(check.clone()).with_details();
    let public = if is_needed {
        ready.with_check(check)
    } else {
        ready
    };
    let mut monitored = vec![operated.row()];
    if let Some(metrics) = &started.metrics {
        let leaving = signals.leaving.clone();
        metrics.serves(Running::new(Arc::clone(&server), usage.clone(), leaving))?;
        monitored.push(metrics.page());
    }
    let mut pages = vec![public.row()];
    if !settings.no_landing_page {
        pages.extend(landing::pages(&catalog, &facts, scopes.paths(), settings));
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
    served.authorization = access.authorization(settings, &address, issuer.as_ref())?;
    served.trusted_proxies.clone_from(&settings.trusted_proxy);
    served.tls = access.tls.as_ref().map(TlsFiles::tls);
    served.limits = bounds(served.limits, connections, settings).with_drain(settings.drain_timeout);
    served.allowed_hosts = settings.hosts();
    served.allowed_origins.clone_from(&settings.allow_origin);
    // What is wrong with hosts and origins is said before the greeting.
    mcp_http::Service::new(served.clone())?;
    for note in greeting::notes(&address, settings) {
        text::print_note(&note);
    }
    text::print_note(&greeting::greeting(&address, started, &access, settings));
    let managed = Stop::new();
    let serving = async {
        let served = mcp_http::serve(listener, served, signals.stop).await;
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
        if let Some(files) = &access.tls {
            files.file().run(ended).await;
        }
    };
    let managing = async {
        match management {
            Some(management) => {
                let watching = operate::watch(&started.node, ended);
                tokio::join!(management.serve(monitored, managed.clone()), watching).0
            }
            None => Ok(()),
        }
    };
    tell(ServiceState::Ready);
    let keeping = keep_alive(ended);
    let (served, management, (), (), ()) =
        tokio::join!(serving, managing, keeping, keys, certificates);
    observers.stop().await;
    management?;
    Ok(served?)
}

impl From<IssuerError> for HttpError {
    fn from(err: IssuerError) -> Self {
        match err {
            IssuerError::Url => Self::IssuerUrl(err),
            err => Self::Issuer(err),
        }
    }
}

/// The limits of the transport, within the connections that fit.
fn bounds(limits: mcp_http::Limits, connections: usize, settings: &Values) -> mcp_http::Limits {
    // At most half of the connections, so that requests always find one.
    let streams = settings.max_streams.map_or(limits.streams, |it| {
        usize::try_from(it.get()).unwrap_or(usize::MAX)
    });
    let streams = streams.min(connections.div_ceil(2));
    limits
        .with_connections(connections)
        .with_streams(streams)
        .with_streams_per_client(streams.div_ceil(2))
}
