//! Contents of QDN resources: status, metadata, properties and files (`ArbitraryResource`).

use bytes::Bytes;
use data_encoding::BASE64;
use qortal_types::Service;
use serde_json::{Value, json};

use crate::{
    answer::{Answer, Framing},
    page,
    resource::{
        ApiError, Body, Endpoint, Refusal, Request, Row, State, found, json_body, list,
        qdn_service,
        qdn_state::{Access, open, reported},
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/arbitrary/resource/status/{service}/{name}", status),
    Endpoint::get(
        "/arbitrary/resource/status/{service}/{name}/{identifier}",
        status,
    ),
    Endpoint::get(
        "/arbitrary/resource/properties/{service}/{name}/{identifier}",
        properties,
    ),
    Endpoint::get("/arbitrary/resource/request/peers/{service}/{name}", peers),
    Endpoint::get(
        "/arbitrary/resource/request/peers/{service}/{name}/{identifier}",
        peers,
    ),
    Endpoint::get(
        "/arbitrary/metadata/{service}/{name}/{identifier}",
        metadata,
    ),
    Endpoint::post("/arbitrary/resources/onchain/data", on_chain_data),
    Endpoint::get("/arbitrary/{service}/{name}", raw),
    Endpoint::get("/arbitrary/{service}/{name}/{identifier}", raw),
];

/// Size of the metadata directory, which is part of the size on disk.
const METADATA_BYTES: usize = 139;

/// The service, name and identifier of a resource. The identifier `default` means none.
#[derive(Debug, Clone, Copy)]
struct Id<'request> {
    service: &'request str,
    name: &'request str,
    identifier: &'request str,
}

impl<'request> Id<'request> {
    fn of(request: &'request Request) -> Result<Self, Refusal> {
        let service = request.capture("service");
        if qdn_service::named(service).is_none() {
            return Err(Refusal::BadParameter("service"));
        }
        let identifier = request.capture("identifier");
        let identifier = if identifier == "default" {
            ""
        } else {
            identifier
        };
        Ok(Self {
            service,
            name: request.capture("name"),
            identifier,
        })
    }

    /// Returns the row of this resource in a table.
    fn find<'row>(&self, rows: &'row [Value]) -> Option<&'row Value> {
        rows.iter().find(|row| {
            row.text("service") == self.service
                && row.text("name").to_lowercase() == self.name.to_lowercase()
                && row.text("identifier") == self.identifier
        })
    }

    /// Returns `true` if the data is stored in the transaction itself.
    fn is_on_chain(&self, state: &State) -> bool {
        self.content(state, "isOnChain").is_some()
    }

    /// Returns a part of the recorded content.
    fn content<'state>(&self, state: &'state State, part: &str) -> Option<&'state Value> {
        self.find(&state.chain.qdn_content)?.get(part)
    }

    fn unknown(&self) -> Refusal {
        not_found(format!(
            "Couldn't find PUT transaction for name {}, service {} and identifier {}",
            self.name.to_lowercase(),
            self.service,
            self.identifier
        ))
    }
}

/// Creates the error of all failures of the content endpoints, with a message.
fn not_found(message: impl Into<String>) -> Refusal {
    ApiError::FILE_NOT_FOUND.saying(message)
}

/// Returns the recorded status, or one derived from the list of resources, adjusted by later builds.
fn status(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_network_time()?;
    let id = Id::of(request)?;
    let content = id.content(state, "status");
    let Some(resource) = id.find(&state.chain.qdn_resources) else {
        return Ok(Body::Json(json!({
            "status": "NOT_PUBLISHED",
            "id": "NOT_PUBLISHED",
            "title": "Not published",
            "description": "Resource does not exist",
            "localChunkCount": 0,
            "totalChunkCount": 0,
        })));
    };
    if request.flag("build") {
        open(state, resource, id.is_on_chain(state), false);
    }
    let initial = match content {
        Some(status) => status.clone(),
        None => {
            let status = resource.at("status").clone();
            let status = status.with("localChunkCount", 1).with("totalChunkCount", 1);
            if id.is_on_chain(state) {
                status
            } else {
                status.with("percentLoaded", 100.0)
            }
        }
    };
    Ok(Body::Json(reported(state, resource, initial)))
}

fn metadata(state: &State, request: &Request) -> Result<Body, Refusal> {
    let id = Id::of(request)?;
    let listed = id.find(&state.chain.qdn_resources);
    let listed = listed.and_then(|resource| resource.get("metadata"));
    let metadata = id.content(state, "metadata").or(listed);
    found(metadata, ApiError::FILE_NOT_FOUND)
}

/// Returns the files of a resource, which is built for this purpose.
fn files<'state>(
    state: &'state State,
    request: &Request,
    id: &Id<'_>,
) -> Result<&'state [Value], Refusal> {
    let resource = id.find(&state.chain.qdn_resources);
    let resource = resource.ok_or_else(|| id.unknown())?;
    let unavailable = || not_found("Data unavailable. Please try again later.");
    match open(
        state,
        resource,
        id.is_on_chain(state),
        request.flag("async"),
    ) {
        Access::Served => {}
        Access::Queued => return Err(not_found("File not found")),
        Access::Unavailable => return Err(unavailable()),
        Access::Waits => return Err(Refusal::Silence),
    }
    let files = id.content(state, "files").and_then(Value::as_array);
    Ok(files.ok_or_else(unavailable)?)
}

fn content_bytes(file: &Value) -> Vec<u8> {
    BASE64
        .decode(file.text("data").as_bytes())
        .unwrap_or_default()
}

fn properties(state: &State, request: &Request) -> Result<Body, Refusal> {
    let id = Id::of(request)?;
    let files = files(state, request, &id)?;
    if let Some(properties) = id.content(state, "properties") {
        return Ok(Body::Json(properties.clone()));
    }
    let size: usize = files.iter().map(|file| content_bytes(file).len()).sum();
    let size = size + METADATA_BYTES;
    Ok(Body::Json(match files {
        [file] => json!({"filename": file.at("path"), "size": size}),
        _ => json!({"size": size}),
    }))
}

fn peers(_: &State, request: &Request) -> Result<Body, Refusal> {
    Id::of(request)?;
    Ok(Body::Json(json!({"peerCount": 0})))
}

/// Returns on-chain data for each resource of a list.
fn on_chain_data(state: &State, request: &Request) -> Result<Body, Refusal> {
    let body = json_body(request)?;
    let wanted = body.as_array().filter(|wanted| !wanted.is_empty());
    let empty = || ApiError::INVALID_CRITERIA.saying("Request list must not be empty");
    let wanted = wanted.ok_or_else(empty)?.iter();
    list(wanted.map(|wanted| on_chain_item(state, wanted)))
}

fn on_chain_item(state: &State, wanted: &Value) -> Value {
    let service = qdn_service::named(wanted.text("service")).map(Service::as_str);
    let mut item = json!({}).with_some("service", service);
    for member in ["name", "identifier"] {
        let text = wanted.get(member).filter(|value| value.is_string());
        item = item.with_some(member, text.cloned());
    }
    let (Some(service), false) = (service, wanted.text("name").is_empty()) else {
        return item.with("error", "Invalid request: service and name are required");
    };
    let id = Id {
        service,
        name: wanted.text("name"),
        identifier: wanted.text("identifier"),
    };
    if id.find(&state.chain.qdn_resources).is_none() {
        return item.with("error", "Resource not found");
    }
    let file = id
        .find(&state.chain.qdn_content)
        .and_then(|content| content.at("files").get(0));
    match file.filter(|_| id.is_on_chain(state)) {
        Some(file) => item.with("data", file.at("data").clone()),
        None => item.with("error", "Not on-chain data"),
    }
}

/// Returns a file of a resource, or a part of it.
///
/// Paths are resolved only inside the resource. A real Core appends them to its directory unchecked, so `..` leads out of it. This node
/// resolves `..` but never leaves the resource.
fn raw(state: &State, request: &Request) -> Result<Body, Refusal> {
    let id = Id::of(request)?;
    request.int("attempts")?;
    let files = files(state, request, &id)?;
    let path = request.text("filepath");
    let file = match (files, path) {
        ([file], None) => file,
        (_, None) => {
            return Err(not_found(
                "filepath is required for resources containing more than one file",
            ));
        }
        (files, Some(path)) => {
            let resolved = resolve(path).unwrap_or_default();
            match files.iter().find(|file| file.text("path") == resolved) {
                Some(file) => file,
                None if is_folder(files, &resolved) => return Ok(Body::Whole(folder(request))),
                None => return Err(not_found(format!("No file exists at filepath: {path}"))),
            }
        }
    };
    let bytes = content_bytes(file);
    let mut answer = if request.text("encoding") == Some("base64") {
        Answer::new(200, "text/plain", BASE64.encode(&bytes))
    } else {
        part(request, file.text("contentType"), &bytes)?
    };
    answer = answer.with_header("accept-ranges", "bytes");
    if request.flag("attachment") {
        let name = request
            .text("attachmentFilename")
            .unwrap_or_else(|| file.text("path"));
        answer = answer.with_header(
            "content-disposition",
            format!("attachment; filename=\"{name}\""),
        );
    }
    Ok(Body::Whole(answer))
}

/// Resolves a relative path without `.` and `..`. Returns `None` if it is absolute or leads out of the resource.
fn resolve(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn is_folder(files: &[Value], path: &str) -> bool {
    let inside = format!("{path}/");
    let mut files = files.iter();
    !path.is_empty() && files.any(|file| file.text("path").starts_with(&inside))
}

/// Returns the Core's response for a directory, which it starts to send before it fails.
fn folder(request: &Request) -> Answer {
    page::titled(request, 500, "insufficient content written").with_header("accept-ranges", "bytes")
}

/// Returns the bytes requested by a `Range` header. Like in the Core there is no 416: for a range beyond the end, the length is declared
/// but no bytes are sent.
fn part(request: &Request, content_type: &str, bytes: &[u8]) -> Result<Answer, Refusal> {
    let Some(range) = request
        .header("range")
        .and_then(|range| range.strip_prefix("bytes="))
    else {
        return Ok(Answer::new(200, content_type, bytes.to_vec()).with_framing(Framing::Length));
    };
    let (from, to) = range.split_once('-').unwrap_or((range, ""));
    let place = |text: &str, default: usize| {
        if text.is_empty() {
            return Ok(default);
        }
        let wrong = |_| ApiError::INVALID_DATA.saying(format!("For input string: \"{text}\""));
        text.parse().map_err(wrong)
    };
    let from = place(from, 0)?;
    let to = place(to, bytes.len().saturating_sub(1))?;
    let end = to.saturating_add(1).min(bytes.len());
    let part = bytes.get(from..end).unwrap_or_default();
    let content_range = format!("bytes {from}-{to}/{}", bytes.len());
    let framing = match to.checked_sub(from) {
        Some(distance) => Framing::Announced(distance.saturating_add(1)),
        // A negative length is not declared.
        None => Framing::Chunked,
    };
    let answer = Answer::new(206, content_type, Bytes::copy_from_slice(part));
    let is_whole = framing == Framing::Announced(part.len());
    let framing = if is_whole { Framing::Length } else { framing };
    Ok(answer
        .with_header("content-range", content_range)
        .with_framing(framing))
}
