//! What is converted, for whom, and how: the flags of the program, and the settings object of other languages.

mod applies;
mod check;
mod report;
mod request;
mod result;
mod targets;

pub use self::{report::SettingsError, request::convert_json_request};
use crate::{
    ContentPreference, ConvertOptions, CopilotSdkLanguage, OutputLimits, Truncation,
    convert::limits::Measure,
};

choices! {
    /// A host, an SDK or an API.
    Target {
        /// Anthropic Messages
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
        /// Vercel AI SDK 6 and 7, Mastra
        #[serde(alias = "mastra")]
        #[cfg_attr(feature = "cli", value(alias = "mastra"))]
        AiSdk,
        /// LlamaIndex
        LlamaIndex,
        /// OpenAI Agents
        OpenaiAgents,
        /// Pydantic AI
        PydanticAi,
        /// rig
        Rig,
        /// Strands
        Strands,
        /// One text, for any other host
        Text,
    }
    /// The API behind a framework.
    ProviderApi {
        /// Any: what one of them rejects is sent nevertheless
        Any,
        /// Anthropic Messages
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
    InputKind {
        /// The result of tools/call
        Result,
        /// The result of prompts/get
        Prompt,
        /// The result of resources/read
        Resource,
        /// The result of tools/list
        Tools,
    }
    /// Which converter to equal.
    ConversionMode {
        /// None: nothing is lost that the target can carry
        Rich,
        /// The vendor's own, with its gaps: of ai-sdk (7), anthropic, copilot and langchain
        Compat,
    }
    /// What becomes of blocks for the user alone.
    AudiencePolicy {
        /// They go to the model
        Ignore,
        /// They are held back
        Respect,
    }
    /// What becomes of links.
    LinkPolicy {
        /// Text
        Text,
        /// Those to pictures are fetched by the provider; for langchain all with https, by the host or the provider
        Images,
    }
    /// Which models are asked.
    ModelVariant {
        /// The newest
        Newest,
        /// Gemini 2, which takes no pictures in results
        Gemini2,
        /// OpenAI's on Bedrock, which take text alone
        Openai,
    }
}

/// Declares the settings: the flag of each, its name and its type.
macro_rules! settings {
    ($(#[$of:meta])+ $Name:ident {
        $(#[$to_doc:meta])+ [$($to_flag:tt)+] $to:ident: $To:ty;
        $($(#[$doc:meta])+ [$($flag:tt)+] $name:ident: $Type:ty;)+
    }) => {
        $(#[$of])+
        #[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
        #[cfg_attr(feature = "cli", derive(clap::Args))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[non_exhaustive]
        pub struct $Name {
            $(#[$to_doc])+ #[cfg_attr(feature = "cli", arg($($to_flag)+))] pub $to: $To,
            $($(#[$doc])+ #[serde(default)] #[cfg_attr(feature = "cli", arg($($flag)+))] pub $name: $Type,)+
        }
    };
}

settings! {
    /// The kind of a value, its target, and the choices of a conversion.
    Settings {
        /// For whom
        #[serde(rename = "to")]
        [long = "to", value_enum, value_name = "TARGET"] target: Target;
        /// The API behind the framework, needed for langchain, ai-sdk, pydantic-ai, llama-index and strands
        #[serde(rename = "for")]
        [long = "for", value_enum, value_name = "API"] provider: Option<ProviderApi>;
        /// What is converted
        [long, value_enum, default_value_t] kind: InputKind;
        /// Which converter to equal
        [long, value_enum, default_value_t] preset: ConversionMode;
        /// Makes a loss an error
        [long] lossless: bool;
        /// The id of the call that the result answers
        [long, default_value = "call_1"] call_id: Option<String>;
        /// The name of the tool that was called
        [long, default_value = "tool"] tool: Option<String>;

        /// Blocks, structured value or both
        [long, value_enum, default_value_t, help_heading = "Policy"] prefer: ContentPreference;
        /// Blocks for the user alone
        [long, value_enum, default_value_t, help_heading = "Policy"] audience: AudiencePolicy;
        /// Links
        [long, value_enum, default_value_t, help_heading = "Policy"] links: LinkPolicy;

        /// The most bytes of text
        [long, help_heading = "Limits", conflicts_with = "max_chars"] max_bytes: Option<usize>;
        /// The most characters of text
        [long, help_heading = "Limits"] max_chars: Option<usize>;
        /// The most bytes of each picture, sound and file
        [long, help_heading = "Limits"] max_media_bytes: Option<usize>;
        /// Where text is cut
        [long, value_enum, default_value_t, help_heading = "Limits"] cut: Truncation;

        /// Copilot: the language of the SDK
        [long, value_enum, default_value_t, help_heading = "One target"] flavor: CopilotSdkLanguage;
        /// Gemini, Bedrock: which models are asked
        [long, value_enum, default_value_t, help_heading = "One target"] family: ModelVariant;
        /// OpenAI Chat: the model hears, so that sounds follow the result
        [long, help_heading = "One target"] hears: bool;
    }
}

impl Settings {
    /// Creates settings for a target, with the default of every other setting.
    #[must_use]
    pub fn for_target(target: Target) -> Self {
        Self {
            target,
            ..Self::default()
        }
    }

    pub(crate) fn policy(&self) -> ConvertOptions {
        let bytes = self.max_bytes.map(|it| (it, Measure::Bytes));
        let chars = self.max_chars.map(|it| (it, Measure::Chars));
        ConvertOptions {
            prefer: self.prefer,
            respects_audience: self.audience == AudiencePolicy::Respect,
            has_linked_images: self.links == LinkPolicy::Images,
            limits: OutputLimits {
                text: bytes.or(chars),
                media_bytes: self.max_media_bytes,
                cut: self.cut,
            },
        }
    }
}
