//! The image in an answer: written to a file, or left out with a note.

use std::{fs, io, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use qortal_tools::{Body, Outcome};

use crate::{
    exit::{Exit, Failure},
    text,
};

/// The endings of files, and their formats.
const FORMATS: [(&str, &str); 6] = [
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
];

/// The format that the name of a file asks for.
pub(super) fn media_type(path: &str) -> Result<&'static str, Failure> {
    let extension = Path::new(path).extension().unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    let found = FORMATS.iter().find(|(it, _)| extension == *it);
    found.map(|(_, format)| *format).ok_or_else(|| {
        Failure::new(format!(
            "{path:?} does not name a PNG, SVG, JPEG, GIF or WebP image\nhint: pass --output FILE.png, or FILE.svg for a chart"
        ))
    })
}

/// The endings of files to which the images in an answer can be written.
fn endings(outcome: &Outcome) -> Vec<&'static str> {
    let types = outcome.attachments.iter().map(|it| it.mime_type.as_str());
    let ending = |it: &str| FORMATS.iter().find(|(_, format)| *format == it);
    types
        .filter_map(ending)
        .map(|(ending, _)| *ending)
        .collect()
}

/// Writes the image to `output`, a file and its format, or prints a note that there is one.
pub(super) fn put(outcome: &Outcome, output: Option<(&str, &str)>) -> Result<(), Failure> {
    let attachments = &outcome.attachments;
    let image = |media_type: &str| attachments.iter().find(|it| it.mime_type == media_type);
    let endings = endings(outcome).into_iter();
    let files: Vec<_> = endings.map(|it| format!("FILE.{it}")).collect();
    let files = files.join(" or ");
    let Some((path, media_type)) = output else {
        if !files.is_empty() {
            text::print_note(&format!(
                "note: the result has an image, pass --output {files} to write it"
            ));
        }
        return Ok(());
    };
    let image = image(media_type).ok_or_else(|| {
        let text = if files.is_empty() {
            format!("the result has no image to write to {path:?}")
        } else {
            format!("the result has no image of type {media_type}\nhint: pass --output {files} to write its image")
        };
        Failure::new(text).ends(Exit::Failed)
    })?;
    let failed = |err| unwritten(path, err);
    let bytes = match &image.body {
        Body::Text(text) => text.clone().into_bytes(),
        Body::Base64(data) => STANDARD
            .decode(data)
            .map_err(io::Error::other)
            .map_err(failed)?,
    };
    fs::write(path, bytes).map_err(failed)?;
    text::print_note(&format!("{media_type} written to {path}"));
    Ok(())
}

fn unwritten(path: &str, err: io::Error) -> Failure {
    Failure::caused(format!("cannot write the image to {path:?}"), err).ends(Exit::Io)
}
