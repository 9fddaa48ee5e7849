//! The requests for a server's capabilities and lists: `initialize`, `server/discover`, and the list methods.

use mcp_protocol::{ErrorObject, Method, Object, Revision, TaskForm, ui::ViewSupport};

use crate::{
    context::{ListVariant, RequestContext},
    dispatch::{
        ResponsePayload, Server,
        declaration::Instructions,
        lists::{List, ListSource},
    },
};

impl Server {
    /// Returns the serialized result, which is cached for each revision, and for each list variant with its own
    /// instructions.
    pub(crate) fn initialize_result(
        &self,
        revision: Revision,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let declaration = &self.declaration;
        let scope = match declaration.instructions {
            Instructions::PerScope(_) => cx.list_variant(),
            Instructions::None | Instructions::ForEveryone(_) => ListVariant::EVERYONE,
        };
        let make =
            |lists_tasks| declaration.initialize_result(&self.sets, revision, scope, lists_tasks);
        // "Receivers that cannot identify requestors SHOULD NOT declare the tasks.list capability" (2025-11-25 `basic/utilities/tasks`).
        let admit = || match scope.is_shared() {
            true => Ok(None),
            false => self.admit_scoped(cx),
        };
        if declaration.tasks
            && revision.features().tasks == TaskForm::Core
            && cx.subject().is_some()
        {
            let _permit = admit()?;
            return Ok(ResponsePayload::Result(make(true)));
        }
        let result = self.lists.with(scope, |lists| {
            let result = lists.initialize_results.get(revision.index());
            let result = result.ok_or_else(ErrorObject::opaque_internal)?;
            let _permit = match result.get() {
                Some(_) => None,
                None => admit()?,
            };
            Ok(result.get_or_init(|| make(false)).clone())
        });
        result.map(ResponsePayload::Result)
    }

    pub(crate) fn list(
        &self,
        list: List,
        method: Method,
        revision: Revision,
        params: Option<&Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let meta = params.and_then(|it| it.get("_meta")?.as_object());
        let support = cx.view_support(revision, meta);
        let source = ListSource {
            sets: &self.sets,
            server_info: self.server_info(),
            signer: &self.signer,
            pieces: &self.lists.pieces,
            is_live: self.lists.is_live(),
            without_views: list == List::Tools && support == ViewSupport::Unsupported,
            has_tasks: self.tasks.is_some(),
            is_brief: self.declaration.brief_output_schemas,
        };
        let page = self.lists.with(cx.list_variant(), |lists| {
            let _permit = match lists.has(list, revision, source.without_views) {
                true => None,
                false => self.admit_scoped(cx)?,
            };
            let page = lists.page(list, revision, params, &source);
            page.unwrap_or_else(|| Err(ErrorObject::method_not_found(method.as_str())))
        });
        page.map(ResponsePayload::Result)
    }
}
