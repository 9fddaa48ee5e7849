//! The MCP headers of an HTTP request, read once, and their validation against the message.

use hyper::{HeaderMap, Method as HttpMethod, header::HeaderName, http::request::Parts};
use mcp_protocol::{
    ErrorObject, Method, Object, Request, Revision,
    transport::{HeaderParameter, header},
};
use mcp_server::Server;
use serde_json::Value;

use crate::{
    header::{self as http_header, DuplicateHeader, single_value},
    refusal::{self, Refusal},
};

const PROTOCOL_VERSION: HeaderName = HeaderName::from_static(header::PROTOCOL_VERSION);
const METHOD: HeaderName = HeaderName::from_static(header::METHOD);
const NAME: HeaderName = HeaderName::from_static(header::NAME);
pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static(header::SESSION_ID);
const LAST_EVENT_ID: HeaderName = HeaderName::from_static(header::LAST_EVENT_ID);

/// The value of a header that must not be repeated. The message determines the error for a repeated one.
type Single<'a> = Result<Option<&'a [u8]>, DuplicateHeader>;

/// The MCP headers of one HTTP request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct McpHeaders<'a> {
    version: Single<'a>,
    method: Single<'a>,
    name: Single<'a>,
    session: Single<'a>,
    last_event: Single<'a>,
    /// Whether the response may be an event stream.
    pub(crate) accepts_events: bool,
    /// All headers, including those of parameters, whose names each tool declares.
    all: &'a HeaderMap,
}

impl<'a> McpHeaders<'a> {
    /// Reads the headers of a request.
    ///
    /// # Errors
    /// Returns a 415 or 406 error if the client sends or accepts other media types than this HTTP method requires.
    pub(crate) fn parse(
        Parts {
            method, headers, ..
        }: &'a Parts,
    ) -> Result<Self, Refusal> {
        let accepts_events = http_header::accepts_events(headers);
        if *method == HttpMethod::POST {
            if !http_header::is_json(headers) {
                return Err(refusal::not_json());
            }
            if http_header::is_encoded(headers) {
                return Err(refusal::encoded());
            }
            if !http_header::accepts_answer(headers) {
                return Err(refusal::not_acceptable());
            }
        } else if *method == HttpMethod::GET && !accepts_events {
            return Err(refusal::events_not_acceptable());
        }
        Ok(Self {
            version: single_value(headers, &PROTOCOL_VERSION),
            method: single_value(headers, &METHOD),
            name: single_value(headers, &NAME),
            session: single_value(headers, &SESSION_ID),
            last_event: single_value(headers, &LAST_EVENT_ID),
            accepts_events,
            all: headers,
        })
    }

    /// Returns the session ID of the client.
    ///
    /// # Errors
    /// Returns a 404 error if the header is repeated.
    pub(crate) fn session_id(&self) -> Result<Option<&'a str>, Refusal> {
        let value = self
            .session
            .map_err(|DuplicateHeader| refusal::session_unknown(None))?;
        // An ID that is not UTF-8 is unknown, like an empty one.
        Ok(value.map(|value| std::str::from_utf8(value).unwrap_or_default()))
    }

    /// Returns the ID of the event after which the client resumes a stream.
    pub(crate) fn last_event(&self) -> Option<u64> {
        let value = self.last_event.ok().flatten()?;
        std::str::from_utf8(value).ok()?.parse().ok()
    }

    /// Returns the revision in the version header. Returns `None` without the header.
    ///
    /// # Errors
    /// Returns a -32022 error for an unsupported version, and a -32600 error for a repeated header.
    pub(crate) fn revision(&self) -> Result<Option<Revision>, ErrorObject> {
        let value = self.version.map_err(|DuplicateHeader| {
            ErrorObject::invalid_request("MCP-Protocol-Version is given more than once")
        })?;
        let Some(value) = value else { return Ok(None) };
        let name = String::from_utf8_lossy(value);
        let unknown = |_| ErrorObject::unsupported_protocol_version(&name);
        name.parse().map(Some).map_err(unknown)
    }

    /// Checks that the version header equals the version in `_meta`.
    ///
    /// # Errors
    /// Returns a -32020 error if the header differs or is missing.
    pub(crate) fn validate_revision(&self, named: &str) -> Result<(), ErrorObject> {
        let value = required(self.version, "MCP-Protocol-Version")?;
        if value == named.as_bytes() {
            Ok(())
        } else {
            Err(differs("MCP-Protocol-Version", value, "_meta"))
        }
    }

    /// Checks that `Mcp-Method` and `Mcp-Name` match the request.
    ///
    /// # Errors
    /// Returns a -32020 error if one differs or is missing.
    pub(crate) fn validate_request(&self, request: &Request) -> Result<(), ErrorObject> {
        let method = required(self.method, "Mcp-Method")?;
        if method != request.method.as_bytes() {
            return Err(differs("Mcp-Method", method, "the method"));
        }
        let Some(field) = Method::parse(&request.method).and_then(header::name_field) else {
            return Ok(());
        };
        let name = request.params.as_ref().and_then(|params| params.get(field));
        self.validate_name(name, field)
    }

    fn validate_name(&self, name: Option<&Value>, field: &str) -> Result<(), ErrorObject> {
        let value = match (name, self.name) {
            // The server reports the missing name.
            (None, Ok(None)) => return Ok(()),
            (None | Some(_), given) => required(given, "Mcp-Name")?,
        };
        let decoded = header::decode(value).ok_or_else(|| invalid_base64("Mcp-Name"))?;
        match name.and_then(Value::as_str) {
            Some(name) if name.as_bytes() == &*decoded => Ok(()),
            Some(_) | None => Err(differs("Mcp-Name", value, format_args!("params.{field}"))),
        }
    }

    /// Checks the headers of the arguments that the tool declares as headers (2026-07-28
    /// `basic/transports/streamable-http`, "Server Validation").
    ///
    /// # Errors
    /// Returns a -32020 error if a header differs, is missing, or has no argument.
    pub(crate) fn validate_parameters(
        &self,
        request: &Request,
        server: &Server,
    ) -> Result<(), ErrorObject> {
        let params = request.params.as_ref();
        let tool = params.and_then(|params| params.get("name"));
        let tool = tool.and_then(Value::as_str);
        let Some(parameters) = tool.and_then(|tool| server.header_parameters(tool)) else {
            return Ok(());
        };
        let empty = Object::new();
        let arguments = params.and_then(|params| params.get("arguments"));
        let arguments = arguments.and_then(Value::as_object).unwrap_or(&empty);
        parameters
            .iter()
            .try_for_each(|parameter| self.validate_parameter(parameter, arguments))
    }

    fn validate_parameter(
        &self,
        parameter: &HeaderParameter,
        arguments: &Object,
    ) -> Result<(), ErrorObject> {
        let shown = parameter.header_name();
        // A declared name is a token (RFC 9110 §5.6.2), so this does not fail.
        let Ok(name) = HeaderName::try_from(shown.as_str()) else {
            return Ok(());
        };
        let given = single_value(self.all, &name);
        let Some(expected) = parameter.value(arguments) else {
            return match given {
                Ok(None) => Ok(()),
                Ok(Some(_)) | Err(DuplicateHeader) => Err(ErrorObject::header_mismatch(
                    format_args!("{shown} is given, but its argument is missing"),
                )),
            };
        };
        let value = required(given, &shown)?;
        let decoded = header::decode(value).ok_or_else(|| invalid_base64(&shown))?;
        match std::str::from_utf8(&decoded) {
            Ok(decoded) if HeaderParameter::matches(decoded, expected) => Ok(()),
            Ok(_) | Err(_) => Err(differs(&shown, value, "the argument")),
        }
    }
}

fn required<'a>(value: Single<'a>, shown: &str) -> Result<&'a [u8], ErrorObject> {
    let wrong = match value {
        Ok(Some(value)) => return Ok(value),
        Ok(None) => "is missing",
        Err(DuplicateHeader) => "is given more than once",
    };
    Err(ErrorObject::header_mismatch(format_args!(
        "{shown} {wrong}"
    )))
}

fn invalid_base64(shown: &str) -> ErrorObject {
    ErrorObject::header_mismatch(format_args!("{shown} is not valid Base64"))
}

fn differs(shown: &str, value: &[u8], from: impl std::fmt::Display) -> ErrorObject {
    let value = String::from_utf8_lossy(value);
    let value: String = value.chars().take(100).collect();
    ErrorObject::header_mismatch(format_args!(
        "{shown} is {value:?}, which does not match {from}"
    ))
}
