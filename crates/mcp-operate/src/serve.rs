//! The lifetime of an HTTP server: clients, monitors, and notifications to the service manager on start, reload, stop and at
//! watchdog intervals.

use std::io;

use mcp_server::{ShutdownReport, ShutdownToken};
use tokio_util::sync::CancellationToken;

use crate::{AdminServer, HttpPageEntry};

/// Serves `clients` and monitors until both have ended, and notifies the service manager that the server is ready and still
/// running.
///
/// `clients` is the future of a server such as [`mcp_http::serve`]. `beside` runs concurrently, such as [polling
/// files](crate::FileWatcher::run), and must end when its token is cancelled.
///
/// # Errors
/// Returns an error if connections can no longer be accepted.
pub async fn serve_monitored(
    clients: impl Future<Output = io::Result<ShutdownReport>>,
    monitors: Option<(AdminServer, Vec<HttpPageEntry>)>,
    beside: impl AsyncFnOnce(&CancellationToken),
) -> io::Result<ShutdownReport> {
    let stop = ShutdownToken::new();
    let serving = async {
        let served = clients.await;
        stop.start_draining();
        served
    };
    let monitoring = async {
        match monitors {
            Some((management, pages)) => management.serve(pages, stop.clone()).await,
            None => Ok(()),
        }
    };
    notify_systemd(ServiceState::Ready);
    let ended = stop.drain_token();
    let (served, monitored, (), ()) =
        tokio::join!(serving, monitoring, run_watchdog(ended), beside(ended));
    monitored?;
    served
}

/// The server's state for the service manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceState {
    /// The server accepts requests.
    Ready,
    /// The server is rereading its files. `Ready` follows.
    Reloading,
    /// The server is finishing accepted requests.
    Stopping,
}

/// Notifies systemd of a state, if systemd started the server with `Type=notify`.
#[cfg(target_os = "linux")]
pub fn notify_systemd(state: ServiceState) {
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

/// Notifies systemd at half of the `WatchdogSec=` interval that the server still runs, until `stopped` is cancelled.
///
/// Notifications come from the runtime that serves clients, so they stop if it hangs.
#[cfg(target_os = "linux")]
pub async fn run_watchdog(stopped: &CancellationToken) {
    let Some(time) = sd_notify::watchdog_enabled() else {
        return;
    };
    let told = twice_in(time, || notify(&[sd_notify::NotifyState::Watchdog]));
    stopped.run_until_cancelled(told).await;
}

/// Tells at once, and then at half of the time again and again.
#[cfg(target_os = "linux")]
async fn twice_in(time: std::time::Duration, tell: impl Fn()) {
    loop {
        tell();
        tokio::time::sleep(time / 2).await;
    }
}

#[cfg(target_os = "linux")]
fn notify(states: &[sd_notify::NotifyState<'_>]) {
    if let Err(err) = sd_notify::notify(states) {
        tracing::warn!(%err, "the service manager cannot be notified");
    }
}

/// Does nothing on this system, which has no such service manager.
#[cfg(not(target_os = "linux"))]
pub fn notify_systemd(_: ServiceState) {}

/// Does nothing on this system, which has no such service manager.
#[cfg(not(target_os = "linux"))]
pub async fn run_watchdog(_: &CancellationToken) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        time::Duration,
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_watchdog_is_told_at_half_of_its_time() {
        let told = AtomicU32::new(0);
        let telling = twice_in(Duration::from_secs(4), || {
            told.fetch_add(1, Ordering::Relaxed);
        });
        let ended = tokio::time::timeout(Duration::from_secs(9), telling).await;
        assert!(ended.is_err());
        // At 0, 2, 4, 6 and 8 seconds.
        assert_eq!(told.into_inner(), 5);
    }
}
