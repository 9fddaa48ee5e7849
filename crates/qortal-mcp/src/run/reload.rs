//! What a running server takes over when its configuration is read again, and what it does not.

use std::{
    error::Error,
    sync::{Arc, OnceLock},
};

use mcp_operate::WatchedFile;
use mcp_server::{ChangeNotifier, Server};

use crate::{
    args::Arguments,
    config::Config,
    env, logging,
    run::{configured, scopes::Scopes},
};

/// What every running server takes over.
pub(crate) const ALWAYS: [&str; 2] = ["log_level", "access_log"];
/// What one over HTTP also does: there each request has a scope and a client. A client on stdio has read its list.
pub(crate) const OVER_HTTP: [&str; 7] = [
    "surface",
    "toolsets",
    "tools",
    "exclude_tools",
    "output_schemas",
    "rate_limit",
    "client_rate_limit",
];

/// The configuration of a running server, which is read again without a restart.
#[derive(Debug)]
pub(crate) struct Reload {
    arguments: Arc<Arguments>,
    /// The configuration at the start.
    started: Config,
    files: Vec<WatchedFile>,
    http: OnceLock<(Arc<Server>, Arc<Scopes>, ChangeNotifier)>,
}

impl Reload {
    pub(crate) fn new(
        started: &Config,
        arguments: &Arc<Arguments>,
        files: Vec<WatchedFile>,
    ) -> Self {
        Self {
            arguments: Arc::clone(arguments),
            started: started.clone(),
            files,
            http: OnceLock::new(),
        }
    }

    /// From now on, this server over HTTP takes over what it can.
    pub(crate) fn serves(&self, server: Arc<Server>, scopes: Arc<Scopes>, changes: ChangeNotifier) {
        self.http.get_or_init(|| (server, scopes, changes));
    }

    /// Reads the configuration and the files with secrets again; what has become invalid is reported and changes nothing.
    pub(crate) fn run(&self) {
        match self.read() {
            Ok(config) => self.apply(&config),
            Err(err) => tracing::error!(
                error = &*err as &dyn Error,
                "the configuration has become invalid; the earlier one stays in effect"
            ),
        }
        for file in &self.files {
            file.read_again();
        }
    }

    fn read(&self) -> Result<Config, Box<dyn Error>> {
        let config = Config::new(&self.arguments, &env::read)?;
        config.selection.check()?;
        Ok(config)
    }

    fn apply(&self, config: &Config) {
        logging::set_level(config);
        let mut applied = ALWAYS.to_vec();
        if let Some((server, scopes, changes)) = self.http.get() {
            let limits = configured(config);
            server.set_call_rates(limits.calls_per_second, limits.calls_per_client);
            let mut selection = config.selection.clone();
            // The pages and the capability are there from the start, or never.
            selection.views = self.started.selection.views;
            if scopes.configure(&Arc::new(selection)) {
                changes.tools_changed();
            }
            applied.extend(OVER_HTTP);
        }
        let changed = self.started.changed(config);
        let (applied, left): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|it| applied.contains(it));
        tracing::info!(
            changed = applied.join(", "),
            "the configuration was read again"
        );
        if !left.is_empty() {
            tracing::warn!(
                settings = left.join(", "),
                "changed settings need a restart"
            );
        }
        for warning in &config.warnings {
            tracing::warn!("{warning}");
        }
    }
}
