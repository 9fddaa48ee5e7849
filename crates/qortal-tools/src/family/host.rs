//! The tools `search` and `fetch`, expected in every server by some hosts.
//!
//! Their arguments and answers follow the OpenAI connector convention: results with `id`, `title` and `url`, and a
//! document with `text`. For everything they find, another tool returns more.

mod target;

use std::sync::LazyLock;

use qortal_apps::qdn::is_deleted;
use qortal_client::{
    ApiError, PageRequest,
    api::{
        arbitrary::{Resource, ResourceExtras, ResourceSearch, ResourceState},
        names::NameMatch,
    },
};
use qortal_search::{Field, Index};
use qortal_types::{Height, Name, Service};
use serde_json::{Value, json};
use tool_schema::{BoundedString, Object};

use self::target::{Target, number};
use crate::{
    Catalog,
    declare::{
        Context, NOTES, Next, NextPage, NodeResult, Reply, Tool, ToolError, TransactionRef, count,
    },
    family::{
        assets::MOST_ASSETS,
        offline::ARTICLES,
        polls::MOST_POLLS,
        qdn::{Identifier, Shown, UNKNOWN_FORM, item, read, resource_id},
    },
    support::{
        groups,
        untrusted::{Untrusted, WholeUntrusted, is_warning},
        words::Words,
    },
};

family! {
    "host", "search and fetch, for hosts that expect them.":
    Search,
    Fetch,
}

params! {
    struct Search {
        /// Words, a link, an address, a signature or a block height.
        query: BoundedString<1, 2_000>
    }
}

record! {
    struct SearchResults {
        /// The results, at most 34.
        results: Vec<SearchResult>
    }

    struct SearchResult {
        /// The id for fetch.
        id: String,
        /// The title.
        title: Untrusted,
        /// Its link.
        url: String
    }
}

/// Maximum number of names that a search returns.
const NAMES: u32 = 5;
/// Maximum number of resources that a search returns.
const RESOURCES: u32 = 10;
/// Maximum number of reference texts that a search returns.
const TOPICS: usize = 3;
/// Maximum number of groups, of polls and of assets that a search returns.
const OTHERS: usize = 5;
/// Maximum length of a text that the Core is searched for, in characters.
const LONGEST_QUERY: usize = 100;

/// The word index of the reference texts.
static TEXTS: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index::default();
    for article in &*ARTICLES {
        let topic = (Field::Name, article.topic);
        index.add([
            topic,
            (Field::Name, article.title),
            (Field::Keywords, article.words),
            (Field::Description, article.text),
        ]);
    }
    index
});

impl Tool for Search {
    const NAME: &str = "search";
    const TITLE: &str = "Search";
    const DESCRIPTION: &str = "Find names, groups, polls, assets, QDN resources, reference texts, accounts, transactions and blocks by text. fetch reads a result.";
    const EXAMPLE: &str = r#"{"query":"victor"}"#;
    const KEYWORDS: &str = "search, search everything, anything";
    type Output = SearchResults;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let query = self.query.as_str().trim();
        let targets = exact(query).map_or_else(|| Target::of_link(query), |target| vec![target]);
        let results = targets.iter().map(|target| result(target, target.id()));
        let mut results: Vec<_> = results.collect();
        let by_text = results.is_empty() || number(query).is_some();
        if !by_text || query.is_empty() || query.chars().count() > LONGEST_QUERY {
            return Ok(SearchResults { results });
        }
        let articles = TEXTS
            .find_all_words(query)
            .into_iter()
            .filter_map(|it| ARTICLES.get(it));
        results.extend(articles.take(TOPICS).map(|it| {
            let title = format!("Reference text: {}", it.title);
            result(&Target::Topic(it), title)
        }));
        let search = ResourceSearch::default()
            .with_query(query.to_owned())
            .with_extras(ResourceExtras::default().with_metadata(true));
        let (names, groups, polls, assets, resources) = tokio::join!(
            cx.node
                .search_names(query, NameMatch::Anywhere, PageRequest::first(NAMES)),
            cx.node.groups(PageRequest::first(groups::MOST)),
            cx.node.polls(PageRequest::first(MOST_POLLS)),
            cx.node.assets(PageRequest::first(MOST_ASSETS)),
            cx.node
                .search_resources(&search, PageRequest::last(RESOURCES)),
        );
        let names = cx.part("Names are", names);
        let groups = cx.part("Groups are", groups);
        let polls = cx.part("Polls are", polls);
        let assets = cx.part("Assets are", assets);
        let resources = cx.part("QDN resources are", resources);
        cx.need_any(&[
            !results.is_empty(),
            names.is_some(),
            groups.is_some(),
            polls.is_some(),
            assets.is_some(),
            resources.is_some(),
        ])?;
        let words = Words::of(query);
        let names = names.into_iter().flatten().filter_map(|it| {
            let target = Target::Name(it.name.parse().ok()?);
            Some(result(&target, format!("Registered name {}", it.name)))
        });
        results.extend(names);
        let groups = words.find(groups.unwrap_or_default(), |it| {
            (&it.group_name, &it.description)
        });
        results.extend(groups.into_iter().take(OTHERS).map(|it| {
            let title = format!("Group {} ({} members)", it.group_name, it.member_count);
            result(&Target::Group(it.group_id), title)
        }));
        let polls = words.find(polls.unwrap_or_default(), |it| {
            (&it.poll_name, &it.description)
        });
        results.extend(polls.into_iter().take(OTHERS).map(|it| {
            let title = format!("Poll {}", it.poll_name);
            result(&Target::Poll(it.poll_name), title)
        }));
        let assets = words.find(assets.unwrap_or_default(), |it| (&it.name, &it.description));
        results.extend(assets.into_iter().take(OTHERS).map(|it| {
            let title = format!("Asset {}", it.name);
            result(&Target::Asset(it.asset_id), title)
        }));
        let resources: Vec<_> = resources.into_iter().flatten().collect();
        let described = resources.iter().filter_map(described);
        let described: Vec<_> = described.collect();
        let resources = resources.into_iter().filter(|resource| {
            let key = (
                resource.name.clone(),
                resource.identifier.clone().unwrap_or_default(),
            );
            !described.contains(&key)
        });
        results.extend(resources.filter_map(of_resource));
        Ok(SearchResults { results })
    }
}

/// Returns the target that matches the form of a text.
fn exact(query: &str) -> Option<Target> {
    let account = query.parse().ok().map(Target::Account);
    let transaction = || TransactionRef::of_text(query).map(Target::Transaction);
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

/// Returns the name and identifier of the file that a resource describes. One of the two is enough.
fn described(resource: &Resource) -> Option<(String, String)> {
    let item = item(&resource.service, resource.identifier.as_deref())?;
    Some((resource.name.clone(), item.described?))
}

fn of_resource(resource: Resource) -> Option<SearchResult> {
    let item = item(&resource.service, resource.identifier.as_deref());
    if is_deleted(item.as_ref(), resource.size) {
        return None;
    }
    let target = Target::Resource {
        service: resource.service,
        name: resource.name.parse().ok()?,
        identifier: resource.identifier,
    };
    let title = resource.metadata.and_then(|metadata| metadata.title);
    let title = title.filter(|title| !title.is_empty());
    let title = match (title, item) {
        (Some(title), Some(item)) => format!("{title} ({item}, {})", target.id()),
        (Some(title), None) => format!("{title} ({})", target.id()),
        (None, Some(item)) => format!("{} ({item})", target.id()),
        (None, None) => target.id(),
    };
    Some(result(&target, title))
}

params! {
    struct Fetch {
        /// ID of a search result, such as name:victor or qdn:DOCUMENT/victor/report-2026, or a link.
        id: BoundedString<1, 2_000>
    }
}

record! {
    struct Document {
        /// The requested ID.
        id: Untrusted,
        /// The title.
        title: Untrusted,
        /// The text of the resource, or facts as JSON.
        text: WholeUntrusted,
        /// The number of characters of the complete text, as far as it was read.
        characters: u32,
        /// Whether there is more text than this.
        remainder: NextPage,
        /// Its link.
        url: String,
        /// The tool for more, and its arguments.
        metadata: Object
    }
}

/// Maximum number of characters of a document's text.
const TEXT_SHOWN: usize = 5_000;
/// Maximum number of bytes of a resource that are read for them.
const BYTES_READ: usize = 64 * 1024;

impl Tool for Fetch {
    const NAME: &str = "fetch";
    const TITLE: &str = "Fetch";
    const DESCRIPTION: &str = "Read one result of search by its id: a resource's text, a reference text, or facts as JSON.";
    const EXAMPLE: &str = r#"{"id":"qdn:DOCUMENT/victor/report-2026"}"#;
    const KEYWORDS: &str = "fetch, result of search";
    type Output = Reply<Document>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let id = self.id.into_string();
        let target = Target::of_id(&id)
            .or_else(|| exact(id.trim()).filter(|_| number(id.trim()).is_none()))
            .or_else(|| Target::of_link(&id).into_iter().next());
        let target = target.ok_or_else(|| {
            ToolError::argument(
                "id",
                "Invalid id.",
                "is not accepted",
                "the id of a result of search, which begins with account:, name:, block:, transaction:, group:, poll:, asset:, topic: or qdn:, or a link",
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
            | Target::Group(_)
            | Target::Poll(_)
            | Target::Asset(_) => facts(cx, tool, &arguments).await?,
            Target::Topic(article) => DocumentText {
                title: Some(article.title.to_owned()),
                ..DocumentText::whole(article.text.to_owned())
            },
        };
        let characters = text.text.chars().count();
        let truncated = characters > TEXT_SHOWN || !text.is_complete;
        let rest = Next {
            tool,
            arguments: arguments.clone().into_iter().chain(text.rest).collect(),
        };
        let reply = Reply::new(Document {
            title: text.title.unwrap_or_else(|| target.id()).into(),
            url: target.url(),
            id: target.id().into(),
            text: WholeUntrusted(text.text.chars().take(TEXT_SHOWN).collect()),
            characters: count(characters),
            remainder: NextPage::new(truncated, 1, move |_| Some(rest.with([]))),
            metadata: Object::from_iter([
                ("tool".to_owned(), tool.into()),
                ("arguments".to_owned(), arguments.into()),
            ]),
        });
        Ok(if truncated {
            let of = if text.is_complete { "" } else { "at least " };
            reply.note(format!(
                "The text is cut at {TEXT_SHOWN} of {of}{characters} characters. {tool} with the arguments of `next` continues."
            ))
        } else {
            reply
        })
    }
}

/// The text of a document.
struct DocumentText {
    /// Its title, if it has a name of its own.
    title: Option<String>,
    text: String,
    /// Whether the text is complete.
    is_complete: bool,
    /// The arguments with which the tool continues after [`TEXT_SHOWN`].
    rest: Object,
}

impl DocumentText {
    fn whole(text: String) -> Self {
        Self {
            title: None,
            text,
            is_complete: true,
            rest: Object::new(),
        }
    }
}

/// Returns the tool for a target, and its arguments.
fn tool(target: &Target) -> (&'static str, Object) {
    let (tool, arguments) = match target {
        Target::Account(address) => ("get_account_overview", json!({"address": address.as_str()})),
        Target::Name(name) => ("get_name_info", json!({"name": name.as_str()})),
        Target::Block(height) => ("get_block_by_height", json!({"height": height.number()})),
        Target::Transaction(transaction) => (
            "get_transaction_by_signature",
            json!({"signature": transaction.to_string()}),
        ),
        Target::Group(group_id) => ("get_group", json!({"group_id": group_id.to_string()})),
        // The node has no endpoint for such names.
        Target::Poll(name) if name.contains(['/', '\\']) => {
            ("list_polls", json!({"query": name, "limit": 1}))
        }
        Target::Poll(name) => ("get_poll", json!({"poll_name": name})),
        Target::Asset(asset_id) => ("get_asset_info", json!({"asset_id": asset_id.to_string()})),
        Target::Topic(article) => ("explain_topic", json!({"topic": article.topic})),
        Target::Resource {
            service,
            name,
            identifier,
        } => (
            "get_qdn_resource",
            json!({"service": service.as_str(), "name": name.as_str(), "identifier": identifier}),
        ),
    };
    (tool, without_nulls(arguments))
}

/// The fields that hold the name of an answer's subject.
const NAMES_OF_ITS_OWN: [&str; 4] = ["groupName", "pollName", "name", "primaryName"];

/// Returns the facts from another tool as JSON. Its notes are added here, such as the one on text by strangers.
async fn facts(cx: &Context, tool: &str, arguments: &Object) -> Result<DocumentText, ToolError> {
    let entry = Catalog::entries().find(|it| it.name == tool);
    let entry =
        entry.ok_or_else(|| ToolError::Declaration(format!("the tool {tool} does not exist")))?;
    let outcome = entry.call(cx.shared.clone(), arguments.clone()).await?;
    let mut facts = outcome.structure();
    if let Some(Value::Array(notes)) = facts.remove(NOTES) {
        let notes = notes.iter().filter_map(Value::as_str);
        notes
            .filter(|it| !is_warning(it))
            .for_each(|it| cx.note(it));
    }
    let mut names = NAMES_OF_ITS_OWN
        .iter()
        .filter_map(|it| facts.get(*it)?.as_str());
    Ok(DocumentText {
        title: names.next().map(str::to_owned),
        ..DocumentText::whole(Value::from(facts).to_string())
    })
}

/// Returns the text of a resource, or its metadata if it has no text or is not ready on the node.
async fn resource_text(
    cx: &Context,
    service: &Service,
    name: &Name,
    identifier: Option<&str>,
) -> Result<DocumentText, ToolError> {
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
        Ok(content) => {
            let item = item(&id.service, id.identifier.as_deref());
            let shown = Shown::of(item.as_ref(), &content, TEXT_SHOWN);
            if let Some(text) = shown.text {
                if shown.is_unknown {
                    cx.note(UNKNOWN_FORM);
                }
                // Another limit could show the same JSON differently.
                let rest = [
                    ("offset", Value::from(TEXT_SHOWN)),
                    ("limit", TEXT_SHOWN.into()),
                ];
                let rest = rest.map(|(name, value)| (name.to_owned(), value));
                let mut rest = Object::from_iter(rest);
                rest.extend(front_page.map(|it| ("filepath".to_owned(), it.as_str().into())));
                return Ok(DocumentText {
                    title: shown.title,
                    text,
                    is_complete: content.is_complete,
                    rest,
                });
            }
            match shown.encrypted {
                Some(_) => shown.encryption(item.as_ref()),
                None if shown.is_deleted => "Its publisher deleted it.".to_owned(),
                None => "The content is not text.".to_owned(),
            }
        }
        Err(err) if status.status == ResourceState::NotPublished => return Err(err),
        Err(err @ (ToolError::NotFound { .. } | ToolError::Arguments(_))) => err.to_string(),
        Err(err) => return Err(err),
    };
    let about = cx.node.resource_metadata(&id).await;
    let about = about.none_if(ApiError::FILE_NOT_FOUND);
    let about = cx.part("Its title and description are", about).flatten();
    let (title, description) = about.map_or((None, None), |it| (it.title, it.description));
    let facts = json!({"title": title, "description": description, "content": why});
    Ok(DocumentText::whole(
        Value::from(without_nulls(facts)).to_string(),
    ))
}

/// Returns the fields of an object that are not null.
fn without_nulls(object: Value) -> Object {
    let mut members = match object {
        Value::Object(members) => members,
        _ => Object::new(),
    };
    members.retain(|_, value| !value.is_null());
    members
}
