//! What is converted, for whom, and how: the flags of the program, and the settings object of other languages.

mod check;
mod report;
mod result;

pub use self::report::{Error, Report};
use crate::convert::{self, Limits, Policy};

/// Names for the command line and for JSON, in one list.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }
    )+};
}

choices! {
    /// A host, an SDK or an API.
    Target {
        /// Anthropic Messages
        #[default]
        Anthropic,
        /// OpenAI Responses
        OpenaiResponses,
        /// OpenAI Chat Completions
        OpenaiChat,
        /// Gemini API
        Gemini,
        /// Amazon Bedrock Converse
        Bedrock,
        /// GitHub Copilot SDK
        Copilot,
        /// Codex
        Codex,
        /// LangChain
        Langchain,
        /// Vercel AI SDK
        AiSdk,
        /// LlamaIndex
        LlamaIndex,
        /// Mastra
        Mastra,
        /// OpenAI Agents
        OpenaiAgents,
        /// Pydantic AI
        PydanticAi,
        /// rig
        Rig,
        /// Strands
        Strands,
        /// swiftide
        Swiftide,
        /// Another revision of MCP
        Mcp,
        /// A model that an MCP server samples
        Sampling,
    }
    /// The API behind a framework.
    Provider {
        /// Anthropic Messages
        #[default]
        Anthropic,
        /// OpenAI Responses
        Openai,
        /// OpenAI Chat Completions
        OpenaiChat,
        /// Gemini API
        Google,
        /// Amazon Bedrock Converse
        Bedrock,
    }
    /// What is converted.
    Kind {
        /// The result of tools/call
        #[default]
        Result,
        /// The result of prompts/get
        Prompt,
        /// The result of resources/read
        Resource,
        /// The result of tools/list
        Tools,
    }
    /// Which converter to equal.
    Preset {
        /// None: nothing is lost that the target can carry
        #[default]
        Rich,
        /// The vendor's own, with its gaps: of ai-sdk, anthropic, copilot and langchain
        Compat,
    }
    /// Whether a model gets the blocks, the structured value or both.
    Prefer {
        /// Both, what is the same once
        #[default]
        Both,
        /// The blocks
        ContentOnly,
        /// The structured value, if there is one
        StructuredOnly,
        /// The blocks, if there are any
        ContentUnlessEmpty,
    }
    /// What becomes of blocks for the user alone.
    Audience {
        /// They go to the model
        #[default]
        Ignore,
        /// They are held back
        Respect,
    }
    /// What becomes of a block that the target cannot carry.
    Unsupported {
        /// A note takes its place
        #[default]
        Note,
        /// It is an error
        Error,
        /// It is left out
        Skip,
    }
    /// How a failure is marked where the target has no flag for it.
    ErrorMark {
        /// The word Error before the text
        #[default]
        Prefix,
        /// An object with the member error
        Json,
        /// Not at all
        None,
    }
    /// What becomes of links.
    Links {
        /// Text
        #[default]
        Text,
        /// Those to pictures are fetched by the provider; for langchain all with https, by the host or the provider
        Images,
    }
    /// Where text is cut.
    Cut {
        /// In the middle
        #[default]
        Middle,
        /// At the end
        Head,
        /// At the beginning
        Tail,
        /// Between the elements of a list in JSON
        JsonAware,
    }
    /// What becomes of a structured value over the limit.
    Structure {
        /// A note takes its place
        #[default]
        Omit,
        /// It is an error
        Error,
    }
    /// The language of the Copilot SDK.
    Flavor {
        /// Rust
        #[default]
        Rust,
        /// JavaScript
        Node,
        /// Python
        Python,
        /// Go
        Go,
        /// .NET
        #[serde(rename = "dotnet")]
        #[cfg_attr(feature = "cli", value(name = "dotnet"))]
        DotNet,
    }
    /// Which models are asked.
    Family {
        /// The newest
        #[default]
        Newest,
        /// Gemini 2, which takes no pictures in results
        Gemini2,
        /// OpenAI's on Bedrock, which take text alone
        Openai,
    }
    /// The member of Gemini's response that has the output.
    Key {
        /// output
        #[default]
        Output,
        /// result
        Result,
    }
}

/// What is converted, for whom, and how.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Settings {
    /// For whom
    #[cfg_attr(feature = "cli", arg(long = "to", value_enum, value_name = "TARGET"))]
    #[serde(rename = "to")]
    pub target: Target,
    /// The API that the framework asks: langchain, ai-sdk, pydantic-ai, llama-index, mastra and strands hand results on
    #[cfg_attr(
        feature = "cli",
        arg(long = "for", value_enum, value_name = "PROVIDER")
    )]
    #[serde(rename = "for")]
    pub provider: Option<Provider>,
    /// What is converted
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub kind: Kind,
    /// Which converter to equal
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value_t))]
    pub preset: Preset,
    /// Makes a loss an error
    #[cfg_attr(feature = "cli", arg(long))]
    pub lossless: bool,
    /// The id of the call that the result answers
    #[cfg_attr(feature = "cli", arg(long, default_value = "call_1"))]
    pub call_id: Option<String>,
    /// The name of the tool that was called
    #[cfg_attr(feature = "cli", arg(long, default_value = "tool"))]
    pub tool: Option<String>,

    /// Blocks, structured value or both
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "Policy")
    )]
    pub prefer: Prefer,
    /// Blocks for the user alone
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "Policy")
    )]
    pub audience: Audience,
    /// Blocks that the target cannot carry
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "Policy")
    )]
    pub unsupported: Unsupported,
    /// Failures, where the target has no flag for them
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "Policy")
    )]
    pub error_mark: ErrorMark,
    /// Links
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "Policy")
    )]
    pub links: Links,

    /// The most bytes of text
    #[cfg_attr(
        feature = "cli",
        arg(long, help_heading = "Limits", conflicts_with = "max_chars")
    )]
    pub max_bytes: Option<usize>,
    /// The most characters of text
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Limits"))]
    pub max_chars: Option<usize>,
    /// The most lines of each text
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Limits"))]
    pub max_lines: Option<usize>,
    /// The most bytes of each picture, sound and file
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Limits"))]
    pub max_media_bytes: Option<usize>,
    /// Where text is cut
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "Limits")
    )]
    pub cut: Cut,
    /// A structured value over the limit
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "Limits")
    )]
    pub structure: Structure,
    /// The most objects and lists inside each other in the schema of a tool
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Limits"))]
    pub max_depth: Option<usize>,
    /// The most characters of a tool's description
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Limits"))]
    pub max_description: Option<usize>,

    /// Copilot: the language of the SDK
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "One target")
    )]
    pub flavor: Flavor,
    /// Gemini, Bedrock: which models are asked
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "One target")
    )]
    pub family: Family,
    /// Gemini: the member that has the output
    #[cfg_attr(
        feature = "cli",
        arg(long, value_enum, default_value_t, help_heading = "One target")
    )]
    pub key: Key,
    /// Gemini, OpenAI Responses: several texts are one
    #[cfg_attr(feature = "cli", arg(long, help_heading = "One target"))]
    pub join: bool,
    /// Gemini: a structured object is the response itself
    #[cfg_attr(feature = "cli", arg(long, help_heading = "One target"))]
    pub spread: bool,
    /// Anthropic: documents have their address as title
    #[cfg_attr(feature = "cli", arg(long, help_heading = "One target"))]
    pub titles: bool,
    /// OpenAI: resources of text begin with their address
    #[cfg_attr(feature = "cli", arg(long, help_heading = "One target"))]
    pub with_uri: bool,
    /// OpenAI Chat: the model hears, so that sounds follow the result
    #[cfg_attr(feature = "cli", arg(long, help_heading = "One target"))]
    pub hears: bool,
    /// Bedrock: names of documents end with the id of the call
    #[cfg_attr(feature = "cli", arg(long, help_heading = "One target"))]
    pub names_by_call: bool,
    /// MCP, sampling: the revision that is converted to; without it the latest with a handshake
    #[cfg_attr(feature = "cli", arg(long, help_heading = "One target"))]
    pub revision: Option<String>,
}

impl Settings {
    /// For this target, and otherwise the default.
    #[must_use]
    pub fn new(target: Target) -> Self {
        Self {
            target,
            ..Self::default()
        }
    }

    pub(crate) fn policy(&self) -> Policy {
        Policy::default()
            .with_prefer(match self.prefer {
                Prefer::Both => convert::Prefer::Both,
                Prefer::ContentOnly => convert::Prefer::ContentOnly,
                Prefer::StructuredOnly => convert::Prefer::StructuredOnly,
                Prefer::ContentUnlessEmpty => convert::Prefer::ContentUnlessEmpty,
            })
            .with_audience(self.audience == Audience::Respect)
            .with_unsupported(match self.unsupported {
                Unsupported::Note => convert::Unsupported::Note,
                Unsupported::Error => convert::Unsupported::Error,
                Unsupported::Skip => convert::Unsupported::Skip,
            })
            .with_error_mark(match self.error_mark {
                ErrorMark::Prefix => convert::ErrorMark::default(),
                ErrorMark::Json => convert::ErrorMark::Json,
                ErrorMark::None => convert::ErrorMark::None,
            })
            .with_linked_images(self.links == Links::Images)
            .with_limits(self.limits())
    }

    fn limits(&self) -> Limits {
        let limits = match (self.max_bytes, self.max_chars) {
            (Some(max), _) => Limits::bytes(max),
            (None, Some(max)) => Limits::chars(max),
            (None, None) => Limits::default(),
        };
        limits
            .with_lines(self.max_lines)
            .with_media_bytes(self.max_media_bytes)
            .with_cut(match self.cut {
                Cut::Middle => convert::Cut::Middle,
                Cut::Head => convert::Cut::Head,
                Cut::Tail => convert::Cut::Tail,
                Cut::JsonAware => convert::Cut::JsonAware,
            })
            .with_structure_required(self.structure == Structure::Error)
    }
}
