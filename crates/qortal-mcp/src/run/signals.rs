//! The signals of the process: SIGINT and SIGTERM ask it to stop, SIGHUP to read its files again.

use std::{error::Error, io, sync::Arc};

use mcp_server::Stop;

use crate::{
    args::Arguments,
    config::{Config, ConfigError},
    env, logging,
    token_file::TokenFile,
};

/// What is read again without a restart.
#[derive(Debug)]
pub(crate) struct Reload {
    pub(crate) arguments: Arc<Arguments>,
    pub(crate) tokens: Option<Arc<TokenFile>>,
}

impl Reload {
    /// Reads the configuration and the access tokens again; what has become invalid is reported and changes nothing.
    fn run(&self) {
        match self.level() {
            Ok(()) => tracing::info!(
                "the configuration was read again: the log level is in effect, other settings need a restart"
            ),
            Err(err) => tracing::error!(
                error = &err as &dyn Error,
                "the configuration has become invalid; the earlier one stays in effect"
            ),
        }
        if let Some(tokens) = &self.tokens {
            tokens.read_again();
        }
    }

    fn level(&self) -> Result<(), ConfigError> {
        let config = Config::new(&self.arguments, &env::read)?;
        logging::set_level(config.log_level);
        Ok(())
    }
}

/// Begins to listen to signals. The first that asks to stop lets requests in progress finish, the second does not.
pub(crate) fn listen(reload: Reload) -> io::Result<Stop> {
    let stop = Stop::new();
    // Both tasks end with the process: the only ones that are not joined.
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        let asked = stop.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ = terminate.recv() => (),
                    _ = interrupt.recv() => (),
                }
                ask(&asked);
            }
        });
        let reload = Arc::new(reload);
        tokio::spawn(async move {
            while hang_up.recv().await.is_some() {
                let reload = Arc::clone(&reload);
                // Files may be slow.
                if let Err(err) = tokio::task::spawn_blocking(move || reload.run()).await {
                    tracing::error!(%err, "the configuration was not read again");
                }
            }
        });
    }
    #[cfg(not(unix))]
    {
        // There is no signal that asks to read files again; a changed token file is noticed without one.
        drop(reload);
        let asked = stop.clone();
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                ask(&asked);
            }
        });
    }
    Ok(stop)
}

fn ask(stop: &Stop) {
    stop.ask_again();
    match stop.ending().is_cancelled() {
        true => tracing::info!("asked to end at once"),
        false => tracing::info!("asked to stop, requests in progress are finished"),
    }
}
