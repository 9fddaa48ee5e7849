//! The serialized lists of one list variant. Each page in one revision is one byte string. The lists of recently used
//! variants are cached. Each list is read on its first request, and again after it may have changed.

use std::{num::NonZeroUsize, sync::OnceLock};

use mcp_protocol::{
    CacheHint, ErrorObject, Method, Object, Prompt, Revision, ServerInfo, TaskSupport, Tool, render,
};
use serde_json::Value;
use tool_schema::remove_descriptions;

use crate::{
    context::{ListVariant, sign::Signer},
    dispatch::{
        ResultBytes,
        params::unknown_cursor,
        rendered_tools::{Kind, Pieces},
    },
    provide::{ResourceSet, Sets, ToolFacts, ToolSet},
};

/// Cache lifetime of lists that change only with a new release of the server.
const FIXED: CacheHint = CacheHint::public(3_600_000);
/// Cache lifetime of lists that can change at any time.
const LIVE: CacheHint = CacheHint::public(0);

/// All lists of one list variant at one time, and data derived from them. Everything is created on first use, because
/// most clients use one revision, and most servers have clients of few revisions.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    scope: ListVariant,
    pub(crate) generation: u64,
    tool_names: OnceLock<Vec<String>>,
    tool_facts: OnceLock<ToolFacts>,
    prompts: OnceLock<Vec<Prompt>>,
    pages: [[[OnceLock<Vec<ResultBytes>>; 2]; Revision::ALL.len()]; List::COUNT],
    pub(crate) initialize_results: [OnceLock<ResultBytes>; Revision::ALL.len()],
}

/// A paginated list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl List {
    const COUNT: usize = 4;

    /// Returns the method that the list's cursors are signed for.
    const fn method(self) -> Method {
        match self {
            Self::Tools => Method::ToolsList,
            Self::Prompts => Method::PromptsList,
            Self::Resources => Method::ResourcesList,
            Self::Templates => Method::ResourcesTemplatesList,
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

/// The sources of the lists of all list variants.
pub(crate) struct ListSource<'a> {
    pub(crate) sets: &'a Sets,
    pub(crate) server_info: &'a ServerInfo,
    pub(crate) signer: &'a Signer,
    /// The tools that other lists have rendered.
    pub(crate) pieces: &'a Pieces,
    /// Whether the lists may change.
    pub(crate) is_live: bool,
    /// Whether the client is known to show no views. Tools then have no links to views.
    pub(crate) without_views: bool,
    /// Whether calls can become tasks.
    pub(crate) has_tasks: bool,
    /// Whether output schemas omit descriptions.
    pub(crate) is_brief: bool,
}

/// The pagination and the cache lifetime of a list.
struct Paging<'a> {
    list: List,
    lists: &'a Lists,
    revision: Revision,
    size: Option<NonZeroUsize>,
    hint: CacheHint,
}

impl ListSource<'_> {
    /// Returns all pages of a list in one revision, or `None` if there is no such list.
    fn pages(&self, list: List, lists: &Lists, revision: Revision) -> Option<Vec<ResultBytes>> {
        let Sets {
            tools,
            prompts,
            resources,
            ..
        } = self.sets;
        let scope = &lists.scope;
        let rules = revision.features();
        let paging = |size, hint| Paging {
            list,
            lists,
            revision,
            size,
            hint: self.cache_hint(hint, scope),
        };
        Some(match list {
            List::Resources | List::Templates if !self.sets.has_resources() => return None,
            List::Tools => {
                let set = tools.as_ref()?;
                let paging = paging(set.page_size(), set.list_cache_hint());
                self.tool_pages(&paging, &**set)
            }
            List::Prompts => {
                let set = prompts.as_ref()?;
                let paging = paging(set.page_size(), set.list_cache_hint());
                let listed = set.prompts(scope);
                self.write(&paging, &listed, |it, json| {
                    json.push_str(&render::prompt(it, rules).to_string());
                })
            }
            List::Resources => {
                let listed = self.sets.listed_resources(scope);
                let set = resources.as_deref();
                let paging = paging(size_of(set), hint_of(set));
                self.write(&paging, &listed, |it, json| {
                    json.push_str(&render::resource(it, rules).to_string());
                })
            }
            List::Templates => {
                let set = resources.as_deref();
                let listed = set.map_or_else(Vec::new, |set| set.templates(scope));
                let paging = paging(size_of(set), hint_of(set));
                self.write(&paging, &listed, |it, json| {
                    json.push_str(&render::resource_template(it, rules).to_string());
                })
            }
        })
    }

    /// Returns the pages of the tool list. If the set has outlines, the pages are composed of rendered tools.
    fn tool_pages(&self, paging: &Paging<'_>, set: &dyn ToolSet) -> Vec<ResultBytes> {
        let Paging {
            lists, revision, ..
        } = *paging;
        let shape = |mut tool: Tool| {
            if self.without_views {
                tool = tool.without_view();
            }
            if !self.has_tasks {
                tool.task_support = TaskSupport::Forbidden;
            }
            if self.is_brief {
                tool.output_schema.as_mut().map(remove_descriptions);
            }
            tool
        };
        let Some(outlines) = set.outlines(&lists.scope) else {
            let tools: Vec<_> = set.tools(&lists.scope).into_iter().map(shape).collect();
            return self.write(paging, &tools, |it, json| {
                json.push_str(&render::tool(it, revision.features()).to_string());
            });
        };
        let kind = Kind {
            generation: lists.generation,
            revision,
            without_views: self.without_views,
        };
        let pieces = self.pieces.of(&outlines, kind, shape);
        let tools: Vec<_> = outlines.iter().zip(pieces).collect();
        self.write(paging, &tools, |(outline, piece), json| {
            piece.write(&outline.description, json);
        })
    }

    /// Writes each page directly, with the value tree of only one item at a time. The trees of all tools take
    /// megabytes.
    fn write<T>(
        &self,
        paging: &Paging<'_>,
        items: &[T],
        write: impl Fn(&T, &mut String),
    ) -> Vec<ResultBytes> {
        let Paging {
            list,
            lists,
            revision,
            ..
        } = *paging;
        let rules = revision.features();
        let purpose = cursor_purpose(list, &lists.scope);
        let size = paging.size.map_or(usize::MAX, NonZeroUsize::get);
        // An empty list has a page, too.
        let count = items.len().div_ceil(size).max(1);
        let mut rest = items;
        let pages = (1..=count).map(|next| {
            let page;
            (page, rest) = rest.split_at(size.min(rest.len()));
            let mut result = Object::new();
            result.insert(list.member().to_owned(), Value::Null);
            let position = Position {
                generation: lists.generation,
                page: next,
            };
            let cursor = if next < count {
                self.signer.sign(&purpose, &position.to_bytes())
            } else {
                None
            };
            if let Some(cursor) = cursor {
                result.insert("nextCursor".to_owned(), cursor.into());
            }
            render::cache_hint(&mut result, paging.hint, rules);
            let result = render::add_common_fields(result, self.server_info, rules);
            ResultBytes::from(with_items(&result, list.member(), page, &write))
        });
        pages.collect()
    }

    /// Returns the hint of the set, or the default hint for this kind of list. Lists that depend on the caller are
    /// never public.
    fn cache_hint(&self, hint: Option<CacheHint>, scope: &ListVariant) -> CacheHint {
        let hint = hint.unwrap_or(if self.is_live { LIVE } else { FIXED });
        if scope.is_shared() && !self.without_views {
            hint
        } else {
            CacheHint::private(hint.ttl_ms)
        }
    }
}

impl Lists {
    pub(crate) fn new(scope: ListVariant, generation: u64) -> Self {
        Self {
            scope,
            generation,
            ..Self::default()
        }
    }

    /// Returns whether the pages of a list have been created.
    pub(crate) fn has(&self, list: List, revision: Revision, without_views: bool) -> bool {
        let cell = || {
            let both = self.pages.get(list as usize)?.get(revision.index())?;
            both.get(usize::from(without_views))
        };
        cell().is_some_and(|it| it.get().is_some())
    }

    /// Returns the requested page, or `None` if there is no such list. Returns the error -32602 if the cursor is for
    /// another list or list variant, or if the list has changed since.
    pub(crate) fn page(
        &self,
        list: List,
        revision: Revision,
        params: Option<&Object>,
        source: &ListSource<'_>,
    ) -> Option<Result<ResultBytes, ErrorObject>> {
        let both = self.pages.get(list as usize)?.get(revision.index())?;
        let cell = both.get(usize::from(source.without_views))?;
        let pages = match cell.get() {
            Some(pages) => pages,
            None => {
                // Two clients may make the same pages at once, but neither waits for the other.
                let pages = source.pages(list, self, revision)?;
                cell.get_or_init(|| pages)
            }
        };
        let number = match params.and_then(|params| params.get("cursor")) {
            None | Some(Value::Null) => Some(0),
            Some(cursor) => cursor
                .as_str()
                .and_then(|cursor| {
                    let purpose = cursor_purpose(list, &self.scope);
                    source.signer.verify(&purpose, cursor)
                })
                .and_then(|payload| Position::from_bytes(&payload))
                .filter(|position| position.generation == self.generation)
                .map(|position| position.page),
        };
        let page = number.and_then(|it| pages.get(it)).cloned();
        Some(page.ok_or_else(unknown_cursor))
    }

    pub(crate) fn tool_names(&self, sets: &Sets) -> &[String] {
        self.tool_names.get_or_init(|| {
            let Some(set) = &sets.tools else {
                return Vec::new();
            };
            match set.outlines(&self.scope) {
                Some(outlines) => {
                    let names = outlines.into_iter().map(|it| it.name.into_owned());
                    names.collect()
                }
                None => {
                    let tools = set.tools(&self.scope).into_iter();
                    tools.map(|it| it.name).collect()
                }
            }
        })
    }

    /// Returns the facts about tools, which do not depend on the list variant.
    pub(crate) fn tool_facts(&self, sets: &Sets) -> &ToolFacts {
        self.tool_facts.get_or_init(|| {
            let tools = sets.tools.as_ref().map(ToolSet::tools_with_special_calls);
            ToolFacts::new(&tools.unwrap_or_default())
        })
    }

    /// Returns whether [`Lists::prompts`] have been created.
    pub(crate) fn has_prompts(&self) -> bool {
        self.prompts.get().is_some()
    }

    pub(crate) fn prompts(&self, sets: &Sets) -> &[Prompt] {
        self.prompts.get_or_init(|| {
            let prompts = sets.prompts.as_ref().map(|it| it.prompts(&self.scope));
            prompts.unwrap_or_default()
        })
    }
}

/// Serializes `result` with these items as its field `name`.
fn with_items<T>(
    result: &Object,
    name: &str,
    items: &[T],
    write: impl Fn(&T, &mut String),
) -> String {
    let mut json = String::from("{");
    for (key, value) in result {
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(&Value::from(key.as_str()).to_string());
        json.push(':');
        if key != name {
            json.push_str(&value.to_string());
            continue;
        }
        json.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            write(item, &mut json);
        }
        json.push(']');
    }
    json.push('}');
    // It is kept, with the brace after it.
    json.shrink_to(json.len() + 1);
    json
}

fn size_of(set: Option<&dyn ResourceSet>) -> Option<NonZeroUsize> {
    set?.page_size()
}

fn hint_of(set: Option<&dyn ResourceSet>) -> Option<CacheHint> {
    set?.list_cache_hint()
}

/// Returns the purpose of a cursor, which is valid only for one list and one list variant.
fn cursor_purpose(list: List, scope: &ListVariant) -> String {
    scope.purpose(list.method().as_str().to_owned())
}

/// The content of a cursor: the next page, in one generation of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    generation: u64,
    page: usize,
}

impl Position {
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
