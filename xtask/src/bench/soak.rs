//! `cargo xtask bench --soak`: clients that do what they should not, all at once, and what becomes of the server
//! and of the clients that do as they should.
//!
//! It fails when memory or descriptors are not bounded, or when a good request is not answered.

mod abuse;
mod options;
mod report;
mod target;
mod traffic;
mod watch;

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::bench::figures::{Figures, Table};
use crate::bench::soak::abuse::{Abuse, Tally};
use crate::bench::soak::options::Options;
use crate::bench::soak::target::Target;
use crate::bench::soak::traffic::Traffic;
use crate::bench::soak::watch::Usage;
use crate::command::{progress, say};
use crate::failure::Failure;

/// How much more than at rest a server may hold while it is abused, in KiB: its budget of memory, and 64 MiB for what is
/// not counted.
const PEAK_KIB: u64 = (256 + 64) << 10;
/// How much more than at rest it may keep when all is over, in KiB: allocators do not give everything back.
const AFTER_KIB: u64 = 128 << 10;
/// How many more descriptors than at rest it may keep when all is over.
const AFTER_DESCRIPTORS: usize = 8;
/// How long a server may take to come to rest: its idle timeout, and a little. Where more connect than the queue of
/// the kernel holds, some are of clients that have long gone, and only that timeout ends them.
const SETTLE: Duration = Duration::from_secs(130);
/// How often memory and descriptors are read.
const SAMPLE: Duration = Duration::from_millis(50);

/// Abuses each server in turn, prints what was seen, and judges it.
pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::read(arguments)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(Failure::io("runtime"))?;
    let mut found = Vec::new();
    let targets = options.targets()?;
    let mut seen = String::new();
    let phases: usize = targets.iter().map(|target| target.abuses.len()).sum();
    let each = options.total / u32::try_from(phases.max(1)).unwrap_or(1);
    for target in &targets {
        let (wrong, shown) = runtime.block_on(soak(target, each))?;
        found.extend(wrong);
        say(&shown)?;
        seen.push_str(&shown);
    }
    if options.writes {
        report::write("abuse", &seen)?;
    }
    match found.is_empty() {
        true => say("every good request was answered, and what the servers hold is bounded"),
        false => Err(Failure::Found(found.join("\n"))),
    }
}

/// Abuses one server in every way, each for so long; returns what is wrong, and what was seen.
async fn soak(target: &Target, each: Duration) -> Result<(Vec<String>, String), Failure> {
    let name = target.name;
    let serving = target.start()?;
    Traffic::first_answer(target, serving.address).await?;
    let before = Usage::of(serving.process())?;
    let mut found = Vec::new();
    let mut table = Table::new(
        &format!("{name} under abuse, {:.0} s each", each.as_secs_f64()),
        &[
            "clients that",
            "of them",
            "what became of them",
            "good requests",
            "p50 ms",
            "p99 ms",
            "failed",
            "peak MiB",
            "peak descriptors",
        ],
    );
    for abuse in target.abuses {
        progress(&format!("{name}: clients that {}", abuse.name))?;
        let clients = abuse.clients.min(Usage::descriptors_to_spare()?);
        let tally = Tally::default();
        let mut bad = JoinSet::new();
        for _ in 0..clients {
            bad.spawn(abuse.visit_again_and_again(serving.address, tally.clone()));
        }
        let (good, peak) = tokio::join!(
            Traffic::for_a_while(target, serving.address, each),
            watch::peak(serving.process(), each)
        );
        let (good, peak) = (good, peak?);
        bad.shutdown().await;
        table.row(&[
            abuse.name.to_owned(),
            clients.to_string(),
            tally.shown(),
            good.answered.to_string(),
            shown(good.percentile_ms(50)),
            shown(good.percentile_ms(99)),
            good.failed.to_string(),
            mebibytes(peak.resident_kib),
            peak.descriptors.to_string(),
        ]);
        if let Some(why) = &good.first_failure {
            found.push(format!(
                "{name}, clients that {}: {} good requests failed, the first: {why}",
                abuse.name, good.failed
            ));
        }
        if peak.resident_kib > before.resident_kib + PEAK_KIB {
            found.push(format!(
                "{name}, clients that {}: it held {} MiB",
                abuse.name,
                mebibytes(peak.resident_kib)
            ));
        }
    }
    let (after, at_rest) = settle(&before, serving.process()).await?;
    let seen = format!(
        "{}\n{name} at rest: {} MiB and {} descriptors before, {} MiB and {} after.\n\n",
        table.finish(),
        mebibytes(before.resident_kib),
        before.descriptors,
        mebibytes(after.resident_kib),
        after.descriptors
    );
    if !at_rest {
        found.push(format!("{name} did not come to rest"));
    }
    Ok((found, seen))
}

/// Waits until the server holds little more than before; how much it holds then, and whether it is little.
async fn settle(before: &Usage, process: u32) -> Result<(Usage, bool), Failure> {
    let mut waited = Duration::ZERO;
    loop {
        let now = Usage::of(process)?;
        let at_rest = now.resident_kib <= before.resident_kib + AFTER_KIB
            && now.descriptors <= before.descriptors + AFTER_DESCRIPTORS;
        if at_rest || waited >= SETTLE {
            return Ok((now, at_rest));
        }
        sleep(SAMPLE).await;
        waited += SAMPLE;
    }
}

fn shown(figure: f64) -> String {
    Figures::from_iter([figure]).shown()
}

fn mebibytes(kibibytes: u64) -> String {
    kibibytes.div_ceil(1 << 10).to_string()
}

/// What clients of a kind do, and how many of them there are.
type Abuses = &'static [Abuse];
