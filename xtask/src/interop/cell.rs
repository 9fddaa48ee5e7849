//! One client with one way to open connections, over one transport: a row of the matrix.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::clients::{Client, Era};
use super::judge;
use super::play::{Line, Said, play};
use super::script::{self, ANSWERS, Step};
use super::witness;
use super::{SURFACE, Setting};
use crate::failure::Failure;
use crate::server::Server;

/// How a client reaches a server.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transport {
    Stdio,
    Http,
}

/// What is played and judged together.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) client: &'static Client,
    pub(super) era: &'static Era,
    pub(super) transport: Transport,
}

/// What became of a cell.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The kinds of the steps that were right.
    pub(super) done: Vec<&'static str>,
    pub(super) problems: Vec<String>,
}

/// A server, and what is done with it.
struct Part<'a> {
    /// In file names.
    name: String,
    program: &'a Path,
    /// Its arguments for stdio.
    arguments: Vec<&'a str>,
    /// Where it serves HTTP already.
    url: Option<&'a str>,
    steps: Vec<Step>,
}

impl Transport {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "HTTP",
        }
    }
}

impl Outcome {
    pub(super) fn word(&self) -> String {
        match self.problems.len() {
            0 => "passed".to_owned(),
            1 => "1 problem".to_owned(),
            count => format!("{count} problems"),
        }
    }

    fn add(&mut self, other: Self) {
        self.done.extend(other.done);
        self.problems.extend(other.problems);
    }
}

impl Cell {
    /// All cells of a client.
    pub(super) fn of(client: &'static Client) -> impl Iterator<Item = Self> {
        let both = [Transport::Stdio, Transport::Http];
        client.eras.iter().flat_map(move |era| {
            both.map(|transport| Self {
                client,
                era,
                transport,
            })
        })
    }

    pub(super) fn name(&self) -> String {
        let (client, era) = (self.client.id, self.era.name);
        format!("{client}-{era}-{}", self.transport.name().to_lowercase())
    }

    /// Lets the client use both servers.
    pub(super) fn play(&self, setting: &Setting) -> Result<Outcome, Failure> {
        let mut outcome = self.run(&self.data(setting), setting)?;
        let everything = self.everything(setting);
        // What a client cannot do at all it is not started for.
        if !everything.steps.is_empty() {
            outcome.add(self.run(&everything, setting)?);
        }
        Ok(outcome)
    }

    fn data<'a>(&self, setting: &'a Setting) -> Part<'a> {
        Part {
            name: self.name(),
            program: &setting.data,
            arguments: [&["--demo=recorded"], SURFACE].concat(),
            url: Some(&setting.url),
            steps: self.possible(script::data(&setting.catalog, self.calls_all())),
        }
    }

    fn everything<'a>(&self, setting: &'a Setting) -> Part<'a> {
        Part {
            name: format!("{}-everything", self.name()),
            program: &setting.everything,
            arguments: Vec::new(),
            // One for each client: what changes there would be news to others.
            url: None,
            steps: self.possible(script::everything(self.era.has_handshake())),
        }
    }

    /// Whether all tools are called, else one of each family. A slow client calls all in one cell.
    fn calls_all(&self) -> bool {
        let is_the_one = self.era.name == "modern" && matches!(self.transport, Transport::Http);
        !self.client.is_slow || is_the_one
    }

    fn possible(&self, mut steps: Vec<Step>) -> Vec<Step> {
        steps.retain(|step| !self.client.lacks.contains(&step.kind));
        steps
    }

    fn run(&self, part: &Part<'_>, setting: &Setting) -> Result<Outcome, Failure> {
        let file = |ending| setting.folder.join(format!("{}.{ending}", part.name));
        match (self.transport, part.url) {
            (Transport::Stdio, _) => {
                let witness = file("ended");
                let command = witness::command(part.program, &part.arguments, &witness)?;
                let mut outcome = self.speak(part, ("command", json!(command)), setting)?;
                let problem = witness::problem(&witness, self.era.probes)?;
                outcome.problems.extend(problem);
                Ok(outcome)
            }
            (Transport::Http, Some(url)) => self.speak(part, ("url", json!(url)), setting),
            (Transport::Http, None) => {
                let log = file("server.log");
                let server = Server::start(part.program, &["ADDRESS"], &log)?;
                let outcome = self.speak(part, ("url", json!(server.url())), setting)?;
                server.stop()?;
                Ok(outcome)
            }
        }
    }

    /// Plays the script, and judges what comes of it. `place` is where the server is.
    fn speak(
        &self,
        part: &Part<'_>,
        place: (&str, Value),
        setting: &Setting,
    ) -> Result<Outcome, Failure> {
        let answers: Map<_, _> = ANSWERS
            .iter()
            .map(|(asked, answer)| ((*asked).to_owned(), json!(answer)))
            .collect();
        let steps: Vec<_> = part.steps.iter().map(|step| &step.line).collect();
        let mut script = json!({"era": self.era.name, "answers": answers, "steps": steps});
        if let Some(script) = script.as_object_mut() {
            script.insert(place.0.to_owned(), place.1);
        }
        let path = setting.folder.join(format!("{}.json", part.name));
        fs::write(&path, script.to_string()).map_err(Failure::io(path.display()))?;
        let Some(mut client) = setting.programs.command(self.client) else {
            return Err(Failure::Found(format!("{} is not there", self.client.id)));
        };
        // The Inspector keeps files in the home folder; they are not the user's.
        client.arg(&path).env("HOME", &setting.folder);
        let said = play(&mut client, &path.with_extension("log"))?;
        Ok(self.judge(&part.steps, said))
    }

    fn judge(&self, steps: &[Step], said: Said) -> Outcome {
        let mut outcome = Outcome::default();
        match said.of(&json!("connect")) {
            Some(Line::Got(about)) => {
                let agreed = about.get("revision").unwrap_or(&Value::Null);
                if agreed != self.era.revision {
                    let wanted = self.era.revision;
                    outcome
                        .problems
                        .push(format!("connect: {agreed}, not {wanted}"));
                }
            }
            Some(Line::Failed(why)) => {
                outcome.problems.push(format!("connect: {why}"));
                return outcome;
            }
            None => outcome.problems.push("connect: nothing said".to_owned()),
        }
        for (index, step) in steps.iter().enumerate() {
            let problem = match said.of(&json!(index)) {
                Some(Line::Got(got)) => judge::problem(&step.expect, got),
                Some(Line::Failed(why)) => Some(why.clone()),
                None => Some("nothing said".to_owned()),
            };
            match problem {
                None => outcome.done.push(step.kind),
                Some(problem) => outcome.problems.push(format!("{}: {problem}", step.line)),
            }
        }
        match said.of(&json!("close")) {
            Some(Line::Got(_)) => {}
            Some(Line::Failed(why)) => outcome.problems.push(format!("close: {why}")),
            None => outcome.problems.push("close: nothing said".to_owned()),
        }
        outcome.problems.extend(said.problem);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Cell, Transport};
    use crate::interop::clients::CLIENTS;
    use crate::interop::play::{Line, Said};
    use crate::interop::script;

    fn check(lines: Vec<(serde_json::Value, Line)>, done: &[&str], problems: &[&str]) {
        let client = CLIENTS.iter().find(|it| it.id == "python1").unwrap();
        let cell = Cell {
            client,
            era: client.eras.first().unwrap(),
            transport: Transport::Http,
        };
        let mut steps = script::everything(true);
        steps.truncate(1);
        let said = Said {
            lines,
            problem: None,
        };
        let outcome = cell.judge(&steps, said);
        assert_eq!(outcome.done, done);
        let begin = |(problem, start): (&String, &&str)| problem.starts_with(start);
        let found = &outcome.problems;
        assert!(
            found.len() == problems.len() && found.iter().zip(problems).all(begin),
            "{found:?}"
        );
    }

    #[test]
    fn what_is_not_said_is_a_problem() {
        let connect = |revision| (json!("connect"), Line::Got(json!({"revision": revision})));
        let close = || (json!("close"), Line::Got(json!(null)));
        let step = |got| (json!(0), Line::Got(got));
        let right = step(json!([0, 50, 100]));
        check(
            vec![connect("2025-11-25"), right, close()],
            &["progress"],
            &[],
        );
        check(
            vec![connect("2025-06-18"), step(json!([])), close()],
            &[],
            &["connect: \"2025-06-18\", not", "{\"do\":\"progress\""],
        );
        check(
            vec![connect("2025-11-25")],
            &[],
            &["{\"do\":\"progress\"", "close: nothing said"],
        );
        check(
            vec![(json!("connect"), Line::Failed("refused".to_owned()))],
            &[],
            &["connect: refused"],
        );
        check(
            vec![],
            &[],
            &["connect: nothing", "{\"do\"", "close: nothing"],
        );
    }
}
