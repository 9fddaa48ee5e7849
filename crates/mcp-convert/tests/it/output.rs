//! What the types that a tool's function may return become.

use std::{borrow::Cow, collections::BTreeMap};

use mcp_convert::{IntoCallToolResult, StructuredOutput, ToolOutputOptions};
use mcp_protocol::{CallToolResult, ContentBlock, Object};
use serde::Serialize;
use serde_json::{Value, json};

use crate::cases::run::{in_full, keeps_digits};

fn result(output: impl IntoCallToolResult) -> CallToolResult {
    let options = ToolOutputOptions::default();
    output.into_call_tool_result(&options).unwrap()
}

#[test]
fn every_string_type_becomes_text() {
    let expected = CallToolResult::text("hi");
    assert_eq!(result("hi"), expected);
    assert_eq!(result("hi".to_owned()), expected);
    assert_eq!(result(Cow::Borrowed("hi")), expected);
    assert_eq!(result(Box::<str>::from("hi")), expected);
}

#[test]
fn values_are_structure_and_text() {
    assert_eq!(result(42_u8), CallToolResult::structured(json!(42)));
    assert_eq!(result(-1_i64), CallToolResult::structured(json!(-1)));
    assert_eq!(result(0.5), CallToolResult::structured(json!(0.5)));
    assert_eq!(result(false), CallToolResult::structured(json!(false)));
    assert_eq!(result(json!([1])), CallToolResult::structured(json!([1])));
    assert_eq!(result(Object::new()), CallToolResult::structured(json!({})));
    assert_eq!(result(Value::Null), CallToolResult::structured(Value::Null));
    assert_eq!(
        result(StructuredOutput(vec![1])),
        CallToolResult::structured(json!([1]))
    );
}

#[test]
fn no_value_is_no_content() {
    assert_eq!(result(()), CallToolResult::default());
    assert_eq!(result(None::<String>), CallToolResult::default());
    assert_eq!(result(Some("hi")), CallToolResult::text("hi"));
}

#[test]
fn blocks_are_themselves() {
    let block = ContentBlock::image_base64("aGk=", "image/png");
    assert_eq!(
        result(block.clone()),
        CallToolResult::blocks(vec![block.clone()])
    );
    assert_eq!(
        result(vec![block.clone()]),
        CallToolResult::blocks(vec![block])
    );
}

#[test]
fn an_error_is_a_failure() {
    assert_eq!(result(Err::<(), _>("boom")), CallToolResult::error("boom"));
    assert_eq!(
        result(Ok::<_, String>(1)),
        CallToolResult::structured(json!(1))
    );
}

#[test]
fn a_value_that_cannot_be_json_is_reported_with_its_path() {
    fn check(value: &impl Serialize) -> String {
        let result = StructuredOutput(value).into_call_tool_result(&ToolOutputOptions::default());
        in_full(&result.unwrap_err())
    }
    #[derive(Serialize)]
    enum Shape {
        Circle { center: BTreeMap<(u8, u8), u8> },
        Point(BTreeMap<Vec<u8>, u8>),
    }
    let by_pair = BTreeMap::from([((1, 2), 3)]);
    let by_list = BTreeMap::from([(vec![1], 2)]);
    insta::assert_snapshot!(check(&by_pair), @"value cannot be JSON: key must be a string");
    insta::assert_snapshot!(
        check(&vec![Shape::Point(BTreeMap::new()), Shape::Circle { center: by_pair }]),
        @"[1].center cannot be JSON: key must be a string"
    );
    insta::assert_snapshot!(
        check(&BTreeMap::from([(7, (0, Shape::Point(by_list)))])),
        @"7[1] cannot be JSON: key must be a string"
    );
    // With arbitrary_precision it can.
    if !keeps_digits() {
        insta::assert_snapshot!(check(&(1, u128::MAX)), @"[1] cannot be JSON: number out of range");
    }
}
