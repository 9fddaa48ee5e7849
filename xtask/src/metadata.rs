//! What `cargo metadata` knows of the workspace's own packages.

use serde_json::Value;

use crate::command::{cargo, output};
use crate::failure::Failure;

/// The workspace's metadata, without dependencies of others and without a network.
pub fn workspace() -> Result<Value, Failure> {
    let arguments = "metadata --no-deps --offline --format-version 1";
    parse(&output(cargo().args(arguments.split(' ')))?)
}

/// Reads what `cargo metadata` printed.
pub fn parse(printed: &str) -> Result<Value, Failure> {
    serde_json::from_str(printed).map_err(|why| Failure::unreadable("cargo metadata", why))
}

/// The list at `key`; empty if there is none.
pub fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The text at `key`; empty if there is none.
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A crate that is published.
#[derive(Debug)]
pub struct Package {
    /// As registries know it.
    pub name: String,
    /// Its folder, from the root of the repository, with `/` at the end.
    pub folder: String,
}

/// The crates that are published: those under `crates`, and no other.
pub fn published() -> Result<Vec<Package>, Failure> {
    let metadata = workspace()?;
    let mut packages = Vec::new();
    for member in items(&metadata, "packages") {
        let name = text(member, "name").to_owned();
        let manifest = text(member, "manifest_path").replace('\\', "/");
        let folder = manifest.strip_suffix("Cargo.toml").unwrap_or_default();
        let folder = folder.rfind("/crates/").and_then(|at| folder.get(at + 1..));
        // Null says any registry, an empty list none.
        let is_published = member.get("publish").is_none_or(Value::is_null);
        match (folder.map(str::to_owned), is_published) {
            (Some(folder), true) => packages.push(Package { name, folder }),
            (None, false) => (),
            _ => {
                let why = "what is published is under crates, and nothing else is";
                return Err(Failure::unreadable(format!("the place of {name}"), why));
            }
        }
    }
    Ok(packages)
}
