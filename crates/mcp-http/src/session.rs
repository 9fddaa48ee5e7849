//! The sessions of one endpoint (2025-11-25 `basic/transports`, "Session Management"). Only a server that sends
//! requests or notifications has sessions.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use mcp_protocol::RequestId;
use mcp_server::{CallerKey, transport::Session};
use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    TransportStats,
    events::Source,
    peers::shares,
    stats::{Kind, UsageGuard},
};

/// Maximum number of parked streams of one session, which the client can resume. A client rarely has as many calls in
/// flight. Beyond the limit, streams stay open.
const MAX_PARKED: usize = 16;

/// The sessions of one endpoint.
#[derive(Debug)]
pub(crate) struct Sessions {
    open: Mutex<HashMap<String, Arc<HttpSession>>>,
    most: usize,
    idle: Duration,
    usage: TransportStats,
}

/// A session with its requests and streams.
pub(crate) struct HttpSession {
    /// The subject of the grant that opened the session. No other subject can use it.
    owner: Option<String>,
    /// The client that the session counts for.
    client: CallerKey,
    pub(crate) mcp: Arc<Session>,
    /// Cancelled when the session ends.
    ended: CancellationToken,
    used: Mutex<Instant>,
    /// Cancelled when another `GET` replaces the stream of messages outside of requests.
    stream: Mutex<CancellationToken>,
    in_flight: Mutex<HashMap<RequestId, CancellationToken>>,
    parked: Mutex<HashMap<u64, Source>>,
    next_parked: AtomicU64,
    _usage: UsageGuard,
}

impl Sessions {
    /// Creates the sessions, with their maximum number and idle time. They are counted in `usage`.
    pub(crate) fn new(most: usize, idle: Duration, usage: &TransportStats) -> Self {
        Self {
            open: Mutex::default(),
            most: most.max(1),
            idle,
            usage: usage.clone(),
        }
    }

    /// Opens a session and returns its ID. Returns `None` if the system supplies no random bytes. Beyond the limit, the
    /// client with the most sessions loses its longest idle one.
    pub(crate) fn open(
        &self,
        session: Session,
        subject: Option<&str>,
        client: CallerKey,
    ) -> Option<String> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).ok()?;
        let id = format!("{:032x}", u128::from_ne_bytes(random));
        let session = Arc::new(HttpSession::new(session, subject, client, &self.usage));
        let mut open = self.open.lock();
        let idle = self.idle;
        open.retain(|_, session| {
            let keep = is_in_use(session) || session.idle_for() < idle;
            if !keep {
                session.end();
            }
            keep
        });
        if open.len() >= self.most {
            let shares = shares(open.values().map(|it| &it.client));
            let oldest = open.iter().max_by_key(|(_, session)| {
                let share = shares.get(&session.client);
                (share, !is_in_use(session), session.idle_for())
            });
            if let Some(oldest) = oldest.map(|(id, _)| id.clone())
                && let Some(session) = open.remove(&oldest)
            {
                session.end();
            }
        }
        open.insert(id.clone(), session);
        Some(id)
    }

    /// Returns the session with this ID if it belongs to the subject and has not ended. Knowing an ID is not proof of
    /// identity (`docs/tutorials/security/security_best_practices`, "Session Hijacking").
    pub(crate) fn find(&self, id: &str, subject: Option<&str>) -> Option<Arc<HttpSession>> {
        let session = self.open.lock().get(id).cloned()?;
        if session.owner.as_deref() != subject {
            return None;
        }
        *session.used.lock() = Instant::now();
        Some(session)
    }

    /// Ends a session of the subject. Returns `false` if there is none with this ID.
    pub(crate) fn end(&self, id: &str, subject: Option<&str>) -> bool {
        let session = match self.open.lock().entry(id.to_owned()) {
            Entry::Occupied(it) if it.get().owner.as_deref() == subject => Some(it.remove()),
            Entry::Occupied(_) | Entry::Vacant(_) => None,
        };
        if let Some(session) = &session {
            session.end();
        }
        session.is_some()
    }
}

impl HttpSession {
    fn new(
        session: Session,
        owner: Option<&str>,
        client: CallerKey,
        usage: &TransportStats,
    ) -> Self {
        Self {
            owner: owner.map(str::to_owned),
            client,
            mcp: Arc::new(session),
            ended: CancellationToken::new(),
            used: Mutex::new(Instant::now()),
            stream: Mutex::default(),
            in_flight: Mutex::default(),
            parked: Mutex::default(),
            next_parked: AtomicU64::new(1),
            _usage: usage.open(Kind::Session),
        }
    }

    fn idle_for(&self) -> Duration {
        self.used.lock().elapsed()
    }

    fn end(&self) {
        self.ended.cancel();
        self.parked.lock().clear();
    }

    /// Registers a request, which its client or the end of the session can cancel.
    pub(crate) fn begin(self: &Arc<Self>, id: RequestId) -> InFlightGuard {
        let cancelled = self.ended.child_token();
        self.in_flight.lock().insert(id.clone(), cancelled.clone());
        InFlightGuard {
            session: Arc::clone(self),
            id,
            cancelled,
        }
    }

    /// Cancels a request. A request that is not in flight is ignored (`basic/utilities/cancellation`).
    pub(crate) fn cancel(&self, id: &RequestId) {
        if let Some(cancelled) = self.in_flight.lock().remove(id) {
            cancelled.cancel();
        }
    }

    /// Returns the token of a new stream for messages outside of requests, and ends the previous stream.
    pub(crate) fn new_stream(&self) -> CancellationToken {
        let stream = self.ended.child_token();
        std::mem::replace(&mut *self.stream.lock(), stream.clone()).cancel();
        stream
    }

    /// Parks the rest of a stream and returns the ID of the event to resume after.
    ///
    /// # Errors
    /// Returns the stream if too many are parked, or if the session has ended.
    pub(crate) fn park(&self, source: Source) -> Result<u64, Source> {
        let mut parked = self.parked.lock();
        if parked.len() >= MAX_PARKED || self.ended.is_cancelled() {
            return Err(source);
        }
        let id = self.next_parked.fetch_add(1, Ordering::Relaxed);
        parked.insert(id, source);
        Ok(id)
    }

    /// Returns the rest of a parked stream to the client that resumes it.
    pub(crate) fn resume(&self, id: u64) -> Option<Source> {
        self.parked.lock().remove(&id)
    }
}

impl std::fmt::Debug for HttpSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpSession")
            .field("mcp", &self.mcp)
            .finish_non_exhaustive()
    }
}

/// Returns whether a request or a stream of the session is in progress. Each of them holds a reference to the session.
fn is_in_use(session: &Arc<HttpSession>) -> bool {
    Arc::strong_count(session) > 1
}

/// A request of a session, which is in flight until this guard is dropped.
pub(crate) struct InFlightGuard {
    session: Arc<HttpSession>,
    id: RequestId,
    pub(crate) cancelled: CancellationToken,
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.session.in_flight.lock().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use mcp_protocol::{Request, Revision};
    use mcp_server::transport::ClientChannel;

    use super::*;

    fn initialize() -> Session {
        let request = Request {
            id: RequestId::Integer(0),
            method: "initialize".to_owned(),
            params: None,
        };
        Session::open(Revision::V2025_11_25, &request)
    }

    fn sessions(most: usize) -> Sessions {
        Sessions::new(most, Duration::from_secs(60), &TransportStats::default())
    }

    fn open(sessions: &Sessions, user: &str) -> String {
        let client = CallerKey::from_subject_or_address(Some(user), None);
        sessions.open(initialize(), Some(user), client).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_ends_once_it_has_been_idle_for_too_long() {
        let sessions = sessions(9);
        let (unused, used, busy) = (
            open(&sessions, "a"),
            open(&sessions, "a"),
            open(&sessions, "a"),
        );
        let call = sessions.find(&busy, Some("a")).unwrap();
        let stream = sessions.find(&unused, Some("a")).unwrap().new_stream();
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(sessions.find(&used, Some("a")).is_some());
        open(&sessions, "b");
        assert!(!stream.is_cancelled());
        tokio::time::advance(Duration::from_secs(1)).await;
        open(&sessions, "b");
        assert!(stream.is_cancelled());
        assert!(sessions.find(&unused, Some("a")).is_none());
        assert!(sessions.find(&used, Some("a")).is_some());
        drop(call);
        assert!(sessions.find(&busy, Some("a")).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn the_client_with_most_sessions_loses_the_one_that_is_needed_least() {
        let sessions = sessions(4);
        let wait = || tokio::time::advance(Duration::from_secs(1));
        let of_other = open(&sessions, "b");
        let mut of_user = Vec::new();
        for _ in 0..3 {
            wait().await;
            of_user.push(open(&sessions, "a"));
        }
        let [busy, oldest, newest] = <[String; 3]>::try_from(of_user).unwrap();
        let call = sessions.find(&busy, Some("a")).unwrap();
        wait().await;
        assert!(sessions.find(&newest, Some("a")).is_some());
        wait().await;
        open(&sessions, "c");
        drop(call);
        for (id, user, is_open) in [
            (&of_other, "b", true),
            (&busy, "a", true),
            (&oldest, "a", false),
            (&newest, "a", true),
        ] {
            assert_eq!(sessions.find(id, Some(user)).is_some(), is_open, "{user}");
        }
    }

    #[test]
    fn a_session_belongs_to_the_user_who_opened_it() {
        let sessions = sessions(9);
        let id = open(&sessions, "alice");
        let session = sessions.find(&id, Some("alice")).unwrap();
        for other in [Some("bob"), None] {
            assert!(sessions.find(&id, other).is_none());
            assert!(!sessions.end(&id, other));
        }
        let call = session.begin(RequestId::Integer(1));
        assert!(!session.ended.is_cancelled());
        assert!(sessions.end(&id, Some("alice")));
        assert!(call.cancelled.is_cancelled() && session.ended.is_cancelled());
        assert!(sessions.find(&id, Some("alice")).is_none());
        assert!(!sessions.end(&id, Some("alice")));
    }

    #[test]
    fn a_call_in_flight_is_cancelled_by_its_id_and_then_forgotten() {
        let sessions = sessions(9);
        let session = sessions.find(&open(&sessions, "a"), Some("a")).unwrap();
        let [one, other] = [1, 2].map(|id| session.begin(RequestId::Integer(id)));
        session.cancel(&RequestId::Integer(3));
        session.cancel(&RequestId::Integer(1));
        assert!(one.cancelled.is_cancelled() && !other.cancelled.is_cancelled());
        drop((one, other));
        assert!(session.in_flight.lock().is_empty());
    }

    #[test]
    fn a_new_stream_ends_the_one_before() {
        let sessions = sessions(9);
        let session = sessions.find(&open(&sessions, "a"), Some("a")).unwrap();
        let first = session.new_stream();
        let second = session.new_stream();
        assert!(first.is_cancelled() && !second.is_cancelled());
    }

    #[test]
    fn so_many_streams_are_kept_and_none_of_a_session_that_has_ended() {
        let source = || {
            let (_, outgoing) = ClientChannel::new(CancellationToken::new());
            let work = Box::pin(std::future::pending());
            Source { outgoing, work }
        };
        let sessions = sessions(9);
        let id = open(&sessions, "a");
        let session = sessions.find(&id, Some("a")).unwrap();
        let kept: Vec<u64> = (0..MAX_PARKED)
            .map(|_| session.park(source()).ok().unwrap())
            .collect();
        assert!(session.park(source()).is_err());
        for id in kept {
            assert!(session.resume(id).is_some() && session.resume(id).is_none());
        }
        assert!(session.park(source()).is_ok());
        assert!(sessions.end(&id, Some("a")));
        assert!(session.parked.lock().is_empty());
        assert!(session.park(source()).is_err());
    }

    #[test]
    fn a_session_is_shown_without_its_user() {
        let sessions = sessions(9);
        let session = sessions.find(&open(&sessions, "alice"), Some("alice"));
        let shown = format!("{:?}", session.unwrap());
        assert!(shown.starts_with("HttpSession {") && !shown.contains("alice"));
    }

    /// Each of the 128 bits is set in about half of the ids, and changes from one id to the next about half of the time: a
    /// counter changes its lowest bit every time and its highest never. A quarter off is ten deviations.
    #[test]
    fn r074_every_bit_of_an_id_is_random() {
        const IDS: usize = 1_600;
        let sessions = sessions(1);
        let id = || u128::from_str_radix(&open(&sessions, "a"), 16).unwrap();
        let ids: Vec<u128> = (0..IDS).map(|_| id()).collect();
        let likely = IDS * 3 / 8..IDS * 5 / 8;
        for bit in 0..128 {
            let is_set = |id: &u128| id >> bit & 1 == 1;
            let set = ids.iter().filter(|it| is_set(it)).count();
            assert!(likely.contains(&set), "bit {bit} is set in {set}");
            let pairs = ids.iter().zip(ids.iter().skip(1));
            let changed = pairs
                .filter(|(id, next)| is_set(id) != is_set(next))
                .count();
            assert!(
                likely.contains(&changed),
                "bit {bit} changes {changed} times"
            );
        }
    }
}
