//! A Python wheel for each platform, which holds nothing but the program, for `uvx` and `pipx`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::dist::channel::Ready;
use crate::dist::pack::{self, Entry};
use crate::dist::target::Target;
use crate::failure::Failure;

/// The file's name, by the specification of the binary distribution format.
pub(crate) fn name(version: &str, target: &Target) -> String {
    format!("qortal_mcp-{version}-py3-none-{}.whl", target.wheel)
}

/// Writes a wheel for each platform.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    let release = &ready.release;
    let version = &release.version;
    let info = format!("qortal_mcp-{version}.dist-info");
    let server_name = release.server_name();
    for (_, program) in ready.platforms() {
        let target = program.target;
        // One line for each tag that the file's name joins with dots.
        let tags = target.wheel.split('.');
        let tags: String = tags.map(|it| format!("Tag: py3-none-{it}\n")).collect();
        let wheel = format!(
            "Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\n{tags}"
        );
        let metadata = release.fill("pypi/METADATA", &[("SERVER", &server_name)])?;
        let mut entries = vec![
            Entry::program(
                format!("qortal_mcp-{version}.data/scripts/{}", target.program()),
                &*program.bytes,
            ),
            Entry::file(format!("{info}/METADATA"), metadata),
            Entry::file(format!("{info}/WHEEL"), wheel),
        ];
        entries.extend(ready.licenses(&format!("{info}/licenses/"))?);
        entries.push(record(&entries, &info));
        ready.write(&name(version, target), &pack::zip(&entries)?)?;
    }
    Ok(())
}

/// The list of all files with their hashes, which the list itself has no hash in.
fn record(entries: &[Entry], info: &str) -> Entry {
    let path = format!("{info}/RECORD");
    let mut lines: Vec<_> = entries.iter().map(line).collect();
    lines.push(format!("{path},,\n"));
    Entry::file(path, lines.concat())
}

fn line(entry: &Entry) -> String {
    let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(&entry.bytes));
    format!("{},sha256={hash},{}\n", entry.path, entry.bytes.len())
}
