//! The image in an answer: written to a file, or left out with a note.

use std::{fs, io, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use qortal_tools::{Body, Outcome};

use crate::{
    exit::{Exit, Failure},
    text,
};

const PNG: &str = "image/png";
const SVG: &str = "image/svg+xml";

/// The format that the name of a file asks for.
pub(super) fn media_type(path: &str) -> Result<&'static str, Failure> {
    let extension = Path::new(path).extension().unwrap_or_default();
    match extension.to_ascii_lowercase().to_str() {
        Some("png") => Ok(PNG),
        Some("svg") => Ok(SVG),
        _ => Err(Failure::new(format!(
            "images are PNG or SVG, and {path:?} is neither\nhint: --output FILE.png, or FILE.svg"
        ))),
    }
}

/// Writes the image to `output`, a file and its format, or prints a note that there is one.
pub(super) fn put(outcome: &Outcome, output: Option<(&str, &str)>) -> Result<(), Failure> {
    let attachments = &outcome.attachments;
    let image = |media_type: &str| attachments.iter().find(|it| it.mime_type == media_type);
    let Some((path, media_type)) = output else {
        if image(PNG).is_some() {
            text::print_note(
                "note: the answer has an image; --output FILE.png writes it, FILE.svg writes it as SVG",
            );
        }
        return Ok(());
    };
    let image = image(media_type).ok_or_else(|| {
        Failure::new(format!("the answer has no image to write to {path:?}")).ends(Exit::Failed)
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
