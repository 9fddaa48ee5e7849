//! Links, identifiers and file paths of resources. They cannot lead to another path of the node.

use qortal_apps::link::ResourceLink;
use qortal_client::api::arbitrary::{ResourceId, files::FilePath};
use qortal_types::{Name, Service};
use serde_json::Value;
use tool_schema::{InvalidValue, Object, Param, excerpt, schema_with_type};

use crate::declare::Qortal;

/// Maximum length of a published identifier, in bytes (`ArbitraryTransaction.MAX_IDENTIFIER_LENGTH`).
const MAX_IDENTIFIER_BYTES: usize = 64;

/// The identifier of a resource: 1 to 64 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identifier(String);

impl Identifier {
    /// Creates an identifier. Returns a message if the text is invalid.
    pub(crate) fn new(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err("is empty");
        }
        if text.len() > MAX_IDENTIFIER_BYTES {
            return Err("has more than 64 bytes");
        }
        if text.chars().any(char::is_control) {
            return Err("contains a control character");
        }
        Ok(Self(text.to_owned()))
    }
}

impl Param<Qortal> for Identifier {
    fn schema() -> Object {
        let mut schema = schema_with_type("string");
        schema.insert("minLength".to_owned(), 1.into());
        schema.insert("maxLength".to_owned(), MAX_IDENTIFIER_BYTES.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected = "an identifier of 1 to 64 bytes without slashes and control characters";
        let invalid = |problem: String| InvalidValue::new("Invalid identifier.", problem, expected);
        let Some(text) = value.as_str() else {
            return Err(invalid(format!("is {}", excerpt(value))));
        };
        Self::new(text).map_err(|problem| invalid(problem.to_owned()))
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

impl Param<Qortal> for FilePath {
    fn schema() -> Object {
        let mut schema = schema_with_type("string");
        schema.insert("minLength".to_owned(), 1.into());
        schema.insert("maxLength".to_owned(), 1_000.into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected = "the path of a file inside the resource, such as index.html or img/logo.png";
        let invalid = |problem: String| InvalidValue::new("Invalid file path.", problem, expected);
        let Some(text) = value.as_str() else {
            return Err(invalid(format!("is {}", excerpt(value))));
        };
        text.parse()
            .map_err(|err| invalid(format!("is not accepted: {err}")))
    }

    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

/// Returns the ID of the resource named by the client. `qortal_client` refuses names that could lead to another path of
/// the node.
pub(crate) fn resource_id(
    service: Service,
    name: &Name,
    identifier: Option<Identifier>,
) -> ResourceId {
    ResourceId::new(
        service,
        name.as_str().to_owned(),
        identifier.map(|it| it.0).filter(|it| it != "default"),
    )
}

/// Returns the native link of a resource or one of its files, which the current Hub opens.
pub(crate) fn link(
    service: &Service,
    name: &str,
    identifier: Option<&str>,
    path: Option<&str>,
) -> String {
    let link = ResourceLink::new(service.as_str(), name, identifier);
    match path {
        Some(path) => link.with_path(path).to_string(),
        None => link.to_string(),
    }
}
