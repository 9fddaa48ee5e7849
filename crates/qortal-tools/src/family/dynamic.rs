//! Three tools in place of all others: find a tool, describe it, call it.

mod find;

use std::mem::take;

use serde_json::Value;

use tool_schema::{
    BoundedString, InvalidValue, JsonWriter, Object, Param, Property, excerpt, nearest,
    schema_with_type,
};

use crate::{
    Catalog, Entry, Outcome,
    declare::{Answer, Context, Tool, ToolError},
};

family! {
    "dynamic", "Anything else? Find a tool by words, listed or not, and call it.":
    find::FindTools,
    DescribeTool,
    CallTool,
}

/// Returns whether a tool is one of these three.
pub(crate) fn contains(entry: &Entry) -> bool {
    FAMILY.tools.iter().any(|it| it.name == entry.name)
}

/// Returns all tools except these three.
fn others() -> impl Iterator<Item = &'static Entry> {
    Catalog::entries().filter(|it| !contains(it))
}

params! {
    struct DescribeTool {
        /// Tool name, as find_tools returns it.
        name: BoundedString<1, 100>
    }
}

record! {
    struct DescribedTool {
        /// The tool's name.
        name: &'static str,
        /// The description.
        description: &'static str,
        /// The JSON Schema of its arguments.
        input_schema: Object,
        /// An example of arguments.
        example: Object
    }
}

impl Tool for DescribeTool {
    const NAME: &str = "describe_tool";
    const TITLE: &str = "Describe a tool";
    const DESCRIPTION: &str = "Return the schema of one tool's arguments and an example. find_tools already returns that of its best match.";
    const EXAMPLE: &str = r#"{"name":"get_balance"}"#;
    const KEYWORDS: &str = "";
    const USES_NODE: bool = false;
    type Output = DescribedTool;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let entry = named(self.name.as_str())?;
        Ok(DescribedTool {
            name: entry.name,
            description: entry.description,
            input_schema: object(entry.input_schema_on(cx.selection.surface)),
            example: entry.example_arguments(),
        })
    }
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

fn named(name: &str) -> Result<&'static Entry, ToolError> {
    if let Some(entry) = others().find(|it| it.name == name) {
        return Ok(entry);
    }
    let expected = match nearest(name, others().map(|it| it.name)) {
        Some(nearest) => format!("{nearest}, if that is what you mean"),
        None => "a name that find_tools returns".to_owned(),
    };
    Err(ToolError::argument(
        "name",
        "Unknown tool.",
        format!("is {}", excerpt(&name.into())),
        expected,
    ))
}

params! {
    struct CallTool {
        /// Tool name, as find_tools returns it.
        name: BoundedString<1, 100>,
        /// Arguments of the tool, as in describe_tool.
        arguments: Arguments = Arguments::default()
    }
}

/// The arguments of another tool, which reads them itself.
#[derive(Debug, Clone, Default)]
struct Arguments(Object);

impl<M> Param<M> for Arguments {
    fn schema() -> Object {
        schema_with_type("object")
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        match value {
            Value::Object(object) => Ok(Self(object.clone())),
            other => Err(InvalidValue::unexpected(
                other,
                "an object with the tool's arguments",
            )),
        }
    }

    /// Accepts an object written as text.
    fn coerce_json(value: &Value) -> Option<Value> {
        serde_json::from_str(value.as_str()?)
            .ok()
            .filter(Value::is_object)
    }

    fn to_value(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

/// The outcome of the other tool.
struct Passed(Outcome);

impl Answer for Passed {
    fn properties() -> Vec<Property> {
        Vec::new()
    }

    fn write(&self, _: &mut JsonWriter) {}

    fn outcome(&mut self) -> Outcome {
        take(&mut self.0)
    }
}

impl Tool for CallTool {
    const NAME: &str = "call_tool";
    const TITLE: &str = "Call a tool";
    const DESCRIPTION: &str = "Call any tool by its name, listed here or not, and return its result. Its arguments: find_tools or describe_tool.";
    const EXAMPLE: &str = r#"{"name":"get_balance","arguments":{"address":"Alice Test"}}"#;
    const KEYWORDS: &str = "";
    type Output = Passed;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let entry = named(self.name.as_str())?;
        let answer = entry.call(cx.shared.clone(), self.arguments.0);
        answer.await.map(Passed)
    }
}
