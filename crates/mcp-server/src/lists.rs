//! The lists of what a server offers, serialised: one page of one revision is one piece of bytes.

use std::{
    collections::HashMap,
    num::NonZeroUsize,
    sync::{Arc, PoisonError, RwLock},
};

use bytes::Bytes;
use mcp_protocol::{
    ErrorObject, Object, Prompt, Revision, Rules, ServerInfo, Tool,
    render::{self, CacheHint},
};
use serde_json::Value;

use crate::{
    builder::Sets,
    changes::Changes,
    header_parameter::{self, HeaderParameter},
    seal::Sealer,
};

/// How long lists may be kept that change only with a new release of the server.
const FIXED: CacheHint = CacheHint {
    ttl_ms: 3_600_000,
    public: true,
};
/// How long lists may be kept that can change at any time.
const LIVE: CacheHint = CacheHint {
    ttl_ms: 0,
    public: true,
};

/// Everything that is listed, at one time.
#[derive(Debug)]
pub(crate) struct Lists {
    generation: u64,
    pub(crate) tools: Arc<[Tool]>,
    pub(crate) prompts: Vec<Prompt>,
    /// Output schemas of the tools whose structured content some revisions wrap.
    wrapped: HashMap<String, Value>,
    /// The tools with parameters that are repeated in headers.
    header_parameters: HashMap<String, Arc<[HeaderParameter]>>,
    pages: [Option<Pages>; List::ALL.len()],
}

/// A list with pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

/// One list: the pages of each revision.
#[derive(Debug)]
struct Pages(Vec<Vec<Bytes>>);

impl List {
    const ALL: [Self; 4] = [Self::Tools, Self::Prompts, Self::Resources, Self::Templates];

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
    pub(crate) fn read(&self, generation: u64) -> Lists {
        let Sets {
            tools,
            prompts,
            resources,
            ..
        } = self.sets;
        let listed: Vec<Tool> = tools.as_ref().map(|it| it.tools()).unwrap_or_default();
        let prompt_list = prompts.as_ref().map(|it| it.prompts()).unwrap_or_default();
        let tool_pages = tools.as_ref().map(|set| {
            let (size, hint) = (set.page_size(), set.cache_hint());
            self.pages(List::Tools, generation, size, hint, &listed, render::tool)
        });
        let prompt_pages = prompts.as_ref().map(|set| {
            let (size, hint) = (set.page_size(), set.cache_hint());
            let listed = &prompt_list;
            self.pages(
                List::Prompts,
                generation,
                size,
                hint,
                listed,
                render::prompt,
            )
        });
        let resource_pages = resources.as_ref().map(|set| {
            let (size, hint) = (set.page_size(), set.cache_hint());
            let listed = set.resources();
            let render = render::resource;
            self.pages(List::Resources, generation, size, hint, &listed, render)
        });
        let template_pages = resources.as_ref().map(|set| {
            let (size, hint) = (set.page_size(), set.cache_hint());
            let listed = set.templates();
            let render = render::resource_template;
            self.pages(List::Templates, generation, size, hint, &listed, render)
        });
        Lists {
            generation,
            wrapped: wrapped(&listed),
            header_parameters: header_parameters(&listed),
            tools: listed.into(),
            prompts: prompt_list,
            pages: [tool_pages, prompt_pages, resource_pages, template_pages],
        }
    }

    fn pages<T>(
        &self,
        list: List,
        generation: u64,
        size: Option<NonZeroUsize>,
        hint: Option<CacheHint>,
        items: &[T],
        render: impl Fn(&T, &Rules) -> Value,
    ) -> Pages {
        let hint = hint.unwrap_or(if self.live { LIVE } else { FIXED });
        let size = size.map_or(usize::MAX, NonZeroUsize::get);
        // An empty list has a page, too.
        let count = items.len().div_ceil(size).max(1);
        let pages_of = |rules: &Rules| {
            let mut pages = Vec::with_capacity(count);
            for number in 0..count {
                let page = items.iter().skip(number.saturating_mul(size)).take(size);
                let page = page.map(|item| render(item, rules)).collect();
                let mut result = Object::new();
                result.insert(list.member().to_owned(), Value::Array(page));
                let next = Some(number + 1).filter(|next| *next < count);
                let cursor = next.and_then(|next| {
                    let payload = Place {
                        generation,
                        page: next,
                    }
                    .to_bytes();
                    self.sealer.seal(list.method(), &payload)
                });
                if let Some(cursor) = cursor {
                    result.insert("nextCursor".to_owned(), cursor.into());
                }
                render::cache_hint(&mut result, hint, rules);
                let result = render::finish_result(result, self.server_info, rules);
                pages.push(Bytes::from(Value::Object(result).to_string()));
            }
            pages
        };
        let revisions = Revision::ALL.into_iter();
        Pages(revisions.map(|it| pages_of(it.rules())).collect())
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
        sealer: &Sealer,
    ) -> Option<Result<Bytes, ErrorObject>> {
        let place = List::ALL.iter().position(|it| *it == list)?;
        let pages = self.pages.get(place)?.as_ref()?.0.get(revision.index())?;
        let number = match params.and_then(|params| params.get("cursor")) {
            None | Some(Value::Null) => Some(0),
            Some(cursor) => cursor
                .as_str()
                .and_then(|cursor| sealer.open(list.method(), cursor))
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
pub(crate) enum Catalogue {
    /// Read once; no request waits for another.
    Fixed(Box<Lists>),
    /// Read again when they have changed.
    Live {
        changes: Changes,
        lists: RwLock<Arc<Lists>>,
    },
}

impl Catalogue {
    pub(crate) fn new(listing: &Listing<'_>, changes: Option<&Changes>) -> Self {
        match changes {
            None => Self::Fixed(Box::new(listing.read(0))),
            Some(changes) => Self::Live {
                changes: changes.clone(),
                lists: RwLock::new(Arc::new(listing.read(changes.generation()))),
            },
        }
    }

    /// The lists as they are now.
    pub(crate) fn with<T>(
        &self,
        listing: impl FnOnce(u64) -> Lists,
        look: impl FnOnce(&Lists) -> T,
    ) -> T {
        match self {
            Self::Fixed(lists) => look(lists),
            Self::Live { changes, lists } => {
                let generation = changes.generation();
                let current = Arc::clone(&lists.read().unwrap_or_else(PoisonError::into_inner));
                if current.generation == generation {
                    return look(&current);
                }
                let current = Arc::new(listing(generation));
                *lists.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&current);
                look(&current)
            }
        }
    }
}
