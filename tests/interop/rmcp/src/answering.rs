//! The client's side: a user who fills in forms, a model that says one thing, and what is heard.
#![expect(deprecated, reason = "sampling and logging belong to the handshake")]

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
        ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability,
        Implementation, LoggingMessageNotificationParam, ProgressNotificationParam,
        ProtocolVersion, ResourceUpdatedNotificationParam, SamplingCapability, SamplingMessage,
    },
    service::{NotificationContext, RequestContext},
};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use crate::script::Script;

/// A notification.
#[derive(Debug)]
pub(crate) enum Heard {
    Progress(f64),
    Log(Value),
    Updated(String),
    ToolsChanged,
}

/// What the service asks and tells.
#[derive(Debug)]
pub(crate) struct Answering {
    config: ClientConfig,
    answers: Map<String, Value>,
    hear: mpsc::Sender<Heard>,
}

impl Answering {
    pub(crate) fn new(script: &Script, hear: mpsc::Sender<Heard>) -> Self {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        capabilities.sampling = Some(SamplingCapability::default());
        let info = Implementation::new("qortal-mcp-interop", "1.0.0");
        let config = ClientConfig::new(capabilities, info);
        Self {
            config: match script.era.as_str() {
                "legacy" => config.with_protocol_version(ProtocolVersion::V_2025_11_25),
                _ => config,
            },
            answers: script.answers.clone(),
            hear,
        }
    }

    async fn hear(&self, heard: Heard) {
        // The receiver is dropped once the script is over.
        let _over = self.hear.send(heard).await;
    }
}

impl ClientHandler for Answering {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams {
            requested_schema, ..
        } = request
        else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let fields = requested_schema.properties.keys();
        let content = fields.map(|field| (field.clone(), self.answers.get(field).cloned()));
        let content = json!(content.collect::<std::collections::BTreeMap<_, _>>());
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let said = self.answers.get("model").and_then(Value::as_str);
        let message = SamplingMessage::assistant_text(said.unwrap_or_default());
        Ok(CreateMessageResult::new(message, "none".to_owned()).with_stop_reason("endTurn"))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.hear(Heard::Progress(params.progress)).await;
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.hear(Heard::Log(params.data)).await;
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.hear(Heard::Updated(params.uri)).await;
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.hear(Heard::ToolsChanged).await;
    }
}
