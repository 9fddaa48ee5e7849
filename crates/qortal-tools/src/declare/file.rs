//! Resources with the facts of an answer in another form, such as CSV.

use serde_json::Value;
use tool_schema::Object;

use crate::{
    declare::{output::DETAIL, table::FORMAT},
    uri,
};

/// Parameters that select the rows and the format of an answer, but not its subject.
const PAGING: [&str; 6] = ["limit", "offset", "start_after", "order", DETAIL, FORMAT];

/// A link to a resource with the same facts in another form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceLink {
    /// The URI of the resource.
    pub uri: String,
    /// The media type of its contents.
    pub mime_type: String,
    /// The URI template of the resource.
    pub template: &'static str,
}

/// A resource with the facts of a call in another form. The variables of its URI are parameters of the tool.
#[derive(Debug)]
#[non_exhaustive]
pub struct File {
    /// The URI template.
    pub template: &'static str,
    /// The media type of the contents.
    pub mime_type: &'static str,
    /// A parameter and the only value that it may have in the call.
    only: Option<(&'static str, &'static str)>,
}

impl File {
    /// Declares the table of a tool as CSV.
    pub(crate) const fn csv(template: &'static str) -> Self {
        Self::of(template, "text/csv")
    }

    /// Declares a file of a media type.
    pub(crate) const fn of(template: &'static str, mime_type: &'static str) -> Self {
        Self {
            template,
            mime_type,
            only: None,
        }
    }

    /// Restricts the file to calls with this value of a parameter.
    #[cfg(feature = "charts")]
    pub(crate) const fn only(self, parameter: &'static str, value: &'static str) -> Self {
        Self {
            only: Some((parameter, value)),
            ..self
        }
    }

    /// Returns a link to the file with the facts of a call, or `None` if the arguments do not determine it.
    pub(super) fn link(&self, call: &Object) -> Option<ResourceLink> {
        let is_variable = |name: &str| uri::variables(self.template).any(|it| it == name);
        let is_same = |(name, value): (&String, &Value)| match self.only {
            Some((parameter, only)) if parameter == name => value == only,
            _ => PAGING.contains(&name.as_str()) || is_variable(name),
        };
        let value = |variable: &str| call.get(variable)?.as_str();
        let has_values = uri::variables(self.template).all(|it| value(it).is_some());
        (call.iter().all(is_same) && has_values).then(|| ResourceLink {
            uri: uri::expand(self.template, value),
            mime_type: self.mime_type.to_owned(),
            template: self.template,
        })
    }
}
