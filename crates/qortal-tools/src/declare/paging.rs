//! Lists in pages: the parameters for the requested part.

mod cursor;
mod page;
mod window;

use std::ops::Deref;

use tool_schema::{ArgumentReader, CappedInt, Params, Property};

use crate::declare::Qortal;

pub(crate) use cursor::{By, Cursor, START_AFTER, SortKey};
pub(super) use page::TRUNCATED;
pub(crate) use page::{Characters, NextPage, Page, Rows};
pub(crate) use window::Slice;

/// The parameter for the number of rows before a page.
const OFFSET: &str = "offset";

/// The parameters `limit`, which is `USUAL` by default and at most `MOST`, and `offset`, at most `FARTHEST`. Lists
/// whose pages continue after the last row of the page before also have `start_after`.
///
/// Declared as `#[flatten]`, or as `#[flatten("Rows per list.")]` if the limit does not count rows.
#[derive(Debug, Clone)]
pub(crate) struct Paging<
    const USUAL: u32,
    const MOST: u32 = 100,
    const FARTHEST: u32 = 1_000_000,
    const HAS_START_AFTER: bool = false,
>(Slice);

/// The parameters of a list with [`Cursor::AfterRow`].
pub(crate) type Continued<
    const USUAL: u32,
    const MOST: u32 = 100,
    const FARTHEST: u32 = 1_000_000,
> = Paging<USUAL, MOST, FARTHEST, true>;

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32, const HAS_START_AFTER: bool> Params
    for Paging<USUAL, MOST, FARTHEST, HAS_START_AFTER>
{
    fn properties() -> Vec<Property> {
        let limit = CappedInt::<1, MOST>::from_const(USUAL);
        let offset = CappedInt::<0, FARTHEST>::from_const(0);
        let mut members = vec![
            Property::parameter::<_, Qortal>("limit", "{}", Some(&limit)),
            Property::parameter::<_, Qortal>(OFFSET, "Rows to skip.", Some(&offset)),
        ];
        members.extend(HAS_START_AFTER.then(|| {
            let doc = "Last row you have.";
            Property::parameter::<Option<String>, Qortal>(START_AFTER, doc, Some(&None))
        }));
        members
    }

    fn take(arguments: &mut ArgumentReader<'_>) -> Option<Self> {
        let (limit, offset) = (
            CappedInt::<1, MOST>::from_const(USUAL),
            CappedInt::<0, FARTHEST>::from_const(0),
        );
        let limit = arguments.take::<_, Qortal>("limit", Some(limit));
        let offset = arguments.take::<_, Qortal>(OFFSET, Some(offset));
        let start_after = match HAS_START_AFTER {
            true => arguments.take::<Option<String>, Qortal>(START_AFTER, Some(None))?,
            false => None,
        };
        Some(Self(Slice::new(limit?, offset?).start_after(start_after)))
    }
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32, const HAS_START_AFTER: bool> Deref
    for Paging<USUAL, MOST, FARTHEST, HAS_START_AFTER>
{
    type Target = Slice;

    fn deref(&self) -> &Slice {
        &self.0
    }
}
