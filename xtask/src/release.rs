//! What is released: one version, from one repository, under one name in every registry.

use crate::failure::Failure;
use crate::metadata::{self, items, text};

/// The package whose program is released.
pub const PROGRAM: &str = "qortal-mcp";
/// What is written before and after the owner where a document names the repository, its images or the server.
const AROUND_OWNER: &[(&str, &str)] = &[
    ("https://github.com/", "/qortal-mcp"),
    ("github:", "/qortal-mcp"),
    ("--repo ", "/qortal-mcp"),
    ("ghcr.io/", "/qortal-mcp"),
    ("io.github.", "/qortal-mcp"),
    ("brew install ", "/tap/qortal-mcp"),
];

/// The facts that every package states alike.
#[derive(Debug, Clone)]
pub struct Release {
    /// Of every package.
    pub version: String,
    /// That of the program.
    pub description: String,
    /// Such as `https://github.com/OWNER/qortal-mcp`.
    pub repository: String,
}

impl Release {
    /// The release that the root manifest describes.
    pub fn current() -> Result<Self, Failure> {
        let metadata = metadata::workspace()?;
        let package = items(&metadata, "packages")
            .iter()
            .find(|it| text(it, "name") == PROGRAM)
            .ok_or_else(|| Failure::unreadable("the workspace", "the program is missing"))?;
        let release = Self {
            version: text(package, "version").to_owned(),
            description: text(package, "description").to_owned(),
            repository: text(package, "repository").to_owned(),
        };
        let ends_well = release.repository.ends_with(&format!("/{PROGRAM}"));
        if !release.repository.starts_with("https://github.com/") || !ends_well {
            let why = format!("expected https://github.com/NAME/{PROGRAM}");
            return Err(Failure::unreadable("repository in Cargo.toml", why));
        }
        Ok(release)
    }

    /// The account that the repository belongs to, spelled as the account is: registries compare the case.
    pub fn owner(&self) -> &str {
        let path = self.repository.trim_start_matches("https://github.com/");
        path.split('/').next().unwrap_or_default()
    }

    /// The name in the registry of MCP servers.
    pub fn server_name(&self) -> String {
        format!("io.github.{}/{PROGRAM}", self.owner())
    }

    /// The container image, without a tag. Image names are lower case.
    pub fn image(&self) -> String {
        format!("ghcr.io/{}/{PROGRAM}", self.owner().to_ascii_lowercase())
    }

    /// `page` with the owner of today wherever it names the repository, its images or the server.
    pub fn named_in(&self, page: &str) -> String {
        let mut named = page.to_owned();
        for (before, after) in AROUND_OWNER {
            let owner = match *before {
                "ghcr.io/" => self.owner().to_ascii_lowercase(),
                _ => self.owner().to_owned(),
            };
            let mut parts = named.split(before);
            let mut text = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let is_name = |it: char| it.is_alphanumeric() || it == '-';
                let rest = part.trim_start_matches(is_name);
                let is_ours = rest
                    .strip_prefix(after)
                    .is_some_and(|end| !end.starts_with(is_name));
                text.push_str(before);
                match is_ours {
                    true => text.push_str(&format!("{owner}{rest}")),
                    false => text.push_str(part),
                }
            }
            named = text;
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::Release;

    fn release() -> Release {
        Release {
            version: "1.2.3".to_owned(),
            description: "A server.".to_owned(),
            repository: "https://github.com/Someone/qortal-mcp".to_owned(),
        }
    }

    #[test]
    fn the_owner_is_spelled_as_each_registry_wants_it() {
        let release = release();
        assert_eq!(release.server_name(), "io.github.Someone/qortal-mcp");
        assert_eq!(release.image(), "ghcr.io/someone/qortal-mcp");
    }

    #[test]
    fn a_page_names_the_owner_of_today_and_other_repositories_as_they_are() {
        let check = |page: &str, expected: &str| assert_eq!(release().named_in(page), expected);
        check(
            "https://github.com/OWNER/qortal-mcp/releases and ghcr.io/owner/qortal-mcp:1",
            "https://github.com/Someone/qortal-mcp/releases and ghcr.io/someone/qortal-mcp:1",
        );
        check(
            "brew install OWNER/tap/qortal-mcp",
            "brew install Someone/tap/qortal-mcp",
        );
        check(
            "mcp-name: io.github.OWNER/qortal-mcp",
            "mcp-name: io.github.Someone/qortal-mcp",
        );
        for other in [
            "https://github.com/Qortal/qortal/releases",
            "https://github.com/a/qortal-mcp-tools",
            "no address",
        ] {
            check(other, other);
        }
    }
}
