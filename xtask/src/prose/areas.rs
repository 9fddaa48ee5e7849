//! The areas of text, the ceilings of each kind of area, and the areas that are checked.
//!
//! The ceilings are the goals of the house style plus ten percent. An area is checked once it has been rewritten: set `checked` in
//! its row.

/// The kind of text in an area, which decides how it is read and which ceilings it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Guides, which address the reader as "you".
    Guide,
    /// Pages for operators, authors and library users.
    Reference,
    /// Descriptions of tools and parameters, as the generated tool pages show them.
    ToolText,
    /// Doc comments of public items.
    Rustdoc,
}

/// A part of the repository's text with one set of ceilings.
#[derive(Debug)]
pub(super) struct Area {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Files, or folders whose Markdown files are meant. For [`Kind::Rustdoc`] the folder of the crate.
    pub(super) places: &'static [&'static str],
    pub(super) checked: bool,
}

/// The limits of one kind of area.
#[derive(Debug)]
pub(super) struct Ceilings {
    /// Most occurrences in 1,000 words: that, which, who, whom, whose.
    pub(super) relative: f64,
    /// Most occurrences in 1,000 words: what.
    pub(super) what: f64,
    /// Most occurrences in 1,000 words: say, tell, ask.
    pub(super) say: f64,
    /// Most semicolons in 1,000 words.
    pub(super) semicolons: f64,
    /// Least occurrences in 1,000 words: you, your.
    pub(super) you: f64,
    /// Largest percentage of docs that open with What, Why, How, Who, Where or When.
    pub(super) question: f64,
    /// Largest percentage of function docs that open with a noun phrase.
    pub(super) noun: f64,
}

impl Kind {
    pub(super) const fn ceilings(self) -> Ceilings {
        const DOCS: Ceilings = Ceilings {
            relative: 12.1,
            what: 2.2,
            say: 1.1,
            semicolons: 2.75,
            you: 0.0,
            question: 100.0,
            noun: 100.0,
        };
        match self {
            Self::Guide => Ceilings { you: 7.2, ..DOCS },
            Self::Reference | Self::ToolText => DOCS,
            Self::Rustdoc => Ceilings {
                relative: 22.0,
                question: 3.3,
                noun: 6.6,
                ..DOCS
            },
        }
    }
}

const fn area(
    name: &'static str,
    kind: Kind,
    places: &'static [&'static str],
    checked: bool,
) -> Area {
    Area {
        name,
        kind,
        places,
        checked,
    }
}

#[rustfmt::skip]
pub(super) const AREAS: &[Area] = &[
    area("user docs", Kind::Guide, &[
        "README.md", "docs/README.md", "docs/start.md", "docs/install.md", "docs/files.md", "docs/watch.md", "docs/clients.md", "docs/node.md",
        "docs/taxes.md", "docs/stuck-trade.md", "docs/surfaces.md", "docs/results.md", "docs/resources.md", "docs/views.md", "docs/troubleshooting.md", "docs/from-python.md", "crates/qortal-mcp/README.md",
    ], true),
    area("operator docs", Kind::Reference, &[
        "docs/deploy.md", "docs/authenticate.md", "docs/sign-in.md", "docs/monitor.md", "docs/scale.md", "docs/configuration.md", "docs/cli.md", "docs/security.md",
        "docs/protocol.md", "docs/core-compatibility.md", "SECURITY.md", "deploy",
    ], true),
    area("library docs", Kind::Reference, &[
        "docs/libraries.md", "docs/serve-views.md", "docs/embedding.md", "docs/convert", "docs/shown.md",
        "crates/mcp-client/README.md", "crates/mcp-convert/README.md", "crates/mcp-hosts/README.md", "crates/mcp-http/README.md", "crates/mcp-operate/README.md",
        "crates/mcp-protocol/README.md", "crates/mcp-server/README.md", "crates/mcp-stdio/README.md", "crates/message-buffer/README.md",
        "crates/qortal-apps/README.md", "crates/qortal-charts/README.md", "crates/qortal-client/README.md", "crates/qortal-resources/README.md",
        "crates/qortal-search/README.md", "crates/qortal-testnode/README.md",
        "crates/qortal-tools/README.md", "crates/qortal-types/README.md", "crates/qortal-views/README.md", "crates/tool-schema/README.md",
    ], false),
    area("rules for authors", Kind::Reference, &["docs/authors/style.md", "CONTRIBUTING.md", "AGENTS.md"], true),
    area("tool text", Kind::ToolText, &["docs/tools"], true),
    area("mcp-client", Kind::Rustdoc, &["crates/mcp-client"], true),
    area("mcp-convert", Kind::Rustdoc, &["crates/mcp-convert"], true),
    area("mcp-hosts", Kind::Rustdoc, &["crates/mcp-hosts"], true),
    area("mcp-http", Kind::Rustdoc, &["crates/mcp-http"], true),
    area("mcp-operate", Kind::Rustdoc, &["crates/mcp-operate"], true),
    area("mcp-protocol", Kind::Rustdoc, &["crates/mcp-protocol"], true),
    area("mcp-server", Kind::Rustdoc, &["crates/mcp-server"], true),
    area("mcp-stdio", Kind::Rustdoc, &["crates/mcp-stdio"], true),
    area("message-buffer", Kind::Rustdoc, &["crates/message-buffer"], true),
    area("qortal-apps", Kind::Rustdoc, &["crates/qortal-apps"], true),
    area("qortal-charts", Kind::Rustdoc, &["crates/qortal-charts"], true),
    area("qortal-client", Kind::Rustdoc, &["crates/qortal-client"], true),
    area("qortal-resources", Kind::Rustdoc, &["crates/qortal-resources"], true),
    area("qortal-search", Kind::Rustdoc, &["crates/qortal-search"], true),
    area("qortal-testnode", Kind::Rustdoc, &["crates/qortal-testnode"], true),
    area("qortal-tools", Kind::Rustdoc, &["crates/qortal-tools"], true),
    area("qortal-types", Kind::Rustdoc, &["crates/qortal-types"], true),
    area("tool-schema", Kind::Rustdoc, &["crates/tool-schema"], true),
];
