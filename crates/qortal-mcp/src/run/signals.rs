//! The signals of the process: SIGINT and SIGTERM ask it to stop, SIGHUP to read its files again.

use std::{io, sync::Arc};

use mcp_server::Stop;

use crate::run::reload::Reload;

/// Begins to listen to signals. The first that asks to stop lets requests in progress finish, the second does not.
pub(crate) fn listen(reload: &Arc<Reload>) -> io::Result<Stop> {
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
        let reload = Arc::clone(reload);
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
        let _ = reload;
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
