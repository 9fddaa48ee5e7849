//! One list of checksums over all files of a release, which `sha256sum -c` reads.

use std::fs;
use std::path::Path;

use crate::dist::pack::sha256;
use crate::failure::Failure;

/// The list's name.
pub(crate) const FILE: &str = "SHA256SUMS";

/// Writes the list of every file in `folder`.
pub(crate) fn write(folder: &Path) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for file in fs::read_dir(folder).map_err(Failure::io(folder.display()))? {
        let file = file.map_err(Failure::io(folder.display()))?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name != FILE {
            let bytes = fs::read(file.path()).map_err(Failure::io(&name))?;
            lines.push(format!("{}  {name}\n", sha256(&bytes)));
        }
    }
    // By name, which follows the sum.
    lines.sort_by(|a, b| a.get(64..).cmp(&b.get(64..)));
    fs::write(folder.join(FILE), lines.concat()).map_err(Failure::io(FILE))
}
