//! A token that is removed or expires: what its client has opened ends with it.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hyper::{Request, Response, body::Body as HttpBody};
use mcp_http::{AuthInfo, Authorization, Body, HttpConfig, Service, TokenVerifier, VerifyError};
use mcp_protocol::{Revision, ServerInfo};
use mcp_server::{BoxFuture, ChangeNotifier, ListKinds, Server, ToolRouter};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::{
    post::{Post, handshake},
    sessions::get,
    streams::listen,
};

/// A stream that is open for so long is never ended. The clock of these tests is not the real one.
const FOR_GOOD: Duration = Duration::from_secs(3600);
/// How long a stream may go on without its token.
const SECONDS: Duration = Duration::from_secs(10);

/// Why a token is no longer accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    Removed,
    Expired,
    Unverifiable,
}

/// Accepts the token of alice until it is lost, and that of bob for good.
#[derive(Debug)]
struct Verifier {
    loss: Loss,
    is_removed: AtomicBool,
    expires: Instant,
}

impl TokenVerifier for Verifier {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        let is_lost = match self.loss {
            Loss::Removed | Loss::Unverifiable => self.is_removed.load(Ordering::Relaxed),
            Loss::Expired => self.expires <= Instant::now(),
        };
        let grant = AuthInfo::default().with_subject(token);
        Box::pin(async move {
            match (is_lost && token == "alice", self.loss) {
                (false, _) => Ok(grant),
                (true, Loss::Unverifiable) => Err(VerifyError::Unavailable(
                    "the issuer does not answer".into(),
                )),
                (true, Loss::Removed) => Err(VerifyError::unknown_token()),
                (true, Loss::Expired) => Err(VerifyError::Expired),
            }
        })
    }
}

struct Site {
    service: Service,
    verifier: Arc<Verifier>,
    changes: ChangeNotifier,
}

impl Site {
    fn new(loss: Loss) -> Self {
        let changes = ChangeNotifier::new();
        let verifier = Arc::new(Verifier {
            loss,
            is_removed: AtomicBool::new(false),
            expires: Instant::now() + Duration::from_secs(60),
        });
        let server = Server::builder(ServerInfo::new("example", "1.0.0"));
        let server = server
            .tools(ToolRouter::new())
            .list_changed(&changes, ListKinds::ALL);
        let server = server.build().unwrap();
        let mut config = HttpConfig::new(Arc::new(server));
        config.authorization = Some(Authorization::preshared_tokens(
            Arc::clone(&verifier) as Arc<dyn TokenVerifier>
        ));
        Self {
            service: Service::new(config).unwrap(),
            verifier,
            changes,
        }
    }

    async fn ask(&self, user: &str, post: Post) -> Response<Body> {
        let mut request = Request::builder().method(post.method).uri(&post.target);
        for (name, value) in &post.headers {
            request = request.header(name, value);
        }
        let request = request.header("Authorization", format!("Bearer {user}"));
        let body = String::from_utf8(post.body).unwrap();
        self.service.answer(request.body(body).unwrap()).await
    }

    /// The stream of a session of the user.
    async fn stream(&self, revision: Revision, user: &str) -> Response<Body> {
        let params = json!({"protocolVersion": revision.name(), "capabilities": {}});
        let initialize = Post::request(revision, json!(0), "initialize", params);
        let opened = self.ask(user, initialize).await;
        let session = opened.headers()["mcp-session-id"].to_str().unwrap();
        self.ask(user, get(session)).await
    }

    /// Both streams go on while their tokens are accepted; then one ends within seconds, and the other goes on.
    async fn check(&self, lost: Response<Body>, kept: Response<Body>, last: &str) {
        assert!(lost.status().is_success() && kept.status().is_success());
        let (mut lost, mut kept) = (lost.into_body(), kept.into_body());
        assert!(!has_ended(&mut lost, Duration::from_secs(50)).await.0);
        self.verifier.is_removed.store(true, Ordering::Relaxed);
        let wait = match self.verifier.loss {
            Loss::Removed | Loss::Unverifiable => SECONDS,
            Loss::Expired => self.verifier.expires - Instant::now() + SECONDS,
        };
        let (ended, text) = has_ended(&mut lost, wait).await;
        assert!(ended, "{:?}: {text}", self.verifier.loss);
        assert!(text.contains(last), "{text}");
        assert!(!has_ended(&mut kept, FOR_GOOD).await.0);
        self.changes.tools_changed();
        let (_, text) = has_ended(&mut kept, SECONDS).await;
        assert!(text.contains("list_changed"), "{text}");
    }
}

/// Reads a stream for so long: whether it has ended, and what it has sent.
async fn has_ended(body: &mut Body, patience: Duration) -> (bool, String) {
    let mut text = String::new();
    let reading = async {
        while let Some(frame) = poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await {
            let Ok(frame) = frame;
            text.push_str(&String::from_utf8_lossy(&frame.into_data().unwrap()));
        }
    };
    let ended = timeout(patience, reading).await.is_ok();
    (ended, text)
}

#[tokio::test(start_paused = true)]
async fn a_subscription_ends_with_a_result_when_its_token_is_no_longer_accepted() {
    for loss in [Loss::Removed, Loss::Expired, Loss::Unverifiable] {
        let tokens = Site::new(loss);
        let lost = tokens.ask("alice", listen()).await;
        let kept = tokens.ask("bob", listen()).await;
        tokens
            .check(lost, kept, "\"resultType\":\"complete\"")
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_stream_of_a_session_ends_when_its_token_is_no_longer_accepted() {
    for revision in handshake() {
        for loss in [Loss::Removed, Loss::Expired, Loss::Unverifiable] {
            let tokens = Site::new(loss);
            let lost = tokens.stream(revision, "alice").await;
            let kept = tokens.stream(revision, "bob").await;
            tokens.check(lost, kept, "").await;
        }
    }
}

#[tokio::test]
async fn one_token_is_that_of_its_grant_and_no_other_is_accepted() {
    let authorization =
        Authorization::single_token("correct", AuthInfo::for_subject("alice").with_scope("read"));
    let verifier = authorization.token_verifier;
    let alice = verifier.verify("correct").await.unwrap();
    assert_eq!(
        (alice.subject.as_deref(), &*alice.scopes),
        (Some("alice"), &["read".to_owned()][..])
    );
    for other in ["", "Correct", "correct ", "c"] {
        let refused = verifier.verify(other).await;
        assert!(matches!(refused, Err(VerifyError::Invalid(_))), "{other:?}");
    }
    assert!(!format!("{verifier:?}").contains("correct"));
}
