//! Q-Share, Q-Support and Q-Fund (Qortal/q-share 0b25333: src/components/PublishFile/PublishFile.tsx; Qortal/q-support f4ede96:
//! src/components/PublishIssue/PublishIssue.tsx; Qortal/q-fund-v2 5927bf8: src/components/Crowdfund/NewCrowdfund.tsx).

use serde_json::Value;

use crate::qdn::{
    json::{items, text},
    sheet::{Sheet, bytes_in_words},
};

/// The most files that are listed.
const FILES: usize = 200;

/// `{title, fullDescription, htmlDescription, commentsId, category, files}`; a request for help also has
/// `{images, QappName, feeData, bountyData}`.
pub(in crate::qdn) fn files(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document.get("files")?.as_array()?;
    document.get("commentsId")?;
    sheet.title(document, "title");
    sheet.first_text(document, &["htmlDescription", "fullDescription"]);
    sheet.member("App", document, "QappName");
    if let Some(bounty) = document.get("bountyData") {
        let amount = bounty.get("amount").and_then(Value::as_f64);
        if let Some(amount) = amount {
            let coin = text(bounty, "coinType").unwrap_or("QORT");
            sheet.fact("Bounty", &format!("{amount} {coin}"));
        }
        sheet.member("Bounty", bounty, "crowdfundLink");
        sheet.member("Source code", bounty, "sourceCodeLink");
    }
    attached(document, "files", sheet);
    sheet.picture(document.get("images"), None);
    Some(())
}

fn attached(document: &Value, name: &str, sheet: &mut Sheet) {
    for file in items(document, name).iter().take(FILES) {
        let size = file.get("size").and_then(Value::as_u64);
        let label = match size {
            Some(size) => format!("File ({})", bytes_in_words(size)),
            None => "File".to_owned(),
        };
        sheet.reference(&label, file);
    }
}

/// `{title, createdAt, attachments, description, inlineContent, coverImage, deployedAT: {…, blocksToGoal, goalValue,
/// userAddress}}`; the coins are in the automated transaction.
pub(in crate::qdn) fn crowdfund(document: &Value, sheet: &mut Sheet) -> Option<()> {
    let deployed = document.get("deployedAT")?;
    sheet.title(document, "title");
    sheet.first_text(document, &["description"]);
    sheet.first_text(document, &["inlineContent"]);
    if let Some(goal) = deployed.get("goalValue").and_then(Value::as_f64) {
        sheet.fact("Goal", &format!("{goal} QORT"));
    }
    sheet.member("Blocks it runs for", deployed, "blocksToGoal");
    sheet.member("Beneficiary", deployed, "userAddress");
    sheet.member("Automated transaction", deployed, "aTAddress");
    attached(document, "attachments", sheet);
    sheet.picture(document.get("coverImage"), Some("(cover)"));
    Some(())
}
