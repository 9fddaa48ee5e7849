//! Three tools in place of all others: find a tool, describe it, call it.

use serde_json::Value;

use tool_schema::{
    Bounded, InvalidValue, Member, Notes, Object, Param, Text, excerpt, nearest, type_schema,
};

use crate::{
    catalog::{Catalog, Family, Surface},
    context::Context,
    declare::{Answer, Entry, Outcome, Tool, count},
    error::ToolError,
};

pub(crate) static FAMILY: Family = Family {
    name: "dynamic",
    purpose: "Find, describe and call any tool, listed or not.",
    tools: &TOOLS,
};

static TOOLS: [Entry; 3] = [
    Entry::of::<FindTools>(),
    Entry::of::<DescribeTool>(),
    Entry::of::<CallTool>(),
];

struct FindTools;

params! {
    struct FindToolsParams {
        /// Words for the task. All tools if omitted.
        query: Option<Text<1, 200>>,
        /// How many to return.
        limit: Bounded<1, 100> = Bounded::new(10)
    }
}

record! {
    struct FoundTools {
        /// The tools, best matches first.
        tools: Vec<FoundTool>,
        /// How many tools match.
        total: u32
    }
}

record! {
    struct FoundTool {
        /// The name to describe or call it by.
        name: &'static str,
        /// What it does.
        description: &'static str
    }
}

impl Tool for FindTools {
    const NAME: &'static str = "find_tools";
    const TITLE: &'static str = "Find tools";
    const DESCRIPTION: &'static str = "Find the tools for a task by words. Then describe_tool returns its schema, and call_tool calls it.";
    const EXAMPLE: &'static str = r#"{"query":"balance of an account","limit":3}"#;
    const SURFACE: Surface = Surface::Dynamic;
    const USES_NODE: bool = false;
    type Params = FindToolsParams;
    type Output = FoundTools;

    async fn call(_: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let query = params
            .query
            .map(Text::into_string)
            .unwrap_or_default()
            .to_lowercase();
        let words: Vec<_> = query.split_whitespace().collect();
        let mut scored: Vec<_> = others()
            .map(|entry| (score(entry, &words), entry))
            .filter(|(score, _)| words.is_empty() || *score > 0)
            .collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let total = count(scored.len());
        let best = scored.into_iter().take(params.limit.value() as usize);
        Ok(FoundTools {
            tools: best
                .map(|(_, entry)| FoundTool {
                    name: entry.name,
                    description: entry.description,
                })
                .collect(),
            total,
        })
    }
}

/// All tools except these three.
fn others() -> impl Iterator<Item = &'static Entry> {
    Catalog::entries().filter(|it| it.surface != Surface::Dynamic)
}

/// A word in the name counts for more than one in the description.
fn score(entry: &Entry, words: &[&str]) -> usize {
    let said = format!("{} {}", entry.title, entry.description).to_lowercase();
    let counts = words.iter().map(|word| {
        let stem = word.trim_end_matches('s');
        if stem.len() < 3 {
            return 0;
        }
        3 * usize::from(entry.name.contains(stem)) + usize::from(said.contains(stem))
    });
    counts.sum()
}

struct DescribeTool;

params! {
    struct DescribeToolParams {
        /// The tool's name, as find_tools returns it.
        name: Text<1, 100>
    }
}

record! {
    struct DescribedTool {
        /// The tool's name.
        name: &'static str,
        /// What it does.
        description: &'static str,
        /// The JSON Schema of its arguments.
        input_schema: Object,
        /// An example of arguments.
        example: Object
    }
}

impl Tool for DescribeTool {
    const NAME: &'static str = "describe_tool";
    const TITLE: &'static str = "Describe a tool";
    const DESCRIPTION: &'static str = "Return the schema of one tool's arguments, and an example.";
    const EXAMPLE: &'static str = r#"{"name":"get_balance"}"#;
    const SURFACE: Surface = Surface::Dynamic;
    const USES_NODE: bool = false;
    type Params = DescribeToolParams;
    type Output = DescribedTool;

    async fn call(_: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let entry = named(params.name.as_str())?;
        Ok(DescribedTool {
            name: entry.name,
            description: entry.description,
            input_schema: object(entry.input_schema()),
            example: serde_json::from_str(entry.example).unwrap_or_default(),
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

struct CallTool;

params! {
    struct CallToolParams {
        /// The tool's name, as find_tools returns it.
        name: Text<1, 100>,
        /// Its arguments; see describe_tool.
        arguments: Arguments = Arguments::default()
    }
}

/// The arguments of another tool, which reads them itself.
#[derive(Debug, Clone, Default)]
struct Arguments(Object);

impl<M> Param<M> for Arguments {
    fn schema() -> Object {
        type_schema("object")
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

    /// An object written as text.
    fn coerce(value: &Value) -> Option<Value> {
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
    fn members() -> Vec<Member> {
        Vec::new()
    }

    fn outcome(self, _: &mut Notes) -> Outcome {
        self.0
    }
}

impl Tool for CallTool {
    const NAME: &'static str = "call_tool";
    const TITLE: &'static str = "Call a tool";
    const DESCRIPTION: &'static str = "Call any tool by its name and return its answer.";
    const EXAMPLE: &'static str = r#"{"name":"get_balance","arguments":{"address":"Alice Test"}}"#;
    const SURFACE: Surface = Surface::Dynamic;
    type Params = CallToolParams;
    type Output = Passed;

    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let entry = named(params.name.as_str())?;
        cx.call(entry, params.arguments.0).await.map(Passed)
    }
}
