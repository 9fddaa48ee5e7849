//! `qortal-mcp http`: MCP over HTTP.

mod credentials;
mod greeting;

use std::{io, sync::Arc};

use futures_util::future::{OptionFuture, join_all};
use mcp_http::{ConfigError, TransportStats};
use mcp_operate::{
    AdminServer, FileWatcher, ListenAddr, ReadyPage, ServerMetricsSource, Signals, TlsFiles,
    raise_fd_limit, secret::secret_placeholder,
};
use mcp_server::{InMemoryTaskStore, ListKinds};
use qortal_resources::mcp::ResourceUpdates;
use qortal_tools::Catalog;
use tokio_util::sync::CancellationToken;

use credentials::Credentials;

use crate::{
    access::ServerAccess,
    args::Arguments,
    config::{Config, choice::Auth},
    exit::{Exit, Failure},
    landing::{self, NodeFacts},
    operate::{self, NodeCheck, Observers, Transport},
    permit,
    run::{App, configured, reload::Reload, scopes::Scopes, server},
    text,
};

pub(crate) async fn serve(
    config: &Config,
    arguments: &Arc<Arguments>,
    started: &App,
    catalog: Catalog,
) -> Result<Exit, Failure> {
    let settings = &config.values;
    let address = &settings.listen;
    let credentials = Credentials::read(settings)?;
    let reload = Reload::new(config, arguments);
    let configuration = reload.file();
    let again = configuration.is_none().then(|| reload.clone());
    let files: Vec<_> = configuration
        .into_iter()
        .chain(credentials.files())
        .collect();
    let read_again = files.clone();
    let delay = settings.drain_delay.unwrap_or_default();
    let reread = move || {
        again.iter().for_each(Reload::run);
        read_again.iter().for_each(FileWatcher::reload);
    };
    let signals = Signals::handle(delay, reread).map_err(failed)?;
    let access = ServerAccess::of(settings);
    // Beyond this machine an explicit setting is needed.
    let is_open =
        |it: &&ListenAddr| !it.is_local() && access.is_open() && settings.auth == Auth::Required;
    let mut addresses = [address].into_iter().chain(&settings.management_listen);
    if let Some(address) = addresses.find(is_open) {
        return Err(Failure::new(format!(
            "{address} can be reached from other machines, and no access tokens are configured\nhint: pass --token-file PATH to admit clients by token, --oauth-issuer URL to let them sign in, or --auth none to admit everyone"
        )));
    }
    let bind_error = |address: &ListenAddr| {
        let address = address.clone();
        move |err: io::Error| {
            let hint = bind_hint(&address, err.kind());
            let text = format!("cannot listen on {address}\nhint: {hint}");
            Failure::caused(text, err).ends(Exit::Io)
        }
    };
    let mut management = None;
    if let Some(address) = &settings.management_listen {
        let bound = AdminServer::bind(address).await;
        management = Some(bound.map_err(bind_error(address))?);
    }
    let connections = raise_fd_limit(settings.max_connections);
    // The file of a socket is removed when everything has ended.
    let (listener, address, _file) = address.bind().await.map_err(bind_error(address))?;
    let catalog = Arc::new(catalog);
    let live = ResourceUpdates::new(Arc::clone(&catalog));
    let rules = Arc::new(settings.oauth_scopes.clone());
    let scopes = Arc::new(Scopes::new(catalog.selection(), &rules));
    let (authorization, issuer) = credentials.authorization(settings, &address, &scopes.paths())?;
    let builder = if rules.is_empty() {
        server(Arc::clone(&catalog), &live)
    } else {
        permit::in_server(&catalog, &live, &rules)
    };
    let builder = builder
        // With another configuration.
        .list_changed(&live.changes, ListKinds::TOOLS)
        // Each listener has a connection, and the transport limits the streams.
        .limits(configured(config).with_listen_requests(connections))
        .memory_budget(config.memory.clone())
        .list_variant(scopes.resolver());
    let observed = Observers::start(Transport::Http, builder);
    let (observers, mut builder) =
        observed.map_err(|err| Failure::caused("traces or metrics cannot be sent", err))?;
    if let Some(metrics) = started.metrics.clone() {
        builder = builder.observer(metrics);
    }
    // Without sessions and tasks, any replica can answer any request.
    builder = match settings.sessions {
        true => builder.tasks(InMemoryTaskStore::default()),
        false => builder.without_sessions(),
    };
    let server = Arc::new(builder.build().map_err(Failure::io)?);
    let usage = TransportStats::default();
    let facts = Arc::new(NodeFacts::new(&catalog, &started.node));
    let check = Arc::new(NodeCheck {
        facts: Arc::clone(&facts),
        node: started.node.clone(),
        is_needed: settings.ready_needs_node,
    });
    let mut public = ReadyPage::until_cancelled(signals.shutting_down.clone());
    let operated = public.clone().with_check(check.clone()).with_details();
    if settings.ready_needs_node {
        public = public.with_check(check);
    }
    let mut monitored = vec![operated.into_page()];
    if let Some(metrics) = &started.metrics {
        let leaving = signals.shutting_down.clone();
        metrics
            .register_server(ServerMetricsSource::new(
                Arc::clone(&server),
                usage.clone(),
                leaving,
            ))
            .map_err(Failure::io)?;
        metrics
            .register_file_watchers(files.clone())
            .map_err(Failure::io)?;
        if let Some(tls) = credentials.tls.clone() {
            metrics.register_certificate(tls).map_err(Failure::io)?;
        }
        monitored.push(metrics.route());
    }
    let mut pages = vec![public.into_page()];
    pages.extend(landing::pages(&catalog, &facts, scopes.paths(), settings));
    let changes = live.changes.clone();
    reload.serves(Arc::clone(&server), Arc::clone(&scopes), changes);
    let endpoints = scopes.paths().into_iter();
    let endpoints = endpoints.map(|path| (path, Arc::clone(&server)));
    let mut served = mcp_http::HttpConfig::new(Arc::clone(&server));
    served.endpoints = endpoints.collect();
    served.routes = pages;
    served.stats = usage;
    served.authorization = authorization;
    served.trusted_proxies.clone_from(&settings.trusted_proxies);
    served.tls = credentials.tls.as_ref().map(TlsFiles::tls);
    served.limits = bounds(served.limits, connections).with_drain_timeout(settings.drain_timeout);
    served.allowed_hosts = settings.hosts();
    served.allowed_origins = settings.origins();
    // What is wrong with hosts and origins is said before the greeting.
    mcp_http::Service::new(served.clone()).map_err(without_secrets)?;
    for note in greeting::notes(&address, settings) {
        text::print_note(&note);
    }
    text::print_note(&greeting::greeting(
        &address,
        started,
        &credentials,
        settings,
    ));
    let monitors = management.map(|it| (it, monitored));
    let watched = monitors.as_ref().map(|_| &started.node);
    let beside = async |ended: &CancellationToken| {
        let keys = issuer.as_ref().map(|it| it.run(ended));
        let watched_files = join_all(files.iter().map(|it| it.run(ended)));
        let node = watched.map(|it| operate::watch(it, ended));
        let keys = OptionFuture::from(keys);
        tokio::join!(keys, watched_files, OptionFuture::from(node));
    };
    let clients = async {
        let ended = mcp_http::serve(listener, served, signals.stop).await;
        live.stop().await;
        ended
    };
    let ended = mcp_operate::serve_monitored(clients, monitors, beside).await;
    observers.stop().await;
    Ok(ended.map_err(failed)?.into())
}

fn failed(err: io::Error) -> Failure {
    Failure::caused("the HTTP server failed", err).ends(Exit::Io)
}

/// The same without a host or an origin that could be a key or a token.
fn without_secrets(mut err: ConfigError) -> ConfigError {
    use ConfigError::{Authorization, Host, Origin, Proxy};
    if let Host(name) | Origin(name) | Proxy(name) | Authorization(name) = &mut err
        && let Some(instead) = secret_placeholder(name)
    {
        *name = instead;
    }
    err
}

/// The limits of the transport for so many connections. A quarter of them are streams, so that requests always find one.
fn bounds(limits: mcp_http::HttpLimits, connections: usize) -> mcp_http::HttpLimits {
    let streams = connections.div_ceil(4);
    limits
        .with_connections(connections)
        .with_streams(streams)
        .with_streams_per_client(streams.div_ceil(2))
}

#[cfg(test)]
mod tests;

/// Returns what to do about an address that cannot be listened on.
const fn bind_hint(address: &ListenAddr, kind: io::ErrorKind) -> &'static str {
    match (address, kind) {
        (ListenAddr::Tcp(_), io::ErrorKind::AddrNotAvailable) => {
            "this machine does not have that address, pass --listen 127.0.0.1:PORT to admit only this machine, or --listen 0.0.0.0:PORT to listen on all its addresses"
        }
        (ListenAddr::Tcp(_), io::ErrorKind::PermissionDenied) => {
            "this user may not listen on that port, choose one from 1024 on with --listen 127.0.0.1:PORT"
        }
        (ListenAddr::Tcp(_), _) => {
            "the port may be in use, choose another with --listen 127.0.0.1:PORT"
        }
        (ListenAddr::Unix(_), _) => {
            "the folder must exist and be writable for this user, or choose another with --listen unix:PATH"
        }
    }
}
