//! The lists of what a server offers, serialized: one page of one revision is one piece of bytes.

use std::{
    collections::HashMap,
    num::NonZeroUsize,
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

use bytes::Bytes;
use mcp_protocol::{
    CacheHint, ErrorObject, Object, Prompt, Revision, Rules, ServerInfo, Tool, render,
};
use serde_json::Value;

use crate::{
    builder::Sets,
    changes::Changes,
    header_parameter::{self, HeaderParameter},
    seal::Sealer,
};

/// How long lists may be kept that change only with a new release of the server.
const FIXED: CacheHint = CacheHint::public(3_600_000);
/// How long lists may be kept that can change at any time.
const LIVE: CacheHint = CacheHint::public(0);

/// Everything that is listed, at one time. The pages of a revision are made when they are first asked for:
/// most clients speak one revision, and most servers meet few of them.
#[derive(Debug)]
pub(crate) struct Lists {
    generation: u64,
    pub(crate) tool_names: Vec<String>,
    pub(crate) prompts: Vec<Prompt>,
    /// Output schemas of the tools whose structured content some revisions wrap.
    wrapped: HashMap<String, Value>,
    /// The tools with parameters that are repeated in headers.
    header_parameters: HashMap<String, Arc<[HeaderParameter]>>,
    pages: [[OnceLock<Vec<Bytes>>; Revision::ALL.len()]; List::COUNT],
}

/// A list with pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl List {
    const COUNT: usize = 4;

    /// What its cursors are sealed for.
    fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }

    fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    fn index(self) -> usize {
        match self {
            Self::Tools => 0,
            Self::Prompts => 1,
            Self::Resources => 2,
            Self::Templates => 3,
        }
    }
}

/// What all lists of a server have in common.
pub(crate) struct Listing<'a> {
    pub(crate) sets: &'a Sets,
    pub(crate) server_info: &'a ServerInfo,
    pub(crate) sealer: &'a Sealer,
    /// The lists may change.
    pub(crate) live: bool,
}

impl Listing<'_> {
    fn read(&self, generation: u64) -> Lists {
        let Sets { tools, prompts, .. } = self.sets;
        let tools: Vec<Tool> = tools.as_ref().map(|it| it.tools()).unwrap_or_default();
        Lists {
            generation,
            wrapped: wrapped(&tools),
            header_parameters: header_parameters(&tools),
            tool_names: tools.into_iter().map(|it| it.name).collect(),
            prompts: prompts.as_ref().map(|it| it.prompts()).unwrap_or_default(),
            pages: Default::default(),
        }
    }

    /// All pages of a list in one revision; `None` if there is no such list.
    fn pages(&self, list: List, generation: u64, rules: &Rules) -> Option<Vec<Bytes>> {
        fn all<T>(items: &[T], rules: &Rules, render: fn(&T, &Rules) -> Value) -> Vec<Value> {
            items.iter().map(|item| render(item, rules)).collect()
        }
        let Sets {
            tools,
            prompts,
            resources,
            ..
        } = self.sets;
        let (items, size, hint) = match list {
            List::Tools => {
                let set = tools.as_ref()?;
                let items = all(&set.tools(), rules, render::tool);
                (items, set.page_size(), set.cache_hint())
            }
            List::Prompts => {
                let set = prompts.as_ref()?;
                let items = all(&set.prompts(), rules, render::prompt);
                (items, set.page_size(), set.cache_hint())
            }
            List::Resources => {
                let set = resources.as_ref()?;
                let items = all(&set.resources(), rules, render::resource);
                (items, set.page_size(), set.cache_hint())
            }
            List::Templates => {
                let set = resources.as_ref()?;
                let items = all(&set.templates(), rules, render::resource_template);
                (items, set.page_size(), set.cache_hint())
            }
        };
        let hint = hint.unwrap_or(if self.live { LIVE } else { FIXED });
        let size = size.map_or(usize::MAX, NonZeroUsize::get);
        // An empty list has a page, too.
        let count = items.len().div_ceil(size).max(1);
        let mut items = items.into_iter();
        let pages = (1..=count).map(|next| {
            let mut result = Object::new();
            let page = items.by_ref().take(size).collect();
            result.insert(list.member().to_owned(), Value::Array(page));
            let place = Place {
                generation,
                page: next,
            };
            let cursor = match next < count {
                true => self.sealer.seal(list.method(), &place.to_bytes()),
                false => None,
            };
            if let Some(cursor) = cursor {
                result.insert("nextCursor".to_owned(), cursor.into());
            }
            render::cache_hint(&mut result, hint, rules);
            let result = render::finish_result(result, self.server_info, rules);
            Bytes::from(Value::Object(result).to_string())
        });
        Some(pages.collect())
    }
}

impl Lists {
    /// The page that the params ask for; `None` if there is no such list. Errors with -32602 for a cursor
    /// that is none of this server's, or of a list that has changed since.
    pub(crate) fn page(
        &self,
        list: List,
        revision: Revision,
        params: Option<&Object>,
        listing: &Listing<'_>,
    ) -> Option<Result<Bytes, ErrorObject>> {
        let place = self.pages.get(list.index())?.get(revision.index())?;
        let pages = match place.get() {
            Some(pages) => pages,
            None => {
                let pages = listing.pages(list, self.generation, revision.rules())?;
                place.get_or_init(|| pages)
            }
        };
        let number = match params.and_then(|params| params.get("cursor")) {
            None | Some(Value::Null) => Some(0),
            Some(cursor) => cursor
                .as_str()
                .and_then(|cursor| listing.sealer.open(list.method(), cursor))
                .and_then(|payload| Place::from_bytes(&payload))
                .filter(|place| place.generation == self.generation)
                .map(|place| place.page),
        };
        let page = number.and_then(|it| pages.get(it)).cloned();
        Some(page.ok_or_else(|| {
            ErrorObject::invalid_params(
                "the cursor is none of this server's, or the list has changed; begin without one",
            )
        }))
    }

    /// The output schema by which the tool's structured content is wrapped, where that is not plain.
    pub(crate) fn wrapped_schema(&self, tool: &str) -> Option<&Value> {
        if self.wrapped.is_empty() {
            return None;
        }
        self.wrapped.get(tool)
    }

    pub(crate) fn has_header_parameters(&self) -> bool {
        !self.header_parameters.is_empty()
    }

    pub(crate) fn header_parameters(&self, tool: &str) -> Option<Arc<[HeaderParameter]>> {
        self.header_parameters.get(tool).cloned()
    }
}

/// What a cursor says: where to go on, in which state of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    generation: u64,
    page: usize,
}

impl Place {
    fn to_bytes(self) -> [u8; 16] {
        let page = u64::try_from(self.page).unwrap_or(u64::MAX);
        let both = u128::from(self.generation) << 64 | u128::from(page);
        both.to_be_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let both = u128::from_be_bytes(bytes.try_into().ok()?);
        Some(Self {
            generation: u64::try_from(both >> 64).ok()?,
            page: usize::try_from(both & u128::from(u64::MAX)).ok()?,
        })
    }
}

fn wrapped(tools: &[Tool]) -> HashMap<String, Value> {
    let schemas = tools.iter().filter_map(|tool| {
        let schema = tool.output_schema.as_ref()?;
        let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
        (!is_object).then(|| (tool.name.clone(), schema.clone()))
    });
    schemas.collect()
}

fn header_parameters(tools: &[Tool]) -> HashMap<String, Arc<[HeaderParameter]>> {
    let declared = tools.iter().filter_map(|tool| {
        let parameters = header_parameter::declared(tool);
        (!parameters.is_empty()).then(|| (tool.name.clone(), parameters.into()))
    });
    declared.collect()
}

/// The lists, which may change.
#[derive(Debug)]
pub(crate) enum Catalog {
    /// Read once, when first needed; after that no request waits for another.
    Fixed(OnceLock<Box<Lists>>),
    /// Read again when they have changed.
    Live {
        changes: Changes,
        lists: RwLock<Option<Arc<Lists>>>,
    },
}

impl Catalog {
    pub(crate) fn new(changes: Option<&Changes>) -> Self {
        match changes {
            None => Self::Fixed(OnceLock::new()),
            Some(changes) => Self::Live {
                changes: changes.clone(),
                lists: RwLock::new(None),
            },
        }
    }

    pub(crate) fn is_live(&self) -> bool {
        matches!(self, Self::Live { .. })
    }

    /// The lists as they are now.
    pub(crate) fn with<T>(&self, listing: &Listing<'_>, look: impl FnOnce(&Lists) -> T) -> T {
        match self {
            Self::Fixed(lists) => look(lists.get_or_init(|| Box::new(listing.read(0)))),
            Self::Live { changes, lists } => {
                let generation = changes.generation();
                let current = lists.read().unwrap_or_else(PoisonError::into_inner).clone();
                if let Some(current) = current.filter(|it| it.generation == generation) {
                    return look(&current);
                }
                let current = Arc::new(listing.read(generation));
                *lists.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&current));
                look(&current)
            }
        }
    }
}
