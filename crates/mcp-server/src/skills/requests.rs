//! The requests of the Skills extension. Each result has one page.

use mcp_protocol::{ErrorObject, Object, Revision, render};

use crate::{
    dispatch::{
        ResponsePayload, Server,
        params::{unknown_cursor, uri},
    },
    skills::{CACHE, directory},
};

impl Server {
    /// Handles `skills/list`.
    pub(crate) fn skills_list(
        &self,
        revision: Revision,
        params: Option<&Object>,
    ) -> Result<ResponsePayload, ErrorObject> {
        require_first_page(params)?;
        let (all, rules) = (&self.sets.skills, revision.features());
        let entries = all.iter().map(|skill| skill.entry(all));
        let mut result = Object::from_iter([("skills".to_owned(), entries.collect())]);
        render::cache_hint(&mut result, CACHE, rules);
        self.finish(result, rules)
    }

    /// Handles `skills/get`.
    pub(crate) fn skills_get(
        &self,
        revision: Revision,
        params: Option<Object>,
    ) -> Result<ResponsePayload, ErrorObject> {
        require_first_page(params.as_ref())?;
        let (all, rules) = (&self.sets.skills, revision.features());
        let uri = uri(&mut params.unwrap_or_default())?;
        let found = all.iter().find(|skill| skill.uri() == uri);
        let found = found.ok_or_else(|| {
            let what = "no skill is served at this uri, skills/list names them all";
            ErrorObject::invalid_params(what)
        })?;
        let mut result = Object::from_iter([("skill".to_owned(), found.entry(all))]);
        render::cache_hint(&mut result, CACHE, rules);
        self.finish(result, rules)
    }

    /// Handles `resources/directory/read`.
    pub(crate) fn directory_read(
        &self,
        revision: Revision,
        params: Option<Object>,
    ) -> Result<ResponsePayload, ErrorObject> {
        require_first_page(params.as_ref())?;
        let rules = revision.features();
        let uri = uri(&mut params.unwrap_or_default())?;
        let found = directory(&self.sets.skills, &uri).ok_or_else(|| {
            let what =
                "no directory is served at this uri, and skill directories have no slash at the end";
            ErrorObject::invalid_params(what)
        })?;
        let children = found.iter().map(|child| render::resource(child, rules));
        let result = Object::from_iter([("resources".to_owned(), children.collect())]);
        self.finish(result, rules)
    }
}

/// Returns an error if a request names a page, because there is only one.
fn require_first_page(params: Option<&Object>) -> Result<(), ErrorObject> {
    match params.and_then(|params| params.get("cursor")) {
        Some(cursor) if !cursor.is_null() => Err(unknown_cursor()),
        Some(_) | None => Ok(()),
    }
}
