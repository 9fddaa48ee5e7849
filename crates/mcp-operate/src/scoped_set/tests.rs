//! What a set says of itself is said of what its callers are permitted, and who gets what.

use mcp_protocol::ToolAnnotations;
use serde_json::json;

use super::*;

/// The sets of a server that says all it can of them, and is not valid.
#[derive(Debug)]
struct Own;

const PAGE: Option<NonZeroUsize> = NonZeroUsize::new(7);
const HINT: Option<CacheHint> = Some(CacheHint::private(8));

fn tool(name: &str) -> Tool {
    let schema = json!({"type": "object"});
    Tool::new(name, "A tool.", schema, ToolAnnotations::PURE)
}

fn invalid() -> Result<(), BuildError> {
    Err(BuildError::ToolName("a b".to_owned()))
}

impl ToolSet for Own {
    fn tools(&self, _: &ListVariant) -> Vec<Tool> {
        vec![tool("listed")]
    }

    fn tools_in_any_variant(&self) -> Vec<Tool> {
        vec![tool("listed"), tool("other")]
    }

    fn tools_with_special_calls(&self) -> Vec<Tool> {
        Vec::new()
    }

    fn call<'a>(
        &'a self,
        _: &str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        None
    }

    fn check(&self) -> Result<(), BuildError> {
        invalid()
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        PAGE
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        HINT
    }
}

impl ResourceSet for Own {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        vec![Resource::new("a:listed", "listed", "A resource.")]
    }

    fn templates(&self, _: &ListVariant) -> Vec<ResourceTemplate> {
        vec![ResourceTemplate::new("a:{name}", "named", "Resources.")]
    }

    fn read<'a>(
        &'a self,
        _: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(ready(Err(ReadResourceError::NotFound)))
    }

    fn supports_subscriptions(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), BuildError> {
        invalid()
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        PAGE
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        HINT
    }
}

impl PromptSet for Own {
    fn prompts(&self, _: &ListVariant) -> Vec<Prompt> {
        vec![Prompt::new("listed", "A prompt.")]
    }

    fn get<'a>(
        &'a self,
        _: &'a str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        None
    }

    fn check(&self) -> Result<(), BuildError> {
        invalid()
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        PAGE
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        HINT
    }
}

/// Every tool and resource is itself.
impl ScopedToolResolver for Own {
    fn target_tool<'a>(&'a self, name: &'a str, _: &Object) -> Result<Option<&'a str>, String> {
        Ok(Some(name))
    }

    fn tool_of_resource(&self, _: &str) -> Option<&str> {
        None
    }

    fn tool_of_template(&self, _: &str) -> Option<&str> {
        None
    }
}

#[test]
fn what_a_set_says_of_itself_is_said_of_what_is_permitted() {
    let tools: Arc<dyn ScopedToolResolver> = Arc::new(Own);
    let permitted = ScopedSet::with_grants(Own, &Arc::new(ScopeGrants::default()), &tools);
    let everyone = ListVariant::default();

    let set: &dyn ToolSet = &permitted;
    let counts = [
        set.tools(&everyone),
        set.tools_in_any_variant(),
        set.tools_with_special_calls(),
    ]
    .map(|it| it.len());
    assert_eq!(counts, [1, 2, 0]);
    assert!(set.check().is_err());
    assert_eq!((set.page_size(), set.list_cache_hint()), (PAGE, HINT));

    let set: &dyn ResourceSet = &permitted;
    let counts = (
        set.resources(&everyone).len(),
        set.templates(&everyone).len(),
    );
    assert_eq!(counts, (1, 1));
    assert!(set.supports_subscriptions());
    assert!(set.check().is_err());
    assert_eq!((set.page_size(), set.list_cache_hint()), (PAGE, HINT));

    let set: &dyn PromptSet = &permitted;
    assert_eq!(set.prompts(&everyone).len(), 1);
    assert!(set.check().is_err());
    assert_eq!((set.page_size(), set.list_cache_hint()), (PAGE, HINT));
}
