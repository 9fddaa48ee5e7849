//! Announcements and forums of groups, and mails (Qortal/Qortal-Hub c93f78a2: src/components/Chat/GroupAnnouncements.tsx,
//! src/components/Group/Forum/NewThread.tsx; Qortal/q-mail ddf3aa9: src/pages/Mail/NewMessage.tsx).

use serde_json::Value;

use crate::qdn::{
    json::{items, text},
    sheet::Sheet,
};

/// The most attachments that are listed.
const FILES: usize = 100;

/// `{subject, createdAt, version, attachments, textContentV2, generalData, recipient}`, or
/// `{createdAt, version, textContentV2, name, threadOwner, reply}`, where `reply` is the post that this one answers.
pub(in crate::qdn) fn message(document: &Value, sheet: &mut Sheet) -> Option<()> {
    let content = ["textContentV2", "htmlContent", "textContent"];
    let content = content.iter().find_map(|name| document.get(name))?;
    sheet.title(document, "subject");
    let answered = document.get("reply").and_then(|reply| text(reply, "name"));
    if let Some(name) = answered {
        sheet.fact("In reply to", name);
    }
    sheet.text(content.as_str()?);
    for file in items(document, "attachments").iter().take(FILES) {
        sheet.reference("Attachment", file);
    }
    Some(())
}

/// `{version, extra, message}`.
pub(in crate::qdn) fn announcement(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document.get("extra")?;
    sheet.text(text(document, "message")?);
    Some(())
}

/// `{title, groupId, createdAt, name}`.
pub(in crate::qdn) fn thread(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document.get("groupId")?;
    text(document, "title")?;
    sheet.title(document, "title");
    sheet.member("Started by", document, "name");
    Some(())
}
