//! How each step is done.
#![expect(deprecated, reason = "subscribing and logging belong to the handshake")]

use std::{borrow::Cow, time::Duration};

use rmcp::{
    RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, GetPromptRequestParams, LoggingLevel,
        ProtocolVersion, ReadResourceRequestParams, ServerNotification, SetLevelRequestParams,
        SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::RunningService,
};
use serde_json::{Map, Value, json};
use tokio::{sync::mpsc, time::timeout};

use crate::{
    Failure,
    answering::{Answering, Heard},
    script::Step,
};

/// For one step.
const DEADLINE: Duration = Duration::from_secs(20);

/// A connection, and what is heard of it.
#[derive(Debug)]
pub(crate) struct Steps {
    service: RunningService<RoleClient, Answering>,
    heard: mpsc::Receiver<Heard>,
    is_modern: bool,
}

impl Steps {
    pub(crate) fn new(
        service: RunningService<RoleClient, Answering>,
        heard: mpsc::Receiver<Heard>,
    ) -> Self {
        let agreed = service
            .peer_info()
            .map(|peer| peer.protocol_version.clone());
        Self {
            service,
            heard,
            is_modern: agreed == Some(ProtocolVersion::V_2026_07_28),
        }
    }

    pub(crate) async fn play(&mut self, step: &Step) -> Result<Value, Failure> {
        timeout(DEADLINE, self.act(step)).await?
    }

    pub(crate) async fn close(self) -> Result<Value, Failure> {
        let reason = timeout(DEADLINE, self.service.cancel()).await??;
        Ok(json!(format!("{reason:?}")))
    }

    async fn act(&mut self, step: &Step) -> Result<Value, Failure> {
        match step {
            Step::Tools => self.tools().await,
            Step::Call { tool, arguments } => Ok(json!(self.call(tool, arguments).await?)),
            Step::Resources { most } => self.resources(most.unwrap_or(usize::MAX)).await,
            Step::Prompt { name, arguments } => self.prompt(name, arguments).await,
            Step::Complete {
                prompt,
                argument,
                value,
            } => {
                let values = self
                    .service
                    .complete_prompt_simple(prompt, argument, value)
                    .await?;
                Ok(json!(values))
            }
            Step::Progress { tool } => self.progress(tool).await,
            Step::Log { tool, count } => self.log(tool, *count).await,
            Step::Subscribe { uri, tool } if self.is_modern => {
                let filter = SubscriptionFilter::builder().resource_subscriptions([uri]);
                match self.listen(filter.build(), tool).await? {
                    ServerNotification::ResourceUpdatedNotification(it) => Ok(json!(it.params.uri)),
                    other => Err(format!("{other:?}").into()),
                }
            }
            Step::Subscribe { uri, tool } => self.subscribe(uri, tool).await,
            Step::Changes { tool } => {
                if self.is_modern {
                    let filter = SubscriptionFilter::builder().tools_list_changed();
                    self.listen(filter.build(), tool).await?;
                } else {
                    self.call(tool, &Map::new()).await?;
                    self.hear(|heard| matches!(heard, Heard::ToolsChanged).then_some(()))
                        .await?;
                }
                self.tools().await
            }
        }
    }

    async fn tools(&self) -> Result<Value, Failure> {
        let tools = self.service.list_all_tools().await?;
        Ok(tools.into_iter().map(|it| it.name.into_owned()).collect())
    }

    async fn call(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Result<CallToolResult, Failure> {
        let params = CallToolRequestParams::new(Cow::Owned(tool.to_owned()));
        let params = params.with_arguments(arguments.clone());
        Ok(self.service.call_tool(params).await?)
    }

    async fn resources(&self, most: usize) -> Result<Value, Failure> {
        let mut read = Vec::new();
        let listed = self.service.list_all_resources().await?;
        for resource in listed.into_iter().take(most) {
            let params = ReadResourceRequestParams::new(resource.uri.clone());
            let answer = self.service.read_resource(params).await?;
            read.push(json!({"uri": resource.uri, "contents": answer.contents}));
        }
        Ok(read.into())
    }

    async fn prompt(&self, name: &str, arguments: &Map<String, Value>) -> Result<Value, Failure> {
        let listed = self.service.list_all_prompts().await?;
        let listed: Vec<_> = listed.into_iter().map(|it| it.name).collect();
        let params = GetPromptRequestParams::new(name).with_arguments(arguments.clone());
        let answer = self.service.get_prompt(params).await?;
        Ok(json!({"listed": listed, "messages": answer.messages}))
    }

    async fn progress(&mut self, tool: &str) -> Result<Value, Failure> {
        self.call(tool, &Map::new()).await?;
        let mut seen = Vec::new();
        while let Ok(heard) = self.heard.try_recv() {
            if let Heard::Progress(progress) = heard {
                seen.push(progress);
            }
        }
        Ok(json!(seen))
    }

    async fn log(&mut self, tool: &str, count: usize) -> Result<Value, Failure> {
        let params = SetLevelRequestParams::new(LoggingLevel::Info);
        self.service.set_level(params).await?;
        self.call(tool, &Map::new()).await?;
        let mut said = Vec::new();
        while said.len() < count {
            let wanted = |heard| match heard {
                Heard::Log(data) => Some(data),
                Heard::Progress(_) | Heard::Updated(_) | Heard::ToolsChanged => None,
            };
            said.push(self.hear(wanted).await?);
        }
        Ok(said.into())
    }

    async fn subscribe(&mut self, uri: &str, tool: &str) -> Result<Value, Failure> {
        self.service
            .subscribe(SubscribeRequestParams::new(uri))
            .await?;
        self.call(tool, &Map::new()).await?;
        let wanted = |heard| match heard {
            Heard::Updated(uri) => Some(uri),
            Heard::Progress(_) | Heard::Log(_) | Heard::ToolsChanged => None,
        };
        let updated = self.hear(wanted).await?;
        self.service
            .unsubscribe(UnsubscribeRequestParams::new(uri))
            .await?;
        Ok(updated.into())
    }

    /// The first notification of what is listened to while the tool is called.
    async fn listen(
        &self,
        filter: SubscriptionFilter,
        tool: &str,
    ) -> Result<ServerNotification, Failure> {
        let mut subscription = self.service.listen(filter).await?;
        self.call(tool, &Map::new()).await?;
        let first = subscription.next().await?.ok_or("the subscription has ended")?;
        subscription.cancel().await?;
        Ok(first)
    }

    /// The next notification that is wanted.
    async fn hear<T>(&mut self, wanted: impl Fn(Heard) -> Option<T>) -> Result<T, Failure> {
        loop {
            let heard = self.heard.recv().await.ok_or("the connection is closed")?;
            if let Some(wanted) = wanted(heard) {
                return Ok(wanted);
            }
        }
    }
}
