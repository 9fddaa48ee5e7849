//! The context of one call of a tool.

use std::{borrow::Cow, mem, ops::Deref, sync::Arc};

use futures_util::future::try_join_all;
use parking_lot::Mutex;
use qortal_client::{
    ApiError, FallbackReason, Node, NodeError, NodeErrorKind, Observation, Observations,
    RequestCounter,
};
use qortal_types::Address;
use serde_json::Value;
use tool_schema::{JsonWriter, Object, Output, Property};

use crate::{
    catalog::{CursorKind, Selection},
    declare::{AN_ACCOUNT, AccountRef, INVALID_ADDRESS, Outcome, Qortal, wants_full},
    error::ToolError,
    support::nearest,
};

/// The part of the context that all calls of a catalog share.
#[derive(Debug, Clone)]
pub(crate) struct SharedContext {
    pub(crate) node: Node,
    /// The nodes that can be compared, including the configured one, each without a fallback.
    pub(crate) comparison: Arc<[Node]>,
    /// The listed tools.
    pub(crate) selection: Arc<Selection>,
    /// A note on the node for callers.
    pub(crate) node_note: Option<Arc<str>>,
    /// Whether a page contains all its rows rather than only those that hosts show.
    pub(crate) whole_pages: bool,
    /// Whether the page size was chosen by the server rather than sent by the caller.
    pub(crate) chooses_limit: bool,
    #[cfg(feature = "charts")]
    pub(crate) drawings: Arc<qortal_charts::ChartCache>,
}

impl SharedContext {
    /// Counts the requests to nodes in `requests`.
    pub(crate) fn counted_by(self, requests: &RequestCounter) -> Self {
        let compared = self.comparison.iter();
        Self {
            node: self.node.counted_by(requests),
            comparison: compared.map(|it| it.counted_by(requests)).collect(),
            ..self
        }
    }
}

/// The context of one call: the shared part, its tool and its arguments.
pub(crate) struct Context {
    pub(crate) shared: SharedContext,
    tool: &'static str,
    /// The arguments, after coercion.
    pub(crate) arguments: Object,
    /// Observations made while the node is queried.
    observations: Observations,
    /// Notes on the answer as a whole.
    notes: Mutex<Vec<String>>,
    /// Arguments resolved to fixed values at the time of this call, for the calls that follow it.
    pinned: Mutex<Vec<(&'static str, Value)>>,
    /// The error that caused the first missing part of the answer.
    missing: Mutex<Option<NodeError>>,
}

/// An account named by a client. Its field in an answer is the address. A second field, such as `resolvedFrom` or
/// `senderResolvedFrom`, holds the registered name that identified it.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) address: Address,
    pub(crate) resolved_from: Option<String>,
}

impl From<Address> for Account {
    fn from(address: Address) -> Self {
        Self {
            address,
            resolved_from: None,
        }
    }
}

impl Output<Qortal> for Account {
    fn schema() -> Object {
        Address::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        self.address.write(member, json);
    }

    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        self.address.write_field(name, json);
        Output::<Qortal>::write_field(&self.resolved_from, &resolved_from(name), json);
    }

    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        Address::add_properties(name, doc, members);
        let doc = format!("The registered name the {name} was found by.");
        let schema = <String as Output<Qortal>>::schema();
        members.push(Property::new(resolved_from(name), doc, schema).into_optional());
    }
}

fn resolved_from(member: &str) -> Cow<'static, str> {
    match member {
        "address" => "resolvedFrom".into(),
        member => format!("{member}ResolvedFrom").into(),
    }
}

record! {
    /// The call for the rest.
    pub(crate) struct Next {
        /// The tool to call.
        tool: &'static str,
        /// Its arguments, ready to send.
        arguments: Object
    }
}

impl Next {
    /// Returns the call with some arguments changed.
    pub(crate) fn with<const N: usize>(&self, changed: [(&str, Value); N]) -> Self {
        let mut arguments = self.arguments.clone();
        arguments.extend(changed.map(|(name, value)| (name.to_owned(), value)));
        Self {
            tool: self.tool,
            arguments,
        }
    }
}

impl Next {
    /// Returns the call without one argument.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.arguments.retain(|it, _| it != name);
        self
    }
}

impl Deref for Context {
    type Target = SharedContext;

    fn deref(&self) -> &SharedContext {
        &self.shared
    }
}

impl Context {
    pub(crate) fn new(shared: SharedContext, tool: &'static str, arguments: Object) -> Self {
        let (node, observations) = shared.node.observed();
        Self {
            shared: SharedContext { node, ..shared },
            tool,
            arguments,
            observations,
            notes: Mutex::default(),
            pinned: Mutex::default(),
            missing: Mutex::default(),
        }
    }

    /// Returns whether the call comes from a program written for the Python server.
    pub(crate) fn is_older(&self) -> bool {
        self.selection.surface.is_older(self.tool)
    }

    /// Returns whether the argument `detail` requests the full answer.
    pub(crate) fn wants_full(&self) -> bool {
        wants_full(&self.arguments)
    }

    /// Adds a note on possible changes to the rows of a page found by its offset.
    pub(crate) fn note_offset(&self) {
        let caveat = CursorKind::caveat(self.tool).filter(|_| !self.whole_pages);
        caveat.into_iter().for_each(|it| self.note(it));
    }

    /// Adds a sentence to the notes of the answer, unless it is there already.
    pub(crate) fn note(&self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        let mut notes = self.notes.lock();
        if !notes.contains(&sentence) {
            notes.push(sentence);
        }
    }

    /// Returns an optional part of the answer. If the node does not provide it, the part is left out with a note.
    ///
    /// `part` begins the sentence, such as "The coin's servers are".
    pub(crate) fn part<T>(&self, part: &str, result: Result<T, NodeError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(err) => {
                self.note(format!("{part} left out, because {}.", reason(&err)));
                let mut missing = self.missing.lock();
                missing.get_or_insert(err);
                None
            }
        }
    }

    /// Requests an optional [`part`](Self::part) concurrently with the requests that the answer needs.
    pub(crate) async fn optional<T, E>(
        &self,
        part: &str,
        asked: impl Future<Output = Result<T, NodeError>>,
    ) -> Result<Option<T>, E> {
        Ok(self.part(part, asked.await))
    }

    /// Returns the error of the first missing part if every part of an answer is missing.
    pub(crate) fn need_any(&self, came: &[bool]) -> Result<(), ToolError> {
        let missing = self.missing.lock();
        match missing.as_ref() {
            Some(err) if !came.contains(&true) => Err(err.clone().into()),
            _ => Ok(()),
        }
    }

    /// Adds the notes and observations of the call to its answer.
    pub(crate) fn complete(&self, outcome: &mut Outcome) {
        let seen = self.observations.all();
        if let Some((url, _)) = other_node(&seen) {
            outcome.answered_by(url);
        }
        outcome.note(sentences(&seen));
        let mut notes = self.notes.lock();
        outcome.note(mem::take(&mut *notes));
    }

    /// Returns the number of rows of the node's lists that were unreadable so far.
    pub(crate) fn rows_left_out(&self) -> usize {
        let seen = self.observations.all();
        let rows = seen.iter().map(|it| match it {
            Observation::OddRows { rows, .. } => *rows,
            _ => 0,
        });
        rows.sum()
    }

    /// Returns the places in a list of the node that are missing from its `rows` because they were unreadable. Returns
    /// none if the list they belong to is unknown.
    pub(crate) fn gaps(&self, rows: usize) -> Vec<usize> {
        let mut gaps = self.observations.gaps();
        match gaps.pop() {
            Some(only) if gaps.is_empty() && only.rows == rows => only.places,
            Some(_) | None => Vec::new(),
        }
    }

    /// Adds the node to an error for something not found, unless it is the configured node.
    pub(crate) fn locate(&self, error: ToolError) -> ToolError {
        let ToolError::NotFound { plain, mut hint } = error else {
            return error;
        };
        let seen = self.observations.all();
        if let Some((url, why)) = other_node(&seen) {
            hint = format!("{hint} The public node {url} reported this, because {why}.");
        }
        for missing in seen.iter().filter(|it| is_of_rows(it)).filter_map(sentence) {
            hint = format!("{hint} {missing}");
        }
        ToolError::NotFound { plain, hint }
    }

    /// Returns whether rows of the node were unreadable. An empty list then does not prove that there is nothing.
    pub(crate) fn misses_rows(&self) -> bool {
        self.observations.all().iter().any(is_of_rows)
    }

    /// Fixes the value of an argument in the calls that follow this one, where it would otherwise change its meaning.
    pub(crate) fn pin(&self, parameter: &'static str, value: Value) {
        let mut pinned = self.pinned.lock();
        pinned.push((parameter, value));
    }

    /// Returns the same call, as the basis of those that follow it.
    pub(crate) fn next(&self) -> Next {
        let mut arguments = self.arguments.clone();
        let pinned = self.pinned.lock();
        for (name, value) in pinned.iter() {
            arguments.insert((*name).to_owned(), value.clone());
        }
        Next {
            tool: self.tool,
            arguments,
        }
    }

    /// Returns the address of an account given by address, public key or registered name. A name takes one request to
    /// the node.
    ///
    /// Names are looked up by their reduced form, under which look-alikes are equal. A name that differs from the
    /// registered one in more than case is refused rather than guessed.
    pub(crate) async fn account(
        &self,
        parameter: &'static str,
        account: AccountRef,
    ) -> Result<Account, ToolError> {
        let name = match account {
            AccountRef::Address(address) => {
                return Ok(address.into());
            }
            AccountRef::PublicKey(key) => return Ok(key.address().into()),
            AccountRef::Name(name) => name,
        };
        let invalid =
            |problem: String| ToolError::argument(parameter, INVALID_ADDRESS, problem, AN_ACCOUNT);
        let shown = Value::from(name.as_str());
        let found = match self.node.name(name.as_str()).await {
            Ok(found) => found,
            Err(err) if err.is(ApiError::NAME_UNKNOWN) => {
                let nearest = nearest::name(&self.node, name.as_str()).await;
                let nearest = nearest.map(|it| format!(" (the nearest is {})", Value::from(it)));
                return Err(invalid(format!(
                    "is {shown}, which is neither an address nor a registered name{}",
                    nearest.unwrap_or_default()
                )));
            }
            Err(err) => return Err(err.into()),
        };
        if found.name.to_lowercase() != name.as_str().to_lowercase() {
            return Err(invalid(format!(
                "is {shown}, which is only similar to the registered name {}",
                Value::from(found.name)
            )));
        }
        Ok(Account {
            address: found.owner,
            resolved_from: Some(found.name),
        })
    }

    /// Resolves several accounts and keeps their order. The client sends at most eight requests at once.
    pub(crate) async fn accounts(
        &self,
        parameter: &'static str,
        accounts: Vec<AccountRef>,
    ) -> Result<Vec<Account>, ToolError> {
        try_join_all(accounts.into_iter().map(|it| self.account(parameter, it))).await
    }
}

/// Resolves an optional argument if it was given.
pub(crate) async fn given<A, B, F>(
    argument: Option<A>,
    named: impl FnOnce(A) -> F,
) -> Result<Option<B>, ToolError>
where
    F: Future<Output = Result<B, ToolError>>,
{
    match argument {
        Some(argument) => named(argument).await.map(Some),
        None => Ok(None),
    }
}

/// Returns the URL of the node that answered instead of the configured one, with the reason.
pub(crate) fn other_node(seen: &[Observation]) -> Option<(&str, String)> {
    seen.iter().find_map(|it| match it {
        Observation::OtherNode { url, reason, .. } => Some((url.as_ref(), why(*reason))),
        _ => None,
    })
}

fn why(reason: FallbackReason) -> String {
    match reason {
        FallbackReason::Unavailable => "the configured node does not answer".to_owned(),
        FallbackReason::Late => "the configured node takes longer than usual".to_owned(),
        FallbackReason::Behind { blocks } => {
            format!("the configured node is {blocks} blocks behind")
        }
        _ => "the configured node cannot answer".to_owned(),
    }
}

/// Returns whether an observation reports missing rows.
const fn is_of_rows(seen: &Observation) -> bool {
    matches!(
        seen,
        Observation::OddRows { .. } | Observation::TooManyRows { .. }
    )
}

/// Returns a sentence for each observation.
pub(crate) fn sentences(seen: &[Observation]) -> Vec<String> {
    seen.iter().filter_map(sentence).collect()
}

fn sentence(seen: &Observation) -> Option<String> {
    Some(match seen {
        Observation::OtherNode {
            url,
            is_own,
            reason,
        } => {
            let whose = if *is_own {
                "another of the user's nodes"
            } else {
                "a public node"
            };
            format!("From {url}, {whose}, because {}.", why(*reason))
        }
        Observation::OtherNodeBehind { blocks } => format!(
            "That node is {blocks} blocks behind the newest block seen; the latest facts may be missing."
        ),
        Observation::OwnNodeBehind { blocks } => format!(
            "The configured node is {blocks} blocks behind the newest block seen; the latest facts may be missing."
        ),
        Observation::TimeOfBlock { time } => format!(
            "The configured node does not report the network's time, so now is the time of the latest block, {time}."
        ),
        Observation::OddRows { endpoint, rows: 1 } => {
            format!("1 row of {endpoint} could not be read and is left out.")
        }
        Observation::OddRows { endpoint, rows } => {
            format!("{rows} rows of {endpoint} could not be read and are left out.")
        }
        Observation::TooManyRows { endpoint, limit } => {
            format!("{endpoint} has more than {limit} rows; the rest is left out.")
        }
        _ => return None,
    })
}

/// Returns the reason why a part of an answer is missing, as a clause.
pub(crate) fn reason(err: &NodeError) -> String {
    let endpoint = err.endpoint();
    match err.kind() {
        NodeErrorKind::Unreachable | NodeErrorKind::Silent { .. } if err.is_about_own_node() => {
            "only the configured node knows, and it does not answer".to_owned()
        }
        NodeErrorKind::Unreachable | NodeErrorKind::Silent { .. } => {
            "the node does not answer".to_owned()
        }
        NodeErrorKind::TimedOut { .. } if err.is_about_own_node() => {
            "only the configured node knows, and it did not answer in time".to_owned()
        }
        NodeErrorKind::TimedOut { .. } => "the node did not answer in time".to_owned(),
        NodeErrorKind::Overloaded { .. } => "the node is busy".to_owned(),
        NodeErrorKind::Refused {
            code: None, status, ..
        } => {
            format!("the node answered HTTP {status} to {endpoint}")
        }
        NodeErrorKind::Refused {
            code: Some(code), ..
        } => {
            format!("the node refused {endpoint} with code {code}")
        }
        NodeErrorKind::NotInThisVersion { needs, has } => match has {
            Some(has) => format!("that needs Qortal Core {needs} and the node has {has}"),
            None => format!("that needs Qortal Core {needs} and the node is older"),
        },
        NodeErrorKind::NoNetworkTime => "the node has no network time (NTP) yet".to_owned(),
        NodeErrorKind::TooLarge { .. } => format!("the answer to {endpoint} is too large"),
        NodeErrorKind::NoMemory => format!("there is no memory for the answer to {endpoint}"),
        NodeErrorKind::Unreadable { .. } => format!("the answer to {endpoint} could not be read"),
        _ => "the node could not be asked".to_owned(),
    }
}
