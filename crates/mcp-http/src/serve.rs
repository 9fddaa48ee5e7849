//! Accepts connections, and waits for them to end.

use std::{collections::HashMap, convert::Infallible, io, sync::Arc, time::Duration};

use hyper::{
    Request,
    body::{Body as _, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    pin,
    task::{AbortHandle, Id, JoinError, JoinSet},
    time::{Instant, sleep, sleep_until, timeout_at},
};
use tokio_util::sync::CancellationToken;

use crate::{
    config::{Config, Limits},
    refusal::BodyUnread,
    service::Service,
    stream::{Answering, Deadlines, Progress, Received},
};

/// The first and the longest pause after an accept that failed for lack of descriptors or memory, which are
/// freed only when a connection ends.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// A peer that was accepted or answered more recently is not idle: a round trip takes up to a few hundred
/// milliseconds.
const IDLE_AFTER: Duration = Duration::from_millis(500);
/// How often to look for an idle peer while all connections are taken.
const RECHECK: Duration = Duration::from_millis(50);

/// Serves until `stop` is cancelled; returns when everything it started has ended.
///
/// At `stop` it accepts no more connections, closes idle ones, and gives requests in flight [`Limits::drain`] to
/// finish. A failing accept is retried.
///
/// # Errors
/// Fails with [`io::ErrorKind::InvalidInput`], and a [`ConfigError`](crate::ConfigError) inside, if the
/// configuration is invalid.
///
/// # Cancel safety
/// Dropping the future ends everything at once, without a drain.
pub async fn serve(
    listener: TcpListener,
    config: Config,
    stop: CancellationToken,
) -> io::Result<()> {
    let service =
        Service::new(config).map_err(|err| io::Error::new(io::ErrorKind::InvalidInput, err))?;
    let mut connections = JoinSet::new();
    let accepting = accept_all(&listener, &service, &stop, &mut connections);
    stop.run_until_cancelled(accepting).await;
    drop(listener);
    service.start_draining();
    let deadline = Instant::now() + service.limits().drain;
    let all_ended = async {
        while let Some(ended) = connections.join_next().await {
            report(ended);
        }
    };
    if timeout_at(deadline, all_ended).await.is_err() {
        tracing::warn!(
            connections = connections.len(),
            "connections aborted after the drain timeout"
        );
        connections.shutdown().await;
    }
    let left = deadline.saturating_duration_since(Instant::now());
    service.close(left).await;
    Ok(())
}

async fn accept_all(
    listener: &TcpListener,
    service: &Service,
    stop: &CancellationToken,
    connections: &mut JoinSet<()>,
) {
    let max = service.limits().connections.max(1);
    let mut peers = Peers::default();
    let mut pause = BACKOFF.0;
    let mut resume = Instant::now();
    loop {
        let can_accept = peers.0.len() < max || peers.longest_idle().is_some();
        let accepted = tokio::select! {
            Some(ended) = connections.join_next_with_id() => {
                peers.0.remove(&ended.as_ref().map_or_else(JoinError::id, |(id, ())| *id));
                report(ended.map(|_| ()));
                continue;
            }
            accepted = accept_after(resume, listener), if can_accept => accepted,
            () = sleep(RECHECK), if !can_accept => continue,
        };
        match accepted {
            Ok(stream) => {
                pause = BACKOFF.0;
                if peers.0.len() >= max {
                    peers.close_longest_idle();
                }
                let progress = Arc::new(Progress::new());
                let peer = Arc::clone(&progress);
                let connection = connection(stream, service.clone(), progress, stop.child_token());
                let handle = connections.spawn(connection);
                peers.0.insert(handle.id(), (peer, handle));
            }
            Err(err) if is_connection_error(&err) => {
                tracing::debug!(%err, "a peer disconnected early");
            }
            Err(err) => {
                tracing::warn!(%err, ?pause, "accepting a connection failed, retrying");
                resume = Instant::now() + pause;
                pause = (pause * 2).min(BACKOFF.1);
            }
        }
    }
}

/// The open connections.
#[derive(Default)]
struct Peers(HashMap<Id, (Arc<Progress>, AbortHandle)>);

impl Peers {
    /// Returns the connection that has been idle for longest; `None` if all are active.
    fn longest_idle(&self) -> Option<Id> {
        let waiting = self.0.iter();
        let waiting = waiting.filter_map(|(id, (peer, _))| peer.waiting_for().map(|it| (it, *id)));
        let idle = waiting.filter(|(waited, _)| *waited >= IDLE_AFTER);
        idle.max_by_key(|(waited, _)| *waited).map(|(_, id)| id)
    }

    /// Closes that connection to make room for a new one: it has no request in flight.
    fn close_longest_idle(&mut self) {
        if let Some((peer, handle)) = self.longest_idle().and_then(|id| self.0.remove(&id)) {
            tracing::debug!(waited = ?peer.waiting_for(), "an idle connection was closed for a new one");
            handle.abort();
        }
    }
}

async fn accept_after(resume: Instant, listener: &TcpListener) -> io::Result<TcpStream> {
    if Instant::now() < resume {
        sleep_until(resume).await;
    }
    listener.accept().await.map(|(stream, _)| stream)
}

/// Whether the error concerns the connection being accepted rather than the listener (accept(2)).
fn is_connection_error(err: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        err.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

async fn connection(
    stream: TcpStream,
    service: Service,
    progress: Arc<Progress>,
    stop: CancellationToken,
) {
    // Responses are written whole; Nagle's algorithm would only delay them.
    if let Err(err) = stream.set_nodelay(true) {
        tracing::debug!(%err, "TCP_NODELAY could not be set");
    }
    let limits = service.limits();
    let io = TokioIo::new(Deadlines::new(stream, limits, Arc::clone(&progress)));
    let (service, progress) = (&service, &progress);
    let answer = service_fn(move |request: Request<Incoming>| async move {
        progress.head_read(!request.body().is_end_stream());
        let request = request.map(|body| Received::new(body, Arc::clone(progress)));
        let response = service.answer(request).await;
        let body_unread = response.extensions().get::<BodyUnread>().is_some();
        let answering = Answering::new(Arc::clone(progress), body_unread);
        Ok::<_, Infallible>(response.map(|body| body.with_guard(answering)))
    });
    let http = builder(limits).serve_connection(io, answer);
    pin!(http);
    let outcome = tokio::select! {
        biased;
        outcome = http.as_mut() => outcome,
        () = stop.cancelled() => {
            progress.stop();
            http.as_mut().graceful_shutdown();
            http.await
        }
    };
    if let Err(err) = outcome {
        tracing::debug!(%err, "a connection failed");
    }
}

fn builder(limits: &Limits) -> http1::Builder {
    /// The smallest buffer that hyper accepts.
    const MIN_BUF: usize = 8 << 10;
    let mut builder = http1::Builder::new();
    builder
        // A peer that closes its side has disconnected, which cancels a request.
        .half_close(false)
        // `Deadlines` does this, and distinguishes an idle connection from a slow head.
        .header_read_timeout(None)
        // hyper refuses a larger head with a bare 431; below that, `Service` does with a reason.
        .max_buf_size(limits.header_bytes.saturating_mul(4).max(MIN_BUF));
    builder
}

fn report(ended: Result<(), JoinError>) {
    if let Err(err) = ended
        && err.is_panic()
    {
        tracing::error!(%err, "a connection panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lack_of_resources_delays_the_next_accept() {
        for (kind, expect) in [
            (io::ErrorKind::ConnectionAborted, true),
            (io::ErrorKind::ConnectionReset, true),
            (io::ErrorKind::Interrupted, true),
            (io::ErrorKind::OutOfMemory, false),
            (io::ErrorKind::Other, false),
        ] {
            assert_eq!(is_connection_error(&kind.into()), expect, "{kind}");
        }
    }
}
