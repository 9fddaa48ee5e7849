//! Accepting connections, and waiting for them to end.

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

/// How long to wait after an accept that failed for want of descriptors or memory, and how long at
/// most when it keeps failing: what is missing only comes back when a connection ends.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// A peer that has just connected, or has just been answered, is not silent: a head and an answer take
/// their time over the world.
const SILENCE: Duration = Duration::from_millis(500);
/// How often to look, while all places are taken, whether somebody is silent.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Serves until told to stop; returns when nothing it started is alive.
///
/// Told to stop, it accepts no more, closes idle connections, and gives requests in flight
/// [`Limits::drain`] to finish. Errors, with [`io::ErrorKind::InvalidInput`] and a
/// [`ConfigError`](crate::ConfigError) inside, if the configuration cannot be served; a failing
/// accept is tried again.
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
            "ended before they were finished"
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
    let most = service.limits().connections.max(1);
    let mut peers = Peers::default();
    let mut pause = PAUSE.0;
    let mut resume = Instant::now();
    loop {
        let can_accept = peers.0.len() < most || peers.most_silent().is_some();
        let accepted = tokio::select! {
            Some(ended) = connections.join_next_with_id() => {
                peers.0.remove(&ended.as_ref().map_or_else(JoinError::id, |(id, ())| *id));
                report(ended.map(|_| ()));
                continue;
            }
            accepted = accept_after(resume, listener), if can_accept => accepted,
            () = sleep(LOOK_AGAIN), if !can_accept => continue,
        };
        match accepted {
            Ok(stream) => {
                pause = PAUSE.0;
                if peers.0.len() >= most {
                    peers.end_most_silent();
                }
                let progress = Arc::new(Progress::new());
                let peer = Arc::clone(&progress);
                let connection = connection(stream, service.clone(), progress, stop.child_token());
                let handle = connections.spawn(connection);
                peers.0.insert(handle.id(), (peer, handle));
            }
            Err(err) if is_of_one_peer(&err) => tracing::debug!(%err, "a peer left early"),
            Err(err) => {
                tracing::warn!(%err, ?pause, "accepting failed, trying again");
                resume = Instant::now() + pause;
                pause = (pause * 2).min(PAUSE.1);
            }
        }
    }
}

/// The connections that have a place.
#[derive(Default)]
struct Peers(HashMap<Id, (Arc<Progress>, AbortHandle)>);

impl Peers {
    /// The one whose peer has kept us waiting for the longest time; `None` if nobody is silent.
    fn most_silent(&self) -> Option<Id> {
        let waiting = self.0.iter();
        let waiting = waiting.filter_map(|(id, (peer, _))| peer.waiting_for().map(|it| (it, *id)));
        let silent = waiting.filter(|(waited, _)| *waited >= SILENCE);
        silent.max_by_key(|(waited, _)| *waited).map(|(_, id)| id)
    }

    /// Ends that one: nothing of it is under way, and whoever comes should not wait for who only stays.
    fn end_most_silent(&mut self) {
        if let Some((peer, handle)) = self.most_silent().and_then(|id| self.0.remove(&id)) {
            tracing::debug!(waited = ?peer.waiting_for(), "a connection made room for another");
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

/// Whether only the connection about to be accepted failed, and the next may be fine (accept(2)).
fn is_of_one_peer(err: &io::Error) -> bool {
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
    // Answers are whole; waiting for more to send with them only delays them.
    if let Err(err) = stream.set_nodelay(true) {
        tracing::debug!(%err, "no TCP_NODELAY");
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
        // A connection that fails is its peer's business.
        tracing::debug!(%err, "a connection failed");
    }
}

fn builder(limits: &Limits) -> http1::Builder {
    /// The least that hyper accepts.
    const LEAST: usize = 8 << 10;
    let mut builder = http1::Builder::new();
    builder
        // A peer that closes its side has left: that is how a request is cancelled.
        .half_close(false)
        // The stream has its own deadlines, and tells an idle connection from a slow head.
        .header_read_timeout(None)
        // Beyond this hyper refuses a head itself, with a bare 431; up to it we do, with a reason.
        .max_buf_size(limits.header_bytes.saturating_mul(4).max(LEAST));
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
    fn only_want_of_resources_is_waited_out() {
        const EMFILE: i32 = 24;
        const ECONNABORTED: i32 = 103;
        for (code, expect) in [(EMFILE, false), (ECONNABORTED, true)] {
            let err = io::Error::from_raw_os_error(code);
            assert_eq!(is_of_one_peer(&err), expect, "{err}");
        }
    }
}
