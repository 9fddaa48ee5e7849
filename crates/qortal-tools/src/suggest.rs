//! How what somebody types could go on: names, coins, services, heights. Never late: what the node does
//! not say at once is left out.

mod asked;
mod origin;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use mcp_protocol::Object;
use tokio::time::{Instant, timeout};

use self::{
    asked::{Asked, Said},
    origin::{ORIGINS, Origin, Word},
};
use crate::{catalog::Catalog, untrusted::is_hidden};

/// Values of one answer (`server/utilities/completion` of MCP).
const MOST: u32 = 100;
/// Who types does not wait longer.
const DEADLINE: Duration = Duration::from_millis(300);
/// How long a node that was late is not asked the same again.
const REST: Duration = Duration::from_secs(5);
/// How many answers of the node are kept: about what one person types in a minute.
const MOST_KEPT: usize = 64;
/// Characters of what has been typed: the longest names have 40, the longest texts are keys of 44.
const LONGEST: usize = 44;

/// Values that fit what has been typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Values {
    /// The values, at most 101: one more than is sent, where there are more.
    pub values: Vec<String>,
    /// How many there are, where that is known.
    pub total: Option<u64>,
}

/// Suggests values, and keeps for a minute what the node said.
#[derive(Debug)]
pub struct Suggestions {
    catalog: Arc<Catalog>,
    kept: Mutex<HashMap<Asked, Kept>>,
}

#[derive(Debug)]
struct Kept {
    until: Instant,
    said: Arc<Said>,
}

impl Suggestions {
    /// Over the node of a catalog.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            kept: Mutex::default(),
        }
    }

    /// Whether a prompt that is offered has this argument.
    #[must_use]
    pub fn is_blank_of(&self, prompt: &str, argument: &str) -> bool {
        let mut questions = self.catalog.questions();
        let question = questions.find(|it| it.name == prompt);
        question.is_some_and(|it| it.blanks.iter().any(|it| it.name == argument))
    }

    /// Whether a template that is offered has this variable.
    #[must_use]
    pub fn is_variable_of(&self, template: &str, variable: &str) -> bool {
        let mut sources = self.catalog.sources().map(|(source, _)| source);
        let source = sources.find(|it| it.template == template);
        source.is_some_and(|it| it.variables().any(|it| it == variable))
    }

    /// The values of an argument that begin with what has been typed, in any case, where `settled` has the arguments
    /// that are filled in already. None if the node does not answer at once, and none for what only the person knows.
    pub async fn values(&self, argument: &str, typed: &str, settled: &Object) -> Values {
        let typed = typed.trim();
        let origin = ORIGINS.iter().find(|(name, _)| *name == argument);
        let Some((_, origin)) = origin.filter(|_| typed.chars().count() <= LONGEST) else {
            return Values::default();
        };
        match origin {
            Origin::Words(words) => {
                let words = words();
                let pairs = words.iter().map(|Word { value, label }| (*value, *label));
                fitting(pairs, typed, true)
            }
            Origin::Topics => {
                let topics = self.topics();
                fitting(topics.iter().map(|it| (it.as_str(), "")), typed, true)
            }
            Origin::Node(asked) => match asked(typed, settled) {
                Some(asked) => self.listed(asked, typed).await,
                None => Values::default(),
            },
            Origin::Nowhere => Values::default(),
        }
    }

    fn topics(&self) -> Vec<String> {
        let mut sources = self.catalog.sources();
        let topics = sources.find(|(source, _)| source.variables().eq(["topic"]));
        topics.map_or_else(Vec::new, |(source, entry)| source.listed_values(entry))
    }

    async fn listed(&self, asked: Asked, typed: &str) -> Values {
        let said = match self.kept(&asked) {
            Some(said) => said,
            None => match timeout(DEADLINE, asked.ask(self.catalog.node())).await {
                Ok(Ok(said)) => {
                    let lifetime = asked.lifetime();
                    self.keep(asked, said, lifetime)
                }
                // Late or not at all: nothing is suggested, nobody is bothered, and the node gets a rest.
                Ok(Err(_)) | Err(_) => self.keep(asked, Said::default(), REST),
            },
        };
        let candidates = said.candidates.iter();
        let pairs = candidates.map(|it| (it.value.as_str(), it.label.as_str()));
        fitting(pairs, typed, said.is_all)
    }

    fn kept(&self, asked: &Asked) -> Option<Arc<Said>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get(asked)?;
        let is_fresh = Instant::now() < found.until;
        is_fresh.then(|| Arc::clone(&found.said))
    }

    fn keep(&self, asked: Asked, mut said: Said, lifetime: Duration) -> Arc<Said> {
        // What cannot be seen cannot be chosen.
        let is_visible = |text: &str| !text.chars().any(|c| c.is_control() || is_hidden(c));
        said.candidates.retain(|it| is_visible(&it.value));
        let said = Arc::new(said);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        kept.retain(|_, it| now < it.until);
        if kept.len() >= MOST_KEPT {
            let oldest = kept.iter().min_by_key(|(_, it)| it.until);
            if let Some(oldest) = oldest.map(|(asked, _)| asked.clone()) {
                kept.remove(&oldest);
            }
        }
        let (until, shared) = (now + lifetime, Arc::clone(&said));
        kept.insert(asked, Kept { until, said });
        shared
    }
}

/// The values that begin with what has been typed, or whose label does.
fn fitting<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    typed: &str,
    is_all: bool,
) -> Values {
    let typed = typed.to_lowercase();
    let begins = |text: &str| text.to_lowercase().starts_with(&typed);
    let fitting = pairs.filter(|(value, label)| begins(value) || begins(label));
    let mut values: Vec<_> = fitting.map(|(value, _)| value.to_owned()).collect();
    let total = is_all.then_some(values.len() as u64);
    values.truncate(MOST as usize + 1);
    Values { values, total }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ORIGINS;
    use crate::{prompt::Question, resource::Source};

    #[test]
    fn every_argument_has_an_origin_and_nothing_else_has() {
        let blanks = Question::all().iter().flat_map(|it| it.blanks);
        let variables = Source::all().flat_map(Source::variables);
        let asked: BTreeSet<_> = blanks.map(|it| it.name).chain(variables).collect();
        let rows: BTreeSet<_> = ORIGINS.iter().map(|(name, _)| *name).collect();
        assert_eq!(rows, asked);
        assert_eq!(rows.len(), ORIGINS.len(), "an argument has two origins");
    }
}
