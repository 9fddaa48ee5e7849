//! The bundle for desktop hosts, judged by the official tool.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::output;
use crate::dist::channel::mcpb;
use crate::dist::pack::sha256;
use crate::dist::verify::installed::host;
use crate::dist::verify::{Found, Trial};
use crate::failure::Failure;
use crate::npm;
use crate::tree::root;

/// The folder whose lockfile pins the official tool.
const TOOL: &str = "packaging/mcpb";

/// Validated, unpacked, and started as the manifest says with the field as it is filled in beforehand. The official packer makes a
/// bundle of the same files.
pub(crate) fn desktop(trial: &Trial<'_>) -> Result<Found, Failure> {
    let Some(platform) = host().and_then(|it| it.platform) else {
        return Ok(Found::Untried("only on Linux".to_owned()));
    };
    let folder = root().join(TOOL);
    if let Err(failure) = npm::install(&folder) {
        return Ok(Found::Untried(format!("no npm: {failure}")));
    }
    let tool = folder.join("node_modules/.bin/mcpb");
    let name = mcpb::name(&trial.release.version, platform);
    let home = &trial.prefix.home;
    let unpacked = home.join("unpacked");
    let run = |words: &[&Path]| output(trial.prefix.command(&tool).args(words));
    run(&[Path::new("unpack"), &trial.file(&name)?, &unpacked])?;
    run(&[Path::new("validate"), &unpacked.join("manifest.json")])?;
    let packed = home.join("packed.mcpb");
    run(&[Path::new("pack"), &unpacked, &packed])?;
    let again = home.join("again");
    run(&[Path::new("unpack"), &packed, &again])?;
    if contents(&unpacked)? != contents(&again)? {
        let why = "the official packer makes a bundle of other files";
        return Err(Failure::Found(why.to_owned()));
    }
    let manifest = unpacked.join("manifest.json");
    let manifest = fs::read_to_string(&manifest).map_err(Failure::io(manifest.display()))?;
    let manifest: Value =
        serde_json::from_str(&manifest).map_err(|why| Failure::unreadable("the manifest", why))?;
    let started = manifest.pointer("/server/mcp_config/command");
    let program = started.and_then(Value::as_str).unwrap_or_default();
    let program = program.replace("${__dirname}", &unpacked.display().to_string());
    // `--demo` and an address of a node exclude each other as options alone.
    let default = manifest.pointer("/user_config/node/default");
    let mut command = trial.prefix.command(program);
    command.env(
        "QORTAL_BASE_URL",
        default.and_then(Value::as_str).unwrap_or_default(),
    );
    trial.answer.ask(&mut command)?;
    Found::passed(name)
}

/// The checksum of each file under `folder`.
fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, String>, Failure> {
    let mut contents = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for file in fs::read_dir(&next).map_err(Failure::io(next.display()))? {
            let path = file.map_err(Failure::io(next.display()))?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let bytes = fs::read(&path).map_err(Failure::io(path.display()))?;
            let within = path.strip_prefix(folder).unwrap_or(&path);
            contents.insert(within.to_owned(), sha256(&bytes));
        }
    }
    Ok(contents)
}
