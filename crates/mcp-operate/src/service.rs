//! What a service manager is told of a server over HTTP: that it is ready, reads its files again, stops, and still runs.

use tokio_util::sync::CancellationToken;

/// What happens to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceState {
    /// It answers clients.
    Ready,
    /// It reads its files again; `Ready` follows.
    Reloading,
    /// It finishes what it has accepted.
    Stopping,
}

/// Tells systemd, if that has started the server with `Type=notify`.
#[cfg(target_os = "linux")]
pub fn tell(state: ServiceState) {
    use sd_notify::NotifyState;

    let states = match state {
        ServiceState::Ready => vec![NotifyState::Ready],
        // Type=notify-reload needs the time, too (sd_notify(3)).
        ServiceState::Reloading => std::iter::once(NotifyState::Reloading)
            .chain(NotifyState::monotonic_usec_now().ok())
            .collect(),
        ServiceState::Stopping => vec![NotifyState::Stopping],
    };
    notify(&states);
}

/// Tells systemd at half of the time that `WatchdogSec=` grants that the server still runs, until `stopped`.
///
/// What is told comes from the runtime that answers clients: if that stands still, it is not told.
#[cfg(target_os = "linux")]
pub async fn keep_alive(stopped: &CancellationToken) {
    let Some(time) = sd_notify::watchdog_enabled() else {
        return;
    };
    let pause = time / 2;
    let tell = async {
        loop {
            notify(&[sd_notify::NotifyState::Watchdog]);
            tokio::time::sleep(pause).await;
        }
    };
    stopped.run_until_cancelled(tell).await;
}

#[cfg(target_os = "linux")]
fn notify(states: &[sd_notify::NotifyState<'_>]) {
    if let Err(err) = sd_notify::notify(states) {
        tracing::warn!(%err, "the service manager cannot be told what the server does");
    }
}

/// No other system has one that listens.
#[cfg(not(target_os = "linux"))]
pub fn tell(_: ServiceState) {}

/// No other system has one that listens.
#[cfg(not(target_os = "linux"))]
pub async fn keep_alive(_: &CancellationToken) {}
