//! Q-Blog (Qortal/q-blog 3695fce: src/pages/CreatePost/CreatePostMinimal.tsx and src/wrappers/GlobalWrapper.tsx).

use serde_json::Value;

use crate::{
    qdn::{
        json::{items, text},
        sheet::Sheet,
    },
    text::slate,
};

/// The most sections of a post.
const SECTIONS: usize = 500;

/// `{title, createdAt, postContent: [{type, content, id}], layouts, layoutGeneralSettings}`.
pub(in crate::qdn) fn post(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document.get("postContent")?.as_array()?;
    sheet.title(document, "title");
    for section in items(document, "postContent").iter().take(SECTIONS) {
        let content = section.get("content").unwrap_or(&Value::Null);
        match text(section, "type").unwrap_or_default() {
            "image" => sheet.picture(content.get("image"), text(content, "caption")),
            "video" => sheet.reference("Video", content),
            "audio" => sheet.reference("Audio", content),
            "file" => sheet.reference("File", content),
            _ => match (slate(content), content) {
                (Some(found), _) => sheet.text_as_it_is(found.text),
                (None, Value::String(content)) => sheet.text(content),
                (None, _) => {}
            },
        }
    }
    Some(())
}

/// `{title, description, blogImage, createdAt}`.
pub(in crate::qdn) fn blog(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document.get("blogImage")?;
    sheet.title(document, "title");
    sheet.first_text(document, &["description"]);
    sheet.picture(document.get("blogImage"), None);
    Some(())
}
