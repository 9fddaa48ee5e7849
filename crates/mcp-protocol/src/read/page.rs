//! One page of a list.

use serde_json::Value;

use super::{FromWire, Unreadable, members::Members};
use crate::{
    cache::CacheHint,
    json::Object,
    prompt::Prompt,
    resource::{Resource, ResourceTemplate},
    tool::Tool,
};

/// What servers list.
pub trait Listed: FromWire {
    /// The method that lists it.
    const METHOD: &'static str;
    /// The member of the result that holds the list.
    const MEMBER: &'static str;
}

macro_rules! listed {
    ($($type:ty: $method:literal $member:literal,)+) => {$(
        impl Listed for $type {
            const METHOD: &'static str = $method;
            const MEMBER: &'static str = $member;
        }
    )+};
}

listed! {
    Tool: "tools/list" "tools",
    Prompt: "prompts/list" "prompts",
    Resource: "resources/list" "resources",
    ResourceTemplate: "resources/templates/list" "resourceTemplates",
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[doc(alias = "tools/list")]
#[doc(alias = "prompts/list")]
#[doc(alias = "resources/list")]
#[doc(alias = "resources/templates/list")]
pub struct Page<T> {
    /// The entries, in order.
    pub items: Vec<T>,
    /// Entries that cannot be read, by their place in the list.
    pub unreadable: Vec<(usize, Unreadable)>,
    /// Asks for the next page; `None` on the last one.
    pub next_cursor: Option<String>,
    /// How long the page may be kept, and whether it may be shared.
    pub cache: CacheHint,
    /// `_meta`.
    pub meta: Object,
}

impl<T: Listed> FromWire for Page<T> {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("result", value)?;
        let list = members.required_list(T::MEMBER)?;
        let (mut items, mut unreadable) = (Vec::with_capacity(list.len()), Vec::new());
        for (index, item) in list.into_iter().enumerate() {
            match T::from_wire(item) {
                Ok(item) => items.push(item),
                Err(why) => unreadable.push((index, why)),
            }
        }
        Ok(Self {
            items,
            unreadable,
            next_cursor: members.string("nextCursor"),
            cache: members.cache_hint(),
            meta: members.object("_meta"),
        })
    }
}
