//! The contents of QDN resources.

use std::{fmt, str::FromStr};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::ResourceId;
use crate::{
    Endpoint, Node, NodeFuture,
    answer::present,
    call::{Call, holds_encoded_separator},
};

/// The longest path that is sent.
const MAX_PATH_BYTES: usize = 1_000;

/// The path of a file inside a resource, such as `css/style.css`.
///
/// The Core appends such a path to a directory on the node's machine without checking it, so `../` would read any file there. A
/// value of this type cannot leave the resource.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilePath(String);

/// An error parsing a path inside a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FilePathError {
    /// The path is empty, or has an empty segment.
    #[error("a part of the path is empty")]
    Empty,
    /// The path has more than 1,000 bytes.
    #[error("the path has more than {MAX_PATH_BYTES} bytes")]
    TooLong,
    /// A segment is `.` or `..`.
    #[error("the path must not contain . or .. as a part")]
    Climbs,
    /// The path contains a backslash, a colon or a control character.
    #[error("the path must not contain {0:?}")]
    Character(char),
    /// The path contains a percent-encoded slash, dot, backslash or NUL.
    #[error("the path must not contain an encoded slash, dot or NUL")]
    Encoded,
}

/// A file of a resource, or its beginning.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ResourceFile {
    /// The bytes.
    pub bytes: Bytes,
    /// Whether the file is complete.
    pub is_complete: bool,
    /// The media type that the node derives from the file's extension, or `application/octet-stream` if it has none.
    pub content_type: Option<String>,
}

/// The node's action if it has a resource's files but has not built the resource yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unbuilt {
    /// The node builds the resource, which takes seconds, and it is ready from then on. If the resource is already in the queue,
    /// the node responds when its position is reached, which may be never. Only the timeout ends such a request.
    Build,
    /// The node puts the resource into its queue, and immediately reports that the file is not found.
    Queue,
}

/// The contents of a resource stored on the chain, or why they are unknown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct OnChainResource {
    /// The requested service. Absent if it is unknown to the node.
    #[serde(default, deserialize_with = "crate::answer::read_code_if_any")]
    pub service: Option<String>,
    /// The requested name.
    #[serde(deserialize_with = "present")]
    pub name: Option<String>,
    /// The requested identifier.
    pub identifier: Option<String>,
    /// The bytes in Base64.
    pub data: Option<String>,
    /// The Core's reason in English.
    pub error: Option<String>,
}

/// A resource in the form of the batch endpoint.
#[derive(Serialize)]
struct OnChainRequest<'a> {
    service: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<&'a str>,
}

impl FilePath {
    /// Returns the path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FilePath {
    type Err = FilePathError;

    fn from_str(text: &str) -> Result<Self, FilePathError> {
        if text.len() > MAX_PATH_BYTES {
            return Err(FilePathError::TooLong);
        }
        // A colon makes an absolute path on some systems.
        if let Some(character) = text
            .chars()
            .find(|character| character.is_control() || matches!(character, '\\' | ':'))
        {
            return Err(FilePathError::Character(character));
        }
        if holds_encoded_separator(text) {
            return Err(FilePathError::Encoded);
        }
        for part in text.split('/') {
            match part {
                "" => return Err(FilePathError::Empty),
                "." | ".." => return Err(FilePathError::Climbs),
                _ => {}
            }
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Node {
    /// Returns a file of a resource, up to `max_bytes`. Without `path` it is the only file.
    ///
    /// If pieces are missing, the node requests them from its peers, in one attempt of about 13 seconds. Try again later.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`FILE_NOT_FOUND`](crate::ApiError::FILE_NOT_FOUND) and the Core's reason in nearly all cases, or
    /// with a bare status 500 if the path is a directory.
    #[doc(alias = "/arbitrary/{service}/{name}")]
    #[doc(alias = "/arbitrary/{service}/{name}/{identifier}")]
    pub fn resource_file(
        &self,
        id: &ResourceId,
        path: Option<&FilePath>,
        unbuilt: Unbuilt,
        max_bytes: usize,
    ) -> NodeFuture<'_, ResourceFile> {
        let call = id.call(Endpoint::ResourceRaw, Endpoint::ResourceRawWithIdentifier);
        let call = call
            .query_if("filepath", path)
            .query("attempts", 1)
            .query_flag("async", unbuilt == Unbuilt::Queue);
        self.plain(call.up_to(max_bytes), |it| {
            Ok(ResourceFile {
                is_complete: it.is_complete(),
                content_type: it.content_type().map(str::to_owned),
                bytes: it.body().clone(),
            })
        })
    }

    /// Returns the contents of resources that are stored on the chain, in the requested order.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if no resource is requested.
    #[doc(alias = "/arbitrary/resources/onchain/data")]
    pub fn resources_on_chain(&self, ids: &[ResourceId]) -> NodeFuture<'_, Vec<OnChainResource>> {
        let request: Vec<OnChainRequest<'_>> = ids
            .iter()
            .map(|id| OnChainRequest {
                service: id.service.as_str(),
                name: &id.name,
                identifier: id.identifier.as_deref(),
            })
            .collect();
        self.strict_list(Call::to(Endpoint::ResourcesOnChain).json_body(&request))
    }
}

#[cfg(test)]
mod tests;
