//! `cargo xtask msrv`: checks each library with the oldest Rust its manifest states, where that is installed, and
//! prints which it could not check.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, cargo, output, progress, say};
use crate::failure::Failure;
use crate::tidy::packages::published;
use crate::tree::target;

/// The compiler of a distribution's package, such as Debian's rustc-web.
const SYSTEM: &str = "/usr/bin/rustc";

/// Checks the libraries by the Rust they state. With `--install` rustup is asked for what is missing.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let install = match arguments {
        [] => false,
        [only] if only == "--install" => true,
        _ => {
            return Err(Failure::Usage(
                "msrv takes nothing but --install".to_owned(),
            ));
        }
    };
    let mut by_version: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in published()? {
        let names = by_version.entry(package.rust_version).or_default();
        names.push(package.name);
    }
    for (version, names) in by_version {
        let names = names.join(", ");
        if is_of("rustc", &version) {
            say(&format!(
                "Rust {version} is what builds the workspace: {names}"
            ))?;
            continue;
        }
        let Some(rustc) = compiler(&version, install)? else {
            say(&format!(
                "Rust {version} is not installed, not checked: {names}"
            ))?;
            continue;
        };
        for name in names.split(", ") {
            progress(&format!("{name}: Rust {version}"))?;
            // This cargo drives the old compiler. Its artifacts are kept apart from the workspace's.
            let mut check = cargo();
            check.args(["check", "--quiet", "--lib", "--all-features"]);
            check.args(["--package", name, "--target-dir"]);
            check.arg(target().join("msrv")).env("RUSTC", &rustc);
            command::run(&mut check)?;
        }
        say(&format!("checked with Rust {version}: {names}"))?;
    }
    Ok(())
}

/// A compiler of exactly this version; `None` if there is none.
fn compiler(version: &str, install: bool) -> Result<Option<PathBuf>, Failure> {
    if let Some(rustc) = installed(version) {
        return Ok(Some(rustc));
    }
    if install {
        progress(&format!("installing Rust {version} with rustup"))?;
        let mut rustup = Command::new("rustup");
        rustup.args([
            "toolchain",
            "install",
            "--profile",
            "minimal",
            "--no-self-update",
        ]);
        // Without rustup, or a network, the libraries are listed as not checked.
        if let Err(why) = output(rustup.arg(version)) {
            progress(&why.to_string())?;
        }
    }
    Ok(installed(version))
}

fn installed(version: &str) -> Option<PathBuf> {
    let named = format!("{version}.0");
    let of_rustup = [version, &named].into_iter().filter_map(|toolchain| {
        let mut rustup = Command::new("rustup");
        let path = output(rustup.args(["which", "--toolchain", toolchain, "rustc"])).ok()?;
        Some(PathBuf::from(path.trim()))
    });
    let mut compilers = std::iter::once(PathBuf::from(SYSTEM)).chain(of_rustup);
    compilers.find(|rustc| is_of(rustc, version))
}

fn is_of(rustc: impl AsRef<OsStr>, version: &str) -> bool {
    let printed = output(Command::new(rustc).arg("--version"));
    printed.is_ok_and(|it| is_version(&it, version))
}

/// Whether `rustc 1.88.0 (6b00bc388 2025-06-23)` is of version `1.88`.
fn is_version(printed: &str, version: &str) -> bool {
    let found = printed.split_whitespace().nth(1).unwrap_or_default();
    let patch = found.strip_prefix(version);
    patch.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_version;

    #[test]
    fn a_compiler_is_of_the_version_it_prints() {
        for (printed, version, expected) in [
            ("rustc 1.88.0 (6b00bc388 2025-06-23)\n", "1.88", true),
            ("rustc 1.88.0 (6b00bc388 2025-06-23)\n", "1.88.0", true),
            ("rustc 1.88.0 (6b00bc388 2025-06-23)\n", "1.8", false),
            (
                "rustc 1.89.0-nightly (6b00bc388 2025-06-23)\n",
                "1.88",
                false,
            ),
            ("", "1.88", false),
        ] {
            assert_eq!(is_version(printed, version), expected, "{printed}");
        }
    }
}
