//! `cargo xtask simulate`: plays seeds, and prints what does not hold.

use std::{
    io::{self, Write},
    process::ExitCode,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use qortal_simulation::play;

/// How many seeds are played if nothing is said of that.
const SEEDS: u64 = 100;

/// What the command line asks for.
#[derive(Debug)]
struct Options {
    first: u64,
    seeds: u64,
    /// Goes on for so long instead of for a number of seeds.
    seconds: Option<u64>,
    shows_trace: bool,
}

fn main() -> ExitCode {
    let mut output = io::stdout().lock();
    let played = options().and_then(|it| run(&it, &mut output).map_err(|err| err.to_string()));
    match played {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            // When stderr is gone too, the exit code is all that is left to say.
            let _ = writeln!(io::stderr(), "error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        first: 0,
        seeds: SEEDS,
        seconds: None,
        shows_trace: false,
    };
    let mut arguments = std::env::args().skip(1).filter(|it| it != "simulate");
    while let Some(name) = arguments.next() {
        let mut number = || {
            let value = arguments.next().and_then(|it| it.parse().ok());
            value.ok_or_else(|| format!("{name} needs a number"))
        };
        match name.as_str() {
            "--seed" => (options.first, options.seeds) = (number()?, 1),
            "--seeds" => options.seeds = number()?,
            "--from" => options.first = number()?,
            "--seconds" => {
                options.seconds = Some(number()?);
                options.seeds = u64::MAX;
                let since = SystemTime::now().duration_since(UNIX_EPOCH);
                options.first = since.map_or(0, |it| it.as_secs());
            }
            "--trace" => options.shows_trace = true,
            _ => {
                return Err(format!(
                    "there is no {name}: [--seeds N] [--from S] [--seed S] [--seconds T] [--trace]"
                ));
            }
        }
    }
    Ok(options)
}

/// Plays until a seed fails; `false` if one does.
fn run(options: &Options, output: &mut impl Write) -> io::Result<bool> {
    if options.shows_trace {
        // With what the server says meanwhile.
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG);
        log.without_time().with_ansi(false).init();
    }
    let begun = Instant::now();
    let until = options.seconds.map(|it| begun + Duration::from_secs(it));
    let (mut played, mut answered, mut good) = (0_u64, 0_u64, 0_u64);
    for seed in options.first..options.first.saturating_add(options.seeds) {
        if until.is_some_and(|it| Instant::now() >= it) {
            break;
        }
        let play = play(seed);
        played += 1;
        answered += play.answered;
        good += play.good;
        if !play.broken.is_empty() {
            write!(output, "{}", play.report())?;
            writeln!(
                output,
                "play it again: cargo xtask simulate --seed {seed} --trace"
            )?;
            return Ok(false);
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    writeln!(
        output,
        "{played} seeds from {} in {seconds:.1} s: {answered} answers, {good} of them good; every invariant held",
        options.first
    )?;
    Ok(true)
}
