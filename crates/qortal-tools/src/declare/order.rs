//! The order of lists by time.

use qortal_client::PageRequest;
use tool_schema::{ArgumentReader, Params, Property, choice};

use crate::declare::{Qortal, Slice};

choice! {
    /// The order of a list by time.
    enum ByTime {
        /// The latest first.
        Newest = "newest",
        /// The earliest first.
        Oldest = "oldest",
    }
}

const ORDER: &str = "order";

/// The parameter `order`, newest first by default.
///
/// The earlier parameter `reverse` is still accepted: `true` means the newest first if `REVERSED_IS_NEWEST`, else the oldest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order<const REVERSED_IS_NEWEST: bool = true>(ByTime);

impl<const REVERSED_IS_NEWEST: bool> Order<REVERSED_IS_NEWEST> {
    /// Returns whether the latest come first.
    pub(crate) fn is_newest_first(self) -> bool {
        self.0 == ByTime::Newest
    }

    /// Returns the page request for a slice plus one item, for a list that the node sends with the oldest first.
    pub(crate) fn one_more(self, slice: &Slice) -> PageRequest {
        slice.one_more(self.is_newest_first())
    }

    /// Puts a list that arrived with the oldest first into this order.
    pub(crate) fn of<T>(self, mut oldest_first: Vec<T>) -> Vec<T> {
        if self.is_newest_first() {
            oldest_first.reverse();
        }
        oldest_first
    }
}

impl<const REVERSED_IS_NEWEST: bool> Params for Order<REVERSED_IS_NEWEST> {
    fn properties() -> Vec<Property> {
        vec![Property::parameter::<ByTime, Qortal>(ORDER, "Default newest.", None).into_optional()]
    }

    fn take(arguments: &mut ArgumentReader<'_>) -> Option<Self> {
        arguments.alias("reverse", ORDER, |sent| {
            let reversed = match sent.as_str() {
                Some(text) => text.trim().to_ascii_lowercase().parse().ok()?,
                None => sent.as_bool()?,
            };
            Some(if reversed == REVERSED_IS_NEWEST {
                "newest".into()
            } else {
                "oldest".into()
            })
        });
        arguments
            .take::<_, Qortal>(ORDER, Some(ByTime::Newest))
            .map(Self)
    }
}
