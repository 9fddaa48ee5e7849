//! How what somebody types could go on: names, coins, services, heights. Never late: what the node does
//! not say at once is left out.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use qortal_client::{Node, NodeError, Page, api::names::NameMatch};
use qortal_types::{Blockchain, Service, TransactionType};
use tokio::time::{Instant, timeout};

use crate::{catalogue::Catalogue, untrusted::is_hidden};

/// Values of one answer (`server/utilities/completion` of MCP).
const MOST: u32 = 100;
/// Who types does not wait longer.
const DEADLINE: Duration = Duration::from_millis(300);
/// How long what the node said is good enough to go on with.
const KEPT: Duration = Duration::from_secs(60);
/// How many answers of the node are kept: about what one person types in a minute.
const MOST_KEPT: usize = 64;
/// Characters of what has been typed: the longest names have 40.
const LONGEST: usize = 40;
/// How far below the last block the heights are that are suggested.
const BACK: [u32; 5] = [0, 1, 10, 100, 1_000];

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
    catalogue: Arc<Catalogue>,
    kept: Mutex<HashMap<Asked, Kept>>,
}

/// What the node is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Asked {
    /// Names with this beginning.
    Names(String),
    Groups,
    Assets,
    Polls,
    Tip,
}

#[derive(Debug)]
struct Kept {
    since: Instant,
    list: Arc<List>,
}

/// What the node said.
#[derive(Debug)]
struct List {
    candidates: Vec<Candidate>,
    /// It has no more.
    is_all: bool,
}

/// A value, and by what else it may be found.
#[derive(Debug)]
struct Candidate {
    value: String,
    label: String,
}

impl Suggestions {
    /// Over the node of a catalogue.
    #[must_use]
    pub fn new(catalogue: Arc<Catalogue>) -> Self {
        Self {
            catalogue,
            kept: Mutex::default(),
        }
    }

    /// Whether a prompt that is offered has this argument.
    #[must_use]
    pub fn is_blank_of(&self, prompt: &str, argument: &str) -> bool {
        let mut questions = self.catalogue.questions();
        let question = questions.find(|it| it.name == prompt);
        question.is_some_and(|it| it.blanks.iter().any(|it| it.name == argument))
    }

    /// Whether a template that is offered has this variable.
    #[must_use]
    pub fn is_variable_of(&self, template: &str, variable: &str) -> bool {
        let mut sources = self.catalogue.sources().map(|(source, _)| source);
        let source = sources.find(|it| it.template == template);
        source.is_some_and(|it| it.variables().any(|it| it == variable))
    }

    /// The values of an argument that begin with what has been typed, in any case. None if the node
    /// does not answer at once, and none for what only the person knows, such as a signature.
    pub async fn values(&self, argument: &str, typed: &str) -> Values {
        let typed = typed.trim();
        if typed.chars().count() > LONGEST {
            return Values::default();
        }
        match argument {
            "blockchain" => coins(typed),
            "service" => words(Service::ALL.iter().map(Service::as_str), typed),
            "tx_type" => words(
                TransactionType::ALL.iter().map(TransactionType::as_str),
                typed,
            ),
            "topic" => self.topics(typed),
            // Wherever an account is wanted, a name will do.
            "name" | "address" | "other_address" | "identity" => {
                self.listed(Asked::Names(typed.to_lowercase()), typed).await
            }
            "group_id" => self.listed(Asked::Groups, typed).await,
            "asset_id" => self.listed(Asked::Assets, typed).await,
            "poll_name" => self.listed(Asked::Polls, typed).await,
            "height" => self.listed(Asked::Tip, typed).await,
            _ => Values::default(),
        }
    }

    fn topics(&self, typed: &str) -> Values {
        let sources = self.catalogue.sources();
        let mut topics = sources.filter(|(source, _)| source.variables().eq(["topic"]));
        let topics = topics
            .next()
            .map(|(source, entry)| source.listed_values(entry));
        words(topics.iter().flatten().map(String::as_str), typed)
    }

    async fn listed(&self, asked: Asked, typed: &str) -> Values {
        let list = match self.kept(&asked) {
            Some(list) => list,
            None => match timeout(DEADLINE, asked.ask(self.catalogue.node())).await {
                Ok(Ok(candidates)) => self.keep(asked, candidates),
                // Late or not at all: nothing is suggested, and nobody is bothered.
                Ok(Err(_)) | Err(_) => return Values::default(),
            },
        };
        let typed = typed.to_lowercase();
        let fitting = list.candidates.iter().filter(|it| {
            it.value.to_lowercase().starts_with(&typed)
                || it.label.to_lowercase().starts_with(&typed)
        });
        let values: Vec<_> = fitting.map(|it| it.value.clone()).collect();
        let total = list.is_all.then_some(values.len() as u64);
        Values { values, total }
    }

    fn kept(&self, asked: &Asked) -> Option<Arc<List>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.get(asked)?;
        let is_fresh = found.since.elapsed() < asked.lifetime();
        is_fresh.then(|| Arc::clone(&found.list))
    }

    fn keep(&self, asked: Asked, mut candidates: Vec<Candidate>) -> Arc<List> {
        let is_all = candidates.len() <= MOST as usize;
        // What cannot be seen cannot be chosen.
        candidates.retain(|it| !it.value.chars().any(|c| c.is_control() || is_hidden(c)));
        let list = Arc::new(List { candidates, is_all });
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|asked, it| it.since.elapsed() < asked.lifetime());
        if kept.len() >= MOST_KEPT {
            let oldest = kept.iter().min_by_key(|(_, it)| it.since);
            if let Some(oldest) = oldest.map(|(asked, _)| asked.clone()) {
                kept.remove(&oldest);
            }
        }
        let (since, shared) = (Instant::now(), Arc::clone(&list));
        kept.insert(asked, Kept { since, list });
        shared
    }
}

impl Asked {
    fn lifetime(&self) -> Duration {
        match self {
            // Every minute has its block.
            Self::Tip => Duration::from_secs(6),
            Self::Names(_) | Self::Groups | Self::Assets | Self::Polls => KEPT,
        }
    }

    async fn ask(&self, node: &Node) -> Result<Vec<Candidate>, NodeError> {
        // One more than is sent, to know whether that is all.
        let page = Page::first(MOST + 1);
        Ok(match self {
            Self::Names(typed) => {
                let found = match typed.as_str() {
                    "" => node.names(None, page).await?,
                    typed => node.search_names(typed, NameMatch::Prefix, page).await?,
                };
                found
                    .into_iter()
                    .map(|it| Candidate::plain(it.name))
                    .collect()
            }
            Self::Groups => {
                let groups = node.groups(page).await?.into_iter();
                let numbered = groups.map(|it| Candidate::numbered(it.group_id, it.group_name));
                numbered.collect()
            }
            Self::Assets => {
                let assets = node.assets(page).await?.into_iter();
                let numbered = assets.map(|it| Candidate::numbered(it.asset_id, it.name));
                numbered.collect()
            }
            Self::Polls => {
                let polls = node.polls(page).await?.into_iter();
                polls.map(|it| Candidate::plain(it.poll_name)).collect()
            }
            Self::Tip => {
                let tip = node.height().await?.number();
                let heights = BACK.into_iter().filter_map(|it| tip.checked_sub(it));
                let heights = heights.filter(|it| *it > 0);
                heights.map(|it| Candidate::plain(it.to_string())).collect()
            }
        })
    }
}

impl Candidate {
    fn plain(value: String) -> Self {
        Self {
            value,
            label: String::new(),
        }
    }

    fn numbered(number: impl ToString, label: String) -> Self {
        Self {
            value: number.to_string(),
            label,
        }
    }
}

/// The coins, by the name of the blockchain or by symbol.
fn coins(typed: &str) -> Values {
    let typed = typed.to_ascii_uppercase();
    let fitting = Blockchain::ALL.iter().filter(|it| {
        let symbol = it.symbol().unwrap_or_default();
        it.as_str().starts_with(&typed) || symbol.starts_with(&typed)
    });
    all(fitting.map(|it| it.as_str().to_owned()))
}

/// The words that begin with what has been typed.
fn words<'a>(words: impl Iterator<Item = &'a str>, typed: &str) -> Values {
    let typed = typed.to_lowercase();
    let fitting = words.filter(|it| it.to_lowercase().starts_with(&typed));
    all(fitting.map(str::to_owned))
}

fn all(values: impl Iterator<Item = String>) -> Values {
    let values: Vec<_> = values.collect();
    let total = Some(values.len() as u64);
    Values { values, total }
}
