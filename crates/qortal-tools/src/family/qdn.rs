//! Tools about QDN, the Qortal Data Network: published resources, their state on the node, and their contents.

mod content;
mod found;
mod hosted;
mod id;
mod image;
mod index;
mod publications;
mod shown;
mod state;
mod whole;

use qortal_apps::{identifier::Item, marker::is_technical_tag};
use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::arbitrary::{IdentifierFilter, Resource, ResourceExtras, ResourceSearch, ResourceState},
};
use qortal_types::{Name, Service};
use tool_schema::{BoundedString, CappedInt};

pub(crate) use self::{
    content::read,
    found::item,
    id::{Identifier, link, resource_id},
    shown::{Shown, UNKNOWN_FORM},
};
use self::{
    found::{DELETED, FoundResource, described, without_twins},
    publications::{ListHostedQdn, SearchQdn},
    state::{DELETED_BY_PUBLISHER, KeepingPeers, keeping_peers, meaning},
};
use crate::support::untrusted::UntrustedFields;
use crate::{
    declare::{
        Context, Cursor, NextPage, NodeResult, Order, Page, Paging, Reply, Rows, Slice, TimeArg,
        Tool, ToolError, given,
    },
    support::untrusted::Untrusted,
};

family! {
    "qdn", "What is published on QDN, and what does it contain?":
    SearchQdnResources,
    GetQdnResourceStatus,
    content::GetQdnResource,
    GetQdnMetadata,
    SearchQdn,
    ListHostedQdn,
    hosted::SearchHostedQdn,
    whole::CheckPublications,
    index::SearchQdnIndex,
}

params! {
    struct SearchQdnResources {
        /// Part of name, identifier, title or description.
        query: Option<BoundedString<1, 100>>,
        /// Service, such as WEBSITE or APP.
        service: Option<Service>,
        /// Part of the publisher's name.
        name: Option<BoundedString<1, 100>>,
        /// Part of the identifier.
        identifier: Option<BoundedString<1, 64>>,
        /// Match only at the start.
        prefix: bool = false,
        /// Match the full name.
        exact_name: bool = false,
        /// Only without identifier.
        default_only: bool = false,
        /// First published before this.
        before: Option<TimeArg>,
        /// First published after this.
        after: Option<TimeArg>,
        /// Include each status on this node.
        include_status: bool = false,
        #[flatten]
        page: Paging<15>,
        #[flatten]
        order: Order
    }
}

record! {
    struct FoundResources {
        /// The resources, in this order.
        resources: Page<FoundResource>
    }
}

impl Tool for SearchQdnResources {
    const NAME: &str = "search_qdn_resources";
    const TITLE: &str = "Search QDN";
    const DESCRIPTION: &str = "Find apps, sites, posts, images and other resources on QDN by text, name, service or time. Read one: get_qdn_resource.";
    const EXAMPLE: &str = r#"{"name":"victor","exact_name":true}"#;
    const KEYWORDS: &str = "qdn, find app, app, website, video, blog, post, qmail, mail, publication, new website, resource, search data, image, podcast, shop";
    type Output = Reply<FoundResources>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let identifier = match (self.identifier, self.default_only) {
            (Some(_), true) => {
                return Err(ToolError::argument(
                    "default_only",
                    "Invalid argument.",
                    "is true, but an identifier is given",
                    "only one of the two, default resources have no identifier",
                ));
            }
            (Some(identifier), false) => Some(IdentifierFilter::Like(identifier.into_string())),
            (None, true) => Some(IdentifierFilter::Default),
            (None, false) => None,
        };
        let (before, after) = tokio::try_join!(
            given(self.before, |it| cx.moment("before", it)),
            given(self.after, |it| cx.moment("after", it)),
        )?;
        let search = ResourceSearch::default()
            .with_service(self.service)
            .with_query(self.query.map(BoundedString::into_string))
            .with_identifier(identifier)
            .with_names(Vec::from_iter(self.name.map(BoundedString::into_string)))
            .with_prefix(self.prefix)
            .with_exact_names(self.exact_name)
            .with_before(before)
            .with_after(after)
            .with_extras(ResourceExtras::default().with_metadata(true));
        let page = self.order.one_more(&self.page);
        let found = if self.include_status {
            with_states(cx, &search, page).await?
        } else {
            cx.node.search_resources(&search, page).await?
        };
        let by_time = Cursor::Pinned(self.order.is_newest_first(), |it: &Resource| it.created);
        let resources = self.page.of(cx, by_time, found);
        let reply = Reply::new(FoundResources {
            resources: without_twins(resources),
        });
        Ok(match search.service {
            Some(_) => reply.note(
                "With a service the node answers from a list that is up to half an hour old.",
            ),
            None => reply,
        })
    }
}

/// Returns resources with their states on the configured node. The states on other nodes were not requested: while the
/// configured node does not respond, other nodes list the resources without states.
async fn with_states(
    cx: &Context,
    search: &ResourceSearch,
    page: PageRequest,
) -> Result<Vec<Resource>, NodeError> {
    let extras = search.extras.with_status(true);
    let own = cx.node.own_only();
    match own
        .search_resources(&search.clone().with_extras(extras), page)
        .await
    {
        Err(err) if err.is_unavailable() => {
            let found = cx.node.search_resources(search, page).await?;
            cx.part::<()>("The states of the resources are", Err(err));
            Ok(found)
        }
        found => found,
    }
}

params! {
    struct GetQdnResourceStatus {
        /// Service, such as WEBSITE or APP.
        service: Service,
        /// Publisher's name.
        name: Name,
        /// Identifier, if it has one.
        identifier: Option<Identifier>,
        /// Include peers with the data. Up to 15 seconds.
        include_peers: bool = false
    }
}

record! {
    struct StatusOfResource {
        /// Its service.
        service: String,
        /// The requested name.
        name: String,
        /// The requested identifier.
        identifier: Option<String>,
        /// Its kind, if an official app uses such identifiers: `Q-Tube video`, `thread post in group 3`.
        kind: Option<String>,
        /// The status on this node: PUBLISHED, NOT_PUBLISHED, DOWNLOADING, DOWNLOADED, BUILDING, READY, MISSING_DATA,
        /// BUILD_FAILED, UNSUPPORTED or BLOCKED. DELETED if its publisher deleted it.
        status: String,
        /// The meaning of the status, and the next step.
        meaning: &'static str,
        /// Whether it is encrypted for chosen readers.
        is_encrypted: bool,
        /// Whether get_qdn_resource can read it now.
        is_readable: bool,
        /// The downloaded part in whole percent. Absent if it is stored on the chain itself.
        percent_loaded: Option<u32>,
        /// Downloaded pieces.
        local_chunk_count: Option<u32>,
        /// Pieces in all.
        total_chunk_count: Option<u32>,
        /// The node's peers with pieces of it. Only with include_peers.
        peers: Option<KeepingPeers>,
        /// Its native link.
        link: String
    }
}

impl Tool for GetQdnResourceStatus {
    const NAME: &str = "get_qdn_resource_status";
    const TITLE: &str = "QDN resource status";
    const DESCRIPTION: &str = "Diagnose why a QDN resource does not load: whether it exists, how much of it this node has, and peers with the data.";
    const EXAMPLE: &str = r#"{"service":"VIDEO","name":"rita-trades","identifier":"clip"}"#;
    const KEYWORDS: &str = "not load, not show, not showing, picture not show, app not load, website not load, video not load, missing data, file complete, download, downloading, percent, seed, seeding, chunk, publish, did it publish, build failed, who hosts";
    type Output = StatusOfResource;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let id = resource_id(self.service, &self.name, self.identifier);
        let peers = async {
            if self.include_peers {
                Ok(keeping_peers(cx, &id).await)
            } else {
                Ok(None)
            }
        };
        let (found, peers) = tokio::try_join!(cx.node.resource_status(&id), peers)?;
        let is_stored_in_pieces = found.percent_loaded.is_some();
        // The Core's counts are meaningless for resources on the chain.
        let chunks = |count: Option<u32>| count.filter(|_| is_stored_in_pieces);
        let exists = found.status != ResourceState::NotPublished;
        let is_blocked = found.status == ResourceState::Blocked;
        let is_on_chain = !is_stored_in_pieces && exists && !is_blocked;
        let is_here = matches!(
            found.status,
            ResourceState::Ready | ResourceState::Downloaded
        );
        let item = item(&id.service, id.identifier.as_deref());
        // Apps delete and encrypt documents in ways that only the first bytes reveal.
        let is_document = item.is_some() && id.service == Service::Document;
        let can_read = is_document && (is_on_chain || found.status == ResourceState::Ready);
        let content = if can_read {
            read(cx, &id, &found, None, FIRST_BYTES).await.ok()
        } else {
            None
        };
        let shown = content.map(|content| Shown::of(item.as_ref(), &content, 0));
        let shown = shown.unwrap_or_default();
        let is_encrypted = id.service.is_private() || shown.encrypted.is_some();
        Ok(StatusOfResource {
            kind: item.as_ref().map(Item::to_string),
            is_encrypted,
            is_readable: !is_encrypted && !shown.is_deleted && (is_on_chain || is_here),
            meaning: match found.status {
                _ if shown.is_deleted => DELETED_BY_PUBLISHER,
                _ if is_on_chain => "It is stored on the chain itself, so that every node has it.",
                _ if is_here && is_encrypted => {
                    "The node has it, but it is encrypted: only chosen readers can read it."
                }
                ref state => meaning(state),
            },
            percent_loaded: found.percent_loaded.map(whole_percents),
            local_chunk_count: chunks(found.local_chunk_count),
            total_chunk_count: chunks(found.total_chunk_count),
            peers,
            status: match shown.is_deleted {
                true => DELETED.to_owned(),
                false => found.status.to_string(),
            },
            link: link(&id.service, &id.name, id.identifier.as_deref(), None),
            service: id.service.to_string(),
            name: id.name,
            identifier: id.identifier,
        })
    }
}

/// Number of bytes of a document that reveal whether it is deleted or encrypted.
const FIRST_BYTES: usize = 256;

/// Rounds down to whole percent, so that 100 means all of it.
fn whole_percents(percents: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0 to 100"
    )]
    let whole = percents.clamp(0.0, 100.0) as u32;
    whole
}

params! {
    struct GetQdnMetadata {
        /// Service, such as WEBSITE or APP.
        service: Service,
        /// Publisher's name.
        name: Name,
        /// Identifier, if it has one.
        identifier: Option<Identifier>,
        /// Files to return.
        limit: CappedInt<1, 500> = CappedInt::from_const(50),
        /// Files to skip.
        offset: CappedInt<0, 1_000_000> = CappedInt::from_const(0)
    }
}

record! {
    struct MetadataOfResource {
        /// Its service.
        service: String,
        /// The requested name.
        name: String,
        /// The requested identifier.
        identifier: Option<String>,
        /// Its kind, if an official app uses such identifiers: `Q-Tube video`, `thread post in group 3`.
        kind: Option<String>,
        /// The publisher's title.
        title: Option<Untrusted>,
        /// The publisher's description.
        description: Option<Untrusted>,
        /// Fields its app puts before the description.
        fields: Option<UntrustedFields>,
        /// The publisher's tags, without tags for its app only.
        tags: Vec<Untrusted>,
        /// The category it was put in.
        category: Option<String>,
        /// The category in English.
        category_name: Option<String>,
        /// Media type of its only file.
        mime_type: Option<Untrusted>,
        /// Paths of its files.
        files: Rows<Untrusted>,
        /// The total number of files.
        file_count: u32,
        /// Whether there are more than these.
        remainder: NextPage,
        /// Its native link.
        link: String
    }
}

impl Tool for GetQdnMetadata {
    const NAME: &str = "get_qdn_metadata";
    const TITLE: &str = "QDN resource metadata";
    const DESCRIPTION: &str = "Title, description, tags and files of a QDN resource. Can take seconds. Content: get_qdn_resource.";
    const EXAMPLE: &str = r#"{"service":"DOCUMENT","name":"victor","identifier":"report-2026"}"#;
    const KEYWORDS: &str = "title, tag, description, category, file list, metadata";
    type Output = MetadataOfResource;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let id = resource_id(self.service, &self.name, self.identifier);
        let found = cx.node.resource_metadata(&id).await.error_if(ApiError::FILE_NOT_FOUND, || ToolError::not_found(
                    "Metadata not found.",
                    "There is no such resource, or it has no metadata. get_qdn_resource_status reports its status.",
                ))?;
        let files = found.files.unwrap_or_default();
        let files = Slice::new(self.limit, self.offset).of_whole(cx, Cursor::Offset, files.into());
        let tags = found.tags.unwrap_or_default().into_iter();
        let tags = tags.filter(|tag| !is_technical_tag(tag));
        let item = item(&id.service, id.identifier.as_deref());
        let (description, fields) = described(item.as_ref(), found.description);
        Ok(MetadataOfResource {
            kind: item.as_ref().map(Item::to_string),
            link: link(&id.service, &id.name, id.identifier.as_deref(), None),
            service: id.service.to_string(),
            name: id.name,
            identifier: id.identifier,
            title: found.title.map(Untrusted),
            description,
            fields,
            tags: tags.map(Untrusted).collect(),
            category: found.category,
            category_name: found.category_name,
            mime_type: found.mime_type.map(Untrusted),
            files: files.items.into_iter().map(Untrusted).collect(),
            file_count: files.total,
            remainder: files.remainder,
        })
    }
}
