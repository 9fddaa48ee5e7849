//! Reading server requests.

use serde_json::Value;

use super::members::Members;
use crate::{Object, ServerRequest};

impl ServerRequest {
    /// Reads a server request. Returns `None` if its method is unknown or its params are invalid.
    #[must_use]
    pub fn read(method: &str, params: Object) -> Option<Self> {
        let mut members = Members::of("params", Value::Object(params)).ok()?;
        match method {
            "elicitation/create" => {
                let message = members.string("message")?;
                // Without a mode, it is a form (2025-11-25 `client/elicitation`).
                match members.string("mode").as_deref() {
                    Some("url") => {
                        let id = members.string("elicitationId").unwrap_or_default();
                        Self::elicit_url(message, members.string("url")?, id)
                    }
                    Some("form") | None => {
                        Some(Self::elicit(message, members.take("requestedSchema")?))
                    }
                    Some(_) => None,
                }
            }
            "sampling/createMessage" => Some(Self::Sample(members.rest())),
            "roots/list" => Some(Self::ListRoots),
            _ => None,
        }
    }
}
