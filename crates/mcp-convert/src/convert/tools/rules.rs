//! The tool declarations that each provider accepts, as a row of facts.

choices! {
    /// An API that takes tools.
    Provider {
        /// Anthropic Messages
        Anthropic,
        /// OpenAI Responses
        OpenAiResponses = "openai",
        /// OpenAI Chat Completions
        OpenAiChat = "openai-chat",
        /// Gemini API
        ///
        /// Vertex AI as well.
        Gemini = "google",
        /// Amazon Bedrock Converse
        Bedrock,
    }
}

/// What a provider accepts.
#[derive(Debug)]
pub(in crate::convert) struct Rules {
    pub(in crate::convert) name: Word,
    /// Names of the schema's own properties.
    pub(in crate::convert) property: Word,
    pub(in crate::convert) max_tools: usize,
    /// In characters.
    pub(in crate::convert) max_description: usize,
    /// The most objects with properties, and lists of such objects or of lists, inside each other in a schema, the outermost included.
    pub(in crate::convert) max_depth: usize,
    /// `$ref` to a definition of the schema.
    pub(in crate::convert) references: bool,
    /// The only members of the schema itself.
    pub(in crate::convert) root_members: Option<&'static [&'static str]>,
    /// Members that the schema itself must not have, besides `anyOf`, `oneOf` and `allOf`, which no provider accepts there.
    pub(in crate::convert) root_refused: &'static [&'static str],
    /// Where a declaration has the function, and the function its schema.
    pub(in crate::convert) function: &'static str,
    pub(in crate::convert) schema: &'static str,
    /// A list says what it holds.
    pub(in crate::convert) needs_items: bool,
    /// It reads the `Schema` of OpenAPI 3.0 alone, of which an unknown member is an error; others all of JSON Schema that they do not
    /// refuse by name.
    pub(in crate::convert) open_api: bool,
}

/// Which words are names.
#[derive(Debug, Clone, Copy)]
pub(in crate::convert) struct Word {
    pub(in crate::convert) max: usize,
    /// Beside letters and digits.
    pub(in crate::convert) others: &'static str,
    /// It begins with a letter or an underscore.
    pub(in crate::convert) letter_first: bool,
}

/// Deep enough for every schema that people write, and for no stack to overflow.
const DEEP: usize = 32;
const ANY: Word = Word {
    max: usize::MAX,
    others: "",
    letter_first: false,
};
const PLAIN: Word = Word {
    max: 64,
    others: "_-",
    letter_first: false,
};

/// Names: the API's reference. Properties: twilio-labs/mcp#58. Combinators: anthropics/claude-code#40075.
const ANTHROPIC: Rules = Rules {
    name: Word { max: 128, ..PLAIN },
    property: Word {
        others: "_.-",
        ..PLAIN
    },
    max_tools: usize::MAX,
    max_description: usize::MAX,
    max_depth: DEEP,
    references: true,
    root_members: None,
    root_refused: &[],
    function: "",
    schema: "/input_schema",
    needs_items: false,
    open_api: false,
};

/// Combinators, `enum`, `const` and `not`: goruck/home-generative-agent#545. `properties` and `items`:
/// bnb-chain/bnbchain-mcp#68, spring-projects/spring-ai#2561. Names: microsoft/foundry-dev-tools#723.
const RESPONSES: Rules = Rules {
    name: PLAIN,
    property: ANY,
    max_tools: 128,
    root_refused: &["enum", "const", "not"],
    schema: "/parameters",
    needs_items: true,
    ..ANTHROPIC
};

/// Descriptions of 1,024 characters: getsentry/sentry-mcp#106.
const CHAT: Rules = Rules {
    max_description: 1024,
    function: "/function",
    ..RESPONSES
};

/// Names of functions and parameters: `FunctionDeclaration` in the reference of Vertex AI. Depth: the API does not
/// give its limit (google-gemini/gemini-cli#5923); four is what Portkey-AI/gateway#1616 found.
const GEMINI: Rules = Rules {
    name: Word {
        others: "_.-",
        letter_first: true,
        ..PLAIN
    },
    property: Word {
        others: "_",
        letter_first: true,
        ..PLAIN
    },
    max_tools: 512,
    max_depth: 4,
    schema: "/parameters",
    references: false,
    open_api: true,
    ..ANTHROPIC
};

/// `ToolSpecification` in the API's reference. The members of the schema: "Defining a tool" in the guide of Amazon Nova.
/// Properties: aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#709.
const BEDROCK: Rules = Rules {
    name: PLAIN,
    references: false,
    root_members: Some(&["type", "properties", "required"]),
    function: "/toolSpec",
    schema: "/inputSchema/json",
    ..ANTHROPIC
};

/// Keywords that no provider accepts in the schema itself.
pub(super) const ALTERNATIVES: [&str; 3] = ["allOf", "anyOf", "oneOf"];

impl Rules {
    /// Whether the schema itself must not have this member.
    pub(in crate::convert) fn refuses_at_root(&self, name: &str) -> bool {
        ALTERNATIVES.contains(&name)
            || self.root_refused.contains(&name)
            || self.root_members.is_some_and(|it| !it.contains(&name))
    }
}

impl Provider {
    pub(in crate::convert) const fn rules(self) -> &'static Rules {
        match self {
            Self::Anthropic => &ANTHROPIC,
            Self::OpenAiResponses => &RESPONSES,
            Self::OpenAiChat => &CHAT,
            Self::Gemini => &GEMINI,
            Self::Bedrock => &BEDROCK,
        }
    }
}

impl Word {
    /// Whether it is a name.
    pub(in crate::convert) fn allows(self, name: &str) -> bool {
        let is_short = !name.is_empty() && name.chars().count() <= self.max;
        let has_letters = || self.begins(name) && name.chars().all(|it| self.has(it));
        is_short && (self.others.is_empty() || has_letters())
    }

    /// Whether names begin like this.
    pub(super) fn begins(self, name: &str) -> bool {
        !self.letter_first || name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
    }

    /// Whether names have this letter.
    pub(in crate::convert) fn has(self, letter: char) -> bool {
        letter.is_ascii_alphanumeric() || self.others.contains(letter)
    }
}
