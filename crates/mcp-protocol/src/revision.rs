//! The protocol revisions, and every way in which they differ for a server.

use std::{fmt, str::FromStr};

use crate::error;

/// A published revision of the protocol, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// The first: tools, resources, prompts.
    V2024_11_05,
    /// Streamable HTTP, batches, tool annotations, audio.
    V2025_03_26,
    /// Structured content, titles, resource links.
    V2025_06_18,
    /// Icons, bad arguments as tool results.
    V2025_11_25,
    /// No handshake: every request names its revision.
    V2026_07_28,
}

/// What one revision asks of a server: one row for each, written as "the one before, except".
///
/// Source: the changelog page and `schema.ts` of each revision.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Features {
    /// The name on the wire.
    pub name: &'static str,
    /// Client and server agree on a revision by `initialize`, its answer, then `notifications/initialized`; else every request names its
    /// own in `_meta`.
    pub handshake: bool,
    /// Arrays of messages are accepted.
    pub batches: bool,
    /// Tools carry `annotations`.
    pub tool_annotations: bool,
    /// Audio blocks exist.
    pub audio: bool,
    /// Tools, resources, templates, prompts, their arguments and `serverInfo` carry `title`.
    pub titles: bool,
    /// Blocks of type `resource_link` exist.
    pub resource_links: bool,
    /// Tools, resources, templates, prompts, blocks and resource contents carry `_meta`; results always did.
    pub meta: bool,
    /// Annotations carry `lastModified`.
    pub(crate) last_modified: bool,
    /// Servers may ask the user of their client (`client/elicitation`).
    pub elicitation: bool,
    /// Servers may have that user open a URL.
    pub url_elicitation: bool,
    /// Such a URL has an id: the error that requires it, and the notification that the user is done, exist.
    pub elicitation_ids: bool,
    /// Sampling messages carry `tool_result` blocks.
    pub sampling_tool_results: bool,
    /// Tools, resources, templates, prompts and resource links carry `icons`; `serverInfo` carries them,
    /// `description` and `websiteUrl`.
    pub(crate) icons: bool,
    /// The values that `structuredContent` may have; tools carry `outputSchema` where it exists.
    pub structured_content: StructuredContentForm,
    /// Results carry `resultType` and `_meta` with the server's identity.
    pub result_type: bool,
    /// Lists and `server/discover` carry `ttlMs` and `cacheScope`.
    pub cache_hints: bool,
    /// An error for unreadable input may leave out the id.
    pub errors_without_id: bool,
    /// `notifications/progress` carries `message`.
    pub progress_message: bool,
    /// The capability `completions` exists; before it, completion was offered without one.
    pub completions_capability: bool,
    /// The error code for an unknown resource (`server/resources`, "Error Handling").
    pub resource_not_found: i64,
    /// The server may close an event stream that a client then resumes by polling.
    pub stream_polling: bool,
    /// How calls can become tasks.
    pub tasks: TaskForm,
}

/// How calls can become tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskForm {
    /// Not at all.
    Absent,
    /// The client asks for a task with its call, and later for the result: `tasks/get`, `result`, `list`, `cancel`.
    Core,
    /// The server makes a task of the call of a client that declares the extension: `tasks/get`, `update`, `cancel`.
    Extension,
}

/// The values that `structuredContent` may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StructuredContentForm {
    /// The member does not exist.
    Absent,
    /// An object; anything else is wrapped as `{"result": …}`.
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

    /// The answer to an `initialize` that asks for an unknown revision: the newest with a handshake.
    pub const LATEST_HANDSHAKE: Self = Self::V2025_11_25;

    /// The newest that has extensions: what is written in its form can be read again.
    pub(crate) const EXTENDED: Self = Self::V2026_07_28;

    /// The revision of an HTTP request without `MCP-Protocol-Version`
    /// (2025-06-18 `basic/transports`, "Protocol Version Header").
    pub const WITHOUT_HEADER: Self = Self::V2025_03_26;

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.features().name
    }

    /// What this revision asks of a server.
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

    /// The index in [`Revision::ALL`], for tables with a row for each revision.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The revision that answers an `initialize` asking for `asked`: that one if it is known and has a
    /// handshake, else [`Revision::LATEST_HANDSHAKE`] (all `basic/lifecycle`, "Version Negotiation").
    pub(crate) fn negotiate(asked: &str) -> Self {
        match asked.parse::<Self>() {
            Ok(known) if known.has_handshake() => known,
            Ok(_) | Err(UnknownRevision) => Self::LATEST_HANDSHAKE,
        }
    }

    /// Whether a conversation begins with `initialize`.
    #[must_use]
    pub const fn has_handshake(self) -> bool {
        self.features().handshake
    }

    /// The names of all revisions, newest first: what a server supports.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::ALL.iter().rev().map(|it| it.name()).collect()
    }

    /// The revisions without a handshake, which a request names in its `_meta`.
    pub fn per_request() -> impl Iterator<Item = Self> {
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

/// A text is not the name of a revision.
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
