//! Whose the names of our packages are on the registry: free or ours, or they cannot be published.

use crate::command::{cargo, say};
use crate::failure::Failure;
use crate::tidy::packages::Package;

/// What the registry answered about a name.
#[derive(Debug, PartialEq, Eq)]
enum Owner {
    Free,
    Ours,
    /// Another project, described by what it says about itself.
    Other(String),
    /// No answer, and why.
    Unknown(String),
}

/// Returns the names that belong to another project. Names the registry did not answer about are printed as unchecked.
pub(super) fn problems(packages: &[Package]) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for package in packages {
        let name = &package.name;
        let mut info = cargo();
        // In the workspace cargo would describe the package of the workspace.
        info.current_dir(std::env::temp_dir()).args([
            "info",
            "--registry",
            "crates-io",
            "--color",
            "never",
            name,
        ]);
        let output = info.output().map_err(Failure::io("cargo info"))?;
        let printed = output.status.success().then_some(&output.stdout);
        let printed = printed.map(|it| String::from_utf8_lossy(it).into_owned());
        let complaint = String::from_utf8_lossy(&output.stderr);
        match owner(package, printed.as_deref(), &complaint) {
            Owner::Free => say(&format!("{name}: free on the registry"))?,
            Owner::Ours => say(&format!("{name}: ours on the registry"))?,
            Owner::Other(whose) => {
                found.push(format!("{name} belongs to another project: {whose}"));
            }
            Owner::Unknown(why) => {
                say(&format!("{name}: not checked, no registry answers: {why}"))?;
            }
        }
    }
    Ok(found)
}

/// Judges what `cargo info` printed, `None` if it failed, with what it complained about.
///
/// The published package is ours if it describes itself as ours does: no repository is stated to compare.
fn owner(package: &Package, printed: Option<&str>, complaint: &str) -> Owner {
    let Some(printed) = printed else {
        if complaint.contains("error: could not find `") {
            return Owner::Free;
        }
        let why = complaint.lines().rfind(|line| !line.trim().is_empty());
        return Owner::Unknown(why.unwrap_or_default().trim().to_owned());
    };
    // The name with its keywords, the description, and from the version on one field a line.
    let mut lines = printed.lines().skip(1);
    let description: Vec<&str> = lines
        .by_ref()
        .take_while(|line| !line.starts_with("version: "))
        .flat_map(str::split_whitespace)
        .collect();
    let description = description.join(" ");
    if description == package.description {
        return Owner::Ours;
    }
    let repository = lines.find_map(|line| line.strip_prefix("repository: "));
    let repository = repository.unwrap_or("no repository");
    Owner::Other(format!("{description:?} ({repository})"))
}

#[cfg(test)]
mod tests {
    use super::{Owner, owner};
    use crate::tidy::packages::Package;

    /// What `cargo info --registry crates-io` printed in 2026 for the names the packages had first.
    const MCP_SERVER: &str = "\
mcp-server
Server SDK for the Model Context Protocol
version: 0.1.0
license: MIT
rust-version: unknown
documentation: https://docs.rs/mcp-server/0.1.0
repository: https://github.com/modelcontextprotocol/rust-sdk/
crates.io: https://crates.io/crates/mcp-server/0.1.0
";
    const MCP_PROTOCOL: &str = "\
mcp-protocol
Protocol definitions for the Model Context Protocol (MCP)
version: 0.2.7
license: MIT
rust-version: unknown
documentation: https://docs.rs/mcp-protocol/0.2.7
repository: https://github.com/colinrozzi/rust-mcp
crates.io: https://crates.io/crates/mcp-protocol/0.2.7
features:
  camel_case = []
";
    const MCP_STDIO: &str = "\
mcp-stdio #mcp #stdio #jsonrpc #llm #agent
A tiny, synchronous, tokio-free MCP server over stdio. For read-only tools that don't need the full SDK.
version: 20260721.0.0
license: MIT
rust-version: unknown
documentation: https://docs.rs/mcp-stdio/20260721.0.0
repository: https://github.com/ducks/mcp-stdio
crates.io: https://crates.io/crates/mcp-stdio/20260721.0.0
";

    #[test]
    fn a_name_is_free_or_ours_or_of_another_project() {
        let check = |name: &str, printed: Option<&str>, complaint: &str, expected: Owner| {
            let package = Package::example(name, "a");
            assert_eq!(owner(&package, printed, complaint), expected, "{name}");
        };
        let other = |text: &str| Owner::Other(text.to_owned());
        for (name, printed, expected) in [
            (
                "mcp-server",
                MCP_SERVER,
                "\"Server SDK for the Model Context Protocol\" (https://github.com/modelcontextprotocol/rust-sdk/)",
            ),
            (
                "mcp-protocol",
                MCP_PROTOCOL,
                "\"Protocol definitions for the Model Context Protocol (MCP)\" (https://github.com/colinrozzi/rust-mcp)",
            ),
            (
                "mcp-stdio",
                MCP_STDIO,
                "\"A tiny, synchronous, tokio-free MCP server over stdio. For read-only tools that don't need the full SDK.\" (https://github.com/ducks/mcp-stdio)",
            ),
        ] {
            check(name, Some(printed), "", other(expected));
        }
        check(
            "qortal-mcp",
            Some("qortal-mcp #mcp\nAn example\npackage.\nversion: 0.1.0\nlicense: MIT\n"),
            "",
            Owner::Ours,
        );
        check(
            "mcp-http",
            None,
            "    Updating crates.io index\nerror: could not find `mcp-http` in registry `https://github.com/rust-lang/crates.io-index`\n",
            Owner::Free,
        );
        check(
            "mcp-http",
            None,
            "    Updating crates.io index\nerror: download of config.json failed\n\nCaused by:\n  [7] Could not connect to server\n",
            Owner::Unknown("[7] Could not connect to server".to_owned()),
        );
    }
}
