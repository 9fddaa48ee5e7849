//! Tool results in the form of a revision.

use std::cell::LazyCell;

use serde_json::Value;

use super::{
    block::Printer,
    projection::{NonObject, ProjectionError, ProjectionOptions},
    schema::has_object_root,
};
use crate::{
    CallToolResult, ContentBlock, Features, Object,
    json::{self, kind_of, put},
    loss::{LossKind, Losses},
    revision::StructuredContentForm,
};

/// Renders the `tools/call` result of a revision, without the server's identity, and returns what the revision cannot
/// represent.
///
/// A structured value is wrapped, moved to text or left out where the revision cannot represent it. Blocks and fields
/// of later revisions become text or notes, or are left out. Each of these is returned as a loss.
///
/// # Errors
/// Returns an error if the structured value is not an object and [`ProjectionOptions::with_non_objects_refused`]
/// applies.
pub fn project(
    result: CallToolResult,
    rules: &Features,
    projection: &ProjectionOptions,
) -> Result<(Object, Losses), ProjectionError> {
    let schema = projection.output_schema.as_ref();
    let rejects = projection.non_object == NonObject::Reject;
    let value = result.structured_content.as_ref();
    if let Some(value) = value.filter(|it| rejects && wants_wrapping(it, schema, rules)) {
        return Err(ProjectionError {
            revision: rules.name,
            found: Some(kind_of(value)),
        });
    }
    let mut losses = Losses::default();
    let mut value = Object::new();
    if rules.result_type {
        put(&mut value, "resultType", "complete");
    }
    value.extend(render(result, rules, projection, schema, &mut losses));
    Ok((value, losses))
}

/// Renders a server's response to `tools/call`, without `resultType`. [`super::add_common_fields`] adds that.
///
/// A structured value other than an object is wrapped as `{"result": …}` where the revision requires an object, and
/// left out where the revision has no structured content. It is always sent as text too.
///
/// ```
/// use mcp_protocol::{CallToolResult, Revision, render};
/// use serde_json::json;
///
/// let result = CallToolResult::structured(json!([1, 2]));
/// let old = render::call_tool_result(result.clone(), Revision::V2025_03_26.features());
/// assert!(!old.contains_key("structuredContent"));
/// let wrapped = render::call_tool_result(result.clone(), Revision::V2025_11_25.features());
/// assert_eq!(wrapped["structuredContent"], json!({"result": [1, 2]}));
/// let raw = render::call_tool_result(result, Revision::V2026_07_28.features());
/// assert_eq!(raw["structuredContent"], json!([1, 2]));
/// ```
#[must_use]
#[doc(alias = "tools/call")]
pub fn call_tool_result(result: CallToolResult, rules: &Features) -> Object {
    call_tool_result_of(result, None, rules)
}

/// Renders [`call_tool_result`] for a tool with this output schema ([`crate::Tool::output_schema`]). If the root of the
/// schema is not an object, `tools/list` shows it wrapped. Every value is then wrapped too, including objects, so lists
/// and calls agree.
pub(crate) fn call_tool_result_of(
    result: CallToolResult,
    output_schema: Option<&Value>,
    rules: &Features,
) -> Object {
    let projection = ProjectionOptions {
        has_every_is_error: true,
        ..ProjectionOptions::default()
    };
    render(
        result,
        rules,
        &projection,
        output_schema,
        &mut Losses::default(),
    )
}

/// Renders a `tool_result` block of a sampling message, from 2025-11-25 on (`ToolResultContent`).
///
/// # Errors
/// Fails as [`project`] does, and for revisions before 2025-11-25.
pub fn sampling_tool_result(
    result: CallToolResult,
    tool_use_id: &str,
    rules: &Features,
    projection: &ProjectionOptions,
) -> Result<(Object, Losses), ProjectionError> {
    if !rules.sampling_tool_results {
        return Err(ProjectionError {
            revision: rules.name,
            found: None,
        });
    }
    let (value, losses) = project(result, rules, projection)?;
    let mut object = Object::new();
    put(&mut object, "type", "tool_result");
    put(&mut object, "toolUseId", tool_use_id);
    object.extend(value.into_iter().filter(|(name, _)| name != "resultType"));
    Ok((object, losses))
}

fn render(
    mut result: CallToolResult,
    rules: &Features,
    projection: &ProjectionOptions,
    output_schema: Option<&Value>,
    losses: &mut Losses,
) -> Object {
    let structured = structure(&mut result, rules, projection, output_schema, losses);
    let mut object = Object::new();
    let mut printer = Printer {
        rules: Some(rules),
        projection,
        losses,
    };
    let blocks = result.content.into_iter().enumerate();
    let blocks = blocks.filter_map(|(index, block)| printer.block(index, block));
    put(&mut object, "content", blocks.collect::<Vec<_>>());
    if let Some(structured) = structured {
        put(&mut object, "structuredContent", structured);
    }
    if result.is_error || projection.has_every_is_error {
        put(&mut object, "isError", result.is_error);
    }
    if !result.meta.is_empty() {
        put(&mut object, "_meta", result.meta);
    }
    printer.extra(String::new, &mut object, result.extra);
    object
}

/// Takes the structured value out of `result`, in the form of the revision. Adds it as text where the revision or the
/// specification requires that.
pub(super) fn structure(
    result: &mut CallToolResult,
    rules: &Features,
    projection: &ProjectionOptions,
    output_schema: Option<&Value>,
    losses: &mut Losses,
) -> Option<Value> {
    let value = result.structured_content.take()?;
    let texts = result.content.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let has_text = texts.clone().next().is_some();
    // Evaluated lazily, because most revisions can carry the value.
    let is_in_text = LazyCell::new(|| texts.clone().any(|text| json::text_equals(text, &value)));
    let wrap = wants_wrapping(&value, output_schema, rules);
    let is_left_out = match rules.structured_content {
        StructuredContentForm::Absent => true,
        StructuredContentForm::Object | StructuredContentForm::AnyValue => {
            wrap && !matches!(projection.non_object, NonObject::Wrap(_))
        }
    };
    let has_note = if is_left_out {
        !(*is_in_text || (result.is_error && has_text))
    } else {
        !value.is_object() && (!has_text || (projection.strict_text && !*is_in_text))
    };
    let is_lost = is_left_out && !has_note && !*is_in_text;
    if has_note {
        result.content.push(ContentBlock::text(value.to_string()));
    }
    match &projection.non_object {
        _ if is_left_out => {
            if has_note {
                losses.push(LossKind::STRUCTURED_MOVED_TO_TEXT, None, "");
            } else if is_lost {
                losses.push(LossKind::STRUCTURED_DROPPED, None, "");
            }
            None
        }
        NonObject::Wrap(key) if wrap => {
            losses.push(LossKind::WRAPPED, None, format!("{key:?}"));
            let mut object = Object::new();
            put(&mut object, key, value);
            Some(Value::Object(object))
        }
        NonObject::Wrap(_) | NonObject::Omit | NonObject::Reject => Some(value),
    }
}

fn wants_wrapping(value: &Value, output_schema: Option<&Value>, rules: &Features) -> bool {
    rules.structured_content == StructuredContentForm::Object
        && (!value.is_object() || output_schema.is_some_and(|it| !has_object_root(it)))
}
