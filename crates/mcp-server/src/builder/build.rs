//! Validation of a server's declarations, and its construction.

use std::sync::Arc;

use crate::{
    builder::{BuildError, ListKinds, ServerBuilder, build_error},
    context::{SigningKey, sign::Signer},
    dispatch::{Server, list_cache::ListCache},
    limits::Admission,
    provide::{PromptSet, ResourceSet, Sets, ToolSet},
    session::notifications::NotificationKinds,
    skills,
    tasks::Tasks,
};
use mcp_protocol::Method;

impl ServerBuilder {
    /// Validates the declarations and builds the server.
    ///
    /// # Errors
    /// Returns an error for the first tool, prompt, resource or method that clients would reject or could not reach.
    ///
    /// ```
    /// use mcp_protocol::{ServerInfo, ToolAnnotations};
    /// use mcp_server::{Server, ToolRouter};
    ///
    /// async fn now() -> &'static str {
    ///     "12:00"
    /// }
    ///
    /// let tools = ToolRouter::new().tool("what time?", "The time.", ToolAnnotations::LOOKUP, now);
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0")).tools(tools);
    /// assert!(server.build().is_err(), "clients refuse such a name");
    /// ```
    pub fn build(mut self) -> Result<Server, BuildError> {
        self.check()?;
        std::mem::take(&mut self.layers).around(&mut self.sets);
        self.declaration.notification_kinds = self.notification_kinds();
        self.declaration.tasks = self.tasks.is_some();
        let may_change = self.list_kinds != ListKinds::NONE;
        let notifier = self.changes.as_ref().filter(|_| may_change);
        Ok(Server {
            lists: ListCache::new(notifier),
            tasks: self.tasks.map(|store| {
                let clock = Arc::clone(&self.clock);
                let notifier = self.changes.clone().unwrap_or_default();
                Arc::new(Tasks::new(store, clock, self.limits, notifier))
            }),
            signer: Signer::new(self.signing_key.or_else(SigningKey::random), self.clock),
            admission: Admission::new(&self.limits),
            declaration: self.declaration,
            sets: self.sets,
            methods: self.methods.into_iter().collect(),
            scope: self.scope,
            changes: self.changes,
            asks_clients: self.asks_clients,
            legacy_names: self.legacy_names,
            memory: self.memory,
            observers: self.observers,
        })
    }

    fn check(&self) -> Result<(), BuildError> {
        if self.has_other_notifier {
            return Err(BuildError::SeveralNotifiers);
        }
        let Sets {
            tools,
            resources,
            prompts,
            ..
        } = &self.sets;
        tools.as_deref().map_or(Ok(()), ToolSet::check)?;
        resources.as_deref().map_or(Ok(()), ResourceSet::check)?;
        prompts.as_deref().map_or(Ok(()), PromptSet::check)?;
        build_error::check_views(&self.sets.views)?;
        skills::check(&self.sets.skills)?;
        let names = self.methods.iter().map(|(name, _)| name.as_str());
        let names = Method::ALL
            .iter()
            .map(|method| method.as_str())
            .chain(names);
        build_error::unique(names, BuildError::Method)
    }

    fn notification_kinds(&self) -> NotificationKinds {
        if self.changes.is_none() {
            return NotificationKinds::default();
        }
        let Sets {
            tools,
            resources,
            prompts,
            ..
        } = &self.sets;
        NotificationKinds {
            tools: self.list_kinds.contains(ListKinds::TOOLS) && tools.is_some(),
            prompts: self.list_kinds.contains(ListKinds::PROMPTS) && prompts.is_some(),
            resources: self.list_kinds.contains(ListKinds::RESOURCES) && resources.is_some(),
            updates: resources
                .as_ref()
                .is_some_and(|it| it.supports_subscriptions()),
        }
    }
}
