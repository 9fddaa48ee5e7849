//! The two tools that some hosts look for in every server, by their own conventions: `search` and `fetch`.
//!
//! Their arguments and answers are those of the OpenAI connector convention: results with `id`, `title` and `url`, and a
//! document with `text`. Everything they find has a tool of its own that says more.

use qortal_client::{
    ApiError, Page,
    api::{
        arbitrary::{Resource, ResourceExtras, ResourceSearch, ResourceState},
        names::NameMatch,
    },
};
use qortal_types::{Address, Height, Name, Service, Signature};
use serde_json::{Value, json};

use crate::{
    Object,
    catalog::{Catalog, Family, Surface},
    context::Context,
    declare::{Entry, Text, Tool},
    error::ToolError,
    family::qdn::{Identifier, encoded, link, read, resource_id},
    untrusted::{Untrusted, WholeUntrusted},
};

pub(crate) static FAMILY: Family = Family {
    name: "host",
    purpose: "search and fetch, for hosts that look for them.",
    tools: &TOOLS,
};

static TOOLS: [Entry; 2] = [Entry::of::<Search>(), Entry::of::<Fetch>()];

/// What a result leads to, as its `id` says it: `kind:rest`.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Account(Address),
    Name(Name),
    Block(Height),
    Transaction(Signature),
    Group(u32),
    Resource {
        service: Service,
        name: Name,
        identifier: Option<String>,
    },
}

impl Target {
    fn id(&self) -> String {
        match self {
            Self::Account(address) => format!("account:{address}"),
            Self::Name(name) => format!("name:{}", name.as_str()),
            Self::Block(height) => format!("block:{height}"),
            Self::Transaction(signature) => format!("transaction:{signature}"),
            Self::Group(group_id) => format!("group:{group_id}"),
            Self::Resource {
                service,
                name,
                identifier,
            } => match identifier {
                Some(identifier) => format!("qdn:{service}/{}/{identifier}", name.as_str()),
                None => format!("qdn:{service}/{}", name.as_str()),
            },
        }
    }

    fn of_id(id: &str) -> Option<Self> {
        let (kind, rest) = id.split_once(':')?;
        match kind {
            "account" => rest.parse().ok().map(Self::Account),
            "name" => rest.parse().ok().map(Self::Name),
            "block" => number(rest).map(|it| Self::Block(Height::new(it))),
            "transaction" => rest.parse().ok().map(Self::Transaction),
            "group" => number(rest).map(Self::Group),
            "qdn" => {
                let mut parts = rest.splitn(3, '/');
                Some(Self::Resource {
                    service: parts.next()?.parse().ok()?,
                    name: parts.next()?.parse().ok()?,
                    identifier: parts.next().map(str::to_owned),
                })
            }
            _ => None,
        }
    }

    /// A link that names it: the native one of resources, and of the same form for what has none.
    fn url(&self) -> String {
        match self {
            Self::Account(address) => format!("qortal://account/{address}"),
            Self::Name(name) => format!("qortal://name/{}", encoded(name.as_str())),
            Self::Block(height) => format!("qortal://block/{height}"),
            Self::Transaction(signature) => format!("qortal://tx/{signature}"),
            Self::Group(group_id) => format!("qortal://group/{group_id}"),
            Self::Resource {
                service,
                name,
                identifier,
            } => link(service, name.as_str(), identifier.as_deref(), None),
        }
    }
}

/// Heights and groups are counted from 1 in 31 bits.
fn number(text: &str) -> Option<u32> {
    text.parse()
        .ok()
        .filter(|it| (1..=2_147_483_647).contains(it))
}

struct Search;

params! {
    struct SearchParams {
        /// A part of a name or of a title, or an address, a signature or a block height.
        query: Text<1, 200>
    }
}

record! {
    struct SearchResults {
        /// What was found, at most 16.
        results: Vec<SearchResult>
    }
}

record! {
    struct SearchResult {
        /// What to give to fetch.
        id: String,
        /// What it is.
        title: Untrusted,
        /// Its link.
        url: String
    }
}

/// Names that a search returns.
const NAMES: u32 = 5;
/// Resources that a search returns.
const RESOURCES: u32 = 10;
/// Longest text that the Core is asked for, in characters.
const LONGEST_QUERY: usize = 100;

impl Tool for Search {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search";
    const DESCRIPTION: &'static str = "Find names, QDN resources, accounts, transactions and blocks by text, and return ids for fetch.";
    const EXAMPLE: &'static str = r#"{"query":"victor"}"#;
    const SURFACE: Surface = Surface::Full;
    type Params = SearchParams;
    type Output = SearchResults;

    async fn call(cx: &Context, params: SearchParams) -> Result<SearchResults, ToolError> {
        let query = params.query.as_str().trim();
        let mut results: Vec<_> = exact(query)
            .map(|target| result(&target, target.id()))
            .into_iter()
            .collect();
        let by_text = results.is_empty() || number(query).is_some();
        if !by_text || query.is_empty() || query.chars().count() > LONGEST_QUERY {
            return Ok(SearchResults { results });
        }
        let search = ResourceSearch {
            query: Some(query.to_owned()),
            extras: ResourceExtras {
                status: false,
                metadata: true,
            },
            ..ResourceSearch::default()
        };
        let (names, resources) = tokio::try_join!(
            cx.node
                .search_names(query, NameMatch::Anywhere, Page::first(NAMES)),
            cx.node.search_resources(&search, Page::last(RESOURCES)),
        )?;
        let names = names.into_iter().filter_map(|it| {
            let target = Target::Name(it.name.parse().ok()?);
            Some(result(&target, format!("Registered name {}", it.name)))
        });
        results.extend(names);
        results.extend(resources.into_iter().filter_map(of_resource));
        Ok(SearchResults { results })
    }
}

/// What a text is by its form alone.
fn exact(query: &str) -> Option<Target> {
    let account = query.parse().ok().map(Target::Account);
    let transaction = || query.parse().ok().map(Target::Transaction);
    let block = || number(query).map(|it| Target::Block(Height::new(it)));
    account.or_else(transaction).or_else(block)
}

fn result(target: &Target, title: String) -> SearchResult {
    SearchResult {
        id: target.id(),
        title: title.into(),
        url: target.url(),
    }
}

fn of_resource(it: Resource) -> Option<SearchResult> {
    let target = Target::Resource {
        service: it.service,
        name: it.name.parse().ok()?,
        identifier: it.identifier,
    };
    let title = it.metadata.and_then(|it| it.title);
    let title = match title.filter(|it| !it.is_empty()) {
        Some(title) => format!("{title} ({})", target.id()),
        None => target.id(),
    };
    Some(result(&target, title))
}

struct Fetch;

params! {
    struct FetchParams {
        /// The id of a result of search, such as name:victor or qdn:DOCUMENT/victor/report-2026.
        id: Text<1, 300>
    }
}

record! {
    struct Document {
        /// The id that was asked for.
        id: Untrusted,
        /// What it is.
        title: Untrusted,
        /// Its text: that of the resource, or the facts as JSON.
        text: WholeUntrusted,
        /// Its link.
        url: String,
        /// The tool that says more, and its arguments.
        metadata: Object
    }
}

/// Characters of a document's text.
const TEXT_SHOWN: usize = 6_000;
/// Bytes of a resource that are read for them.
const BYTES_READ: usize = 64 * 1024;

impl Tool for Fetch {
    const NAME: &'static str = "fetch";
    const TITLE: &'static str = "Fetch";
    const DESCRIPTION: &'static str =
        "Return the text of one result of search by its id: a resource's text, or facts as JSON.";
    const EXAMPLE: &'static str = r#"{"id":"qdn:DOCUMENT/victor/report-2026"}"#;
    const SURFACE: Surface = Surface::Full;
    type Params = FetchParams;
    type Output = Document;

    async fn call(cx: &Context, params: FetchParams) -> Result<Document, ToolError> {
        let id = params.id.into_string();
        let target = Target::of_id(&id).ok_or_else(|| {
            ToolError::argument(
                "id",
                "Invalid id.",
                "is not accepted",
                "the id of a result of search: account:, name:, block:, transaction:, group: or qdn: and what to fetch",
            )
        })?;
        let (tool, arguments) = tool(&target);
        let text = match &target {
            Target::Resource {
                service,
                name,
                identifier,
            } => resource_text(cx, service, name, identifier.as_deref()).await?,
            Target::Account(_)
            | Target::Name(_)
            | Target::Block(_)
            | Target::Transaction(_)
            | Target::Group(_) => answer_of(cx, tool, &arguments).await?,
        };
        let metadata = json!({"tool": tool, "arguments": arguments});
        Ok(Document {
            title: target.id().into(),
            url: target.url(),
            id: id.into(),
            text: WholeUntrusted(text.chars().take(TEXT_SHOWN).collect()),
            metadata: metadata.as_object().cloned().unwrap_or_default(),
        })
    }
}

/// The tool of its own that a target has.
fn tool(target: &Target) -> (&'static str, Value) {
    match target {
        Target::Account(address) => ("get_account_overview", json!({"address": address.as_str()})),
        Target::Name(name) => ("get_name_info", json!({"name": name.as_str()})),
        Target::Block(height) => ("get_block_by_height", json!({"height": height.number()})),
        Target::Transaction(signature) => (
            "get_transaction_by_signature",
            json!({"signature": signature.to_string()}),
        ),
        Target::Group(group_id) => ("get_group", json!({"group_id": group_id})),
        Target::Resource {
            service,
            name,
            identifier: None,
        } => (
            "get_qdn_resource",
            json!({"service": service.as_str(), "name": name.as_str()}),
        ),
        Target::Resource {
            service,
            name,
            identifier: Some(identifier),
        } => (
            "get_qdn_resource",
            json!({"service": service.as_str(), "name": name.as_str(), "identifier": identifier}),
        ),
    }
}

/// The answer of another tool, as JSON.
async fn answer_of(cx: &Context, tool: &str, arguments: &Value) -> Result<String, ToolError> {
    let entry = Catalog::entries().find(|it| it.name == tool);
    let entry = entry.ok_or_else(|| ToolError::Declaration(format!("no tool {tool}")))?;
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let outcome = cx.call(entry, arguments).await?;
    Ok(Value::Object(outcome.structure).to_string())
}

/// The text of a resource; what it says about itself if it has no text or the node does not have it ready.
async fn resource_text(
    cx: &Context,
    service: &Service,
    name: &Name,
    identifier: Option<&str>,
) -> Result<String, ToolError> {
    let identifier = identifier.map(Identifier::new).transpose();
    let identifier = identifier.map_err(|problem| {
        ToolError::argument(
            "id",
            "Invalid id.",
            format!("names a resource whose identifier {problem}"),
            "the id of a result of search",
        )
    })?;
    let id = resource_id(service.clone(), name, identifier);
    let status = cx.node.resource_status(&id).await?;
    let front_page = if service.is_single_file() {
        None
    } else {
        "index.html".parse().ok()
    };
    let why = match read(cx, &id, &status, front_page.as_ref(), BYTES_READ).await {
        Ok(content) => match content.text() {
            Some(text) => return Ok(text.to_owned()),
            None => "It is no text.".to_owned(),
        },
        Err(err) if status.status == ResourceState::NotPublished => return Err(err),
        Err(err @ (ToolError::NotFound { .. } | ToolError::Arguments(_))) => err.to_string(),
        Err(err) => return Err(err),
    };
    let about = match cx.node.resource_metadata(&id).await {
        Ok(it) => Some(it),
        Err(err) if err.is(ApiError::FILE_NOT_FOUND) => None,
        Err(err) => return Err(err.into()),
    };
    let (title, description) = about.map_or((None, None), |it| (it.title, it.description));
    Ok(facts(
        json!({"title": title, "description": description, "content": why}),
    ))
}

/// A JSON object as text, without what is not known.
fn facts(mut object: Value) -> String {
    if let Some(members) = object.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    object.to_string()
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn an_id_leads_back_to_its_target() {
        for id in [
            "account:QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
            "name:Alice Test",
            "block:200",
            "group:3",
            "qdn:WEBSITE/victor",
            "qdn:DOCUMENT/victor/report-2026",
            "qdn:JSON/victor/a/b",
        ] {
            assert_eq!(Target::of_id(id).map(|it| it.id()).as_deref(), Some(id));
        }
        for id in [
            "",
            "200",
            "block:0",
            "block:-1",
            "group:x",
            "qdn:WEBSITE",
            "qdn:NOPE/victor",
            "web:x",
        ] {
            assert_eq!(Target::of_id(id), None, "{id}");
        }
    }
}
