//! What is published in the demo: apps, sites, pictures, posts and documents, as the Core lists them.

use data_encoding::BASE64;
use serde_json::{Value, json};

use super::Demo;
use super::draw::{Kind, digest, signature, wide};
use super::ledger::Ledger;
use super::people::{cast, person};
use super::published::{Content, PUBLISHED, Resource, State};
use super::time::{DAY, HOUR};
use crate::chain::Row;
use crate::resource::service_number;

/// What encryption and metadata add to the content.
const OVERHEAD: i64 = 240;
/// The size of a piece of a large resource.
const CHUNK: i64 = 512 * 1024;

impl State {
    /// Name, title and description as the Core gives them, pieces here and in all.
    fn parts(self) -> ([&'static str; 3], i64, i64) {
        match self {
            Self::Ready => (["READY", "Ready", "Ready"], 2, 2),
            Self::Downloaded => (["DOWNLOADED", "Downloaded", "Files downloaded"], 2, 2),
            Self::Published => (
                ["PUBLISHED", "Published", "Published but not yet downloaded"],
                0,
                4,
            ),
            Self::Downloading => (
                [
                    "DOWNLOADING",
                    "Downloading",
                    "Locating and downloading files...",
                ],
                3,
                5,
            ),
            Self::Missing => (
                [
                    "MISSING_DATA",
                    "Missing data",
                    "Unable to locate all files. Please try again later",
                ],
                2,
                6,
            ),
            Self::Blocked => (
                [
                    "BLOCKED",
                    "Blocked",
                    "Name is blocked so content cannot be served",
                ],
                2,
                2,
            ),
        }
    }

    fn row(self) -> Value {
        let ([state, title, description], ..) = self.parts();
        json!({"status": state, "id": state, "title": title, "description": description})
    }
}

impl Resource {
    fn signature(&self, place: usize) -> String {
        signature(Kind::Qdn, wide(place))
    }

    fn ago(&self) -> i64 {
        self.days * DAY + 4 * HOUR
    }

    /// The bytes of all files, or what is known of those that are not here.
    fn size(&self) -> i64 {
        let files = self.files.iter().map(|(_, content)| content.bytes().len());
        match self.files {
            [] => 2_600_000,
            _ => wide(files.sum::<usize>()) + OVERHEAD,
        }
    }

    fn metadata(&self) -> Option<Value> {
        if self.title.is_empty() {
            return None;
        }
        let mut metadata = json!({"title": self.title, "description": self.description});
        if !self.tags.is_empty() {
            metadata = metadata.with("tags", self.tags.to_vec());
        }
        let (category, name) = self.category;
        Some(
            metadata
                .with("category", category)
                .with("categoryName", name),
        )
    }

    /// Service and name, with the identifier if there is one, before the other members.
    fn id(&self, members: Value) -> Value {
        match self.identifier {
            "" => members,
            identifier => members.with("identifier", identifier),
        }
    }

    fn has_content(&self) -> bool {
        match self.state {
            State::Ready | State::Downloaded | State::Blocked => true,
            State::Published | State::Downloading | State::Missing => false,
        }
    }
}

impl Content {
    /// The media type that the Core guesses from the name of a file.
    fn kind(path: &str) -> &'static str {
        match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html",
            Some("css") => "text/css",
            Some("js") => "application/javascript",
            Some("png") => "image/png",
            Some("md") => "text/markdown",
            Some("txt") => "text/plain",
            Some("json") => "application/json",
            _ => "application/octet-stream",
        }
    }
}

fn all() -> impl Iterator<Item = (usize, &'static Resource)> {
    PUBLISHED.iter().enumerate()
}

/// The account that has a name.
fn owner(name: &str) -> usize {
    let has_it = |row: &&super::people::Person| row.name == name;
    match cast().iter().find(has_it) {
        Some(owner) => owner.who,
        None => super::names::registrant(name),
    }
}

pub(super) fn rows(demo: Demo) -> Vec<Value> {
    let row = |(place, resource): (usize, &Resource)| {
        let row = resource.id(json!({"name": resource.name, "service": resource.service}));
        let row = row
            .with("latestSignature", resource.signature(place))
            .with("status", resource.state.row());
        let row = match resource.metadata() {
            Some(metadata) => row.with("metadata", metadata),
            None => row,
        };
        row.with("size", resource.size())
            .with("created", demo.before(resource.ago()))
    };
    all().map(row).collect()
}

pub(super) fn content() -> Vec<Value> {
    let row = |(_, resource): (usize, &Resource)| {
        let (_, here, pieces) = resource.state.parts();
        let status = resource
            .state
            .row()
            .with("localChunkCount", here)
            .with("totalChunkCount", pieces);
        let status = match resource.is_on_chain() {
            true => status,
            false => status.with("percentLoaded", percent(here, pieces)),
        };
        let row = resource.id(json!({"service": resource.service, "name": resource.name}));
        let row = row.with("status", status);
        let [(path, first), rest @ ..] = resource.files else {
            return row.with("unavailable", true);
        };
        let row = match resource.metadata() {
            Some(metadata) => row.with("metadata", with_files(metadata, resource, path)),
            None => row,
        };
        let row = match rest {
            [] => row.with(
                "properties",
                json!({"filename": path, "mimeType": Content::kind(path), "size": first.bytes().len()}),
            ),
            _ => row,
        };
        match resource.has_content() {
            true => row.with("files", files(resource)),
            false => row.with("unavailable", true),
        }
    };
    all().map(row).collect()
}

fn percent(here: i64, pieces: i64) -> f64 {
    let tenths = i32::try_from(here * 1_000 / pieces.max(1)).unwrap_or_default();
    f64::from(tenths) / 10.0
}

fn with_files(metadata: Value, resource: &Resource, first: &str) -> Value {
    let paths: Vec<&str> = resource.files.iter().map(|(path, _)| *path).collect();
    let metadata = metadata.with("files", paths);
    match resource.files {
        [_] => metadata.with("mimeType", Content::kind(first)),
        _ => metadata,
    }
}

fn files(resource: &Resource) -> Vec<Value> {
    let file = |(path, content): &(&str, Content)| {
        json!({
            "path": path,
            "contentType": Content::kind(path),
            "data": BASE64.encode(&content.bytes()),
        })
    };
    resource.files.iter().map(file).collect()
}

/// What the node itself stores, biggest first.
pub(super) fn hosted(demo: Demo) -> Vec<Value> {
    let here = all().filter(|(_, resource)| resource.has_content() && !resource.is_on_chain());
    let row = |(place, resource): (usize, &Resource)| {
        let size = resource.size();
        let row = json!({
            "chunkCount": size / CHUNK + 2,
            "totalSpace": size + 139,
            "dataType": "DATA_HASH",
            "compression": "ZIP",
            "method": "PUT",
        });
        resource
            .id(row)
            .with("timestamp", demo.before(resource.ago()))
            .with("signature", resource.signature(place))
            .with(
                "creatorAddress",
                person(owner(resource.name)).address.as_str(),
            )
            .with("service", resource.service)
            .with("size", size)
            .with("name", resource.name)
    };
    let mut rows: Vec<Value> = here.map(row).collect();
    rows.sort_by_cached_key(|row| std::cmp::Reverse(row.number("totalSpace")));
    rows
}

pub(super) fn record(ledger: &mut Ledger) {
    for (place, resource) in all() {
        let members = json!({
            "version": 5,
            "service": service_number(resource.service),
            "nonce": 0,
            "size": resource.size(),
            "name": resource.name,
        });
        let members = resource
            .id(members)
            .with("method", "PUT")
            .with("secret", digest(Kind::Qdn, wide(place)))
            .with("compression", "ZIP")
            .with("data", digest(Kind::Qdn, 1_000 + wide(place)))
            .with("dataType", "DATA_HASH")
            .with("payments", Vec::<Value>::new());
        let entry = ledger.sent("ARBITRARY", resource.ago(), owner(resource.name), members);
        ledger.add(entry.signed(resource.signature(place)));
    }
}
