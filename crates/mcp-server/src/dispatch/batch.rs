//! Batches of messages, which only 2025-03-26 accepts.

use bytes::Bytes;
use futures_util::future::join_all;
use mcp_protocol::{
    ErrorObject, Method, Request, Revision,
    error::{INSUFFICIENT_SCOPE, INVALID_REQUEST},
    jsonrpc::{InvalidMessage, Message},
    transport,
};

use crate::{
    context::RequestContext,
    dispatch::{Response, ResponsePayload, Server},
    limits::out_of_memory,
};

impl Server {
    /// Handles a batch. Returns the responses as one JSON array, or `None` if the batch contains no requests.
    ///
    /// The requests run concurrently. The responses are in the order of the requests.
    ///
    /// # Errors
    /// Returns -32600 for the entire batch if the revision has no batches, or if the batch has more messages than
    /// [`crate::ServerLimits::batch`].
    pub async fn handle_batch(
        &self,
        revision: Revision,
        items: Vec<Result<Message, InvalidMessage>>,
        cx: &RequestContext,
    ) -> Result<Option<Bytes>, ErrorObject> {
        if !revision.features().batches {
            let what = format!(
                "protocol version {} does not support batches",
                revision.name()
            );
            return Err(ErrorObject::invalid_request(what));
        }
        let most = self.limits().batch;
        if items.len() > most {
            let what = format!("at most {most} messages in a batch");
            return Err(ErrorObject::invalid_request(what));
        }
        let answers = items.into_iter().filter_map(|item| match item {
            Ok(Message::Request(request)) => Some(Ok(request)),
            Ok(Message::Notification(_) | Message::Response(_)) => None,
            Err(invalid) => Some(Err(invalid)),
        });
        let answers = answers.map(|item| async move {
            match item {
                Ok(request) => self.handle_in_batch(revision, request, cx).await,
                Err(invalid) => Response::error(invalid.id, invalid.error),
            }
        });
        let responses = join_all(answers).await;
        if responses.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.batch_within_limit(responses)))
    }

    /// Counts the bytes of a large batch until they have been written, like the bytes of a result.
    fn batch_within_limit(&self, responses: Vec<Response>) -> Bytes {
        let ids: Vec<_> = responses.iter().map(|it| it.id.clone()).collect();
        let bytes = Response::batch(responses);
        let mut held = self.memory.empty_reservation();
        if held.try_grow_to(bytes.len()) {
            held.attach_to(bytes)
        } else {
            let errors = ids.into_iter();
            Response::batch(errors.map(|id| Response::error(id, out_of_memory())))
        }
    }

    async fn handle_in_batch(
        &self,
        revision: Revision,
        request: Request,
        cx: &RequestContext,
    ) -> Response {
        let refuse = |id, what: &str| Response::error(Some(id), ErrorObject::invalid_request(what));
        // Where messages name their revision there are no batches.
        if transport::has_revision_in_meta(request.params.as_ref()) {
            let what = "a message that names its protocol version must not be part of a batch";
            return refuse(request.id, what);
        }
        // 2025-03-26 `basic/lifecycle`, "Initialization".
        if request.method == Method::Initialize.as_str() {
            return refuse(request.id, "initialize must not be part of a batch");
        }
        let mut response = self.handle(revision, request, cx).await;
        // A batch has one status for all of its responses, so that 403 cannot be said as such.
        if let ResponsePayload::Error(error) = &mut response.reply
            && error.code == INSUFFICIENT_SCOPE
        {
            error.code = INVALID_REQUEST;
        }
        response
    }
}
