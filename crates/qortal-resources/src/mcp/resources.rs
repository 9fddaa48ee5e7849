//! The resources of the catalog for MCP clients.

use std::sync::Arc;

use mcp_protocol::{CacheHint, ReadResourceResult, Resource, ResourceTemplate};
use mcp_server::{BoxFuture, BuildError, CallContext, ListVariant, ResourceSet, SubscriptionGuard};
use qortal_tools::{Body, Catalog, Entry, Selection, uri::expand};

use crate::{
    Contents, Freshness, ReadResourceError, Source, SubscribeError, Subscriptions, read, sources,
    tool_at,
};

/// The resources of a catalog.
#[derive(Debug, Clone)]
pub struct Resources {
    catalog: Arc<Catalog>,
    subscriptions: Option<Subscriptions>,
}

impl Resources {
    /// Creates the set of a catalog's resources, without subscriptions.
    #[must_use]
    pub const fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            subscriptions: None,
        }
    }

    /// Lets clients subscribe. Pass the updates that `subscriptions` reports to
    /// [`ChangeNotifier::resource_updated`](mcp_server::ChangeNotifier::resource_updated).
    #[must_use]
    pub fn with_subscriptions(mut self, subscriptions: &Subscriptions) -> Self {
        self.subscriptions = Some(subscriptions.clone());
        self
    }

    /// Returns the resources that are visible to callers in a scope, and their tools.
    fn sources(
        &self,
        scope: &ListVariant,
    ) -> impl Iterator<Item = (&'static Source, &'static Entry)> {
        let selection = scope.data::<Selection>();
        let is_known =
            move |entry: &Entry| selection.as_ref().is_none_or(|it| !it.withholds(entry));
        sources(&self.catalog).filter(move |(_, entry)| is_known(entry))
    }
}

impl Source {
    fn to_resource(&self, uri: String) -> Resource {
        Resource::new(uri, self.name, self.description)
            .with_title(self.title)
            .with_mime_type(self.mime_type())
    }

    fn to_template(&self) -> ResourceTemplate {
        ResourceTemplate::new(self.template, self.name, self.description)
            .with_title(self.title)
            .with_mime_type(self.mime_type())
    }
}

impl ResourceSet for Resources {
    fn resources(&self, scope: &ListVariant) -> Vec<Resource> {
        let mut resources = Vec::new();
        for (source, entry) in self.sources(scope) {
            if source.variables().next().is_none() {
                resources.push(source.to_resource(source.template.to_owned()));
            }
            for value in source.listed_values(entry) {
                let mut resource = source.to_resource(expand(source.template, |_| Some(&value)));
                let words = value.replace('_', " ");
                resource.title = Some(format!("{}: {words}", source.title));
                resource.name = value;
                resources.push(resource);
            }
        }
        resources
    }

    fn templates(&self, scope: &ListVariant) -> Vec<ResourceTemplate> {
        let sources = self.sources(scope).map(|(source, _)| source);
        let with_variables = sources.filter(|it| it.variables().next().is_some());
        with_variables.map(Source::to_template).collect()
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, mcp_server::ReadResourceError>> {
        cx.set_rate_weight(tool_at(&self.catalog, uri).map_or(1, |it| it.calls));
        Box::pin(async move {
            match read(&self.catalog, uri).await {
                Ok(contents) => Ok(contents.into()),
                Err(ReadResourceError::NotFound) => Err(mcp_server::ReadResourceError::NotFound),
                Err(err) if err.is_of_caller() => {
                    Err(mcp_server::ReadResourceError::Invalid(err.to_string()))
                }
                Err(err) => Err(mcp_server::ReadResourceError::Failed(err.to_string())),
            }
        })
    }

    fn supports_subscriptions(&self) -> bool {
        self.subscriptions.is_some()
    }

    fn subscribe<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, mcp_server::SubscribeError>> {
        Box::pin(async move {
            let Some(subscriptions) = &self.subscriptions else {
                let why = "this server does not support subscriptions";
                return Err(mcp_server::SubscribeError::Refused(why.to_owned()));
            };
            let subscription = subscriptions.subscribe(uri).await;
            subscription
                .map(SubscriptionGuard::holding)
                .map_err(|err| match err {
                    SubscribeError::NotSubscribable(_) | SubscribeError::Read(_) => {
                        mcp_server::SubscribeError::Refused(err.to_string())
                    }
                    SubscribeError::LimitReached | SubscribeError::Stopped => {
                        mcp_server::SubscribeError::Failed(err.to_string())
                    }
                })
        })
    }

    /// Returns `Ok`, since the tests check every URI.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

impl From<Contents> for ReadResourceResult {
    fn from(contents: Contents) -> Self {
        let Contents {
            uri,
            mime_type,
            body,
            freshness,
        } = contents;
        let result = match body {
            Body::Text(text) => Self::text(uri, mime_type, text),
            Body::Base64(blob) => Self::blob_base64(uri, mime_type, blob),
        };
        result.with_cache(cache_hint(freshness))
    }
}

fn cache_hint(freshness: Freshness) -> CacheHint {
    let ttl_ms = u64::try_from(freshness.lifetime().as_millis()).unwrap_or(u64::MAX);
    if freshness.is_shared() {
        CacheHint::public(ttl_ms)
    } else {
        CacheHint::private(ttl_ms)
    }
}
