//! Serialization of the result of `tools/call` without an intermediate tree, including results that are already JSON.
//! Every tool call runs this code.

use std::borrow::Cow;

use serde::{Serialize, de::Error as _};
use serde_json::{Value, value::RawValue};

use super::{
    add_common_fields,
    block::Printer,
    projection::ProjectionOptions,
    result::{call_tool_result_of, structure},
    schema::has_object_root,
};
use crate::{
    CallToolResult, ContentBlock, Features, Icon, ServerInfo, loss::Losses,
    revision::StructuredContentForm,
};

/// The size of field names, and of the server's identity in revisions that include it in each response.
const NAMES: usize = 128;
const IDENTITY: usize = 384;

/// A successful result whose structured content is an object that is already serialized. The first content block is the
/// same JSON as text.
///
/// [`crate::render::preserialized_result_json`] copies the JSON into the response. To access its values, convert it to a
/// [`CallToolResult`].
///
/// ```
/// use mcp_protocol::{CallToolResult, render::PreserializedResult};
/// use serde_json::json;
///
/// let result = PreserializedResult::new(r#"{"height":468}"#.to_owned())?;
/// assert_eq!(CallToolResult::from(result), CallToolResult::structured(json!({"height": 468})));
/// assert!(PreserializedResult::new("[468]".to_owned()).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PreserializedResult {
    json: Box<RawValue>,
    blocks: Vec<ContentBlock>,
}

impl PreserializedResult {
    /// Creates a result from a JSON object.
    ///
    /// # Errors
    /// Returns an error if the string is not JSON, or not an object.
    pub fn new(json: String) -> Result<Self, serde_json::Error> {
        let json = RawValue::from_string(json)?;
        if json.get().starts_with('{') {
            Ok(Self {
                json,
                blocks: Vec::new(),
            })
        } else {
            Err(serde_json::Error::custom("it is not an object"))
        }
    }

    setters! {
        /// Adds a block after the text.
        with_block(block: ContentBlock) { blocks.push(block) }
    }
}

/// Converts the result. JSON that is nested too deeply for a parser remains only in the text.
impl From<PreserializedResult> for CallToolResult {
    fn from(written: PreserializedResult) -> Self {
        let structured_content = serde_json::from_str(written.json.get()).ok();
        let text = String::from(Box::<str>::from(written.json));
        let mut content = vec![ContentBlock::text(text)];
        content.extend(written.blocks);
        Self {
            content,
            structured_content,
            ..Self::default()
        }
    }
}

/// Serializes the complete response to `tools/call` as JSON: [`super::call_tool_result`], then [`add_common_fields`],
/// without an intermediate tree.
///
/// # Errors
/// Returns an error if a value cannot be serialized, which never happens for a [`Value`].
pub fn call_tool_result_json(
    mut result: CallToolResult,
    output_schema: Option<&Value>,
    server: &ServerInfo,
    rules: &Features,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut json = Vec::with_capacity(expected_len(&result, rules));
    // Extra fields of the result may replace those of the revision.
    if !result.meta.is_empty() || !result.extra.is_empty() {
        let result = call_tool_result_of(result, output_schema, rules);
        serde_json::to_writer(&mut json, &add_common_fields(result, server, rules))?;
        return Ok(json);
    }
    let (projection, mut losses) = (ProjectionOptions::default(), Losses::default());
    let structured = structure(&mut result, rules, &projection, output_schema, &mut losses);
    let mut printer = Printer {
        rules: Some(rules),
        projection: &projection,
        losses: &mut losses,
    };
    let blocks = result.content.into_iter().enumerate();
    let answer = Answer {
        result_type: rules.result_type.then_some("complete"),
        content: blocks
            .filter_map(|it| Block::new(it, &mut printer))
            .collect(),
        structured_content: structured.map(Structured::Value),
        is_error: result.is_error,
        meta: Meta::new(server, rules),
    };
    serde_json::to_writer(&mut json, &answer)?;
    Ok(json)
}

/// Serializes a result that is already JSON, with the same output as [`call_tool_result_json`]. The JSON is parsed only
/// if it has several lines or has to be wrapped.
///
/// # Errors
/// Fails as [`call_tool_result_json`] does.
pub fn preserialized_result_json(
    result: PreserializedResult,
    output_schema: Option<&Value>,
    server: &ServerInfo,
    rules: &Features,
) -> Result<Vec<u8>, serde_json::Error> {
    let text = result.json.get();
    let is_wrapped = rules.structured_content == StructuredContentForm::Object
        && output_schema.is_some_and(|it| !has_object_root(it));
    // A message must be one line on stdio and in an event.
    let is_one_line = b"\n\r".iter().all(|it| !text.as_bytes().contains(it));
    if is_wrapped || !is_one_line {
        return call_tool_result_json(result.into(), output_schema, server, rules);
    }
    let has_structure = rules.structured_content != StructuredContentForm::Absent;
    let structured = has_structure.then_some(&*result.json);
    let told = text.len() + text.len() / 4 + told_in(&result.blocks);
    let copied = structured.map_or(0, |it| it.get().len());
    let mut json = Vec::with_capacity(around(rules) + told + copied);
    let mut content = vec![Block::text(text)];
    // Most results have only the text.
    if !result.blocks.is_empty() {
        let (projection, mut losses) = (ProjectionOptions::default(), Losses::default());
        let mut printer = Printer {
            rules: Some(rules),
            projection: &projection,
            losses: &mut losses,
        };
        let blocks = result.blocks.into_iter().zip(1..);
        content.extend(blocks.filter_map(|(it, index)| Block::new((index, it), &mut printer)));
    }
    let answer = Answer {
        result_type: rules.result_type.then_some("complete"),
        content,
        structured_content: structured.map(Structured::Text),
        is_error: false,
        meta: Meta::new(server, rules),
    };
    serde_json::to_writer(&mut json, &answer)?;
    Ok(json)
}

/// Estimates the length of the response. The text mostly repeats the structured content, with escapes.
fn expected_len(result: &CallToolResult, rules: &Features) -> usize {
    let times = 1 + usize::from(result.structured_content.is_some());
    around(rules) + told_in(&result.content) * times
}

/// Returns the size of everything around blocks and structured content.
fn around(rules: &Features) -> usize {
    NAMES + IDENTITY * usize::from(rules.result_type)
}

fn told_in(blocks: &[ContentBlock]) -> usize {
    let told = blocks.iter().map(|it| match it {
        ContentBlock::Text(it) => it.text.len() + it.text.len() / 4,
        ContentBlock::Image(it) | ContentBlock::Audio(it) => it.data.len(),
        ContentBlock::ResourceLink(_) | ContentBlock::Resource(_) | ContentBlock::Other(_) => 0,
    });
    told.sum()
}

/// A response without extra fields.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: Vec<Block<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Structured<'a>>,
    is_error: bool,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Meta<'a>>,
}

/// A structured value, or its JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum Structured<'a> {
    Value(Value),
    Text(&'a RawValue),
}

#[derive(Serialize)]
struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/serverInfo")]
    server_info: Identity<'a>,
}

impl<'a> Meta<'a> {
    /// Creates the server's identity, in revisions that include it in each response.
    fn new(server: &'a ServerInfo, rules: &Features) -> Option<Self> {
        rules.result_type.then(|| Self {
            server_info: Identity::without_icons(server, rules),
        })
    }
}

/// The server's identity.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Identity<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    website_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    icons: Vec<Value>,
}

impl<'a> Identity<'a> {
    pub(super) fn new(server: &'a ServerInfo, rules: &Features) -> Self {
        let icons = server.icons.iter().filter(|_| rules.icons);
        Self {
            icons: icons.map(Icon::to_value).collect(),
            ..Self::without_icons(server, rules)
        }
    }

    /// Creates the identity in each response, where icons would be repeated. Responses to `initialize` and `server/discover` have them.
    pub(super) fn without_icons(server: &'a ServerInfo, rules: &Features) -> Self {
        let description = server.description.as_deref();
        let website_url = server.website_url.as_deref();
        Self {
            name: &server.name,
            title: server.title.as_deref().filter(|_| rules.titles),
            version: &server.version,
            description: description.filter(|_| rules.icons),
            website_url: website_url.filter(|_| rules.icons),
            icons: Vec::new(),
        }
    }
}

/// A block of plain text, which is the common case, or any other block.
#[derive(Serialize)]
#[serde(untagged)]
enum Block<'a> {
    Text {
        r#type: &'static str,
        text: Cow<'a, str>,
    },
    Other(Value),
}

impl<'a> Block<'a> {
    fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text {
            r#type: "text",
            text: text.into(),
        }
    }

    fn new((index, block): (usize, ContentBlock), printer: &mut Printer<'_>) -> Option<Self> {
        match block {
            ContentBlock::Text(it) if it.attributes.are_empty() => Some(Self::text(it.text)),
            block => printer.block(index, block).map(Self::Other),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Icon, Revision, content};

    fn result(value: &Value) -> CallToolResult {
        CallToolResult::structured(value.clone())
    }

    /// Whatever the result, it is the tree of the other functions.
    #[test]
    fn an_answer_is_written_as_its_tree_is() {
        let record = json!({"name": "\u{1F600} \"\n\u{7f}", "list": [1, 2.5, null, {"a": {}}]});
        let annotated = json!({"type": "text", "text": "a", "annotations": {"priority": 1}});
        let link = content::ResourceLink::new("file:///a", "a").with_mime_type("text/csv");
        let image = ContentBlock::image_base64("AA==", "image/png");
        let meta = json!({"io.modelcontextprotocol/serverInfo": 1, "a": 2});
        let results = [
            result(&record),
            result(&json!([1, 2])),
            result(&json!(null)),
            CallToolResult::default(),
            CallToolResult::text("plain"),
            CallToolResult::error("failed"),
            CallToolResult::text("a").with_structured_content(json!("b")),
            CallToolResult::blocks(vec![
                ContentBlock::image_base64("AA==", "image/png"),
                ContentBlock::Other(annotated),
                link.clone().into(),
                ContentBlock::text("last"),
            ]),
            result(&record).with_meta(meta.as_object().unwrap().clone()),
        ];
        let plain = ServerInfo::new("example", "1.0.0");
        let full = plain
            .clone()
            .with_title("Example")
            .with_description("An example");
        let full = full.with_website_url("https://example.org");
        let full = full.with_icon(Icon::new("https://example.org/icon.svg").with_size("any"));
        let schemas = [None, Some(json!({"type": "object"})), Some(json!({}))];
        for revision in Revision::ALL {
            let rules = revision.features();
            for (server, schema, result) in [&plain, &full].into_iter().flat_map(|server| {
                let both = schemas
                    .iter()
                    .flat_map(|it| results.iter().map(move |result| (it, result)));
                both.map(move |(schema, result)| (server, schema.as_ref(), result))
            }) {
                let tree = call_tool_result_of(result.clone(), schema, rules);
                let tree = add_common_fields(tree, server, rules);
                let written = call_tool_result_json(result.clone(), schema, server, rules).unwrap();
                let written = String::from_utf8(written).unwrap();
                assert_eq!(written, Value::Object(tree).to_string(), "{result:?}");
            }
            for (server, schema) in [&plain, &full]
                .into_iter()
                .flat_map(|server| schemas.iter().map(move |it| (server, it.as_ref())))
            {
                let text = PreserializedResult::new(record.to_string()).unwrap();
                let link = ContentBlock::from(link.clone());
                for result in [
                    text.clone(),
                    text.with_block(link).with_block(image.clone()),
                ] {
                    let read = CallToolResult::from(result.clone());
                    let expected = call_tool_result_json(read, schema, server, rules).unwrap();
                    let written = preserialized_result_json(result, schema, server, rules).unwrap();
                    assert_eq!(
                        String::from_utf8(written).unwrap(),
                        String::from_utf8(expected).unwrap()
                    );
                }
            }
        }
    }

    /// A message is one line on stdio.
    #[test]
    fn text_of_several_lines_is_one_line_as_structure() {
        let rules = Revision::V2025_11_25.features();
        let server = ServerInfo::new("example", "1.0.0");
        for text in ["{\n  \"a\": 1\n}", "{\"a\":\r1}"] {
            let result = PreserializedResult::new(text.to_owned()).unwrap();
            let written = preserialized_result_json(result, None, &server, rules).unwrap();
            let answer: Value = serde_json::from_slice(&written).unwrap();
            assert_eq!(answer["content"][0]["text"], text);
            assert_eq!(answer["structuredContent"], json!({"a": 1}));
            assert!(!written.iter().any(|it| matches!(it, b'\n' | b'\r')));
        }
    }
}
