//! A server on HTTP from its first request to its end: clients, monitors, and the service manager.

use std::io;

use mcp_server::{Ended, Stop};
use tokio_util::sync::CancellationToken;

use crate::{Management, PageRow, ServiceState, keep_alive, tell};

/// Serves `clients`, such as by [`mcp_http::serve`], and monitors until these have ended. The service manager is told that the
/// server is ready, and that it still runs. `beside` is what else runs meanwhile, such as
/// [looking at files](crate::WatchedFile::run): it ends when its token is cancelled.
///
/// # Errors
/// Fails if connections can no longer be accepted.
pub async fn serve(
    clients: impl Future<Output = io::Result<Ended>>,
    monitors: Option<(Management, Vec<PageRow>)>,
    beside: impl AsyncFnOnce(&CancellationToken),
) -> io::Result<Ended> {
    let stop = Stop::new();
    let serving = async {
        let served = clients.await;
        stop.finish();
        served
    };
    let monitoring = async {
        match monitors {
            Some((management, pages)) => management.serve(pages, stop.clone()).await,
            None => Ok(()),
        }
    };
    tell(ServiceState::Ready);
    let ended = stop.finishing();
    let (served, monitored, (), ()) =
        tokio::join!(serving, monitoring, keep_alive(ended), beside(ended));
    monitored?;
    served
}
