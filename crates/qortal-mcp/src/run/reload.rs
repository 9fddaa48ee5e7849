//! What a running server takes over when its configuration is read again, and what it does not.

use std::{
    error::Error,
    sync::{Arc, OnceLock},
};

use mcp_operate::{FileSnapshot, FileWatcher, ReloadOutcome};
use mcp_server::{ChangeNotifier, Server};

use crate::{
    args::Arguments,
    config::{Config, ConfigError},
    env, logging,
    run::{configured, scopes::Scopes},
};

const EARLIER: &str = "the previous one stays in effect";
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

/// The configuration of a running server, which is read again without a restart. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Reload(Arc<Running>);

#[derive(Debug)]
struct Running {
    arguments: Arc<Arguments>,
    /// The configuration at the start.
    started: Config,
    http: OnceLock<(Arc<Server>, Arc<Scopes>, ChangeNotifier)>,
}

impl Reload {
    pub(crate) fn new(started: &Config, arguments: &Arc<Arguments>) -> Self {
        Self(Arc::new(Running {
            arguments: Arc::clone(arguments),
            started: started.clone(),
            http: OnceLock::new(),
        }))
    }

    /// Takes over what this server over HTTP can take over, from now on.
    pub(crate) fn serves(&self, server: Arc<Server>, scopes: Arc<Scopes>, changes: ChangeNotifier) {
        self.0.http.get_or_init(|| (server, scopes, changes));
    }

    /// Returns the configuration file, to look for changes.
    pub(crate) fn file(&self) -> Option<FileWatcher> {
        let seen = FileSnapshot::now(vec![self.0.started.file.clone()?]);
        let running = Arc::clone(&self.0);
        let file = seen.into_watcher("configuration", EARLIER, move || {
            running.apply(&running.read()?);
            Ok::<_, ConfigError>(ReloadOutcome::Now)
        });
        Some(file)
    }

    /// Reads the configuration again where it has no file. If it has become invalid, the previous one stays in effect.
    pub(crate) fn run(&self) {
        match self.0.read() {
            Ok(config) => self.0.apply(&config),
            Err(err) => tracing::error!(
                error = &err as &dyn Error,
                "the configuration has become invalid, {EARLIER}"
            ),
        }
    }
}

impl Running {
    fn read(&self) -> Result<Config, ConfigError> {
        let config = Config::new(&self.arguments, &env::read)?;
        let is_known = config.selection.check();
        is_known.map_err(|err| ConfigError::Wrong(err.to_string()))?;
        Ok(config)
    }

    fn apply(&self, config: &Config) {
        logging::set_level(config);
        let mut applied = ALWAYS.to_vec();
        if let Some((server, scopes, changes)) = self.http.get() {
            let limits = configured(config);
            server.set_call_rates(limits.total_calls_per_second, limits.calls_per_client);
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
            "the configuration was reloaded"
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
