//! The request methods of clients.

/// Declares [`Method`] by rows. A row has a variant, the wire name, and the params field that names the target.
macro_rules! methods {
    ($($(#[$doc:meta])* $Variant:ident = $name:literal $(of $field:literal)?;)+) => {
        /// A request method of the protocol.
        ///
        /// ```
        /// use mcp_protocol::Method;
        ///
        /// assert_eq!(Method::parse("resources/read"), Some(Method::ResourcesRead));
        /// assert_eq!(Method::ResourcesRead.as_str(), "resources/read");
        /// assert_eq!(Method::ResourcesRead.target_field(), Some("uri"));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(
            clippy::exhaustive_enums,
            reason = "code that distinguishes methods must not compile until it handles a new one"
        )]
        pub enum Method {
            $($(#[$doc])* #[doc = concat!("`", $name, "`")] #[doc(alias = $name)] $Variant,)+
        }

        impl Method {
            /// All methods.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),+];

            /// Returns the method with exactly this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$Variant),)+
                    _ => None,
                }
            }

            /// Returns the wire name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }

            /// Returns the params field that names the tool, prompt, resource, skill or task of a request.
            #[must_use]
            pub const fn target_field(self) -> Option<&'static str> {
                match self {
                    $(Self::$Variant => methods!(@field $($field)?),)+
                }
            }
        }
    };
    (@field) => { None };
    (@field $field:literal) => { Some($field) };
}

methods! {
    Initialize = "initialize";
    Discover = "server/discover";
    Ping = "ping";
    ToolsList = "tools/list";
    ToolsCall = "tools/call" of "name";
    PromptsList = "prompts/list";
    PromptsGet = "prompts/get" of "name";
    ResourcesList = "resources/list";
    ResourcesTemplatesList = "resources/templates/list";
    ResourcesRead = "resources/read" of "uri";
    ResourcesDirectoryRead = "resources/directory/read" of "uri";
    ResourcesSubscribe = "resources/subscribe" of "uri";
    ResourcesUnsubscribe = "resources/unsubscribe" of "uri";
    CompletionComplete = "completion/complete";
    LoggingSetLevel = "logging/setLevel";
    SubscriptionsListen = "subscriptions/listen";
    SkillsList = "skills/list";
    SkillsGet = "skills/get" of "uri";
    TasksGet = "tasks/get" of "taskId";
    TasksUpdate = "tasks/update" of "taskId";
    TasksCancel = "tasks/cancel" of "taskId";
    TasksResult = "tasks/result" of "taskId";
    TasksList = "tasks/list";
    /// An older name of `notifications/initialized`, sent as a request.
    LegacyInitialized = "initialized";
    /// An older name of `tools/list`.
    LegacyToolsList = "list_tools";
    /// An older name of `tools/call`, with the params `tool` and `params`.
    LegacyToolsCall = "call_tool" of "tool";
}

#[cfg(test)]
mod tests {
    use super::Method;

    #[test]
    fn parse_of_each_name_returns_its_method() {
        for method in Method::ALL {
            assert_eq!(Method::parse(method.as_str()), Some(*method), "{method:?}");
        }
        for unknown in [
            "",
            "Ping",
            "tools",
            "tools/call ",
            "notifications/initialized",
        ] {
            assert_eq!(Method::parse(unknown), None, "{unknown:?}");
        }
    }
}
