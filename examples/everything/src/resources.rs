//! Resources: text, bytes, a template, and one to subscribe to.

use mcp_protocol::{ReadResourceResult, Resource, ResourceTemplate};
use mcp_server::{BoxFuture, CallContext, ReadError, ResourceSet, Scope};
use serde_json::json;

use crate::content::PNG;

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

/// The resources.
pub(crate) struct Resources;

impl ResourceSet for Resources {
    fn resources(&self, _: &Scope) -> Vec<Resource> {
        vec![
            Resource::new(TEXT, "static-text", "A text.").with_mime_type("text/plain"),
            Resource::new(BINARY, "static-binary", "A picture.").with_mime_type("image/png"),
            Resource::new(WATCHED, "watched-resource", "A text that may change.")
                .with_mime_type("text/plain"),
        ]
    }

    fn templates(&self, _: &Scope) -> Vec<ResourceTemplate> {
        vec![
            ResourceTemplate::new("test://template/{id}/data", "template", "Data by number.")
                .with_mime_type("application/json"),
        ]
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadError>> {
        Box::pin(async move { read(uri).ok_or(ReadError::NotFound) })
    }

    fn can_subscribe(&self) -> bool {
        true
    }
}

fn read(uri: &str) -> Option<ReadResourceResult> {
    let text = |text: &str| ReadResourceResult::text(uri, "text/plain", text);
    match uri {
        TEXT => Some(text("This is the content of the static text resource.")),
        WATCHED => Some(text("This text may change.")),
        BINARY => Some(ReadResourceResult::blob(uri, "image/png", PNG)),
        _ => {
            let id = uri
                .strip_prefix("test://template/")?
                .strip_suffix("/data")?;
            if id.is_empty() || id.contains('/') {
                return None;
            }
            let data = format!("Data for ID: {id}");
            let data = json!({"id": id, "templateTest": true, "data": data});
            Some(ReadResourceResult::text(
                uri,
                "application/json",
                data.to_string(),
            ))
        }
    }
}
