//! Resources: text, bytes, a template, and one to subscribe to.

use mcp_protocol::{ReadResourceResult, Resource, ResourceTemplate};
use mcp_server::{ResourceRouter, tool_schema::params};
use serde_json::json;

use crate::content::PNG;

const BINARY: &str = "test://static-binary";

params! {
    struct DataParams {
        /// Which data.
        id: String,
    }
}

async fn data(DataParams { id }: DataParams) -> String {
    let data = format!("Data for ID: {id}");
    json!({"id": id, "templateTest": true, "data": data}).to_string()
}

/// The resources.
pub(crate) fn resources() -> ResourceRouter {
    let text = Resource::new("test://static-text", "static-text", "A text.");
    let binary = Resource::new(BINARY, "static-binary", "A picture.");
    let watched = Resource::new(
        "test://watched-resource",
        "watched-resource",
        "A text that may change.",
    );
    let template =
        ResourceTemplate::new("test://template/{id}/data", "template", "Data by number.");
    ResourceRouter::new()
        .resource(
            text.with_mime_type("text/plain"),
            async || "This is the content of the static text resource.",
        )
        .resource(binary.with_mime_type("image/png"), async || {
            ReadResourceResult::blob_base64(BINARY, "image/png", PNG)
        })
        .resource(
            watched.with_mime_type("text/plain"),
            async || "This text may change.",
        )
        .template(template.with_mime_type("application/json"), data)
        .with_subscriptions()
}
