//! Packages of npm: one for each platform with the program in it, and one that starts the program of the platform it is on.

use std::fs;

use serde_json::{Map, Value, json};

use crate::dist::channel::Ready;
use crate::dist::pack::{self, Entry};
use crate::dist::release::{PROGRAM, Release};
use crate::failure::Failure;
use crate::tree::root;

const LAUNCHER: &str = "packaging/npm/launcher.js";
/// The oldest Node.js that still gets fixes and that the launcher's code runs on.
const NODE: &str = ">=18";

/// The tarball of the package of a platform, or with `None` of the one that people name.
pub(crate) fn name(version: &str, platform: Option<&str>) -> String {
    format!("{}-{version}.tgz", package(platform))
}

fn package(platform: Option<&str>) -> String {
    match platform {
        Some(platform) => format!("{PROGRAM}-{platform}"),
        None => PROGRAM.to_owned(),
    }
}

/// Writes a tarball for each platform, and the one that depends on them all.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    let release = &ready.release;
    let mut platforms = Map::new();
    for (platform, program) in ready.platforms() {
        let (os, cpu) = platform.split_once('-').unwrap_or((platform, ""));
        let mut manifest = manifest(release, Some(platform));
        manifest.insert("os".to_owned(), json!([os]));
        manifest.insert("cpu".to_owned(), json!([cpu]));
        manifest.insert("files".to_owned(), json!([program.target.program()]));
        // The launcher starts this file; package managers that keep packages zipped are told to unpack it.
        manifest.insert("preferUnplugged".to_owned(), json!(true));
        let file = format!("package/{}", program.target.program());
        let readme = format!(
            "# {}\n\nThe program of [{PROGRAM}]({}) for {platform}. Install `{PROGRAM}` instead.\n",
            package(Some(platform)),
            release.repository
        );
        let mut entries = vec![
            Entry::program(file, &*program.bytes),
            Entry::file("package/README.md", readme),
            packed(manifest),
        ];
        entries.extend(ready.licenses("package/")?);
        let name = name(&release.version, Some(platform));
        ready.write(&name, &pack::tar_gz(&entries, ready.epoch)?)?;
        platforms.insert(package(Some(platform)), json!(release.version));
    }
    let mut manifest = manifest(release, None);
    manifest.insert("mcpName".to_owned(), json!(release.server_name()));
    manifest.insert("bin".to_owned(), json!({PROGRAM: "launcher.js"}));
    manifest.insert("files".to_owned(), json!(["launcher.js"]));
    manifest.insert("optionalDependencies".to_owned(), Value::Object(platforms));
    let launcher = root().join(LAUNCHER);
    let launcher = fs::read(&launcher).map_err(Failure::io(LAUNCHER))?;
    let mut entries = vec![
        Entry::program("package/launcher.js", launcher),
        Entry::file("package/README.md", release.fill("npm/README.md", &[])?),
        packed(manifest),
    ];
    entries.extend(ready.licenses("package/")?);
    let tarball = pack::tar_gz(&entries, ready.epoch)?;
    ready.write(&name(&release.version, None), &tarball)
}

fn manifest(release: &Release, platform: Option<&str>) -> Map<String, Value> {
    let description = match platform {
        None => release.description.clone(),
        Some(platform) => format!("The program of {PROGRAM} for {platform}."),
    };
    let members = [
        ("name", json!(package(platform))),
        ("version", json!(release.version)),
        ("description", json!(description)),
        ("license", json!("MIT OR Apache-2.0")),
        ("homepage", json!(release.repository)),
        (
            "repository",
            json!({"type": "git", "url": format!("git+{}.git", release.repository)}),
        ),
        (
            "keywords",
            json!(["qortal", "mcp", "model-context-protocol", "blockchain"]),
        ),
        ("engines", json!({"node": NODE})),
    ];
    let named = members.map(|(name, value)| (name.to_owned(), value));
    named.into_iter().collect()
}

fn packed(manifest: Map<String, Value>) -> Entry {
    let text = format!("{:#}\n", Value::Object(manifest));
    Entry::file("package/package.json", text)
}
