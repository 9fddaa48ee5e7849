//! Search for tools by words, as people type them.

use std::sync::LazyLock;

use qortal_search::{Field, Index, Request, request};
use tool_schema::{BoundedString, CappedInt, Object};

use super::{object, others};
use crate::{
    Catalog, Entry,
    declare::{Context, Reply, Tool, ToolError, count},
    question,
};

/// The note for requests to send or change something.
const ONLY_READS: &str = "Nothing here sends, buys, votes, registers, publishes or changes anything: these tools only read. \
     The person does that in Qortal, with their own wallet; explain_topic says how.";
/// The note for requests for notifications of later events.
const ONLY_NOW: &str = "No tool waits for what happens later. In a terminal, `qortal-mcp watch account ADDRESS` waits for payments. \
    In place of `account ADDRESS` it takes trade AT, offers COIN --below PRICE, name NAME, group ID, chat ID, resource SERVICE NAME, node or tip. \
    Clients that can subscribe to resources are notified of the same.";

/// The note for words without a tool.
const NOTHING_FITS: &str = "No tool fits these words. Try the words of one of the families.";

params! {
    pub(super) struct FindTools {
        /// A question or words, in any language. All tools if omitted.
        query: Option<BoundedString<1, 200>>,
        /// Number of tools. 5 if omitted.
        limit: CappedInt<1, 200> = CappedInt::from_const(5)
    }
}

record! {
    pub(super) struct FoundTools {
        /// The tools, best matches first.
        tools: Vec<FoundTool>,
        /// The number of matching tools.
        total: u32,
        /// The JSON Schema of the first tool's arguments. describe_tool returns those of the others.
        input_schema: Option<Object>,
        /// An example of its arguments.
        example: Option<Object>,
        /// The toolsets, if no tool matches.
        families: Option<Vec<FoundFamily>>
    }

    pub(super) struct FoundTool from(entry: &Entry) {
        /// The name to describe or call it by.
        name: &'static str,
        /// The description.
        description: &'static str
    }

    pub(super) struct FoundFamily {
        /// The subject.
        name: &'static str,
        /// The question its tools answer.
        purpose: &'static str
    }
}

/// The index of all tools except those of this family, in their order.
static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index::default();
    for entry in others() {
        let questions =
            question::all().filter(|it| it.calls.iter().any(|it| it.tool == entry.name));
        let fields = [
            (Field::Name, entry.name),
            (Field::Description, entry.title),
            (Field::Description, entry.description),
        ];
        let fields = fields.into_iter();
        let fields = fields.chain(entry.keywords.split(", ").map(|it| (Field::Keywords, it)));
        index.add(fields.chain(questions.map(|it| (Field::Question, it.text))));
    }
    index
});

impl Tool for FindTools {
    const NAME: &str = "find_tools";
    const TITLE: &str = "Find tools";
    const DESCRIPTION: &str = "Find tools for a task by words in any language, listed here or not, with the schema of the best match. Use it when no listed tool fits, then call_tool.";
    const EXAMPLE: &str = r#"{"query":"balance of an account","limit":3}"#;
    const KEYWORDS: &str = "";
    const USES_NODE: bool = false;
    type Output = Reply<FoundTools>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let limit = self.limit.value() as usize;
        let found: Vec<&'static Entry> = match &self.query {
            None => others().collect(),
            Some(query) => {
                let found = INDEX.find(query.as_str());
                let entries = found.into_iter().filter_map(|at| others().nth(at));
                entries.collect()
            }
        };
        let found: Vec<_> = found
            .into_iter()
            .filter(|it| !cx.selection.withholds(it))
            .collect();
        let query = self.query.as_ref().map(BoundedString::as_str);
        let request = query.map_or(Request::Read, request);
        let is_change = request == Request::Change;
        // No tool does that, so none is offered ready to be called.
        let first = found
            .first()
            .copied()
            .filter(|_| query.is_some() && !is_change);
        let is_nothing = found.is_empty();
        let reply = Reply::new(FoundTools {
            input_schema: first.map(|entry| object(entry.input_schema_on(cx.selection.surface))),
            example: first.map(Entry::example_arguments),
            total: count(found.len()),
            tools: found.into_iter().take(limit).map(FoundTool::of).collect(),
            families: is_nothing.then(families),
        });
        let is_file = request == Request::File && first.is_some();
        Ok(reply
            .note_if(is_change, ONLY_READS)
            .note_if(request == Request::Notice, ONLY_NOW)
            .note_if(is_file, first.map(file).unwrap_or_default())
            .note_if(is_nothing, NOTHING_FITS))
    }
}

/// Returns the note for requests for a file.
fn file(first: &Entry) -> String {
    let arguments = first.example_arguments().into_iter();
    let arguments = arguments.map(|(name, it)| format!(" {name}={it}"));
    let arguments = arguments.collect::<String>().replace('"', "'");
    let is_chart = first.name.ends_with("_chart");
    let output = if is_chart {
        "--output FILE.png"
    } else {
        "--all --output FILE.csv"
    };
    format!(
        "In a shell, `qortal-mcp call {}{arguments} {output}` writes a file, with your arguments. explain_topic explains such commands: shell.",
        first.name
    )
}

fn families() -> Vec<FoundFamily> {
    let families = Catalog::families().iter();
    let families = families.map(|family| FoundFamily {
        name: family.name,
        purpose: family.purpose,
    });
    families.collect()
}
