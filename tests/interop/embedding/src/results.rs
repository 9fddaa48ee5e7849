//! rmcp's results as results of ours: an adapter to copy, as docs/convert/types.md has it.

use std::borrow::Cow;

use mcp_convert::{BlockRef, LinkRef, ResourceContentsRef, ResultView, AsResultView};
use mcp_protocol::read::NotAToolResult;
use rmcp::model::{Annotations, ContentBlock, MetaObject, ResourceContents, Role};

/// A result that rmcp has read.
#[derive(Debug)]
pub struct Rmcp<'a>(pub &'a rmcp::model::CallToolResult);

impl AsResultView for Rmcp<'_> {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        let blocks = self.0.content.iter().map(block).collect();
        Ok(ResultView::new(blocks)
            .with_structured(self.0.structured_content.as_ref())
            .with_is_error(self.0.is_error == Some(true))
            .with_meta(self.0.meta.as_deref()))
    }
}

fn block(block: &ContentBlock) -> BlockRef<'_> {
    match block {
        ContentBlock::Text(it) => told(
            BlockRef::text(&it.text),
            it.meta.as_ref(),
            it.annotations.as_ref(),
        ),
        ContentBlock::Image(it) => told(
            BlockRef::image(&it.data, it.mime_type.as_str()),
            it.meta.as_ref(),
            it.annotations.as_ref(),
        ),
        ContentBlock::Audio(it) => {
            let block = BlockRef::audio(&it.data, it.mime_type.as_str());
            told(block, it.meta.as_ref(), it.annotations.as_ref())
        }
        ContentBlock::ResourceLink(it) => {
            let link = LinkRef::new(&it.uri)
                .with_name(it.name.as_str())
                .with_title(it.title.as_deref())
                .with_description(it.description.as_deref())
                .with_mime_type(it.mime_type.as_deref())
                .with_size_or_icons(it.size.is_some() || it.icons.is_some());
            let block = BlockRef::from(link);
            told(block, it.meta.as_ref(), it.annotations.as_ref())
        }
        ContentBlock::Resource(it) => {
            let block = BlockRef::from(resource(&it.resource));
            told(block, it.meta.as_ref(), it.annotations.as_ref())
        }
        other => {
            let json = serde_json::to_value(other).unwrap_or_default();
            BlockRef::other(Cow::Owned(json))
        }
    }
}

fn resource(contents: &ResourceContents) -> ResourceContentsRef<'_> {
    match contents {
        ResourceContents::TextResourceContents {
            uri,
            mime_type,
            text,
            ..
        } => ResourceContentsRef::new(uri.as_str())
            .with_mime_type(mime_type.as_deref())
            .with_text(text.as_str()),
        ResourceContents::BlobResourceContents {
            uri,
            mime_type,
            blob,
            ..
        } => ResourceContentsRef::new(uri.as_str())
            .with_mime_type(mime_type.as_deref())
            .with_blob(blob.as_str()),
        _ => ResourceContentsRef::default(),
    }
}

/// With what the block says to the host.
fn told<'a>(
    block: BlockRef<'a>,
    meta: Option<&'a MetaObject>,
    annotations: Option<&Annotations>,
) -> BlockRef<'a> {
    let block = block.with_meta(meta.map(|it| &it.0));
    let Some(annotations) = annotations else {
        return block;
    };
    let audience = annotations.audience.as_deref().unwrap_or_default();
    let is_for_user = !audience.is_empty() && audience.iter().all(|it| *it == Role::User);
    block.with_user_only_audience(is_for_user)
}

#[cfg(test)]
mod tests {
    use mcp_convert::{Anthropic, CallRef, ConvertOptions, convert};
    use serde_json::{Value, json};

    use super::Rmcp;

    /// One of each block, with all that a host may be told.
    fn result() -> Value {
        let told = json!({"audience": ["user"], "lastModified": "2026-01-01T00:00:00Z"});
        let uri = "file:///a";
        let mut content = vec![
            json!({"type": "text", "text": "for you"}),
            json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}),
            json!({"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"}),
            json!({"type": "resource_link", "uri": uri, "name": "a", "size": 3}),
            json!({"type": "resource", "resource": {"uri": uri, "text": "x"}}),
            json!({"type": "resource", "resource": {"uri": uri, "blob": "aGVsbG8=", "mimeType": "application/pdf"}}),
        ];
        for (index, block) in content.iter_mut().enumerate() {
            if let Value::Object(block) = block {
                block.insert("_meta".to_owned(), json!({"n": index}));
                block.insert("annotations".to_owned(), told.clone());
            }
        }
        content.push(json!({"type": "text", "text": "for all"}));
        json!({"content": content, "isError": false, "_meta": {"trace": 1}})
    }

    #[test]
    fn a_result_that_rmcp_has_read_converts_like_its_json() {
        let json = result();
        let read = serde_json::from_value(json.clone()).expect("rmcp reads it");
        let rmcp = Rmcp(&read);
        for is_respected in [false, true] {
            let policy = ConvertOptions::default().with_audience_respected(is_respected);
            let target = Anthropic::default();
            let call = CallRef::new("t1", "f");
            let ours = convert(&json, call, &target, &policy).expect("our reading");
            let theirs = convert(&rmcp, call, &target, &policy).expect("theirs");
            assert_eq!(ours, theirs);
            assert_eq!(theirs.block_meta.len(), 6);
            assert_eq!(theirs.meta.map(|it| it.len()), Some(1));
            let for_user = if is_respected { 6 } else { 0 };
            assert_eq!(theirs.for_user.len(), for_user);
        }
    }
}
