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
        /// Any API: output that one of them rejects is sent anyway
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
    /// The kind of the input.
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
    /// The converter whose output is matched.
    ConversionMode {
        /// None. Everything that the target can carry is kept
        Rich,
        /// The vendor's own converter with its gaps, for ai-sdk (7), anthropic, copilot and langchain
        Compat,
    }
    /// The handling of blocks that are only for the user.
    AudiencePolicy {
        /// Send them to the model
        Ignore,
        /// Hold them back
        Respect,
    }
    /// The handling of links.
    LinkPolicy {
        /// Text
        Text,
        /// Let the provider fetch links to images, and for langchain the host or the provider all https links
        Images,
    }
    /// The models that receive the output.
    ModelVariant {
        /// The newest models
        Newest,
        /// Gemini 2, which accepts no images in results
        Gemini2,
        /// OpenAI models on Bedrock, which accept only text
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
        /// Target of the conversion: a host, an SDK or an API
        #[serde(rename = "to")]
        [long = "to", value_enum, value_name = "TARGET"] target: Target;
        /// API behind the framework, required for langchain, ai-sdk, pydantic-ai, llama-index and strands
        #[serde(rename = "for")]
        [long = "for", value_enum, value_name = "API"] provider: Option<ProviderApi>;
        /// Kind of the input
        [long, value_enum, default_value_t] kind: InputKind;
        /// Converter whose output is matched
        [long, value_enum, default_value_t] preset: ConversionMode;
        /// Whether a loss is an error
        [long] lossless: bool;
        /// ID of the call that the result belongs to
        [long, default_value = "call_1"] call_id: Option<String>;
        /// Name of the called tool
        [long, default_value = "tool"] tool: Option<String>;

        /// Parts to convert: the blocks, the structured value or both
        [long, value_enum, default_value_t, help_heading = "Policy"] prefer: ContentPreference;
        /// Handling of blocks that are only for the user
        [long, value_enum, default_value_t, help_heading = "Policy"] audience: AudiencePolicy;
        /// Handling of links
        [long, value_enum, default_value_t, help_heading = "Policy"] links: LinkPolicy;

        /// Maximum size of the text, in bytes
        [long, help_heading = "Limits", conflicts_with = "max_chars"] max_bytes: Option<usize>;
        /// Maximum size of the text, in characters
        [long, help_heading = "Limits"] max_chars: Option<usize>;
        /// Maximum size of each image, audio and file, in bytes
        [long, help_heading = "Limits"] max_media_bytes: Option<usize>;
        /// Place where text is cut
        [long, value_enum, default_value_t, help_heading = "Limits"] cut: Truncation;

        /// Copilot: language of the SDK
        [long, value_enum, default_value_t, help_heading = "One target"] flavor: CopilotSdkLanguage;
        /// Gemini, Bedrock: models that receive the output
        [long, value_enum, default_value_t, help_heading = "One target"] family: ModelVariant;
        /// OpenAI Chat: whether the model accepts audio, which then follows the result
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
