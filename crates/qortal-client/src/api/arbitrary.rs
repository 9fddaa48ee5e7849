//! QDN, the Qortal Data Network: published resources (resource `/arbitrary`).
//!
//! Only reading a file makes a node build a resource. No method makes the node rebuild it (`rebuild`).

use qortal_types::{Address, Height, Service, Signature, Timestamp, open_enum};

use crate::{
    Endpoint, Node, NodeFuture, PageRequest, Rows,
    answer::{LeftOut, Record, answers},
    api::transactions::{Confirmation, Span, Transaction},
    call::Call,
    options::options,
};

pub mod files;
pub mod hosted;
mod search;

/// The identifier that the Core treats as absent.
const NO_IDENTIFIER: &str = "default";

/// The identity of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ResourceId {
    /// The service.
    pub service: Service,
    /// The name it is published under. Names with a slash cannot be requested.
    pub name: String,
    /// Distinguishes resources with the same name and service. The default resource has no identifier.
    pub identifier: Option<String>,
}

open_enum! {
    /// The state of a resource on the node (class `ArbitraryResourceStatus`).
    ResourceState, "state of a resource", "A value that this version does not know.";
    /// The resource exists, but the node has not fetched it.
    Published = "PUBLISHED";
    /// The resource does not exist.
    NotPublished = "NOT_PUBLISHED";
    /// The node is looking for its files.
    Downloading = "DOWNLOADING";
    /// The node has its files.
    Downloaded = "DOWNLOADED";
    /// The node is building it.
    Building = "BUILDING";
    /// The resource is ready to be read.
    Ready = "READY";
    /// Not all files could be found.
    MissingData = "MISSING_DATA";
    /// The build failed.
    BuildFailed = "BUILD_FAILED";
    /// The node does not support it.
    Unsupported = "UNSUPPORTED";
    /// The name is on the node's block list.
    Blocked = "BLOCKED";
}

answers! {
    /// The state of a resource on the node (class `ArbitraryResourceStatus`).
    pub struct ResourceStatus {
        /// The state.
        pub status: ResourceState,
        /// The name of the state in English.
        pub title: Option<String>,
        /// A description of the state in English.
        pub description: Option<String>,
        /// Pieces that the node has. Unreliable for resources stored on the chain.
        pub local_chunk_count: Option<u32>,
        /// Pieces in total. Unreliable for resources stored on the chain.
        pub total_chunk_count: Option<u32>,
        /// Progress, 0 to 100. Absent for resources stored on the chain.
        pub percent_loaded: Option<f64>,
    }

    /// A published resource (class `ArbitraryResourceData`).
    pub struct Resource {
        /// The name it is published under.
        pub name: String,
        /// The service.
        pub service: Service,
        /// The identifier. Absent for the default resource.
        pub identifier: Option<String>,
        /// The transaction that last published it.
        pub latest_signature: Option<Signature>,
        /// The state on the node, if requested.
        pub status: Option<ResourceStatus>,
        /// The metadata, if requested and available on the node.
        pub metadata: Option<ResourceMetadata>,
        /// The size in bytes, as stated on the chain.
        pub size: Option<u64>,
        /// The time it was first published.
        pub created: Option<Timestamp>,
        /// The time it was last updated. Absent if never.
        pub updated: Option<Timestamp>,
    }

    /// The metadata of a resource (class `ArbitraryResourceMetadata`): free text by the publisher.
    pub struct ResourceMetadata {
        /// The title, at most 80 bytes.
        pub title: Option<String>,
        /// The description, at most 240 bytes.
        pub description: Option<String>,
        /// The tags, at most five.
        pub tags: Option<Rows<String>>,
        /// The identifier of a category, such as `FINANCE`.
        #[serde(default, deserialize_with = "crate::answer::read_code_if_any")]
        pub category: Option<String>,
        /// The name of the category in English.
        pub category_name: Option<String>,
        /// The paths of the resource's files. Present only if a single resource is requested.
        pub files: Option<Rows<String>>,
        /// The media type of the resource's only file. Present only if a single resource is requested.
        pub mime_type: Option<String>,
    }
}

impl Record for Resource {
    fn left_out(&self) -> LeftOut {
        let metadata = self.metadata.as_ref();
        metadata.map_or_else(LeftOut::default, Record::left_out)
    }
}

impl Record for ResourceMetadata {
    fn left_out(&self) -> LeftOut {
        let lists = [&self.tags, &self.files].into_iter().flatten();
        let left_out = lists.map(|it| it.left_out.clone());
        left_out.fold(LeftOut::default(), LeftOut::and)
    }

    fn says_anything(&self) -> bool {
        let Self {
            title,
            description,
            tags,
            category,
            category_name,
            files,
            mime_type,
        } = self;
        let texts = [title, description, category, category_name, mime_type];
        texts.iter().any(|it| it.is_some()) || tags.is_some() || files.is_some()
    }
}

options! {
    /// Details to include with resources, which makes requests slower.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ResourceExtras {
        /// The state of each on the node.
        status: bool => with_status,
        /// The metadata of each.
        metadata: bool => with_metadata,
    }
}

options! {
    /// A filter for resources. Absent fields do not restrict it, and all others must be equal.
    #[derive(Debug, Clone, Default)]
    pub struct ResourceFilter {
        /// Of this kind.
        service: Option<Service> => into with_service,
        /// Of this name, case as published.
        name: Option<String> => into with_name,
        /// With this identifier.
        identifier: Option<IdentifierFilter> => into with_identifier,
        /// By the node's lists.
        lists: ListFilter => with_lists,
        /// The details to include.
        extras: ResourceExtras => with_extras,
    }
}

/// By identifier.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IdentifierFilter {
    /// This identifier. Searches also match a part of it.
    Like(String),
    /// None: default resources only.
    Default,
}

options! {
    /// A filter by the node's lists.
    #[derive(Debug, Clone, Default)]
    pub struct ListFilter {
        /// Only names that the node follows.
        followed_only: bool => with_followed_only,
        /// No names that the node blocks.
        exclude_blocked: bool => with_exclude_blocked,
        /// Only names on this list of the node. An unknown list counts as empty.
        list_name: Option<String> => into with_list_name,
    }
}

options! {
    /// A search for resources. Absent fields do not restrict it. Texts match parts, ignoring case, and every character is literal.
    #[derive(Debug, Clone, Default)]
    pub struct ResourceSearch {
        /// Only this service. The Core then responds from memory, which lags by up to half an hour.
        service: Option<Service> => into with_service,
        /// A part of the name, identifier, title or description. If only default resources are requested, a part of the name.
        query: Option<String> => into with_query,
        /// Part of the identifier, or none.
        identifier: Option<IdentifierFilter> => into with_identifier,
        /// Part of one of these names.
        names: Vec<String> => into with_names,
        /// Part of the title.
        title: Option<String> => into with_title,
        /// Part of the description.
        description: Option<String> => into with_description,
        /// One of these words in the description.
        keywords: Vec<String> => into with_keywords,
        /// Whether texts match only at the start.
        prefix: bool => with_prefix,
        /// Whether names must match exactly.
        exact_names: bool => with_exact_names,
        /// Of publishers of at least this level.
        min_level: Option<u32> => into with_min_level,
        /// First published before this.
        before: Option<Timestamp> => into with_before,
        /// First published after this.
        after: Option<Timestamp> => into with_after,
        /// By the node's lists.
        lists: ListFilter => with_lists,
        /// The details to include.
        extras: ResourceExtras => with_extras,
    }
}

options! {
    /// A filter for ARBITRARY transactions. Absent fields do not restrict it.
    #[derive(Debug, Clone, Default)]
    pub struct ArbitraryFilter {
        /// The first height.
        start_block: Option<Height> => into with_start_block,
        /// In this many blocks from there on.
        block_limit: Option<u32> => into with_block_limit,
        /// With this group.
        group_id: Option<u32> => into with_group_id,
        /// Of this service.
        service: Option<Service> => into with_service,
        /// Of this name, case ignored.
        name: Option<String> => into with_name,
        /// In which this account is involved.
        address: Option<Address> => into with_address,
        /// By confirmation.
        confirmation: Confirmation => with_confirmation,
    }
}

impl ArbitraryFilter {
    fn call(&self) -> Call {
        Call::to(Endpoint::ArbitraryTransactions)
            .query_if("startBlock", self.start_block)
            .query_if("blockLimit", self.block_limit)
            .query_if("txGroupId", self.group_id)
            .query_if("service", self.service.as_ref())
            .query_if("name", self.name.as_deref())
            .query_if("address", self.address)
            .query("confirmationStatus", self.confirmation.as_str())
    }
}

answers! {
    /// A search result from the index that publishers maintain.
    pub struct IndexMatch {
        /// The quality of the match. 1 is best.
        pub score: f64,
        /// The name it was published under.
        pub name: String,
        /// The number of a category, by the publisher.
        pub category: i64,
        /// The link it leads to.
        pub link: String,
    }
}

impl Node {
    /// Returns entries of the publishers' index that match any of these words, the best match first.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/arbitrary/indices")]
    pub fn search_indices(&self, terms: &[String]) -> NodeFuture<'_, Vec<IndexMatch>> {
        self.list(Call::to(Endpoint::Indices).query_each("terms", terms))
    }

    /// Returns resources by name, ignoring case.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/arbitrary/resources")]
    pub fn resources(
        &self,
        filter: &ResourceFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Resource>> {
        let call = Call::to(Endpoint::Resources)
            .query_if("service", filter.service.as_ref())
            .query_if("name", filter.name.as_deref());
        self.records(filter.add_to(call).page(page))
    }

    /// Searches resources, ordered by the time of first publication.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// use qortal_client::{PageRequest, api::arbitrary::ResourceSearch};
    ///
    /// let search = ResourceSearch::default().with_query("report".to_owned());
    /// for resource in node.search_resources(&search, PageRequest::first(20)).await? {
    ///     println!("{}/{}", resource.service, resource.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/arbitrary/resources/search")]
    pub fn search_resources<'a>(
        &'a self,
        search: &'a ResourceSearch,
        page: PageRequest,
    ) -> NodeFuture<'a, Vec<Resource>> {
        // Without a service the Core asks its database, with one a list in memory, where all characters are letters.
        let is_searched_here = search.service.is_none() && search.has_wildcard();
        let call = move |page| {
            // What texts are found in must be in the answer.
            let extras = ResourceExtras {
                metadata: search.extras.metadata || is_searched_here,
                ..search.extras
            };
            let call = Call::to(Endpoint::ResourcesSearch)
                .query_if("service", search.service.as_ref())
                .query_if("query", search.query.as_deref())
                .query_each("name", &search.names)
                .query_if("title", search.title.as_deref())
                .query_if("description", search.description.as_deref())
                .query_each("keywords", &search.keywords)
                .query_flag("prefix", search.prefix)
                .query_flag("exactmatchnames", search.exact_names)
                // Otherwise the database looks at nothing but the newest resource of each name and service.
                .query("mode", "ALL")
                .query_if("minlevel", search.min_level)
                .query_if("before", search.before.map(Timestamp::millis))
                .query_if("after", search.after.map(Timestamp::millis));
            let identifier = search.sent_identifier();
            add_filters(call, identifier.as_ref(), &search.lists, extras).page(page)
        };
        if !is_searched_here {
            return self.records(call(page));
        }
        Box::pin(async move {
            let fits = |it: &Resource| search.fits(it);
            let endpoint = Endpoint::ResourcesSearch;
            let mut found = self.find_exactly(endpoint, page, call, fits).await?;
            if !search.extras.metadata {
                found.iter_mut().for_each(|it| it.metadata = None);
            }
            Ok(found)
        })
    }

    /// Returns the state of a resource on the node. A resource that does not exist is [`ResourceState::NotPublished`], not an error.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/arbitrary/resource/status/{service}/{name}")]
    #[doc(alias = "/arbitrary/resource/status/{service}/{name}/{identifier}")]
    pub fn resource_status(&self, id: &ResourceId) -> NodeFuture<'_, ResourceStatus> {
        let call = id.call(
            Endpoint::ResourceStatus,
            Endpoint::ResourceStatusWithIdentifier,
        );
        self.json(call)
    }

    /// Returns the metadata of a resource. The node may fetch it from peers first, which takes seconds.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`FILE_NOT_FOUND`](crate::ApiError::FILE_NOT_FOUND) if there is no metadata, or no such resource.
    #[doc(alias = "/arbitrary/metadata/{service}/{name}/{identifier}")]
    pub fn resource_metadata(&self, id: &ResourceId) -> NodeFuture<'_, ResourceMetadata> {
        self.record(id.full_call(Endpoint::ResourceMetadata))
    }

    /// Returns ARBITRARY transactions, in which the service is a number, by time.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if there is neither a service nor an
    /// address and the limit is above 20.
    #[doc(alias = "/arbitrary/search")]
    pub fn arbitrary_transactions(
        &self,
        filter: &ArbitraryFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        let is_list = filter.service.is_some() || filter.address.is_some();
        let is_confirmed = filter.confirmation == Confirmation::Confirmed;
        let span = Span::of(filter.start_block, filter.block_limit);
        match span.filter(|_| is_list && is_confirmed) {
            Some(span) => {
                let mut filter = filter.clone();
                (filter.start_block, filter.block_limit) = (None, None);
                Box::pin(async move { self.in_span(&|| filter.call(), span, page).await })
            }
            None => self.list(filter.call().page(page)),
        }
    }
}

impl ResourceId {
    /// Creates the ID of a resource. Without an identifier, it is the default resource.
    #[must_use]
    pub fn new(service: Service, name: impl Into<String>, identifier: Option<String>) -> Self {
        Self {
            service,
            name: name.into(),
            identifier,
        }
    }

    /// A call whose path has the identifier only if there is one.
    fn call(&self, without: Endpoint, with: Endpoint) -> Call {
        match &self.identifier {
            Some(identifier) => Call::to(with)
                .with_service(&self.service)
                .with(&self.name)
                .with(identifier),
            None => Call::to(without)
                .with_service(&self.service)
                .with(&self.name),
        }
    }

    /// A call whose path always has an identifier.
    fn full_call(&self, endpoint: Endpoint) -> Call {
        let identifier = self.identifier.as_deref().unwrap_or(NO_IDENTIFIER);
        Call::to(endpoint)
            .with_service(&self.service)
            .with(&self.name)
            .with(identifier)
    }
}

impl ResourceFilter {
    fn add_to(&self, call: Call) -> Call {
        add_filters(call, self.identifier.as_ref(), &self.lists, self.extras)
    }
}

fn add_filters(
    call: Call,
    identifier: Option<&IdentifierFilter>,
    lists: &ListFilter,
    extras: ResourceExtras,
) -> Call {
    let call = match identifier {
        Some(IdentifierFilter::Like(identifier)) => call.query("identifier", identifier),
        Some(IdentifierFilter::Default) => call.query("default", true),
        None => call,
    };
    call.query_flag("followedonly", lists.followed_only)
        .query_flag("excludeblocked", lists.exclude_blocked)
        .query_if("namefilter", lists.list_name.as_deref())
        .query_flag("includestatus", extras.status)
        .query_flag("includemetadata", extras.metadata)
}
