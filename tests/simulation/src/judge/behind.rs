//! Answers of nodes that are behind: none may come while a better node is known, and well.

use std::time::Duration;

use serde_json::Value;

use super::{Asked, Judge};
use crate::trouble::{BEHIND, Kind};

/// How long a node may be well before a node that is behind no longer answers instead.
const WELL_AGAIN: Duration = Duration::from_secs(3);
/// Part of the note about an answer of a node that is behind.
const NOTE_BEHIND: &str = "blocks behind the newest block seen";
/// The heights of nodes are compared so often, and a moment.
const COMPARED: Duration = Duration::from_secs(28);

impl Judge {
    /// A chain does not get shorter: who knows that a node has more blocks asks no other, and that is known once a height was told.
    /// Of a node that falls behind while it answers it is known when heights are compared.
    pub(super) fn judge_height(&self, asked: &Asked, height: u64) -> Result<(), String> {
        let now = self.now();
        let mut inner = self.inner();
        let enough = height + u64::from(BEHIND) / 2;
        let told_since = inner.told.iter().find(|(_, told)| *told >= enough);
        let told_since = told_since.map(|(since, _)| *since);
        // A call may share the request of one before it, which is under way no longer than this where no node is in trouble.
        let shared = asked.at.saturating_sub(self.plan.latency);
        let mut states = inner.heights.iter().rev();
        let before = states.find(|(since, _)| *since < shared);
        let mut nodes = before
            .iter()
            .flat_map(|(_, heights)| heights.iter().enumerate());
        let better = nodes.find(|(_, it)| **it >= enough).map(|(node, _)| node);
        if inner.told.last().is_none_or(|(_, told)| *told < height) {
            inner.told.push((now, height));
        }
        drop(inner);
        let Some(better) = better else {
            return Ok(());
        };
        // One that is behind is better than none, and a node that was away is passed over for a while.
        if !self.is_well_again(better, asked) {
            return Ok(());
        }
        let is_told = told_since.is_some_and(|since| since < asked.at);
        let is_compared =
            self.plan.troubles.iter().any(|it| {
                it.kind == Kind::Behind && it.from + COMPARED < asked.at && now < it.until
            });
        match is_told || is_compared {
            true => Err(format!("height {height} of a node that is behind")),
            false => Ok(()),
        }
    }

    /// A node is known to be behind when an answer says so. Then the better one does not answer, or is just back.
    pub(super) fn judge_note(&self, asked: &Asked, result: &Value) -> Result<(), String> {
        let text = result.to_string();
        let Some(at) = text.find(NOTE_BEHIND) else {
            return Ok(());
        };
        let is_first = text[..at].rfind("The configured node") > text[..at].rfind("That node");
        let (node, better) = if is_first { (0, 1) } else { (1, 0) };
        let inner = self.inner();
        let heights = inner.heights.last().map(|(_, heights)| heights.clone());
        drop(inner);
        let height = |of: usize| heights.as_ref()?.get(of).copied();
        let is_behind = height(node) < height(better);
        match is_behind && self.is_well_again(better, asked) {
            true => Err(format!(
                "{} was answered by a node that is behind",
                asked.what
            )),
            false => Ok(()),
        }
    }

    /// Whether a node has been well for so long that no worse one answers.
    fn is_well_again(&self, node: usize, asked: &Asked) -> bool {
        let from = asked.at.saturating_sub(WELL_AGAIN);
        let mut troubles = self.plan.during(from, self.now());
        !troubles.any(|it| it.node == node && it.is_trouble())
    }
}
