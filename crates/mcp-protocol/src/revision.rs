//! The protocol revisions, and all their differences for a server.

use std::{fmt, str::FromStr};

use crate::error;

/// A published revision of the protocol, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// The first revision: tools, resources, prompts.
    V2024_11_05,
    /// Streamable HTTP, batches, tool annotations, audio.
    V2025_03_26,
    /// Structured content, titles and resource links.
    V2025_06_18,
    /// Icons, and invalid arguments as tool results.
    V2025_11_25,
    /// No handshake: every request names its revision.
    V2026_07_28,
}

/// The features of one revision. Each revision has a row, written as changes to the previous one.
///
/// Source: the changelog page and `schema.ts` of each revision.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Features {
    /// The wire name.
    pub name: &'static str,
    /// Whether client and server negotiate a revision by `initialize`, its response, and `notifications/initialized`.
    /// Without a handshake, every request names its revision in `_meta`.
    pub handshake: bool,
    /// Whether arrays of messages are accepted.
    pub batches: bool,
    /// Whether tools have `annotations`.
    pub tool_annotations: bool,
    /// Whether audio blocks exist.
    pub audio: bool,
    /// Whether tools, resources, templates, prompts, their arguments and `serverInfo` have a `title`.
    pub titles: bool,
    /// Whether `resource_link` blocks exist.
    pub resource_links: bool,
    /// Whether tools, resources, templates, prompts, blocks and resource contents have `_meta`. Results have it in
    /// every revision.
    pub meta: bool,
    /// Whether annotations have `lastModified`.
    pub(crate) last_modified: bool,
    /// Whether servers may request input from the client's user (`client/elicitation`).
    pub elicitation: bool,
    /// Whether servers may request that the user open a URL.
    pub url_elicitation: bool,
    /// Whether such a URL has an ID. If so, the error that requires a URL exists, and so does the notification that the
    /// user has finished.
    pub elicitation_ids: bool,
    /// Whether sampling messages may have `tool_result` blocks.
    pub sampling_tool_results: bool,
    /// Whether tools, resources, templates, prompts and resource links have `icons`, and `serverInfo` has `icons`,
    /// `description` and `websiteUrl`.
    pub(crate) icons: bool,
    /// The values that `structuredContent` may have. Where it exists, tools have an `outputSchema`.
    pub structured_content: StructuredContentForm,
    /// Whether results have `resultType`, and `_meta` with the server's identity.
    pub result_type: bool,
    /// Whether lists and `server/discover` have `ttlMs` and `cacheScope`.
    pub cache_hints: bool,
    /// Whether an error response to unreadable input may omit the ID.
    pub errors_without_id: bool,
    /// Whether `notifications/progress` has a `message`.
    pub progress_message: bool,
    /// Whether the capability `completions` exists. Earlier revisions offer completion without a capability.
    pub completions_capability: bool,
    /// The error code for an unknown resource (`server/resources`, "Error Handling").
    pub resource_not_found: i64,
    /// Whether the server may close an event stream that a client then resumes by polling.
    pub stream_polling: bool,
    /// The form of task support.
    pub tasks: TaskForm,
}

/// The form of task support in a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskForm {
    /// None: calls cannot become tasks.
    Absent,
    /// The client requests a task with its call and fetches the result later, with `tasks/get`, `result`, `list` and
    /// `cancel`.
    Core,
    /// The server turns the call of a client that declares the extension into a task, with `tasks/get`, `update` and
    /// `cancel`.
    Extension,
}

/// The values that `structuredContent` may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StructuredContentForm {
    /// None: the field does not exist.
    Absent,
    /// An object. Anything else is wrapped as `{"result": …}`.
    Object,
    /// Any JSON value.
    AnyValue,
}

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: &'static [Self] = &[
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The newest revision with a handshake. It is the response to an `initialize` request for an unknown revision.
    pub const LATEST_HANDSHAKE: Self = Self::V2025_11_25;

    /// The newest revision with extensions. Values serialized in its form can be read again.
    pub(crate) const EXTENDED: Self = Self::V2026_07_28;

    /// The revision of an HTTP request without `MCP-Protocol-Version`
    /// (2025-06-18 `basic/transports`, "Protocol Version Header").
    pub const WITHOUT_HEADER: Self = Self::V2025_03_26;

    /// Returns the wire name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.features().name
    }

    /// Returns the features of this revision.
    #[must_use]
    pub const fn features(self) -> &'static Features {
        match self {
            Self::V2024_11_05 => &V2024_11_05,
            Self::V2025_03_26 => &V2025_03_26,
            Self::V2025_06_18 => &V2025_06_18,
            Self::V2025_11_25 => &V2025_11_25,
            Self::V2026_07_28 => &V2026_07_28,
        }
    }

    /// Returns the index in [`Revision::ALL`], for tables with a row for each revision.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the revision to negotiate for an `initialize` request: the requested one if it is known and has a
    /// handshake, else [`Revision::LATEST_HANDSHAKE`] (all `basic/lifecycle`, "Version Negotiation").
    pub(crate) fn negotiate(asked: &str) -> Self {
        match asked.parse::<Self>() {
            Ok(known) if known.has_handshake() => known,
            Ok(_) | Err(UnknownRevision) => Self::LATEST_HANDSHAKE,
        }
    }

    /// Returns whether a connection starts with `initialize`.
    #[must_use]
    pub const fn has_handshake(self) -> bool {
        self.features().handshake
    }

    /// Returns the names of all revisions, newest first, as a server lists them.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::ALL.iter().rev().map(|it| it.name()).collect()
    }

    /// Returns the revisions without a handshake, which requests name in `_meta`.
    pub fn all_without_handshake() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|it| !it.has_handshake())
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(name: &str) -> Result<Self, UnknownRevision> {
        let mut all = Self::ALL.iter().copied();
        all.find(|it| it.name() == name).ok_or(UnknownRevision)
    }
}

/// A string is not the name of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a protocol revision, expected one of {}", Revision::names().join(", "))]
#[non_exhaustive]
pub struct UnknownRevision;

const V2024_11_05: Features = Features {
    name: "2024-11-05",
    handshake: true,
    batches: false,
    tool_annotations: false,
    audio: false,
    titles: false,
    resource_links: false,
    meta: false,
    last_modified: false,
    elicitation: false,
    url_elicitation: false,
    elicitation_ids: false,
    sampling_tool_results: false,
    icons: false,
    structured_content: StructuredContentForm::Absent,
    result_type: false,
    cache_hints: false,
    errors_without_id: false,
    progress_message: false,
    completions_capability: false,
    resource_not_found: error::RESOURCE_NOT_FOUND,
    stream_polling: false,
    tasks: TaskForm::Absent,
};

const V2025_03_26: Features = Features {
    name: "2025-03-26",
    batches: true,
    tool_annotations: true,
    audio: true,
    progress_message: true,
    completions_capability: true,
    ..V2024_11_05
};

const V2025_06_18: Features = Features {
    name: "2025-06-18",
    batches: false,
    titles: true,
    resource_links: true,
    meta: true,
    last_modified: true,
    elicitation: true,
    structured_content: StructuredContentForm::Object,
    ..V2025_03_26
};

const V2025_11_25: Features = Features {
    name: "2025-11-25",
    icons: true,
    url_elicitation: true,
    elicitation_ids: true,
    sampling_tool_results: true,
    errors_without_id: true,
    stream_polling: true,
    tasks: TaskForm::Core,
    ..V2025_06_18
};

const V2026_07_28: Features = Features {
    name: "2026-07-28",
    handshake: false,
    elicitation_ids: false,
    structured_content: StructuredContentForm::AnyValue,
    result_type: true,
    cache_hints: true,
    resource_not_found: error::INVALID_PARAMS,
    stream_polling: false,
    tasks: TaskForm::Extension,
    ..V2025_11_25
};
