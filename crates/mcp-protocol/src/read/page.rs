//! One page of a list.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

use super::{
    entry::{Entry, Item, Name},
    members::{FromMembers, FromWire, Members},
    unreadable::Unreadable,
};
use crate::{CacheHint, Object, Prompt, Resource, ResourceTemplate, Tool};

/// What servers list: the types of this crate for it.
pub trait Listed: InPage + FromMembers {
    /// The method that lists it.
    const METHOD: &'static str;
}

/// What a page knows of its entries.
pub trait InPage {
    /// The member of the result that holds the list.
    const MEMBER: &'static str;
}

macro_rules! listed {
    ($($type:ty: $method:literal $member:literal,)+) => {$(
        impl Listed for $type {
            const METHOD: &'static str = $method;
        }

        impl InPage for $type {
            const MEMBER: &'static str = $member;
        }

        impl FromWire for $type {
            fn from_wire(value: Value) -> Result<Self, Unreadable> {
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
        let mut entries = Entries::default();
        for item in members.required_list(T::MEMBER)? {
            entries.push(T::from_wire(item));
        }
        Ok(entries.with(members))
    }
}

impl<'de, T: Listed> Deserialize<'de> for Page<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PageVisitor(PhantomData))
    }
}

/// The entries of a page, in order.
struct Entries<T> {
    items: Vec<T>,
    unreadable: Vec<(usize, Unreadable)>,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            unreadable: Vec::new(),
        }
    }
}

impl<T> Entries<T> {
    fn push(&mut self, entry: Result<T, Unreadable>) {
        match entry {
            Ok(item) => self.items.push(item),
            Err(why) => {
                let index = self.items.len() + self.unreadable.len();
                self.unreadable.push((index, why));
            }
        }
    }

    /// The page with these other members.
    fn with(self, mut members: Members<'_>) -> Page<T> {
        Page {
            items: self.items,
            unreadable: self.unreadable,
            next_cursor: members.string("nextCursor"),
            cache: members.cache_hint(),
            meta: members.object("_meta"),
        }
    }
}

impl<'de, T: Listed> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<T>(PhantomData<T>);

impl<'de, T: Listed> Visitor<'de> for EntriesVisitor<T> {
    type Value = Entries<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Entries<T>, A::Error> {
        let mut entries = Entries::default();
        while let Some(Item(entry)) = seq.next_element()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

struct PageVisitor<T>(PhantomData<T>);

impl<'de, T: Listed> Visitor<'de> for PageVisitor<T> {
    type Value = Page<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page of a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Page<T>, A::Error> {
        let mut entries: Option<Entries<T>> = None;
        let mut members = Members::default();
        while let Some(Name(name)) = map.next_key()? {
            if name == T::MEMBER {
                entries = Some(map.next_value()?);
            } else {
                members.push(name, map.next_value()?);
            }
        }
        let missing = || A::Error::custom(Unreadable::new(T::MEMBER, "an array", None));
        Ok(entries.ok_or_else(missing)?.with(members))
    }
}
