//! The declaration of tools: one declaration yields the struct, schemas, documentation and reader.
//!
//! The declarations come from `tool_schema`, which is independent of Qortal. This module makes the types of the chain
//! usable as parameters and as fields of answers.

/// The marker type with which `tool_schema` accepts types of `qortal_types`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Qortal;

/// [`tool_schema::params!`] with the types of the chain; `struct A;` is a tool without parameters, and `struct A(B);` one
/// with those of another type.
macro_rules! params {
    ($vis:vis struct $Name:ident;) => {
        params! { $vis struct $Name(tool_schema::NoParams); }
    };
    ($vis:vis struct $Name:ident($Params:ty);) => {
        #[derive(Debug, Clone)]
        $vis struct $Name($Params);

        impl tool_schema::Params for $Name {
            fn properties() -> Vec<tool_schema::Property> {
                <$Params as tool_schema::Params>::properties()
            }

            fn take(arguments: &mut tool_schema::ArgumentReader<'_>) -> Option<Self> {
                <$Params as tool_schema::Params>::take(arguments).map(Self)
            }
        }
    };
    ($($declaration:tt)+) => {
        tool_schema::params! { in $crate::declare::Qortal; $($declaration)+ }
    };
}

/// [`tool_schema::record!`] with the types of the chain, for one record or several.
macro_rules! record {
    ($($(#[$($meta:tt)*])* $vis:vis struct $Name:ident $(from($($source:tt)*))? { $($members:tt)* })+) => {
        $(
            tool_schema::record! {
                in $crate::declare::Qortal;
                $(#[$($meta)*])*
                $vis struct $Name $(from($($source)*))? { $($members)* }
            }
        )+
    };
}

/// Declares the family of a file: its name, its purpose in one sentence for models, and its tools in listing order. To
/// add a tool, add its line here.
macro_rules! family {
    ($name:literal, $purpose:literal: $($(#[$attribute:meta])* $Tool:ty),+ $(,)?) => {
        pub(crate) static FAMILY: $crate::declare::Family = {
            const COUNT: usize = [$($(#[$attribute])* stringify!($Tool)),+].len();
            static TOOLS: [$crate::declare::Entry; COUNT] =
                [$($(#[$attribute])* $crate::declare::Entry::of::<$Tool>()),+];
            $crate::declare::Family {
                name: $name,
                purpose: $purpose,
                tools: &TOOLS,
            }
        };
    };
}

mod account;
mod chain;
mod confirmation;
mod entry;
mod file;
mod number_or_name;
mod order;
mod other_names;
mod outcome;
mod output;
mod paging;
mod pasted;
mod pinned;
mod range;
mod signature;
mod table;
mod time_arg;
mod tool;

/// Other items that the files of tools use.
pub(crate) use crate::{
    context::{Account, Context, Next, given},
    error::{NodeResult, ToolError},
};
pub(crate) use account::{
    AN_ACCOUNT, AccountRef, AtAddress, INVALID_ADDRESS, looks_like_an_address,
};
pub(crate) use chain::HeightRef;
pub(crate) use confirmation::ConfirmationStatus;
pub use entry::{Entry, Family};
pub use file::{File, ResourceLink};
pub(crate) use number_or_name::{
    A_GROUP, AN_ASSET, AssetRef, GroupRef, INVALID_ASSET, INVALID_GROUP,
};
pub(crate) use order::Order;
pub(crate) use outcome::{Answer, NOTES, Reply};
pub use outcome::{Attachment, Body, Outcome};
pub(crate) use output::{Detail, Flat, Full, ISO, count, count_by, wants_full};
pub(crate) use paging::{
    By, Characters, Continued, Cursor, NextPage, Page, Paging, Rows, START_AFTER, Slice, SortKey,
};
pub(crate) use pasted::{of_file, with_identifier};
pub(crate) use pinned::{all_waiting, chosen_blocks};
pub(crate) use range::{
    Blocks, Period, Range, confirmations, in_blocks_alone, rest, unconfirmed_in_blocks,
};
pub use signature::handle;
pub(crate) use signature::{BlockRef, TransactionId, TransactionRef};
pub(crate) use table::{csv_header, csv_rows};
pub(crate) use time_arg::{PLAUSIBLE_SECONDS, TimeArg};
pub(crate) use tool::Tool;
