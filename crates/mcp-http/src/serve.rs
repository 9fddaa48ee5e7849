//! Accepting connections, and waiting for them to end.

use std::{convert::Infallible, io, sync::Arc, time::Duration};

use hyper::{
    Request,
    body::{Body as _, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use mcp_server::{BoxFuture, PeerIp, ShutdownReport, ShutdownToken};
use tokio::{
    pin,
    task::{JoinError, JoinSet},
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::{
    HttpConfig, HttpLimits, Listener, Service,
    listener::{Secure, Socket},
    peers::Peers,
    refusal::BodyUnread,
    stats::Kind,
    stream::{Answering, Deadlines, Progress, Received},
};

/// The first and the maximum pause after an accept failed for lack of file descriptors or memory, which become free
/// only when a connection ends.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// The interval between checks for an idle peer while all connections are taken.
const RECHECK: Duration = Duration::from_millis(50);

/// The time allowed for clients to read the errors for unfinished requests.
const FAREWELL: Duration = Duration::from_secs(1);

/// Serves until `stop` is triggered. Returns when everything it started has ended.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_protocol::ServerInfo;
/// use mcp_server::{Server, ShutdownToken};
/// use tokio::{
///     io::{AsyncReadExt, AsyncWriteExt},
///     net::{TcpListener, TcpStream},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder(ServerInfo::new("example", "1.0.0")).build()?;
/// let listener = TcpListener::bind("127.0.0.1:0").await?;
/// let address = listener.local_addr()?;
/// let stop = ShutdownToken::new();
/// let config = mcp_http::HttpConfig::new(Arc::new(server));
/// let served = tokio::spawn(mcp_http::serve(listener, config, stop.clone()));
///
/// let mut client = TcpStream::connect(address).await?;
/// client.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await?;
/// let mut response = String::new();
/// client.read_to_string(&mut response).await?;
/// assert!(response.starts_with("HTTP/1.1 200 OK"));
///
/// stop.start_draining();
/// served.await??;
/// # Ok(())
/// # }
/// ```
///
/// On a graceful stop, the server accepts no more connections, closes idle ones, and gives requests in flight
/// [`HttpLimits::drain_timeout`]. Requests that have not finished by then get an error response. On an immediate stop,
/// they get it at once. A failed accept is retried.
///
/// # Errors
/// Returns an [`io::ErrorKind::InvalidInput`] error that contains a [`ConfigError`](crate::ConfigError) if the
/// configuration is invalid.
///
/// # Cancel safety
/// Dropping the future ends everything immediately, without a drain.
pub async fn serve(
    listener: impl Into<Listener>,
    config: HttpConfig,
    stop: impl Into<ShutdownToken>,
) -> io::Result<ShutdownReport> {
    start(listener.into(), config, stop.into()).await
}

/// Serves without generic parameters, so the code is compiled and optimized with this crate. The calling program may be
/// built for size.
fn start(
    mut listener: Listener,
    config: HttpConfig,
    stop: ShutdownToken,
) -> BoxFuture<'static, io::Result<ShutdownReport>> {
    Box::pin(async move {
        let secure = Secure::new(&config);
        let service =
            Service::new(config).map_err(|err| io::Error::new(io::ErrorKind::InvalidInput, err))?;
        listener.bound_send_buffers();
        let mut connections = JoinSet::new();
        let finishing = stop.drain_token();
        let accepting = accept_all(
            &mut listener,
            &secure,
            &service,
            finishing,
            &mut connections,
        );
        finishing.run_until_cancelled(accepting).await;
        drop(listener);
        service.announce_shutdown();
        tokio::select! {
            biased;
            () = all_ended(&mut connections, &service) => return Ok(service.ended().await),
            () = sleep(service.limits().drain_timeout) => (),
            () = stop.abort_token().cancelled() => (),
        }
        service.abort();
        let told = timeout(FAREWELL, all_ended(&mut connections, &service)).await;
        if told.is_err() {
            let connections = connections.len();
            tracing::warn!(
                connections,
                "connections were closed because their clients did not read"
            );
        }
        connections.shutdown().await;
        service.finished().await;
        Ok(service.ended().await)
    })
}

async fn all_ended(connections: &mut JoinSet<()>, service: &Service) {
    while let Some(ended) = connections.join_next().await {
        report(ended);
    }
    service.finished().await;
}

async fn accept_all(
    listener: &mut Listener,
    secure: &Secure,
    service: &Service,
    stop: &CancellationToken,
    connections: &mut JoinSet<()>,
) {
    let max = service.limits().connections.max(1);
    let mut peers = Peers::default();
    let mut pause = BACKOFF.0;
    let mut resume = Instant::now();
    loop {
        let can_accept = peers.len() < max || peers.can_make_room();
        let accepted = tokio::select! {
            biased;
            Some(ended) = connections.join_next_with_id() => {
                peers.remove(ended.as_ref().map_or_else(JoinError::id, |(id, ())| *id));
                report(ended.map(|_| ()));
                continue;
            }
            accepted = accept_after(resume, listener), if can_accept => accepted,
            () = sleep(RECHECK), if !can_accept => continue,
        };
        match accepted {
            Ok((stream, address)) => {
                pause = BACKOFF.0;
                if peers.len() >= max {
                    peers.make_room();
                }
                let progress = Arc::new(Progress::new());
                let peer = Arc::clone(&progress);
                let service = service.clone();
                let (secure, stop) = (secure.clone(), stop.child_token());
                let connection = connection(stream, secure, address, service, progress, stop);
                let handle = connections.spawn(connection);
                peers.insert(address, peer, handle);
            }
            Err(err) if is_connection_error(&err) => {
                tracing::debug!(%err, "a peer disconnected early");
            }
            Err(err) => {
                // Closing an idle connection frees file descriptors or memory, which are short.
                let made_room = peers.make_room();
                tracing::warn!(%err, made_room, ?pause, "accepting a connection failed, retrying");
                resume = Instant::now() + pause;
                pause = (pause * 2).min(BACKOFF.1);
            }
        }
    }
}

async fn accept_after(
    resume: Instant,
    listener: &mut Listener,
) -> io::Result<(Socket, Option<PeerIp>)> {
    if Instant::now() < resume {
        sleep_until(resume).await;
    }
    listener.accept().await
}

/// Returns whether the error concerns the connection being accepted rather than the listener (accept(2)).
fn is_connection_error(err: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        err.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

async fn connection(
    stream: Socket,
    secure: Secure,
    peer: Option<PeerIp>,
    service: Service,
    progress: Arc<Progress>,
    stop: CancellationToken,
) {
    let _usage = service.usage().open(Kind::Connection);
    let limits = service.limits();
    let opened = secure.open(stream, limits.header_timeout);
    let Some(stream) = stop.run_until_cancelled(opened).await.flatten() else {
        return;
    };
    let io = TokioIo::new(Deadlines::new(stream, limits, Arc::clone(&progress)));
    let (service, progress) = (&service, &progress);
    let answer = service_fn(move |request: Request<Incoming>| async move {
        progress.head_read(!request.body().is_end_stream());
        let request = request.map(|body| Received::new(body, Arc::clone(progress)));
        let response = service.answer_peer(request, peer).await;
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

fn builder(limits: &HttpLimits) -> http1::Builder {
    /// The smallest buffer that hyper accepts.
    const MIN_BUF: usize = 8 << 10;
    let mut builder = http1::Builder::new();
    builder
        // A peer that closes its side has disconnected, which cancels its request.
        .half_close(false)
        // `Deadlines` does this, and distinguishes an idle connection from a slow head.
        .header_read_timeout(None)
        // hyper rejects a larger head with only a 431 status. Below that, `Service` rejects it with a reason.
        .max_buf_size(limits.header_bytes.saturating_mul(2).max(MIN_BUF));
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
