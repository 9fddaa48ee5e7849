//! An archive for each platform: the program and what comes with it. The installers and `cargo binstall` take these.

use crate::dist::channel::Ready;
use crate::dist::pack::{self, Entry};
use crate::dist::target::Target;
use crate::failure::Failure;

/// The file's name, one of those that `cargo binstall` looks for by itself.
pub(crate) fn name(version: &str, target: &Target) -> String {
    format!("{}.{}", stem(version, target), target.archive())
}

fn stem(version: &str, target: &Target) -> String {
    format!("qortal-mcp-v{version}-{}", target.triple)
}

/// Writes the archive of every finished program.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    for program in &ready.programs {
        let version = &ready.release.version;
        let stem = stem(version, program.target);
        let path = |it: &str| format!("{stem}/{it}");
        let mut entries = vec![Entry::program(
            path(program.target.program()),
            &*program.bytes,
        )];
        entries.extend(ready.pages.iter().map(|page| Entry {
            path: path(&page.path),
            ..page.clone()
        }));
        let bytes = match program.target.is_windows() {
            true => pack::zip(&entries)?,
            false => pack::tar_gz(&entries, ready.epoch)?,
        };
        ready.write(&name(version, program.target), &bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{name, stem};
    use crate::dist::target::TARGETS;
    use crate::tree::root;

    #[test]
    fn binstall_finds_each_archive_and_the_program_in_it() {
        let manifest = root().join("crates/qortal-mcp/Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        let value = |key: &str| {
            let mut lines = manifest.lines();
            let start = format!("{key} = \"");
            let line = lines.find_map(|line| line.strip_prefix(&start));
            line.unwrap().trim_end_matches('"').to_owned()
        };
        for target in TARGETS {
            let suffix = format!(".{}", target.archive());
            let exe = if target.is_windows() { ".exe" } else { "" };
            let filled = |template: String| {
                [
                    ("{ repo }", "https://github.com/a/qortal-mcp"),
                    ("{ name }", "qortal-mcp"),
                    ("{ bin }", "qortal-mcp"),
                    ("{ version }", "1.2.3"),
                    ("{ target }", target.triple),
                    ("{ archive-suffix }", &suffix),
                    ("{ binary-ext }", exe),
                ]
                .iter()
                .fold(template, |text, (from, to)| text.replace(from, to))
            };
            let archive = name("1.2.3", target);
            let expected =
                format!("https://github.com/a/qortal-mcp/releases/download/v1.2.3/{archive}");
            assert_eq!(filled(value("pkg-url")), expected);
            let expected = format!("{}/{}", stem("1.2.3", target), target.program());
            assert_eq!(filled(value("bin-dir")), expected);
        }
    }
}
