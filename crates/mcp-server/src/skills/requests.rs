//! The requests of the extension Skills.

use mcp_protocol::{ErrorObject, Object, Revision, render};

use crate::{
    dispatch::{
        Reply, Server,
        params::{unknown_cursor, uri},
    },
    skills::{CACHE, directory},
};

impl Server {
    /// Answers `skills/list`, `skills/get` or `resources/directory/read`, each in one page.
    pub(crate) fn skills(
        &self,
        method: &str,
        revision: Revision,
        params: Option<Object>,
    ) -> Result<Reply, ErrorObject> {
        let (all, rules) = (&self.sets.skills, revision.rules());
        let mut params = params.unwrap_or_default();
        if params.get("cursor").is_some_and(|it| !it.is_null()) {
            return Err(unknown_cursor());
        }
        let mut result = Object::new();
        if method == "skills/list" {
            let entries = all.iter().map(|it| it.entry(all));
            result.insert("skills".to_owned(), entries.collect());
            render::cache_hint(&mut result, CACHE, rules);
            return self.finish(result, rules);
        }
        let uri = uri(&mut params)?;
        if method == "skills/get" {
            let found = all.iter().find(|it| it.uri() == uri);
            let found = found.ok_or_else(|| {
                let what = "no skill is served at this uri, skills/list names them all";
                ErrorObject::invalid_params(what)
            })?;
            result.insert("skill".to_owned(), found.entry(all));
            render::cache_hint(&mut result, CACHE, rules);
        } else {
            let found = directory(all, &uri).ok_or_else(|| {
                let what = "no directory is served at this uri; those of skills have no slash at their end";
                ErrorObject::invalid_params(what)
            })?;
            let children = found.iter().map(|it| render::resource(it, rules));
            result.insert("resources".to_owned(), children.collect());
        }
        self.finish(result, rules)
    }
}
