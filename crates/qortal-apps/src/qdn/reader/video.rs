//! Q-Tube (Qortal/q-tube 68c3ea7: src/components/Publish/PublishVideo/useVideoPublishingWorkflow.tsx and
//! src/components/common/ContentButtons).

use serde_json::Value;

use crate::qdn::{
    category,
    json::{items, text},
    sheet::{Sheet, bytes_in_words},
};

/// The most videos of a playlist that are listed.
const VIDEOS: usize = 500;

/// `{title, fullDescription, htmlDescription, videoImage, videoReference, extracts, category, filename, fileSize, duration}`.
pub(in crate::qdn) fn video(document: &Value, sheet: &mut Sheet) -> Option<()> {
    let reference = document.get("videoReference")?;
    sheet.title(document, "title");
    sheet.first_text(document, &["htmlDescription", "fullDescription"]);
    of_category(document, sheet);
    if let Some(seconds) = document.get("duration").and_then(Value::as_f64) {
        sheet.fact("Duration", &duration(seconds));
    }
    sheet.reference("Video", reference);
    file(document, sheet);
    sheet.picture(document.get("videoImage"), Some("(cover)"));
    sheet.pictures_in_one_line(items(document, "extracts"), "still");
    Some(())
}

fn file(document: &Value, sheet: &mut Sheet) {
    let size = document.get("fileSize").and_then(Value::as_u64);
    let size = size.filter(|size| *size > 0).map(bytes_in_words);
    let parts = [text(document, "filename").map(str::to_owned), size];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    sheet.fact("File", &parts.join(", "));
}

fn of_category(document: &Value, sheet: &mut Sheet) {
    let number = document.get("category").and_then(number);
    if let Some(name) = number.and_then(category) {
        sheet.fact("Category", name);
    }
}

/// A number, also as text.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Seconds as players show them: `10:13`.
fn duration(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0 to 10,000 hours"
    )]
    let seconds = seconds.clamp(0.0, 36_000_000.0) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// `{title, description, htmlDescription, image, videos: [{name, identifier, service, code}], category}`.
pub(in crate::qdn) fn playlist(document: &Value, sheet: &mut Sheet) -> Option<()> {
    document.get("videos")?.as_array()?;
    document.get("title")?;
    sheet.title(document, "title");
    sheet.first_text(document, &["htmlDescription", "description"]);
    of_category(document, sheet);
    sheet.picture(document.get("image"), Some("(cover)"));
    for video in items(document, "videos").iter().take(VIDEOS) {
        sheet.reference("Video", video);
    }
    Some(())
}

/// `{comment, transactionReference, notificationInformation, about}`, where `about` is a fixed text of the app.
pub(in crate::qdn) fn super_like(document: &Value, sheet: &mut Sheet) -> Option<()> {
    let payment = text(document, "transactionReference")?;
    sheet.first_text(document, &["comment"]);
    sheet.fact("Payment", payment);
    let about = document.get("notificationInformation")?;
    let name = text(about, "name").unwrap_or_default();
    let identifier = text(about, "identifier").unwrap_or_default();
    sheet.fact("For", &format!("{identifier} of {name}"));
    Some(())
}

/// `{likeType}`.
pub(in crate::qdn) fn like(document: &Value, sheet: &mut Sheet) -> Option<()> {
    sheet.line(match text(document, "likeType")? {
        "LIKE" => "likes it".to_owned(),
        "DISLIKE" => "dislikes it".to_owned(),
        "NEUTRAL" => "took the like or dislike back".to_owned(),
        other => other.to_owned(),
    });
    Some(())
}
