//! A set of resources built from handlers.

use std::{fmt, fmt::Display, future::ready, sync::Arc};

use base64::{Engine, engine::general_purpose::STANDARD};
use mcp_protocol::{
    Object, ReadResourceResult, Resource, ResourceTemplate, content::ResourceContents,
};
use tool_schema::Params;

use super::{Condition, Entry, error::failure, handler::Bound, template::UriTemplate};
use crate::{
    builder::{BuildError, build_error},
    context::{CallContext, ListVariant},
    provide::{BoxFuture, HandlerFn, ReadResourceError, ResourceSet},
};

/// A [`ResourceSet`] of handlers. The parameters of a template's handler are the variables in the URI.
///
/// ```
/// use mcp_protocol::{Resource, ResourceTemplate};
/// use mcp_server::{ReadResourceError, ResourceRouter, tool_schema::params};
///
/// params! {
///     struct CityParams {
///         /// The city.
///         city: String,
///         /// The year.
///         year: u16,
///     }
/// }
///
/// async fn climate(params: CityParams) -> Result<String, ReadResourceError> {
///     match params.city.as_str() {
///         "oslo" => Ok(format!("mild, for {}", params.year)),
///         _ => Err(ReadResourceError::NotFound),
///     }
/// }
///
/// let stations = Resource::new("weather://stations", "stations", "All stations.").with_mime_type("text/csv");
/// let climates = ResourceTemplate::new("weather://climate/{city}/{year}", "climate", "The climate of a city.");
/// let resources = ResourceRouter::new()
///     .resource(stations, async || "oslo,bergen")
///     .template(climates.with_mime_type("text/plain"), climate);
/// # drop(resources);
/// ```
///
/// A variable `{name}` matches any characters except `/`, and `{+name}` matches any characters (RFC 6570, levels 1 and
/// 2). Values are percent-decoded. Invalid values are reported as [`ReadResourceError::Invalid`].
#[must_use]
pub struct ResourceRouter<S = ()> {
    state: Arc<S>,
    resources: Vec<Entry<Resource, dyn Reading>>,
    templates: Vec<(UriTemplate, Entry<ResourceTemplate, dyn Reading>)>,
    /// The error of an invalid template, or of one whose variables are not the parameters of its handler.
    wrong: Option<BuildError>,
    can_subscribe: bool,
}

type Read = Result<ReadResourceResult, ReadResourceError>;

/// The URI and MIME type of the resource to read.
type Of<'a> = (&'a str, Option<&'a str>);

trait Reading: Send + Sync {
    fn read<'a>(
        &'a self,
        of: Of<'a>,
        variables: Object,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Read>;
}

impl<S, H, P, A, K> Reading for Bound<S, H, P, A, K>
where
    S: Send + Sync + 'static,
    H: HandlerFn<S, P, A, K>,
    P: Params + 'static,
    A: IntoResourceResult,
    K: 'static,
{
    fn read<'a>(
        &'a self,
        (uri, mime_type): Of<'a>,
        mut variables: Object,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Read> {
        match P::from_arguments(&mut variables) {
            Ok((params, _)) => {
                let answer = self.call(params, cx);
                Box::pin(async move { answer.await.into_contents(uri, mime_type) })
            }
            Err(invalid) => Box::pin(ready(Err(ReadResourceError::Invalid(invalid.to_string())))),
        }
    }
}

impl ResourceRouter {
    /// Creates a router without resources, for handlers without state.
    pub fn new() -> Self {
        Self::with_state(Arc::default())
    }
}

impl Default for ResourceRouter {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Send + Sync + 'static> ResourceRouter<S> {
    /// Creates a router without resources. Handlers may be methods of `state`.
    pub fn with_state(state: Arc<S>) -> Self {
        Self {
            state,
            resources: Vec::new(),
            templates: Vec::new(),
            wrong: None,
            can_subscribe: false,
        }
    }

    /// Adds a resource. Its [handler](HandlerFn) has no parameters and returns the contents as an
    /// [`IntoResourceResult`].
    pub fn resource<P, A, K>(
        mut self,
        resource: Resource,
        handler: impl HandlerFn<S, P, A, K>,
    ) -> Self
    where
        P: Params + 'static,
        A: IntoResourceResult,
        K: 'static,
    {
        let handler = Box::new(Bound::new(&self.state, handler));
        self.resources.push(Entry::new(resource, handler));
        self
    }

    /// Adds the resources of a URI template. Its variables are the parameters of the [handler](HandlerFn).
    pub fn template<P, A, K>(
        mut self,
        template: ResourceTemplate,
        handler: impl HandlerFn<S, P, A, K>,
    ) -> Self
    where
        P: Params + 'static,
        A: IntoResourceResult,
        K: 'static,
    {
        let pattern = template.uri_template.as_str();
        let members = P::properties();
        match UriTemplate::new(pattern).filter(|it| it.has_variables(&members)) {
            Some(uri) => {
                let handler = Box::new(Bound::new(&self.state, handler));
                self.templates.push((uri, Entry::new(template, handler)));
            }
            None => self.wrong = Some(BuildError::UriTemplate(pattern.to_owned())),
        }
        self
    }

    /// Allows clients to subscribe to any resource of the router. See [`crate::ChangeNotifier::resource_updated`].
    pub fn with_subscriptions(mut self) -> Self {
        self.can_subscribe = true;
        self
    }

    /// Adds the resources of another router, for the list variants selected by `accepts`. In other variants, they do
    /// not exist.
    pub fn merge_for_variants(
        mut self,
        accepts: impl Fn(&ListVariant) -> bool + Send + Sync + 'static,
        others: ResourceRouter<impl Sized>,
    ) -> Self {
        let accepts: Condition = Arc::new(accepts);
        let resources = others.resources.into_iter();
        self.resources
            .extend(resources.map(|it| it.only_for(&accepts)));
        let templates = others.templates.into_iter();
        self.templates
            .extend(templates.map(|(uri, it)| (uri, it.only_for(&accepts))));
        self.wrong = self.wrong.or(others.wrong);
        self
    }
}

impl<S> fmt::Debug for ResourceRouter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resources = self.resources.iter().map(|it| &it.declared.uri);
        let templates = self
            .templates
            .iter()
            .map(|(_, it)| &it.declared.uri_template);
        f.debug_list().entries(resources.chain(templates)).finish()
    }
}

impl<S: Send + Sync + 'static> ResourceSet for ResourceRouter<S> {
    fn resources(&self, scope: &ListVariant) -> Vec<Resource> {
        self.resources
            .iter()
            .filter_map(|it| it.listed(scope))
            .collect()
    }

    fn templates(&self, scope: &ListVariant) -> Vec<ResourceTemplate> {
        let templates = self.templates.iter();
        templates.filter_map(|(_, it)| it.listed(scope)).collect()
    }

    fn read<'a>(&'a self, uri: &'a str, cx: &'a CallContext) -> BoxFuture<'a, Read> {
        let mut resources = self.resources.iter();
        if let Some(entry) =
            resources.find(|it| it.declared.uri == uri && it.is_visible(cx.list_variant()))
        {
            let of = (uri, entry.declared.mime_type.as_deref());
            return entry.handler.read(of, Object::new(), cx);
        }
        for (template, entry) in &self.templates {
            if entry.is_visible(cx.list_variant())
                && let Some(variables) = template.variables(uri)
            {
                let of = (uri, entry.declared.mime_type.as_deref());
                return entry.handler.read(of, variables, cx);
            }
        }
        Box::pin(ready(Err(ReadResourceError::NotFound)))
    }

    fn supports_subscriptions(&self) -> bool {
        self.can_subscribe
    }

    fn check(&self) -> Result<(), BuildError> {
        if let Some(BuildError::UriTemplate(template)) = &self.wrong {
            return Err(BuildError::UriTemplate(template.clone()));
        }
        let everyone = ListVariant::default();
        build_error::check_resources(&self.resources(&everyone), &self.templates(&everyone))
    }
}

/// A return type of a resource handler: a string, bytes, a [`ReadResourceResult`], or an `Option` or `Result` of one of
/// these. `None` becomes [`ReadResourceError::NotFound`]. The error of a `Result` is a [`ReadResourceError`], a string,
/// or a [`HandlerError`](crate::HandlerError). Any other error is only logged.
#[diagnostic::on_unimplemented(
    message = "a resource cannot hold `{Self}`",
    note = "a resource is a string, `Vec<u8>`, `ReadResourceResult`, or an `Option` or `Result` of one of these"
)]
pub trait IntoResourceResult: Send + 'static {
    /// Returns the contents of the resource at `uri`.
    ///
    /// # Errors
    /// Returns the error of the handler.
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Read;
}

fn contents(contents: ResourceContents, mime_type: Option<&str>) -> ReadResourceResult {
    let contents = match mime_type {
        Some(mime_type) => contents.with_mime_type(mime_type),
        None => contents,
    };
    ReadResourceResult::new(vec![contents])
}

impl IntoResourceResult for ReadResourceResult {
    fn into_contents(self, _: &str, _: Option<&str>) -> Read {
        Ok(self)
    }
}

impl IntoResourceResult for String {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Read {
        Ok(contents(ResourceContents::text(uri, self), mime_type))
    }
}

impl IntoResourceResult for &'static str {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Read {
        self.to_owned().into_contents(uri, mime_type)
    }
}

impl IntoResourceResult for Vec<u8> {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Read {
        let blob = ResourceContents::blob_base64(uri, STANDARD.encode(self));
        Ok(contents(blob, mime_type))
    }
}

impl<A: IntoResourceResult> IntoResourceResult for Option<A> {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Read {
        self.ok_or(ReadResourceError::NotFound)?
            .into_contents(uri, mime_type)
    }
}

impl<A: IntoResourceResult, E: Display + Send + 'static> IntoResourceResult for Result<A, E> {
    fn into_contents(self, uri: &str, mime_type: Option<&str>) -> Read {
        self.map_err(|error| failure(&error, ReadResourceError::Failed))?
            .into_contents(uri, mime_type)
    }
}
