//! Reads of resources, views and skill files.

use mcp_protocol::{
    ErrorObject, Method, Object, Revision,
    error::{INTERNAL_ERROR, INVALID_PARAMS},
    render,
};

use crate::{
    context::RequestContext,
    dispatch::{ResponsePayload, Server, params::uri},
    provide::ReadResourceError,
    skills,
};

impl Server {
    pub(crate) async fn resources_read(
        &self,
        revision: Revision,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let mut params = params.unwrap_or_default();
        let uri = uri(&mut params)?;
        let rules = revision.features();
        let target = [Method::ResourcesRead.as_str(), uri.as_str()];
        let none = Object::new();
        let (cx, binding) = self.call_context(revision, target, &none, &mut params, cx)?;
        if let Some(view) = self.sets.views.iter().find(|it| it.serves_uri(&uri)) {
            return self.finish(render::read_resource_result(view.read(&uri), rules), rules);
        }
        if let Some(result) = skills::read(&self.sets.skills, &uri) {
            return self.finish(render::read_resource_result(result, rules), rules);
        }
        let Some(set) = &self.sets.resources else {
            return Err(ErrorObject::resource_not_found(&uri, rules));
        };
        let ended = self.run(&cx, set.read(&uri, &cx)).await;
        if let Some(input_required) = self.input_required(&cx, binding.as_ref(), rules)? {
            return Ok(input_required);
        }
        match ended? {
            Ok(result) if !result.contents.is_empty() => {
                self.finish(render::read_resource_result(result, rules), rules)
            }
            Ok(_) | Err(ReadResourceError::NotFound) => {
                Err(ErrorObject::resource_not_found(&uri, rules))
            }
            Err(ReadResourceError::Invalid(why)) => Err(ErrorObject::new(INVALID_PARAMS, why)),
            Err(ReadResourceError::Failed(why)) => Err(ErrorObject::new(INTERNAL_ERROR, why)),
        }
    }
}
