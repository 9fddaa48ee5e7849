//! The catalog as a set of MCP resources.

use std::sync::Arc;

use mcp_protocol::{CacheHint, ReadResourceResult, Resource, ResourceTemplate};
use mcp_server::{
    BoxFuture, BuildError, CallContext, ReadError, ResourceSet, Scope, SubscribeError,
    SubscriptionGuard,
};

use crate::{
    catalog::Catalog,
    resource::{Body, Contents, Freshness, Source, Unread},
    watch::{Unwatched, Watcher},
};

/// What can be read at an address, as MCP has it.
#[derive(Debug, Clone)]
pub struct Resources {
    catalog: Arc<Catalog>,
    watcher: Option<Watcher>,
}

impl Resources {
    /// The resources of a catalog, to be read.
    #[must_use]
    pub const fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            catalog,
            watcher: None,
        }
    }

    /// Lets clients watch some of them. What the watcher tells is for
    /// [`ChangeNotifier::resource_updated`](mcp_server::ChangeNotifier::resource_updated).
    #[must_use]
    pub fn watched_by(mut self, watcher: &Watcher) -> Self {
        self.watcher = Some(watcher.clone());
        self
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
    fn resources(&self, _: &Scope) -> Vec<Resource> {
        let mut resources = Vec::new();
        for (source, entry) in self.catalog.sources() {
            if source.variables().next().is_none() {
                resources.push(source.to_resource(source.template.to_owned()));
            }
            for value in source.listed_values(entry) {
                let mut resource = source.to_resource(source.uri(&value));
                let words = value.replace('_', " ");
                resource.title = Some(format!("{}: {words}", source.title));
                resource.name = value;
                resources.push(resource);
            }
        }
        resources
    }

    fn templates(&self, _: &Scope) -> Vec<ResourceTemplate> {
        let sources = self.catalog.sources().map(|(source, _)| source);
        let with_variables = sources.filter(|it| it.variables().next().is_some());
        with_variables.map(Source::to_template).collect()
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadError>> {
        Box::pin(async move {
            match self.catalog.read(uri).await {
                Ok(contents) => Ok(contents.into()),
                Err(Unread::NotFound) => Err(ReadError::NotFound),
                Err(err) => Err(ReadError::Failed(err.to_string())),
            }
        })
    }

    fn can_subscribe(&self) -> bool {
        self.watcher.is_some()
    }

    fn subscribe<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        Box::pin(async move {
            let Some(watcher) = &self.watcher else {
                return Err(SubscribeError::Refused(
                    "there are no subscriptions to resources here".to_owned(),
                ));
            };
            let watching = watcher.watch(uri).await;
            watching
                .map(SubscriptionGuard::new)
                .map_err(|err| match err {
                    Unwatched::NotWatchable(_) | Unwatched::Unread(_) => {
                        SubscribeError::Refused(err.to_string())
                    }
                    Unwatched::TooMany | Unwatched::Stopped => {
                        SubscribeError::Failed(err.to_string())
                    }
                })
        })
    }

    /// The tests check every URI.
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
            Body::Base64(blob) => Self::blob(uri, mime_type, blob),
        };
        result.with_cache(freshness.into())
    }
}

impl From<Freshness> for CacheHint {
    fn from(freshness: Freshness) -> Self {
        let ttl_ms = u64::try_from(freshness.lifetime().as_millis()).unwrap_or(u64::MAX);
        if freshness.is_shared() {
            Self::public(ttl_ms)
        } else {
            Self::private(ttl_ms)
        }
    }
}
