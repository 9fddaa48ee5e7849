//! What a view and a conversion cost in allocations.

use allocation_counter::measure;
use mcp_protocol::{
    CallToolResult, ContentBlock,
    convert::{AsToolResult, Body, swiftide},
    parse::Reading,
};
use serde_json::json;

const TEN_MEGABYTES: usize = 10 << 20;

#[test]
fn a_view_of_ten_megabytes_allocates_nothing() {
    let json = json!({"content": [{"type": "text", "text": "x".repeat(TEN_MEGABYTES)}]});
    let typed = CallToolResult::blocks(vec![ContentBlock::text("x".repeat(TEN_MEGABYTES))]);
    let results: [&dyn AsToolResult; 2] = [&json, &typed];
    for result in results {
        let mut seen = 0;
        let cost = measure(|| {
            let view = result.view().unwrap();
            for block in view.blocks() {
                if let Body::Text(text) = &block.body {
                    seen += text.len();
                }
            }
        });
        assert_eq!((seen, cost.count_total), (TEN_MEGABYTES, 0));
    }
}

#[test]
fn reading_ten_megabytes_copies_them_once() {
    let json = json!({"content": [{"type": "text", "text": "x".repeat(TEN_MEGABYTES)}]});
    let cost = measure(|| {
        let parsed = CallToolResult::parse(&json, Reading::default()).unwrap();
        assert_eq!(parsed.result.content.len(), 1);
    });
    let most = u64::try_from(TEN_MEGABYTES).unwrap() + 4096;
    assert!(cost.bytes_total < most, "{} bytes", cost.bytes_total);
}

#[test]
fn converting_one_text_copies_nothing_of_it() {
    let json = json!({"content": [{"type": "text", "text": "x".repeat(TEN_MEGABYTES)}]});
    let options = swiftide::Options::rich();
    let cost = measure(|| {
        let converted = swiftide::convert(&json, &options).unwrap();
        assert!(converted.losses.is_empty());
    });
    assert!(cost.bytes_total < 4096, "{} bytes", cost.bytes_total);
}
