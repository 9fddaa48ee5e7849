//! Parsing of responses by their kind. Large responses wait in a queue.

use std::{any::Any, mem};

use message_buffer::ORDINARY_BYTES;
use qortal_types::Height;
use serde::de::DeserializeOwned;
use tracing::debug;

use super::{Node, NodeFuture};
use crate::{
    Endpoint, Gaps, NodeError, NodeErrorKind, Observation,
    answer::{Answer, LeftOut, MOST_ROWS, Record, Rows},
    call::Call,
};

/// Reads a large answer.
type Reader = Box<dyn FnOnce(&[u8]) -> Box<dyn Any + Send> + Send>;

impl Node {
    /// Makes the call, and reads an answer that is not JSON.
    pub(crate) fn plain<T: Send + 'static>(
        &self,
        call: Call,
        read: fn(&Answer) -> Result<T, NodeError>,
    ) -> NodeFuture<'_, T> {
        Box::pin(async move { read(&self.ask(call).await?) })
    }

    /// Makes the call, and reads the JSON of the answer.
    pub(crate) fn json<T: DeserializeOwned + Send + 'static>(
        &self,
        call: Call,
    ) -> NodeFuture<'_, T> {
        self.read(call, |_, answer| answer.json())
    }

    /// Like [`json`](Self::json), or nothing where the Core's result is null.
    pub(crate) fn json_if_any<T: DeserializeOwned + Send + 'static>(
        &self,
        call: Call,
    ) -> NodeFuture<'_, Option<T>> {
        self.read(call, |_, answer| {
            if answer.is_nothing() {
                return Ok(None);
            }
            answer.json().map(Some)
        })
    }

    /// Like [`json`](Self::json), for a record that serde alone does not judge.
    pub(crate) fn record<T: Record>(&self, call: Call) -> NodeFuture<'_, T> {
        self.read(call, |node, answer| {
            let record: T = answer.json()?;
            if !record.says_anything() {
                return Err(answer.not_json());
            }
            node.note_left_out(answer.endpoint(), record.left_out());
            Ok(record)
        })
    }

    /// Makes the call, and reads the JSON list of the answer. Rows that cannot be read are left out and noted, with their places.
    pub(crate) fn list<T: DeserializeOwned + Send + 'static>(
        &self,
        call: Call,
    ) -> NodeFuture<'_, Vec<T>> {
        self.read(call, |node, answer| {
            let rows = answer.json()?;
            Ok(node.noted(answer, rows))
        })
    }

    /// Like [`list`](Self::list), for records with lists in them.
    pub(crate) fn records<T: Record>(&self, call: Call) -> NodeFuture<'_, Vec<T>> {
        self.read(call, |node, answer| {
            let rows = node.rows::<T>(answer)?;
            Ok(node.with_gaps_noted(rows))
        })
    }

    /// Like [`list`](Self::list), for rows with one member that must be there: a single one that cannot be read is no such row, and
    /// this no such list.
    pub(crate) fn strict_list<T: DeserializeOwned + Send + 'static>(
        &self,
        call: Call,
    ) -> NodeFuture<'_, Vec<T>> {
        self.read(call, |node, answer| {
            let rows: Rows<T> = answer.json()?;
            if rows.is_empty() && rows.left_out.odd > 0 {
                return Err(answer.not_json());
            }
            Ok(node.noted(answer, rows))
        })
    }

    /// The rows of a list. What it leaves out is noted, with what is left out within them.
    pub(crate) fn rows<T: Record>(&self, answer: &Answer) -> Result<Rows<T>, NodeError> {
        let rows: Rows<T> = answer.json()?;
        self.note_left_out(answer.endpoint(), rows.left_out_with(T::left_out));
        Ok(rows)
    }

    /// Makes the call, and reads the answer. Other tasks do not wait for a large one.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        call: Call,
        read: fn(&Self, &Answer) -> Result<T, NodeError>,
    ) -> NodeFuture<'_, T> {
        Box::pin(async move {
            let answer = self.ask(call).await?;
            self.in_turn(answer, read).await
        })
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        answer: Answer,
        read: fn(&Self, &Answer) -> Result<T, NodeError>,
    ) -> Result<T, NodeError> {
        if answer.body().len() <= ORDINARY_BYTES {
            return read(self, &answer);
        }
        let (node, large) = (self.clone(), answer.clone());
        let read = self.elsewhere(&answer, Box::new(move |_| Box::new(read(&node, &large))));
        *read.await?.downcast().expect("it is what `read` returned")
    }

    /// Reads a large answer when it is its turn. It is compiled once, whatever the answer becomes.
    async fn elsewhere(
        &self,
        answer: &Answer,
        read: Reader,
    ) -> Result<Box<dyn Any + Send>, NodeError> {
        let after = self.time_limit(answer.endpoint());
        match self.inner.turns.run(answer.body(), after, read).await {
            Some(read) => read.map_err(|error| answer.not_json().with_source(error)),
            None => Err(NodeError::new(
                answer.endpoint(),
                NodeErrorKind::TimedOut { after },
            )),
        }
    }

    fn note_left_out(&self, endpoint: Endpoint, left_out: LeftOut) {
        if let Some(problem) = left_out.problem {
            let rows = left_out.odd;
            debug!(%endpoint, rows, %problem, "rows left out");
            self.note(Observation::OddRows { endpoint, rows });
        }
        if left_out.has_more {
            let limit = MOST_ROWS;
            self.note(Observation::TooManyRows { endpoint, limit });
        }
    }

    /// The rows, when it is noted what the list leaves out.
    fn noted<T>(&self, answer: &Answer, mut rows: Rows<T>) -> Vec<T> {
        self.note_left_out(answer.endpoint(), mem::take(&mut rows.left_out));
        self.with_gaps_noted(rows)
    }

    fn with_gaps_noted<T>(&self, Rows { rows, gaps, .. }: Rows<T>) -> Vec<T> {
        if let Some(observations) = self.observations.as_ref().filter(|_| !gaps.is_empty()) {
            let rows = rows.len();
            observations.add_gaps(Gaps { rows, places: gaps });
        }
        rows
    }

    /// Like [`json`](Self::json), for an answer that never changes once enough blocks follow.
    ///
    /// `height` returns the height of the block in the answer.
    pub(crate) fn immutable_json<T: DeserializeOwned + Send + 'static>(
        &self,
        call: Call,
        height: fn(&T) -> Option<Height>,
    ) -> NodeFuture<'_, T> {
        Box::pin(async move {
            let request = self.request(call)?;
            let key = request.key();
            if let Some(kept) = self.inner.cache.find_immutable(&key) {
                let answer = self.answer(&request, kept).await?;
                return self.in_turn(answer, |_, answer| answer.json()).await;
            }
            let received = self.fetch(&request).await?;
            let answer = self.answer(&request, received.clone()).await?;
            let value = self.in_turn(answer, |_, answer| answer.json()).await?;
            if let Some(height) = height(&value) {
                self.inner.cache.keep_if_deep(&key, &received, height);
            }
            Ok(value)
        })
    }
}

#[cfg(test)]
mod tests;
