//! Process signals: SIGINT and SIGTERM stop the server, SIGHUP reloads its files.

#[cfg(unix)]
use std::sync::Arc;
use std::{io, time::Duration};

use mcp_server::ShutdownToken;
use tokio::{
    sync::mpsc::{Receiver, channel},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use crate::{ServiceState, notify_systemd};

/// Signals that wait to be obeyed: the second ends everything.
const SIGNALS: usize = 2;

/// The requests that process signals have made.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Signals {
    /// Cancelled by the first stop signal. From then on, no new clients should connect.
    pub shutting_down: CancellationToken,
    /// The shutdown, which starts at the first stop signal or after the drain delay.
    pub stop: ShutdownToken,
}

impl Signals {
    /// Starts listening for process signals.
    ///
    /// The server shuts down `delay` after the first stop signal. A second signal ends it immediately. SIGHUP calls `reload`, which
    /// rereads files and may block.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it.
    pub fn handle(delay: Duration, reload: impl Fn() + Send + Sync + 'static) -> io::Result<Self> {
        let signals = Self::default();
        let (ask, asked) = channel(SIGNALS);
        tokio::spawn(signals.clone().obey(delay, asked));
        // All these tasks end with the process: the only ones that are not joined.
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let mut terminate = signal(SignalKind::terminate())?;
            let mut interrupt = signal(SignalKind::interrupt())?;
            let mut hang_up = signal(SignalKind::hangup())?;
            // Of programs that rotate logs, and of debuggers: a signal that was never listened to would end the process.
            for kind in [SignalKind::user_defined1(), SignalKind::user_defined2()] {
                drop(signal(kind)?);
            }
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        _ = terminate.recv() => (),
                        _ = interrupt.recv() => (),
                    }
                    if ask.send(()).await.is_err() {
                        return;
                    }
                }
            });
            let reload = Arc::new(reload);
            tokio::spawn(async move {
                while hang_up.recv().await.is_some() {
                    let reload = Arc::clone(&reload);
                    notify_systemd(ServiceState::Reloading);
                    // Files may be slow.
                    if let Err(err) = tokio::task::spawn_blocking(move || reload()).await {
                        tracing::error!(%err, "the configuration could not be reloaded");
                    }
                    notify_systemd(ServiceState::Ready);
                }
            });
        }
        #[cfg(not(unix))]
        {
            // There is no signal that asks to read files again; a changed token file is noticed without one.
            let _ = reload;
            tokio::spawn(async move {
                while tokio::signal::ctrl_c().await.is_ok() {
                    if ask.send(()).await.is_err() {
                        return;
                    }
                }
            });
        }
        Ok(signals)
    }

    /// What signals that ask to stop do, one after the other: the first finishes after `delay`, and another one ends at once.
    async fn obey(self, delay: Duration, mut asked: Receiver<()>) {
        asked.recv().await;
        self.shutting_down.cancel();
        notify_systemd(ServiceState::Stopping);
        if !delay.is_zero() {
            let seconds = delay.as_secs_f64();
            tracing::info!(
                seconds,
                "received a stop signal, serving requests until load balancers have noticed"
            );
            tokio::select! {
                () = sleep(delay) => (),
                _ = asked.recv() => return self.end(),
            }
        }
        tracing::info!("received a stop signal, finishing requests in progress");
        self.stop.start_draining();
        asked.recv().await;
        self.end();
    }

    fn end(&self) {
        tracing::info!("received a second stop signal, stopping at once");
        self.stop.abort();
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, timeout};

    use super::*;

    /// Whether it is leaving, finishing and ending.
    fn state(signals: &Signals) -> [bool; 3] {
        [
            &signals.shutting_down,
            signals.stop.drain_token(),
            signals.stop.abort_token(),
        ]
        .map(CancellationToken::is_cancelled)
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_signal_finishes_after_the_delay_and_the_second_ends_at_once() {
        const DELAY: Duration = Duration::from_secs(5);
        for (delay, second_is_early) in [(Duration::ZERO, false), (DELAY, false), (DELAY, true)] {
            let signals = Signals::default();
            let (send, asked) = channel(SIGNALS);
            let obeying = tokio::spawn(signals.clone().obey(delay, asked));
            assert_eq!(state(&signals), [false; 3]);
            send.send(()).await.unwrap();
            let leaving = timeout(DELAY, signals.shutting_down.cancelled());
            leaving.await.unwrap();
            if !second_is_early {
                if !delay.is_zero() {
                    advance(DELAY - Duration::from_millis(1)).await;
                    assert_eq!(state(&signals), [true, false, false]);
                }
                let finishing = timeout(DELAY, signals.stop.drain_token().cancelled());
                finishing.await.unwrap();
                assert_eq!(state(&signals), [true, true, false]);
            }
            send.send(()).await.unwrap();
            obeying.await.unwrap();
            assert_eq!(state(&signals), [true; 3]);
        }
    }
}
