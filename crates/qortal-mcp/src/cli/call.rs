//! A call of a tool as a person writes it, and the wait for its answer.

use std::{
    future::Future,
    io::{self, IsTerminal, Write},
    pin::pin,
    time::Duration,
};

use mcp_hosts::shell_quoted;
use qortal_tools::Object;
use serde_json::Value;
use tokio::time::{Instant, interval_at};

/// A wait that a person does not ask about.
const SHORT: Duration = Duration::from_secs(2);
/// How often the line is written again.
const STEP: Duration = Duration::from_secs(1);

/// A call as a line that a shell reads: `weather call get_forecast city=Oslo`, where `program` is `weather call`.
#[must_use]
pub(crate) fn line(program: &str, tool: &str, arguments: &Object, options: &[String]) -> String {
    let arguments = arguments.iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        format!(" {name}={}", shell_quoted(&value))
    });
    let options = options.iter().map(|it| format!(" {}", shell_quoted(it)));
    let words: String = arguments.chain(options).collect();
    format!("{program} {tool}{words}")
}

/// The words `name=value` as the arguments of a tool. A value is JSON, or else text; one that is a number stays text where the
/// parameter `is_text`: digits of amounts and names would be lost.
///
/// # Errors
/// The word that is none.
pub(crate) fn arguments(words: &[String], is_text: impl Fn(&str) -> bool) -> Result<Object, &str> {
    let argument = |word: &str| {
        let (name, value) = word.split_once('=').filter(|(name, _)| !name.is_empty())?;
        let value = match serde_json::from_str(value) {
            Ok(Value::Number(_)) if is_text(name) => value.into(),
            Ok(json) => json,
            Err(_) => value.into(),
        };
        Some((name.to_owned(), value))
    };
    let arguments = words.iter().map(|it| argument(it).ok_or(it.as_str()));
    arguments.collect()
}

/// Replaces the last line on standard error, which a person looks at; an empty text removes it.
pub(crate) fn show_status(text: &str) {
    let mut err = io::stderr().lock();
    // If standard error is closed, there is nowhere left to report to.
    drop(write!(err, "\r\x1b[K{text}").and_then(|()| err.flush()));
}

/// The result of a call; while it takes long and a person looks at standard error, a line there counts the seconds after `what`.
pub(crate) async fn waiting<F: Future>(call: F, what: &str) -> F::Output {
    if io::stderr().is_terminal() {
        counting(call, what, show_status).await
    } else {
        call.await
    }
}

/// The same, with how the line is shown; an empty one removes it.
async fn counting<F: Future>(call: F, what: &str, show: impl Fn(&str)) -> F::Output {
    let mut call = pin!(call);
    let begun = Instant::now();
    let mut ticks = interval_at(begun + SHORT, STEP);
    let mut is_shown = false;
    let result = loop {
        tokio::select! {
            result = &mut call => break result,
            _ = ticks.tick() => {
                is_shown = true;
                show(&format!("{what}, {} s", begun.elapsed().as_secs()));
            }
        }
    };
    if is_shown {
        show("");
    }
    result
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::json;
    use tokio::time::sleep;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_call_for_the_rest_of_a_list() {
        let next = json!({"limit": 2, "city": "New York"});
        let options = ["--demo", "--node", "http://a b"].map(str::to_owned);
        assert_eq!(
            line(
                "weather call",
                "list_stations",
                next.as_object().unwrap(),
                &options
            ),
            "weather call list_stations limit=2 city='New York' --demo --node 'http://a b'"
        );
    }

    #[test]
    fn words_are_json_unless_they_are_text() {
        let words = ["a=1", "b=1.10", "c=[1]", "d=x=y", "e="].map(str::to_owned);
        let expected = json!({"a": 1, "b": "1.10", "c": [1], "d": "x=y", "e": ""});
        let read = arguments(&words, |it| it == "b").unwrap();
        assert_eq!(Value::Object(read), expected);
        for wrong in ["a", "=1"] {
            assert_eq!(arguments(&[wrong.to_owned()], |_| false), Err(wrong));
        }
    }
    #[tokio::test(start_paused = true)]
    async fn the_seconds_of_a_long_call_are_counted_until_it_ends() {
        for (ms, expected) in [(1_900, ""), (4_500, "x, 2 s|x, 3 s|x, 4 s|")] {
            let lines = RefCell::new(Vec::new());
            let show = |it: &str| lines.borrow_mut().push(it.to_owned());
            let call = sleep(Duration::from_millis(ms));
            counting(call, "x", show).await;
            assert_eq!(lines.into_inner().join("|"), expected, "{ms}");
        }
    }
}
