//! What clients do, on either transport.

mod connection;
mod http;
mod line;
mod message;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{sync::oneshot, task::AbortHandle, time::sleep};

use crate::{
    client::{connection::Connection, http::Http, line::Line},
    judge::{Asked, Judge},
    plan::{ClientPlan, Habit, Way},
    question::{About, Question},
    random::Random,
    stage::Site,
};

/// Between two questions of a client that probes.
const PROBE: Duration = Duration::from_millis(60);
/// Between two things that an ordinary client does, in ms.
const THINKS: std::ops::Range<u64> = 0..1_500;
/// How long a client reads nothing, in ms.
const READS_LATER: std::ops::Range<u64> = 500..9_000;
/// How many calls a greedy client makes at once: more than it may have in progress.
const TOO_MANY: usize = 90;
/// How long a client may go on after the server was stopped.
const AFTER_STOP: Duration = Duration::from_millis(300);
/// The resources that clients subscribe to, and the nodes that may answer.
const RESOURCES: [(&str, About); 2] = [
    ("qortal://chain/tip", About::Chain),
    ("qortal://node/status", About::Own),
];

/// A request that was sent.
#[derive(Debug)]
pub(crate) struct Flight {
    pub(crate) id: u64,
    pub(crate) done: oneshot::Receiver<()>,
    /// What to stop if it is cancelled; on stdio the server is told.
    pub(crate) task: Option<AbortHandle>,
}

/// One client from its first request to its last.
struct Client {
    plan: ClientPlan,
    random: Random,
    judge: Judge,
    way: Speaks,
}

/// How it speaks to the server.
enum Speaks {
    Line(Box<Line>),
    Http(Box<Http>),
}

/// Plays a client until the server has stopped.
pub(crate) async fn run(plan: ClientPlan, mut random: Random, site: Site) {
    let judge = site.judge.clone();
    let connection = Connection::new(plan, &site);
    let way = match plan.way {
        Way::Stdio => Speaks::Line(Box::new(Line::open(connection, site, &mut random))),
        Way::Http => Speaks::Http(Box::new(Http::new(connection, site))),
    };
    let mut client = Client {
        plan,
        random,
        judge,
        way,
    };
    client.begin().await;
    while !client.is_over() {
        match plan.habit {
            Habit::Probes => client.probe().await,
            Habit::Ordinary => client.act().await,
            Habit::Greedy => client.want_too_much().await,
        }
    }
    match client.way {
        Speaks::Line(line) => line.finish().await,
        Speaks::Http(http) => http.finish().await,
    }
}

impl Client {
    /// Whether the server has been stopped, or the client is no longer let in.
    fn is_over(&self) -> bool {
        let now = self.judge.now();
        let plan = &self.judge.plan;
        let revoked = plan.revoked.filter(|_| self.plan.way == Way::Http);
        let is_revoked = revoked
            .is_some_and(|(of, at)| of == self.plan.number && now > at + Duration::from_secs(1));
        now >= plan.stop + AFTER_STOP || is_revoked
    }

    /// Shakes hands where the revision has that.
    async fn begin(&mut self) {
        if self.plan.revision.has_handshake() {
            let params = json!({
                "protocolVersion": self.plan.revision.name(),
                "capabilities": {},
                "clientInfo": {"name": "simulated", "version": "0"},
            });
            let flight = self
                .send("initialize", params, self.asked("initialize"))
                .await;
            wait(flight).await;
        }
    }

    fn asked(&self, what: impl Into<String>) -> Asked {
        Asked {
            what: what.into(),
            at: self.judge.now(),
            question: None,
            about: About::Nothing,
            tools: None,
            is_given_up: false,
            is_slow: match &self.way {
                Speaks::Line(line) => line.is_paused(),
                Speaks::Http(_) => false,
            },
            is_stream: false,
            is_greedy: self.plan.habit == Habit::Greedy,
        }
    }

    async fn send(&mut self, method: &str, params: Value, asked: Asked) -> Option<Flight> {
        match &mut self.way {
            Speaks::Line(line) => line.send(method, params, asked).await,
            Speaks::Http(http) => http.send(method, params, asked),
        }
    }

    async fn call(&mut self, question: Question) -> Option<Flight> {
        let asked = Asked {
            question: Some(question.clone()),
            about: question.about,
            ..self.asked(format!("{} {}", question.tool, question.arguments))
        };
        let mut params = json!({"name": question.tool, "arguments": question.arguments});
        if self.random.percent(30) {
            params["_meta"] = json!({"progressToken": true});
        }
        self.send("tools/call", params, asked).await
    }

    /// One question after another, most of them about the chain.
    async fn probe(&mut self) {
        let about = match self.random.within(0..10) {
            0 => About::Nothing,
            1 if self.judge.plan.asks_own => About::Own,
            _ => About::Chain,
        };
        let question = Question::draw(&mut self.random, about);
        wait(self.call(question).await).await;
        sleep(PROBE).await;
    }

    async fn want_too_much(&mut self) {
        let mut flights = Vec::new();
        for _ in 0..TOO_MANY {
            let limit = self.random.within(1..9);
            flights.push(self.call(Question::list(limit)).await);
        }
        for flight in flights {
            wait(flight).await;
        }
        sleep(self.random.millis(2_000..10_000)).await;
    }

    /// One of the things that clients do.
    async fn act(&mut self) {
        sleep(self.random.millis(THINKS)).await;
        if self.is_over() {
            return;
        }
        match self.random.within(0..100) {
            0..45 => {
                let question = self.any_question();
                wait(self.call(question).await).await;
            }
            45..55 => self.several().await,
            55..67 => self.cancel().await,
            67..72 => self.list().await,
            72..75 => {
                let flight = self.send("ping", json!({}), self.asked("ping")).await;
                // 2026-07-28 has no ping, and says so.
                wait(flight).await;
            }
            75..79 => {
                let params = json!({"name": "no_such_tool", "arguments": {}});
                let flight = self
                    .send("tools/call", params, self.asked("an unknown tool"))
                    .await;
                wait(flight).await;
            }
            79..85 => self.read_later().await,
            85..93 => self.subscribe().await,
            93..96 => {
                if let Speaks::Http(http) = &self.way {
                    http.steal().await;
                }
            }
            _ => self.reconnect().await,
        }
    }

    fn any_question(&mut self) -> Question {
        let own = match self.judge.plan.asks_own {
            true => About::Own,
            false => About::Chain,
        };
        let about = *self
            .random
            .pick(&[About::Nothing, own, About::Chain, About::Chain]);
        Question::draw(&mut self.random, about)
    }

    /// Several at once.
    async fn several(&mut self) {
        let mut flights = Vec::new();
        for _ in 0..self.random.index(2..9) {
            let question = self.any_question();
            flights.push(self.call(question).await);
        }
        for flight in flights {
            wait(flight).await;
        }
    }

    /// A call that is not waited for to its end.
    async fn cancel(&mut self) {
        let question = self.any_question();
        let Some(mut flight) = self.call(question).await else {
            return;
        };
        let patience = self.random.millis(0..3_000);
        if tokio::time::timeout(patience, &mut flight.done)
            .await
            .is_ok()
        {
            return;
        }
        match &mut self.way {
            Speaks::Line(line) => line.cancel(flight.id).await,
            Speaks::Http(http) => http.cancel(&flight),
        }
    }

    async fn list(&mut self) {
        let tools = match &self.way {
            Speaks::Line(line) => line.tools(),
            Speaks::Http(http) => http.tools(),
        };
        let asked = Asked {
            tools: Some(tools),
            ..self.asked("tools/list")
        };
        let flight = self.send("tools/list", json!({}), asked).await;
        wait(flight).await;
    }

    /// Asks, and reads nothing for a while.
    async fn read_later(&mut self) {
        let pause = self.random.millis(READS_LATER);
        match &mut self.way {
            Speaks::Line(line) => line.pause(pause),
            Speaks::Http(http) => http.pause(pause),
        }
        self.several().await;
    }

    async fn subscribe(&mut self) {
        let (uri, about) = *self.random.pick(&RESOURCES);
        let revision = self.plan.revision;
        match (&mut self.way, revision.has_handshake()) {
            (Speaks::Line(line), true) => line.connection.subscribed(uri),
            (Speaks::Http(http), true) => {
                if !http.listen(uri) {
                    return;
                }
            }
            (_, false) => return self.listen(uri).await,
        }
        let asked = Asked {
            about,
            ..self.asked(format!("subscribe {uri}"))
        };
        let flight = self
            .send("resources/subscribe", json!({ "uri": uri }), asked)
            .await;
        wait(flight).await;
    }

    /// A stream without an end of its own.
    async fn listen(&mut self, uri: &'static str) {
        match &self.way {
            Speaks::Line(line) => line.connection.subscribed(uri),
            Speaks::Http(http) => http.connection.subscribed(uri),
        }
        let params = json!({"notifications": {"resourceSubscriptions": [uri]}});
        let asked = Asked {
            is_stream: true,
            ..self.asked(format!("listen {uri}"))
        };
        let Some(flight) = self.send("subscriptions/listen", params, asked).await else {
            return;
        };
        if self.random.percent(40) {
            sleep(self.random.millis(0..8_000)).await;
            match &mut self.way {
                Speaks::Line(line) => line.cancel(flight.id).await,
                Speaks::Http(http) => http.cancel(&flight),
            }
        }
    }

    /// Leaves, or says goodbye, and comes back.
    async fn reconnect(&mut self) {
        let says_goodbye = self.random.percent(50);
        match &mut self.way {
            Speaks::Line(line) => line.reconnect(says_goodbye, &mut self.random).await,
            Speaks::Http(http) => http.leave(),
        }
        if !self.is_over() {
            self.begin().await;
        }
    }
}

async fn wait(flight: Option<Flight>) {
    if let Some(flight) = flight {
        // Its answer came, or its connection has ended: the judge knows which.
        let _ = flight.done.await;
    }
}
