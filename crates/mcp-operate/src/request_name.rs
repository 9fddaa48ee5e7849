//! The kind of name in a request, for metrics and traces.

use mcp_protocol::Method;

/// The kind of the name that an observer gets with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameKind {
    Tool,
    Prompt,
}

/// Returns the kind of the name in requests of a method; `None` if they have no name, or the protocol does not have the method.
pub(crate) fn name_kind(method: &str) -> Option<NameKind> {
    match Method::parse(method)? {
        Method::ToolsCall | Method::LegacyToolsCall => Some(NameKind::Tool),
        Method::PromptsGet => Some(NameKind::Prompt),
        Method::Initialize
        | Method::Discover
        | Method::Ping
        | Method::ToolsList
        | Method::PromptsList
        | Method::ResourcesList
        | Method::ResourcesTemplatesList
        | Method::ResourcesRead
        | Method::ResourcesDirectoryRead
        | Method::ResourcesSubscribe
        | Method::ResourcesUnsubscribe
        | Method::CompletionComplete
        | Method::LoggingSetLevel
        | Method::SubscriptionsListen
        | Method::SkillsList
        | Method::SkillsGet
        | Method::TasksGet
        | Method::TasksUpdate
        | Method::TasksCancel
        | Method::TasksResult
        | Method::TasksList
        | Method::LegacyInitialized
        | Method::LegacyToolsList => None,
    }
}
