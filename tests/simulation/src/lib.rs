//! Plays the server, its clients and its nodes in memory on one paused clock, everything random from one seed.
//!
//! The code of the program runs from the transports down to the client of the nodes; only what is below a connection is
//! replaced. [`play`] says which invariants did not hold.
#![expect(
    clippy::indexing_slicing,
    reason = "what a JSON value does not have is null"
)]

mod client;
mod export;
mod judge;
mod nodes;
mod plan;
mod question;
mod random;
mod stage;
mod trouble;

pub use judge::Play;

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use tokio::{
    runtime::{Builder, Handle},
    task::JoinSet,
    time::{Instant, sleep, sleep_until, timeout},
};

use crate::{judge::Judge, plan::Plan, stage::Stage};

/// How often the invariants are looked at while nothing is said.
const STEP: Duration = Duration::from_millis(100);
/// The time between two blocks.
const BLOCK: Duration = Duration::from_secs(11);
/// Calls have a deadline of a minute; then nothing may be waited for.
const ENDS: Duration = Duration::from_secs(600);

/// Plays what the seed stands for.
#[must_use]
pub fn play(seed: u64) -> Play {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .map_err(|err| err.to_string())?;
        runtime.block_on(on_stage(seed))
    }));
    let broken = match played {
        Ok(Ok(play)) => return play,
        Ok(Err(failed)) => failed,
        Err(panic) => said(&*panic),
    };
    Play {
        seed,
        trace: Vec::new(),
        broken: vec![broken],
        answered: 0,
        good: 0,
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panic: {}", text.unwrap_or_default())
}

/// Something that happens at a time, whatever the clients do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happens {
    Begin(usize),
    End(usize),
    CatchUp(usize),
    Block,
    Reload,
}

async fn on_stage(seed: u64) -> Result<Play, String> {
    let mut plan = Plan::of(seed);
    let sources: Vec<_> = plan.clients.iter().map(|_| plan.random.fork()).collect();
    let exported = plan.random.fork();
    let stage = Stage::start(plan).map_err(|err| format!("the stage cannot be set: {err}"))?;
    let judge = stage.judge.clone();
    let mut tasks = JoinSet::new();
    let plans = judge.plan.clients.iter();
    for (client, random) in plans.copied().zip(sources) {
        let (site, judge) = (stage.site(), judge.clone());
        tasks.spawn(async move {
            client::run(client, random, site).await;
            judge.say(format!("client {} has ended", client.number));
        });
    }
    for (at, happens) in events(&judge.plan) {
        while judge.now() < at {
            sleep_until(judge.at(at).min(Instant::now() + STEP)).await;
            stage.step();
        }
        happen(&stage, happens);
    }
    while judge.now() < judge.plan.stop {
        sleep_until(judge.at(judge.plan.stop).min(Instant::now() + STEP)).await;
        stage.step();
    }
    judge.stopped();
    stage.stop.start_draining();
    if let Some(after) = judge.plan.end_after {
        sleep(after).await;
        judge.say("ended at once");
        stage.stop.abort();
    }
    if timeout(ENDS, end(&judge, tasks, stage)).await.is_err() {
        judge.broke("it does not end");
    }
    for wrong in export::play(exported).await? {
        judge.broke(wrong);
    }
    Ok(judge.finish())
}

/// Waits for the clients, and for all that is left then.
async fn end(judge: &Judge, mut clients: JoinSet<()>, stage: Stage) {
    while let Some(ended) = clients.join_next().await {
        if let Err(err) = ended {
            judge.broke(said(&*err.into_panic()));
        }
    }
    judge.say("the clients have ended");
    stage.finish().await;
    let left = Handle::current().metrics().num_alive_tasks();
    if left > 0 {
        judge.broke(format!("{left} tasks did not end"));
    }
}

/// What happens when.
fn events(plan: &Plan) -> Vec<(Duration, Happens)> {
    let mut events = Vec::new();
    for (index, trouble) in plan.troubles.iter().enumerate() {
        events.push((trouble.from, Happens::Begin(index)));
        events.push((trouble.until, Happens::End(index)));
        if trouble.kind == trouble::Kind::HangThenBehind {
            events.push((trouble.until + trouble::CATCHES_UP, Happens::CatchUp(index)));
        }
    }
    let blocks = (1..).map(|it| BLOCK * it).take_while(|it| *it < plan.stop);
    events.extend(blocks.map(|at| (at, Happens::Block)));
    events.extend(plan.reload.map(|at| (at, Happens::Reload)));
    events.retain(|(at, _)| *at < plan.stop);
    events.sort_unstable();
    events
}

fn happen(stage: &Stage, happens: Happens) {
    let plan = &stage.judge.plan;
    let trouble = |index: usize| plan.troubles.get(index);
    match happens {
        Happens::Begin(index) => {
            if let Some(trouble) = trouble(index) {
                stage
                    .judge
                    .say(format!("node {} {:?}", trouble.node, trouble.kind));
                stage.nodes.begin(trouble);
            }
        }
        Happens::End(index) => {
            if let Some(trouble) = trouble(index) {
                stage.judge.say(format!("node {} is well", trouble.node));
                stage.nodes.end(trouble);
            }
        }
        Happens::CatchUp(index) => {
            if let Some(trouble) = trouble(index) {
                stage.nodes.catch_up(trouble);
            }
        }
        Happens::Block => {
            stage.nodes.block();
        }
        Happens::Reload => stage.reload(),
    }
    stage.judge.have_blocks(stage.nodes.heights());
}
