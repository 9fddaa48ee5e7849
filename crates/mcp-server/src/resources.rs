//! Resources that a server offers.

use std::num::NonZeroUsize;

use mcp_protocol::{
    CacheHint, ErrorObject, Object, ReadResourceResult, Resource, ResourceTemplate, Revision,
    render,
};
use serde_json::Value;

use crate::{
    call::Ended,
    context::CallContext,
    response::Reply,
    server::Server,
    toolset::BoxFuture,
    watch::{Watch, WatchError},
};

/// A set of resources.
pub trait ResourceSet: Send + Sync + 'static {
    /// The resources to list, in the order to list them; those that follow a template need not be.
    /// Read when a client first asks, and again after [`crate::Changes::resources_changed`].
    fn resources(&self) -> Vec<Resource>;

    /// The templates to list.
    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// Reads one. The URI is whatever a client sent: check it before it means anything.
    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadError>>;

    /// Whether any of its resources can be watched: [`crate::Changes::resource_updated`] is then told
    /// when one that is watched holds something else.
    fn can_be_watched(&self) -> bool {
        false
    }

    /// Begins to watch one for a client, so that a set has work only for what somebody watches. The
    /// URI is whatever the client sent, and what it is to be told of: the same text goes to
    /// [`crate::Changes::resource_updated`]. The client is answered when this returns; what changes
    /// from then on is to be told. By default any resource counts as watched, and nothing is done.
    fn watch<'a>(&'a self, _uri: &'a str) -> BoxFuture<'a, Result<Watch, WatchError>> {
        Box::pin(async { Ok(Watch::idle()) })
    }

    /// How many entries a page of a list has; all if there is no number.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// How long the lists may be kept; by default an hour, or not at all if they can change.
    fn cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// Why a resource has no contents.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no such resource.
    NotFound,
    /// It could not be read; the client is told why.
    Failed(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such resource"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ReadError {}

/// An unanswered question ends the round; what is returned then is not sent.
impl From<crate::ask::AskError> for ReadError {
    fn from(error: crate::ask::AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl Server {
    pub(crate) async fn resources_read(
        &self,
        set: &dyn ResourceSet,
        revision: Revision,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let mut params = params.unwrap_or_default();
        let uri = uri(&mut params)?;
        let rules = revision.rules();
        let cx = self.context(revision, &mut params, ("resources/read", &uri), cx)?;
        let ended = self.run(&uri, &cx, || Some(set.read(&uri, &cx))).await;
        if let Some(ask) = self.ask_instead(cx, ("resources/read", &uri), rules)? {
            return Ok(ask);
        }
        match ended {
            Some(Ended::With(Ok(result))) if !result.contents.is_empty() => {
                self.finish(render::read_resource_result(result, rules), rules)
            }
            Some(Ended::With(Ok(_) | Err(ReadError::NotFound))) | None => {
                Err(ErrorObject::resource_not_found(&uri, rules))
            }
            Some(Ended::With(Err(ReadError::Failed(why))) | Ended::Early(why)) => {
                Err(ErrorObject::new(mcp_protocol::error::INTERNAL_ERROR, why))
            }
        }
    }
}

pub(crate) fn uri(params: &mut Object) -> Result<String, ErrorObject> {
    match params.remove("uri") {
        Some(Value::String(uri)) => Ok(uri),
        Some(_) | None => Err(ErrorObject::invalid_params("uri must be a string")),
    }
}
