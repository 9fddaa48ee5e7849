//! Types of other crates as results.

use mcp_convert::{
    Anthropic, AsResultView, BlockRef, CallRef, ConvertOptions, ResourceContentsRef, ResultView,
    convert, convert_like_vendor,
    settings::{Settings, Target},
};
use mcp_protocol::read::NotAToolResult;
use serde_json::{Value, json};

/// As a client library might have it.
struct Theirs {
    text: String,
    pdf: String,
    structured: Value,
    failed: bool,
}

impl AsResultView for Theirs {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        let pdf = ResourceContentsRef::new("file:///a.pdf")
            .with_mime_type("application/pdf")
            .with_blob(self.pdf.as_str());
        let view = ResultView::new(vec![BlockRef::text(&self.text), pdf.into()]);
        Ok(view
            .with_structured(Some(&self.structured))
            .with_is_error(self.failed))
    }
}

#[test]
fn a_foreign_type_converts_like_its_json() {
    let theirs = Theirs {
        text: "two heights".to_owned(),
        pdf: "aGVsbG8=".to_owned(),
        structured: json!([468, 469]),
        failed: true,
    };
    let json = json!({
        "content": [
            {"type": "text", "text": "two heights"},
            {"type": "resource", "resource": {
                "uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "aGVsbG8=",
            }},
        ],
        "structuredContent": [468, 469],
        "isError": true,
    });
    let call = CallRef::new("t1", "f");
    let (target, policy) = (Anthropic::default(), ConvertOptions::default());
    assert_eq!(
        convert(&theirs, call, &target, &policy).unwrap(),
        convert(&json, call, &target, &policy).unwrap()
    );
    // A vendor's converter that prints blocks as JSON prints these as well.
    let ai_sdk = Settings::for_target(Target::AiSdk).compat_target().unwrap();
    let parts = |output: Value| output["value"].clone();
    assert_eq!(
        parts(
            convert_like_vendor(&theirs, call, &*ai_sdk)
                .unwrap()
                .output
                .to_value()
        ),
        parts(
            convert_like_vendor(&json, call, &*ai_sdk)
                .unwrap()
                .output
                .to_value()
        )
    );
}
