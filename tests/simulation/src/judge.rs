//! What was said, and whether it may be said: the invariants, checked with every message and at every step.

mod behind;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;
use tokio::time::Instant;

use crate::{
    plan::Plan,
    question::{About, Question},
    trouble::{Kind, STALLED, Trouble},
};

/// A good answer comes at most so long after a node is of use again.
const SERVED_AGAIN: Duration = Duration::from_secs(2);
/// What asks no node is answered at once; a token may take this long to verify.
const AT_ONCE: Duration = Duration::from_millis(200);
/// The deadline of a call, and a moment.
const LONGEST_CALL: Duration = Duration::from_secs(57);
/// When a node that does not answer is known: half a second of suspicion, two of silence, and what the first to notice needed.
const NOTICED: Duration = Duration::from_secs(6);
/// How long a question may take whose first node is known not to answer.
const ELSEWHERE: Duration = Duration::from_millis(1_500);
/// How long a question may take that only a node can answer that is known not to answer: a probe, at most.
const KNOWN_SILENT: Duration = Duration::from_millis(1_200);
/// A token is verified again so often, and how long that takes.
pub(crate) const TOKEN_GONE: Duration = Duration::from_millis(5_300);
/// Begins a line about an invariant.
const BROKEN: &str = "BROKEN: ";
/// The lines of a trace that show what came before a violation.
const LAST_LINES: usize = 40;

/// Shared by all that takes part in a play.
#[derive(Debug, Clone)]
pub(crate) struct Judge {
    pub(crate) plan: Arc<Plan>,
    start: Instant,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    trace: Vec<String>,
    broken: Vec<String>,
    /// What is not answered yet, by connection and id.
    open: BTreeMap<(u64, u64), Asked>,
    /// When a question about each was last answered well.
    last_good: BTreeMap<About, Duration>,
    /// When the latest question about the chain that was not answered well was asked.
    last_bad: Option<Duration>,
    answered: u64,
    good: u64,
    /// The heights of the nodes, and since when.
    heights: Vec<(Duration, Vec<u64>)>,
    /// The heights that clients were told, each the greatest until then, and when.
    told: Vec<(Duration, u64)>,
    has_stopped: bool,
}

/// A request on its way.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) what: String,
    pub(crate) at: Duration,
    pub(crate) question: Option<Question>,
    pub(crate) about: About,
    /// How many tools are to be listed.
    pub(crate) tools: Option<usize>,
    /// The client has cancelled it, or is gone.
    pub(crate) is_given_up: bool,
    /// The client reads slowly, so that nothing is known of when it was answered.
    pub(crate) is_slow: bool,
    /// It has no end of its own.
    pub(crate) is_stream: bool,
    /// The client asks for more than it may.
    pub(crate) is_greedy: bool,
}

/// What came of a play.
#[derive(Debug)]
pub struct Play {
    /// Its seed.
    pub seed: u64,
    /// Each message and each event, with its time.
    pub trace: Vec<String>,
    /// The invariants that did not hold.
    pub broken: Vec<String>,
    /// How many requests were answered.
    pub answered: u64,
    /// How many of them with the facts that were asked for.
    pub good: u64,
}

impl Play {
    /// What went wrong, and what came before it.
    #[must_use]
    pub fn report(&self) -> String {
        let mut text = format!("seed {}:\n", self.seed);
        for broken in &self.broken {
            let _ = writeln!(text, "  {broken}");
        }
        // What comes after the first says nothing of its cause.
        let first = self.trace.iter().position(|it| it.contains(BROKEN));
        let until = first.map_or(self.trace.len(), |it| it + 1);
        let from = until.saturating_sub(LAST_LINES);
        for line in self.trace.iter().take(until).skip(from) {
            let _ = writeln!(text, "    {line}");
        }
        text
    }
}

impl Judge {
    pub(crate) fn new(plan: Plan) -> Self {
        Self {
            plan: Arc::new(plan),
            start: Instant::now(),
            inner: Arc::default(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// When this moment of the play is.
    pub(crate) fn at(&self, moment: Duration) -> Instant {
        self.start + moment
    }

    pub(crate) fn say(&self, what: impl AsRef<str>) {
        let line = format!("{:9.3} {}", self.now().as_secs_f64(), what.as_ref());
        tracing::debug!("{line}");
        self.inner().trace.push(line);
    }

    /// An invariant does not hold.
    pub(crate) fn broke(&self, what: impl AsRef<str>) {
        self.say(format!("{BROKEN}{}", what.as_ref()));
        let line = format!("{:.3} s: {}", self.now().as_secs_f64(), what.as_ref());
        self.inner().broken.push(line);
    }

    pub(crate) fn asked(&self, connection: u64, id: u64, asked: Asked) {
        self.say(format!("{connection} → {id} {}", asked.what));
        self.inner().open.insert((connection, id), asked);
    }

    /// The request as it was asked, if it still is to be answered.
    pub(crate) fn is_open(&self, connection: u64, id: u64) -> bool {
        self.inner().open.contains_key(&(connection, id))
    }

    /// The client wants no answer any more.
    pub(crate) fn gave_up(&self, connection: u64, id: u64) {
        self.say(format!("{connection} × {id}"));
        if let Some(asked) = self.inner().open.get_mut(&(connection, id)) {
            asked.is_given_up = true;
        }
    }

    /// The connection of one request has ended.
    pub(crate) fn closed(&self, connection: u64, id: u64) {
        self.inner().open.remove(&(connection, id));
    }

    /// The client is gone: nothing more can be answered.
    pub(crate) fn left(&self, connection: u64) {
        self.say(format!("{connection} left"));
        self.inner().open.retain(|(of, _), _| *of != connection);
    }

    /// The server has ended a connection: all that was accepted has been answered.
    pub(crate) fn ended(&self, connection: u64) {
        self.say(format!("{connection} ended"));
        let mut inner = self.inner();
        let of_it: Vec<_> = inner
            .open
            .range((connection, 0)..=(connection, u64::MAX))
            .map(|(key, _)| *key)
            .collect();
        let lost: Vec<_> = of_it
            .iter()
            .filter_map(|key| Some((key.1, inner.open.remove(key)?)))
            .collect();
        drop(inner);
        for (id, asked) in lost {
            // What was sent at the moment of the stop may not have been read.
            let is_accepted = asked.at < self.plan.stop;
            if is_accepted && !asked.is_given_up && !asked.is_slow && !asked.is_stream {
                self.broke(format!(
                    "{} ({connection}, {id}) was never answered",
                    asked.what
                ));
            }
        }
    }

    /// A response came on a connection. Returns its result, if it is the answer to a request of that connection.
    pub(crate) fn heard(&self, connection: u64, message: &Value) {
        let Some(id) = message["id"].as_u64() else {
            self.broke(format!(
                "{connection} a response without the id of a request: {message}"
            ));
            return;
        };
        let asked = self.inner().open.remove(&(connection, id));
        let Some(asked) = asked else {
            self.broke(format!(
                "{connection} {id} was answered twice, or never asked: {message}"
            ));
            return;
        };
        let took = self.now().saturating_sub(asked.at);
        let outcome = self.outcome(&asked, message);
        let shown = match &outcome {
            Ok(true) => "good".to_owned(),
            Ok(false) => short(message),
            Err(problem) => {
                self.broke(problem);
                "broken".to_owned()
            }
        };
        self.say(format!("{connection} ← {id} {shown}"));
        if asked.is_stream || asked.is_slow {
            return;
        }
        let mut inner = self.inner();
        inner.answered += 1;
        if asked.about == About::Chain && outcome == Ok(false) {
            inner.last_bad = inner.last_bad.max(Some(asked.at));
        }
        if let (Ok(true), Some(question)) = (&outcome, &asked.question) {
            inner.good += 1;
            inner.last_good.insert(question.about, self.now());
        }
        drop(inner);
        if took > LONGEST_CALL {
            self.broke(format!("{} took {took:?}", asked.what));
        }
        if !asked.is_given_up {
            self.judge_time(&asked, took, outcome == Ok(true));
        }
    }

    /// Whether an answer has the facts that were asked for.
    fn outcome(&self, asked: &Asked, message: &Value) -> Result<bool, String> {
        let listed = message.pointer("/result/tools").and_then(Value::as_array);
        if let (Some(tools), Some(listed)) = (asked.tools, listed)
            && listed.len() != tools
            // Meanwhile another selection was configured.
            && !self.plan.reload.is_some_and(|at| at >= asked.at && at <= self.now())
        {
            return Err(format!(
                "{} tools were listed instead of {tools}",
                listed.len()
            ));
        }
        let Some(question) = &asked.question else {
            return Ok(message.get("result").is_some());
        };
        let Some(result) = message.get("result") else {
            return Ok(false);
        };
        let Some(facts) = question.facts(result)? else {
            return Ok(false);
        };
        if question.tool == "get_block_height" {
            self.judge_height(asked, facts["height"].as_u64().unwrap_or_default())?;
        }
        if question.about == About::Chain {
            self.judge_note(asked, result)?;
        }
        Ok(true)
    }

    /// What is promised of how long an answer takes, and that it is a good one.
    fn judge_time(&self, asked: &Asked, took: Duration, is_good: bool) {
        let now = self.now();
        let about = asked.about;
        if about == About::Nothing {
            if took > AT_ONCE {
                self.broke(format!("{} asks no node and took {took:?}", asked.what));
            }
            if asked.question.is_some() && !is_good && now < self.plan.stop && !asked.is_greedy {
                self.broke(format!("{} asks no node and failed", asked.what));
            }
            return;
        }
        let is_silent = |it: &Trouble| {
            let is_stall = it.is_away() && !it.answers_at_all();
            is_stall && it.node == 0 && it.from + NOTICED < asked.at && now < it.until
        };
        if about == About::Own
            && took > KNOWN_SILENT
            && !self.plan.has_greedy()
            && self.plan.during(asked.at, now).any(is_silent)
        {
            self.broke(format!(
                "{} took {took:?} although its node is known to be silent",
                asked.what
            ));
        }
        // The rest is about two nodes, of which one is well all the time, and the other not there.
        let since = asked.at.saturating_sub(SERVED_AGAIN);
        let mut well = (0..self.plan.nodes).filter(|node| {
            let mut troubles = self.plan.during(since, now);
            !troubles
                .any(|it| it.node == *node && (it.is_useless() || matches!(it.kind, Kind::Late(_))))
        });
        let has_other = self.plan.nodes == 2 && well.next().is_some();
        // Where someone asks for too much, others wait for their turn at the node.
        if about != About::Chain || !has_other || self.plan.has_greedy() || now >= self.plan.stop {
            return;
        }
        // Whether an odd answer is one of the node or of its endpoint is seen by another answer, which may be a good one.
        let is_odd = |it: &&Trouble| {
            let is_suspected = matches!(it.kind, Kind::Page | Kind::Status(500));
            !it.is_outage() || is_suspected && it.until >= since && it.until <= now
        };
        let mut useless = self.plan.during(since, now).filter(|it| it.is_useless());
        if useless.any(|it| is_odd(&it)) {
            return;
        }
        if !is_good {
            self.broke(format!(
                "{} was not asked of the node that is well",
                asked.what
            ));
        }
        let known = self
            .plan
            .during(asked.at, now)
            .any(|it| it.is_away() && it.from + NOTICED < asked.at && now < it.until);
        if known && took > ELSEWHERE {
            self.broke(format!(
                "{} took {took:?} although its node is known not to answer",
                asked.what
            ));
        }
    }

    /// The nodes have so many blocks.
    pub(crate) fn have_blocks(&self, heights: Vec<u64>) {
        let now = self.now();
        self.inner().heights.push((now, heights));
    }

    pub(crate) fn stopped(&self) {
        self.say("stopped");
        self.inner().has_stopped = true;
    }

    pub(crate) fn has_stopped(&self) -> bool {
        self.inner().has_stopped
    }

    /// What must hold at every step.
    pub(crate) fn step(&self) {
        let now = self.now();
        if now >= self.plan.stop {
            return;
        }
        let late: Vec<_> = self
            .inner()
            .open
            .values()
            .filter(|it| {
                !it.is_stream && !it.is_slow && !it.is_given_up && now > it.at + LONGEST_CALL
            })
            .map(|it| it.what.clone())
            .collect();
        for what in late {
            self.broke(format!("{what} is not answered"));
        }
        let Some(since) = self.plan.useful_since(now) else {
            return;
        };
        if self.plan.has_greedy() || now < since + SERVED_AGAIN {
            return;
        }
        let inner = self.inner();
        let last = inner.last_good.get(&About::Chain).copied();
        // Nothing is owed where nothing was asked.
        let mut open = inner.open.values();
        let is_owed = inner.last_bad.is_some_and(|it| it > since)
            || open.any(|it| {
                // What was lost of lists, which may take long, is not told from what still comes.
                let is_list = it.question.as_ref().is_some_and(Question::is_list);
                let is_waited_for = !it.is_given_up && !it.is_slow && !is_list;
                // The first to ask a node that has stalled notices that.
                let is_noticed = !self.plan.during(it.at, now).any(Trouble::is_away);
                let patience = SERVED_AGAIN + if is_noticed { Duration::ZERO } else { STALLED };
                it.about == About::Chain && it.at + patience <= now && is_waited_for
            });
        drop(inner);
        if is_owed && last.is_none_or(|it| it < since) {
            self.broke(format!(
                "no good answer although a node is of use since {:.3} s",
                since.as_secs_f64()
            ));
            // Once is enough.
            self.inner().last_good.insert(About::Chain, now);
        }
    }

    pub(crate) fn finish(self) -> Play {
        let mut inner = self.inner();
        Play {
            seed: self.plan.seed,
            trace: std::mem::take(&mut inner.trace),
            broken: std::mem::take(&mut inner.broken),
            answered: inner.answered,
            good: inner.good,
        }
    }
}

/// The beginning of what failed.
fn short(message: &Value) -> String {
    let said = message
        .pointer("/result/content/0/text")
        .or(message.pointer("/error/message"));
    let said = said.and_then(Value::as_str).unwrap_or("a result");
    said.chars().take(60).collect()
}
