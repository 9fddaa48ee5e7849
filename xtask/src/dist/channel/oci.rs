//! A container image from nothing but the static program and the certificates of public authorities, made without a daemon.
//!
//! The file is an OCI archive (image-spec, "Image Layout") with two tags for each processor: one speaks MCP on standard input and
//! output, as hosts start it, and one serves HTTP behind a token file.

use std::fs;

use flate2::Compression;
use serde_json::{Value, json};

use crate::dist::channel::{Program, Ready};
use crate::dist::pack::{self, Entry, sha256};
use crate::dist::release::{self, PROGRAM};
use crate::failure::Failure;

/// The certificates that a node behind `https` is checked with, where Debian has them.
const CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";
/// No user of the image's host: the number that images without a shell usually run as.
const USER: &str = "65532:65532";

const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// The file's name.
pub(crate) fn name(version: &str) -> String {
    format!("qortal-mcp-v{version}-oci.tar")
}

/// How an image starts the program.
struct Variant {
    /// What its tag adds to the version.
    suffix: &'static str,
    /// What the configuration adds.
    config: fn() -> Value,
}

const VARIANTS: &[Variant] = &[
    Variant {
        suffix: "",
        config: || json!({}),
    },
    Variant {
        suffix: "-http",
        config: || {
            json!({
                "Cmd": ["http", "--listen", "0.0.0.0:8000", "--token-file", "/run/secrets/tokens"],
                "ExposedPorts": {"8000/tcp": {}},
                // Docker's extension of the configuration; in nanoseconds. Times for a start within a second.
                "Healthcheck": {
                    "Test": ["CMD", "/qortal-mcp", "health"],
                    "Interval": 30_000_000_000_u64,
                    "Timeout": 5_000_000_000_u64,
                    "StartPeriod": 5_000_000_000_u64,
                },
            })
        },
    },
];

/// The files of an image for one processor.
struct Layer {
    processor: &'static str,
    /// The checksum before it was compressed, by which a configuration names it.
    unpacked: String,
    blob: Value,
}

/// The blobs of an image, each named by its content.
#[derive(Default)]
struct Blobs(Vec<Entry>);

impl Blobs {
    /// Adds a blob and returns its descriptor.
    fn add(&mut self, media_type: &str, bytes: Vec<u8>) -> Value {
        let digest = sha256(&bytes);
        let descriptor = json!({
            "mediaType": media_type,
            "digest": format!("sha256:{digest}"),
            "size": bytes.len(),
        });
        let blob = Entry::file(format!("blobs/sha256/{digest}"), bytes);
        if !self.0.contains(&blob) {
            self.0.push(blob);
        }
        descriptor
    }

    fn add_json(&mut self, media_type: &str, value: &Value) -> Value {
        self.add(media_type, value.to_string().into_bytes())
    }
}

/// Writes the images of every static program of Linux into one archive.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    let certificates = fs::read(CERTIFICATES).map_err(Failure::io(CERTIFICATES))?;
    let mut blobs = Blobs::default();
    let mut layers = Vec::new();
    for program in &ready.programs {
        if let Some(processor) = program.target.linux {
            let unpacked = layer(ready, program, &certificates)?;
            layers.push(Layer {
                processor,
                unpacked: sha256(&unpacked),
                blob: blobs.add(LAYER, pack::gzip(&unpacked, Compression::default())?),
            });
        }
    }
    let mut tags = Vec::new();
    for variant in VARIANTS {
        let images = layers.iter();
        let images = images.map(|layer| image(ready, variant, layer, &mut blobs));
        let images: Vec<_> = images.collect::<Result<_, _>>()?;
        let index = json!({"schemaVersion": 2, "mediaType": INDEX, "manifests": images});
        let mut tag = blobs.add_json(INDEX, &index);
        let name = format!("{}{}", ready.release.version, variant.suffix);
        insert(
            &mut tag,
            "annotations",
            json!({"org.opencontainers.image.ref.name": name}),
        );
        tags.push(tag);
    }
    let mut entries = blobs.0;
    let index = json!({"schemaVersion": 2, "mediaType": INDEX, "manifests": tags});
    entries.push(Entry::file("index.json", index.to_string()));
    let layout = json!({"imageLayoutVersion": "1.0.0"});
    entries.push(Entry::file("oci-layout", layout.to_string()));
    let archive = pack::tar(&entries, ready.epoch)?;
    ready.write(&name(&ready.release.version), &archive)
}

fn layer(ready: &Ready, program: &Program, certificates: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut entries = vec![
        Entry::program(PROGRAM, &*program.bytes),
        Entry::file(CERTIFICATES.trim_start_matches('/'), certificates),
    ];
    entries.extend(ready.licenses("licenses/")?);
    pack::tar(&entries, ready.epoch)
}

/// Adds an image for one processor and returns its descriptor.
fn image(
    ready: &Ready,
    variant: &Variant,
    layer: &Layer,
    blobs: &mut Blobs,
) -> Result<Value, Failure> {
    let release = &ready.release;
    let mut config = (variant.config)();
    insert(&mut config, "Entrypoint", json!([format!("/{PROGRAM}")]));
    insert(&mut config, "User", json!(USER));
    insert(&mut config, "WorkingDir", json!("/"));
    let labels = json!({
        "org.opencontainers.image.title": PROGRAM,
        "org.opencontainers.image.description": release.description,
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.source": release.repository,
        "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
        // By this the registry of MCP servers knows whose image it is.
        "io.modelcontextprotocol.server.name": release.server_name(),
    });
    insert(&mut config, "Labels", labels.clone());
    let config = blobs.add_json(
        CONFIG,
        &json!({
            "created": release::time(ready.epoch)?.to_string(),
            "architecture": layer.processor,
            "os": "linux",
            "config": config,
            "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{}", layer.unpacked)]},
        }),
    );
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": [layer.blob],
        "annotations": labels,
    });
    let mut image = blobs.add_json(MANIFEST, &manifest);
    insert(
        &mut image,
        "platform",
        json!({"os": "linux", "architecture": layer.processor}),
    );
    Ok(image)
}

fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}
