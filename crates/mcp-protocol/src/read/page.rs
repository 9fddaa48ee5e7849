//! One page of a list.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::Value;

use super::{
    entry::{Entry, Item, Name},
    members::{FromMembers, FromWire, Members},
    unreadable::DecodeError,
};
use crate::{CacheHint, Method, Object, Prompt, Resource, ResourceTemplate, SkillEntry, Tool};

/// A type of this crate that servers list.
pub trait ListItem: InPage + FromMembers {
    /// The method that lists it.
    const METHOD: Method;
}

/// The properties of a page that depend on the type of its entries.
pub trait InPage {
    /// The field of the result that contains the list.
    const MEMBER: &'static str;
}

macro_rules! listed {
    ($($type:ty: $method:ident $member:literal,)+) => {$(
        impl ListItem for $type {
            const METHOD: Method = Method::$method;
        }

        impl InPage for $type {
            const MEMBER: &'static str = $member;
        }

        impl FromWire for $type {
            fn from_wire(value: Value) -> Result<Self, DecodeError> {
                Self::from_members(Members::of($member, value)?)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Item::read(deserializer)?.0.map_err(D::Error::custom)
            }
        }
    )+};
}

listed! {
    Tool: ToolsList "tools",
    Prompt: PromptsList "prompts",
    Resource: ResourcesList "resources",
    ResourceTemplate: ResourcesTemplatesList "resourceTemplates",
    SkillEntry: SkillsList "skills",
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[doc(alias = "tools/list")]
#[doc(alias = "prompts/list")]
#[doc(alias = "resources/list")]
#[doc(alias = "resources/templates/list")]
#[doc(alias = "skills/list")]
pub struct Page<T> {
    /// The entries, in order.
    pub items: Vec<T>,
    /// Entries that cannot be decoded, by their index in the list.
    pub unreadable: Vec<(usize, DecodeError)>,
    /// The cursor of the next page. `None` on the last page.
    pub next_cursor: Option<String>,
    /// The cache hint of the page.
    pub cache: CacheHint,
    /// `_meta`.
    pub meta: Object,
}

impl<'de, T: ListItem> Deserialize<'de> for Page<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PageVisitor(PhantomData))
    }
}

struct PageVisitor<T>(PhantomData<T>);

impl<'de, T: ListItem> Visitor<'de> for PageVisitor<T> {
    type Value = Page<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page of a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Page<T>, A::Error> {
        let mut entries: Option<Vec<Item<T>>> = None;
        let mut members = Members::default();
        while let Some(Name(name)) = map.next_key()? {
            if name == T::MEMBER {
                entries = Some(map.next_value()?);
            } else {
                members.push(name, map.next_value()?);
            }
        }
        let missing = || A::Error::custom(DecodeError::new(T::MEMBER, "an array", None));
        let mut page = Page {
            items: Vec::new(),
            unreadable: Vec::new(),
            next_cursor: members.string("nextCursor"),
            cache: members.cache_hint(),
            meta: members.object("_meta"),
        };
        for (index, Item(entry)) in entries.ok_or_else(missing)?.into_iter().enumerate() {
            match entry {
                Ok(item) => page.items.push(item),
                Err(why) => page.unreadable.push((index, why)),
            }
        }
        Ok(page)
    }
}
