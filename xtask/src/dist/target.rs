//! The platforms that a release is made for, and what each registry calls them.

/// A platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    /// What rustc calls it.
    pub(crate) triple: &'static str,
    /// What cargo-zigbuild is told, which adds the oldest glibc; `None` where only the system's own tools build it.
    pub(crate) zig: Option<&'static str>,
    /// What rustc is told besides.
    pub(crate) flags: &'static [&'static str],
    /// What packages of npm and bundles call it; `None` for one that only archives are made for.
    pub(crate) platform: Option<&'static str>,
    /// The tag of its Python wheel.
    pub(crate) wheel: &'static str,
    /// What Debian and container registries call its processor, for a static program of Linux.
    pub(crate) linux: Option<&'static str>,
}

/// zig makes a static program for one fixed address unless it is asked.
const INDEPENDENT: &[&str] = &["-Clink-arg=-pie"];

/// Static programs of Linux come first: they serve every channel that does not tell libraries apart.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-musl",
        zig: Some("x86_64-unknown-linux-musl"),
        flags: INDEPENDENT,
        platform: Some("linux-x64"),
        // A static program needs no library, so it keeps the promise of either tag.
        wheel: "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
        linux: Some("amd64"),
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        zig: Some("aarch64-unknown-linux-musl"),
        flags: INDEPENDENT,
        platform: Some("linux-arm64"),
        wheel: "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
        linux: Some("arm64"),
    },
    Target {
        triple: "x86_64-unknown-linux-gnu",
        zig: Some("x86_64-unknown-linux-gnu.2.17"),
        flags: &[],
        platform: None,
        wheel: "",
        linux: None,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        zig: Some("aarch64-unknown-linux-gnu.2.17"),
        flags: &[],
        platform: None,
        wheel: "",
        linux: None,
    },
    Target {
        triple: "x86_64-pc-windows-msvc",
        zig: None,
        flags: &[],
        platform: Some("win32-x64"),
        wheel: "win_amd64",
        linux: None,
    },
    // Where Microsoft's linker is not at hand; the one above takes its place in a hosted release.
    Target {
        triple: "x86_64-pc-windows-gnu",
        zig: Some("x86_64-pc-windows-gnu"),
        flags: &[],
        platform: Some("win32-x64"),
        wheel: "win_amd64",
        linux: None,
    },
    Target {
        triple: "x86_64-apple-darwin",
        zig: None,
        flags: &[],
        platform: Some("darwin-x64"),
        wheel: "macosx_10_12_x86_64",
        linux: None,
    },
    Target {
        triple: "aarch64-apple-darwin",
        zig: None,
        flags: &[],
        platform: Some("darwin-arm64"),
        wheel: "macosx_11_0_arm64",
        linux: None,
    },
];

impl Target {
    /// The target that rustc calls `triple`.
    pub(crate) fn named(triple: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|it| it.triple == triple)
    }

    pub(crate) fn is_windows(&self) -> bool {
        self.triple.contains("windows")
    }

    pub(crate) fn is_linux(&self) -> bool {
        self.triple.contains("linux")
    }

    /// The file of the program.
    pub(crate) fn program(&self) -> &'static str {
        match self.is_windows() {
            true => "qortal-mcp.exe",
            false => "qortal-mcp",
        }
    }

    /// What the archive's name ends with.
    pub(crate) fn archive(&self) -> &'static str {
        match self.is_windows() {
            true => "zip",
            false => "tar.gz",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TARGETS;

    #[test]
    fn a_package_of_a_platform_has_all_its_names() {
        for target in TARGETS {
            assert_eq!(
                target.platform.is_some(),
                !target.wheel.is_empty(),
                "{target:?}"
            );
            assert!(target.linux.is_none() || target.triple.ends_with("-linux-musl"));
        }
    }
}
