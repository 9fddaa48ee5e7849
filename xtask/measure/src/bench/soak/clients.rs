//! Clients that ask one question again and again: one keeps its connection, one opens a new one each time.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::bench::soak::probe::{PATIENCE, Probe};
use crate::bench::soak::stage::Stage;

/// Between two questions of one client.
const PAUSE: Duration = Duration::from_millis(20);
/// The client that keeps its connection, and the one that opens a new one each time.
const KEEPS: usize = 0;
const OPENS: usize = 1;
/// How much is shown of a failure.
const SHOWN: usize = 300;

/// Two clients for each question, until this is dropped or finished.
#[derive(Debug)]
pub(super) struct Clients {
    tasks: JoinSet<()>,
    seen: Vec<(Probe, Log)>,
}

type Log = Arc<Mutex<Record>>;

/// What two clients have seen, and since when they wait for an answer.
#[derive(Debug, Default)]
struct Record {
    seen: Seen,
    waiting: [Option<Instant>; 2],
}

/// What became of one question, asked again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(Vec<Sample>);

/// One time that it was asked.
#[derive(Clone, Debug)]
struct Sample {
    begun: Instant,
    ended: Instant,
    failure: Option<String>,
}

impl Clients {
    pub(super) fn start(stage: &Stage, address: SocketAddr, questions: &[Probe]) -> Self {
        let mut tasks = JoinSet::new();
        let seen = questions.iter().map(|question| {
            let log = Log::default();
            for client in [KEEPS, OPENS] {
                let work = ask_again_and_again(*question, address, client, Arc::clone(&log));
                tasks.spawn_on(work, stage.clients.handle());
            }
            (*question, log)
        });
        let seen = seen.collect();
        Self { tasks, seen }
    }

    /// What was seen since this was asked last.
    pub(super) fn take(&self) -> Vec<(Probe, Seen)> {
        let seen = self.seen.iter();
        seen.map(|(question, log)| (*question, std::mem::take(&mut lock(log).seen)))
            .collect()
    }

    /// Waits until what was asked before `moment` has ended; a client waits for nothing longer than its patience, twice.
    pub(super) fn wait_for_all_before(&self, moment: Instant, stage: &Stage) {
        let is_over = |log: &Log| lock(log).waiting.iter().flatten().all(|it| *it >= moment);
        while !self.seen.iter().all(|(_, log)| is_over(log)) && moment.elapsed() < 2 * PATIENCE {
            stage.pass(PAUSE);
        }
    }

    /// Ends them, and returns what was seen since it was asked last. What they still wait for has failed.
    pub(super) fn finish(mut self, stage: &Stage) -> Vec<(Probe, Seen)> {
        stage.clients.block_on(self.tasks.shutdown());
        let ended = Instant::now();
        for (_, log) in &self.seen {
            let mut record = lock(log);
            for begun in std::mem::take(&mut record.waiting).into_iter().flatten() {
                let failure = Some("it was still waited for".to_owned());
                record.seen.0.push(Sample {
                    begun,
                    ended,
                    failure,
                });
            }
        }
        self.take()
    }
}

fn lock(log: &Log) -> MutexGuard<'_, Record> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn ask_again_and_again(question: Probe, address: SocketAddr, client: usize, log: Log) {
    let keeps = client == KEEPS;
    let mut connection = None;
    for number in 0.. {
        let begun = Instant::now();
        lock(&log).asks(client, begun);
        let mut outcome = timeout(PATIENCE, question.ask(&mut connection, address, number)).await;
        if keeps && matches!(outcome, Ok(Err(ref why)) if why.kind() != std::io::ErrorKind::Other) {
            // A connection may be closed between two requests (RFC 9112 §9.5): a client asks again on another.
            connection = None;
            outcome = timeout(PATIENCE, question.ask(&mut connection, address, number)).await;
        }
        let failure = match outcome {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(why.to_string().chars().take(SHOWN).collect()),
            Err(_) => Some(format!("no answer within {} s", PATIENCE.as_secs())),
        };
        if !keeps || failure.is_some() {
            connection = None;
        }
        let ended = Instant::now();
        let sample = Sample {
            begun,
            ended,
            failure,
        };
        lock(&log).saw(client, sample);
        sleep(PAUSE).await;
    }
}

impl Record {
    fn asks(&mut self, client: usize, begun: Instant) {
        if let Some(waiting) = self.waiting.get_mut(client) {
            *waiting = Some(begun);
        }
    }

    fn saw(&mut self, client: usize, sample: Sample) {
        self.seen.0.push(sample);
        if let Some(waiting) = self.waiting.get_mut(client) {
            *waiting = None;
        }
    }
}

impl Seen {
    /// The samples of what was asked within this time, whenever that ended.
    pub(super) fn asked_within(self, from: Instant, until: Instant) -> Self {
        let mut samples = self.0;
        samples.retain(|it| it.begun >= from && it.begun < until);
        Self(samples)
    }

    /// How many failed, and why the first did.
    pub(super) fn all_failures(&self) -> (usize, Option<&str>) {
        counted(self.0.iter())
    }

    /// How long each took.
    pub(super) fn latencies(&self) -> impl Iterator<Item = Duration> {
        let samples = self.0.iter();
        samples.map(|it| it.ended.duration_since(it.begun))
    }
}

fn counted<'a>(samples: impl Iterator<Item = &'a Sample>) -> (usize, Option<&'a str>) {
    let mut failed = samples.filter_map(|it| it.failure.as_deref());
    let first = failed.next();
    (usize::from(first.is_some()) + failed.count(), first)
}

/// What so many percent of the sorted latencies did not exceed, in milliseconds; 0 without any.
pub(super) fn percentile_ms(latencies: &[Duration], percent: usize) -> f64 {
    let at = (latencies.len() * percent).div_ceil(100).max(1) - 1;
    latencies.get(at).map_or(0.0, |it| it.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Sample, Seen, percentile_ms};

    /// Questions as milliseconds from their beginning to their end, and whether the answer was good.
    fn seen(base: Instant, samples: &[(u64, u64, bool)]) -> Seen {
        let at = |millis| base + Duration::from_millis(millis);
        let samples = samples.iter().map(|(begun, ended, is_good)| Sample {
            begun: at(*begun),
            ended: at(*ended),
            failure: (!is_good).then(|| "late".to_owned()),
        });
        Seen(samples.collect())
    }

    #[test]
    fn what_was_asked_and_answered_within_a_time_counts() {
        let base = Instant::now();
        let at = |millis| base + Duration::from_millis(millis);
        let seen = seen(
            base,
            &[
                (0, 1_100, true),
                (1_000, 1_200, true),
                (1_300, 1_400, false),
                (1_900, 2_100, true),
            ],
        );
        let asked = seen.asked_within(at(0), at(1_901));
        assert_eq!(asked.all_failures(), (1, Some("late")));
        let mut latencies: Vec<_> = asked.latencies().collect();
        latencies.sort_unstable();
        assert!((percentile_ms(&latencies, 50) - 200.0).abs() < 1e-9);
        assert!((percentile_ms(&latencies, 99) - 1_100.0).abs() < 1e-9);
        assert!(percentile_ms(&[], 99).abs() < 1e-9);
    }
}
