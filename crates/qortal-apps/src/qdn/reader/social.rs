//! Quitter and Q-Mintership (Qortal/Q-Mintership-Alpha f86d396: assets/js/MinterBoard.js; posts of Quitter in the form of
//! Qortal/qapp-core db97c28).

use serde_json::Value;

use crate::qdn::{
    json::{items, text},
    sheet::Sheet,
};

/// The most links and files that are listed.
const LINKS: usize = 100;

/// `{header, content, links, creator, creatorAddress, timestamp, poll}`.
pub(in crate::qdn) fn card(document: &Value, sheet: &mut Sheet) -> Option<()> {
    let content = text(document, "content")?;
    text(document, "header")?;
    document.get("creator")?;
    sheet.title(document, "header");
    sheet.text(content);
    let links = items(document, "links").iter().filter_map(Value::as_str);
    for link in links.take(LINKS) {
        sheet.fact("Link", link);
    }
    sheet.member("By", document, "creator");
    sheet.member("Poll", document, "poll");
    Some(())
}

/// `{text, timestamp, name, images: [{src}], videos}`.
pub(in crate::qdn) fn post(document: &Value, sheet: &mut Sheet) -> Option<()> {
    let content = text(document, "text")?;
    document
        .get("timestamp")
        .or_else(|| document.get("created"))?;
    sheet.text(content);
    sheet.picture(document.get("images"), None);
    for video in items(document, "videos").iter().take(LINKS) {
        sheet.reference("Video", video);
    }
    Some(())
}
