//! How far each node is behind the others, by the heights that they state.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use qortal_types::Height;
use tokio::time::Instant;

/// A height that was stated longer ago is not compared: by then the others may be as far ahead without anyone being behind.
const COMPARED: Duration = Duration::from_secs(5 * 60);

/// The last height that a node stated.
#[derive(Debug, Default)]
pub(crate) struct StatedHeight(Mutex<Option<Stated>>);

#[derive(Debug, Clone, Copy)]
struct Stated {
    height: Height,
    at: Instant,
    /// Whether the node has not answered since.
    is_doubtful: bool,
}

impl StatedHeight {
    pub(crate) fn set(&self, height: Height) {
        *self.stated() = Some(Stated {
            height,
            at: Instant::now(),
            is_doubtful: false,
        });
    }

    /// Notes that the node does not answer. Its chain is as long as it was, and may be longer when it answers again.
    pub(crate) fn doubt(&self) {
        if let Some(stated) = &mut *self.stated() {
            stated.is_doubtful = true;
        }
    }

    /// The last height, however old.
    pub(crate) fn last(&self) -> Option<Height> {
        self.stated().map(|it| it.height)
    }

    /// The height that others can be compared with.
    pub(crate) fn reached(&self) -> Option<u32> {
        let stated = (*self.stated())?;
        (stated.at.elapsed() <= COMPARED).then_some(stated.height.number())
    }

    /// The height that can be compared with that of others, as far as the node still answers.
    pub(crate) fn current(&self) -> Option<u32> {
        self.stated_within(COMPARED).map(Height::number)
    }

    /// The height, if it was stated within this time and the node still answers.
    pub(crate) fn stated_within(&self, time: Duration) -> Option<Height> {
        let stated = (*self.stated())?;
        (!stated.is_doubtful && stated.at.elapsed() <= time).then_some(stated.height)
    }

    fn stated(&self) -> std::sync::MutexGuard<'_, Option<Stated>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The height to which nodes are compared: the highest of one's own nodes, or the middle one of the public nodes, so that
/// one of those that is wrong counts little.
pub(crate) fn best(
    own: impl Iterator<Item = u32>,
    public: impl Iterator<Item = u32>,
) -> Option<u32> {
    let mut public: Vec<_> = public.collect();
    public.sort_unstable();
    let middle = public
        .len()
        .checked_sub(1)
        .and_then(|last| public.get(last / 2));
    own.max().max(middle.copied())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use qortal_types::Height;
    use tokio::time::advance;

    use super::{COMPARED, StatedHeight, best};

    #[test]
    fn own_nodes_are_believed_and_public_ones_outvote_each_other() {
        for (own, public, expected) in [
            (&[][..], &[][..], None),
            (&[7], &[], Some(7)),
            (&[7, 9], &[8], Some(9)),
            (&[7], &[9], Some(9)),
            (&[7], &[9, 1_000_000], Some(9)),
            (&[7], &[1, 9, 1_000_000], Some(9)),
        ] {
            let found = best(own.iter().copied(), public.iter().copied());
            assert_eq!(found, expected, "{own:?} {public:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_height_is_compared_while_it_is_new() {
        let stated = StatedHeight::default();
        assert_eq!((stated.last(), stated.current()), (None, None));
        stated.set(Height::new(5));
        advance(COMPARED).await;
        assert_eq!(stated.current(), Some(5));
        assert_eq!(stated.stated_within(Duration::from_secs(15)), None);
        advance(Duration::from_secs(1)).await;
        assert_eq!(
            (stated.last(), stated.current()),
            (Some(Height::new(5)), None)
        );
        stated.set(Height::new(6));
        stated.doubt();
        assert_eq!((stated.reached(), stated.current()), (Some(6), None));
        assert_eq!(
            (stated.last(), stated.current()),
            (Some(Height::new(6)), None)
        );
    }
}
