//! One function for each command. Everything a command started has ended when it returns.

mod call;
pub(crate) mod http;
pub(crate) mod reload;
mod scopes;
mod stdio;
mod tools;
mod watch;

use std::{error::Error, num::NonZeroU32, sync::Arc};

use base64::{Engine, engine::general_purpose::STANDARD};
use mcp_operate::{Metrics, secret::secret_placeholder};
use mcp_protocol::{Icon, ServerInfo};
use mcp_server::{ServerBuilder, ServerLimits};
use qortal_client::{ApiKey, ConfigError as NodeConfigError, Node, NodeConfig};
use qortal_resources::mcp::{self, ResourceUpdates};
use qortal_testnode::{API_KEY, TestNode};
use qortal_tools::{Catalog, Selection, UnknownName};

use crate::{
    args::{Arguments, Command},
    config::Config,
    demo, doctor,
    exit::{Exit, Failure},
    operate,
    skills::skills,
    text,
};

/// The node that a command queries, and the simulated one if `--demo` started it.
pub(crate) struct App {
    pub(crate) node: Node,
    /// A client for each configured node alone, for comparison; empty if there is only one.
    pub(crate) comparison: Vec<Node>,
    pub(crate) demo: Option<TestNode>,
    /// What is said of the simulated one.
    pub(crate) note: Option<&'static str>,
    /// What is measured, if someone can look at it.
    pub(crate) metrics: Option<Arc<Metrics>>,
}

impl App {
    async fn new(config: &Config) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut node = config.node.clone();
        let is_measured = config.values.management_listen.is_some();
        let metrics = is_measured.then(operate::metrics).transpose()?;
        if let Some(metrics) = &metrics {
            node.observer = Some(operate::asked(metrics)?);
        }
        let demo = demo::start(config.values.demo).await?;
        if let Some(demo) = &demo {
            demo.url().clone_into(&mut node.base_url);
            // What is meant for a real node is sent neither to the simulated one nor to public ones. The simulated one has a
            // key of its own, so that the tools that need one answer.
            node.own_nodes.clear();
            node.public_urls.clear();
            node.api_key = Some(ApiKey::new(API_KEY)?);
        }
        let comparison = comparison(&node)?;
        let node = Node::new(node)?;
        if let Some(metrics) = &metrics {
            metrics.register_source(operate::NODES, node.clone())?;
        }
        Ok(Self {
            comparison,
            node,
            demo,
            note: demo::note(config.values.demo),
            metrics: metrics.map(Arc::new),
        })
    }

    fn catalog(&self, selection: &Selection) -> Result<Catalog, UnknownName> {
        let catalog = Catalog::new(self.node.clone(), selection)?;
        let catalog = catalog.with_comparison_nodes(self.comparison.clone());
        Ok(match self.note {
            Some(note) => catalog.with_node_note(note),
            None => catalog,
        })
    }

    async fn stop(self) {
        if let Some(demo) = self.demo {
            demo.stop().await;
        }
    }
}

/// A client for each node, without fallback to the others and without the API key.
fn comparison(config: &NodeConfig) -> Result<Vec<Node>, NodeConfigError> {
    if config.own_nodes.is_empty() && config.public_urls.is_empty() {
        return Ok(Vec::new());
    }
    std::iter::once(&config.base_url)
        .chain(config.own_nodes.iter().map(|it| &it.url))
        .chain(&config.public_urls)
        .map(|url| Node::new(standalone_config(config, url)))
        .collect()
}

/// The same for one node, without fallback to others and without a key.
pub(crate) fn standalone_config(config: &NodeConfig, url: &str) -> NodeConfig {
    let mut alone = config.clone();
    url.clone_into(&mut alone.base_url);
    alone.own_nodes.clear();
    alone.public_urls.clear();
    alone.api_key = None;
    // What is compared is what each knows now.
    alone.cache_bytes = 0;
    // It would be taken for the configured node.
    alone.observer = None;
    alone
}

pub(crate) fn run(config: Config, arguments: Arguments) -> Exit {
    // One client on one stream needs one thread; many connections get one for each core.
    let mut builder = match arguments.command {
        Some(Command::Http(_)) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = match builder.enable_all().build() {
        Ok(runtime) => runtime,
        Err(err) => return text::print_error(&err, Exit::Io),
    };
    let exit = runtime.block_on(command_on(config, Arc::new(arguments)));
    // A read of a terminal blocks a helper thread forever; everything else has ended by now.
    runtime.shutdown_background();
    exit
}

async fn command_on(config: Config, arguments: Arc<Arguments>) -> Exit {
    let started = match App::new(&config).await {
        Ok(started) => started,
        Err(err) => return text::print_error(err.as_ref(), Exit::Usage),
    };
    let exit = text::end(dispatch(&config, &arguments, &started).await);
    started.stop().await;
    exit
}

/// Runs the command.
async fn dispatch(
    config: &Config,
    arguments: &Arc<Arguments>,
    started: &App,
) -> Result<Exit, Failure> {
    let catalog = || {
        let catalog = started.catalog(&config.selection);
        catalog.map_err(|mut err| {
            err.name = secret_placeholder(&err.name).unwrap_or(err.name);
            err
        })
    };
    let terminal = arguments.options.terminal();
    match &arguments.command {
        None => stdio::serve(config, arguments, catalog()?)
            .await
            .map_err(Failure::io),
        Some(Command::Http(_)) => http::serve(config, arguments, started, catalog()?).await,
        Some(Command::Call(call)) => call::call(call, &arguments.options, catalog()?).await,
        Some(Command::Watch(options)) => watch::watch(options, catalog()?).await,
        Some(Command::Tools(tools)) => tools::list(tools, &catalog()?, &terminal),
        Some(Command::Doctor { json }) => {
            Ok(doctor::examine(config, started, *json, &terminal).await)
        }
        // Handled before anything was started.
        Some(Command::Completions { .. } | Command::Health { .. } | Command::Install(_)) => {
            Ok(Exit::Success)
        }
    }
}

/// The bounds that are configured.
fn configured(config: &Config) -> ServerLimits {
    mcp::limits()
        .with_total_calls_per_second(config.values.rate_limit)
        .with_calls_per_client(NonZeroU32::new(config.values.client_rate_limit))
}

/// The server behind both transports, without the settings in which they differ.
#[must_use]
pub fn server(catalog: Arc<Catalog>, live: &ResourceUpdates) -> ServerBuilder {
    finished(mcp::server(server_info(), catalog, live))
}

/// The same without its sets, which the caller adds for callers with scopes.
pub(crate) fn server_without_sets(catalog: &Arc<Catalog>, live: &ResourceUpdates) -> ServerBuilder {
    finished(mcp::server_without_sets(server_info(), catalog, live))
}

/// A copy of packaging/icon.svg.
const ICON: &str = include_str!("../landing/icon.svg");

fn server_info() -> ServerInfo {
    let icon = format!("data:image/svg+xml;base64,{}", STANDARD.encode(ICON));
    let icon = Icon::new(icon).with_mime_type("image/svg+xml");
    ServerInfo::new("qortal-mcp", env!("CARGO_PKG_VERSION"))
        .with_title("Qortal")
        .with_description(env!("CARGO_PKG_DESCRIPTION"))
        .with_icon(icon.with_size("any"))
}

fn finished(server: ServerBuilder) -> ServerBuilder {
    let server = skills().into_iter().fold(server, ServerBuilder::skill);
    server.legacy_method_names()
}

#[cfg(test)]
mod tests {
    use qortal_client::OwnNode;

    use super::*;

    #[test]
    fn compared_nodes_have_no_fallback_and_no_key() {
        let mut config = NodeConfig::new("http://127.0.0.1:1");
        assert!(comparison(&config).unwrap().is_empty());
        let own = OwnNode::new("http://127.0.0.1:3").with_api_key(ApiKey::new("abc").unwrap());
        config.own_nodes = vec![own];
        config.public_urls = vec!["http://127.0.0.1:2".to_owned()];
        config.api_key = Some(ApiKey::new("abc").unwrap());
        let nodes = comparison(&config).unwrap();
        let urls: Vec<_> = nodes
            .iter()
            .map(|it| it.url().trim_end_matches('/'))
            .collect();
        let expected = [1, 3, 2].map(|it| format!("http://127.0.0.1:{it}"));
        assert_eq!(urls, expected);
        assert!(nodes.iter().all(|it| !it.has_api_key()));
    }
}
