//! Amazon Bedrock Converse API.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Found, Refusal, Wanted, at};
use crate::convert::bedrock::{FORMATS, Family, VIDEOS};

const MAX_PICTURES: usize = 20;
const MAX_DOCUMENTS: usize = 5;
const MAX_NAME: usize = 200;

/// What the Converse API refuses in a `toolResult` block, from these models.
#[must_use]
pub fn bedrock(block: &Value, family: Family) -> Vec<Refusal> {
    let mut found = Found::default();
    let Some(result) = block.get("toolResult") else {
        found.add("toolResult", "an object is required");
        return found.0;
    };
    let path = "toolResult";
    found.words(result, path, "toolUseId");
    let status = result.get("status").and_then(Value::as_str);
    let is_status = matches!(status, None | Some("success" | "error"));
    found.check(
        is_status,
        &at(path, "status"),
        "success or error is required",
    );
    let content = found.list(result, path, "content");
    found.check(
        !content.is_empty(),
        &at(path, "content"),
        "content must not be empty",
    );
    let mut names = BTreeSet::new();
    let count = |name: &str| content.iter().filter(|it| it.get(name).is_some()).count();
    found.check(
        count("image") <= MAX_PICTURES,
        path,
        "at most 20 pictures are allowed",
    );
    found.check(
        count("document") <= MAX_DOCUMENTS,
        path,
        "at most 5 documents are allowed",
    );
    for (index, part) in content.iter().enumerate() {
        let path = format!("toolResult.content[{index}]");
        let is_text = part.get("text").is_some();
        let is_data = is_text || part.get("json").is_some();
        // The models of Anthropic behind this API have the rule of their own.
        found.check(
            is_text || status != Some("error"),
            &path,
            "a failure is text alone",
        );
        // can1357/oh-my-pi#11681.
        let may_have = is_data || family != Family::OpenAi;
        found.check(may_have, &path, "this model reads no pictures in a result");
        check_part(&mut found, &path, part, &mut names);
    }
    found.0
}

/// What the Converse API refuses in a block of a message: text, a picture, a document or a video.
#[must_use]
pub fn bedrock_part(part: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    check_part(&mut found, "", part, &mut BTreeSet::new());
    found.0
}

fn check_part<'v>(found: &mut Found, path: &str, part: &'v Value, names: &mut BTreeSet<&'v str>) {
    let member = part.as_object().and_then(|it| it.iter().next());
    let wanted = |letters| Wanted {
        types: &[],
        letters,
        pixels: 8_000,
    };
    let Some((name, value)) = member else {
        found.add(
            path,
            "text, json, an image, a document or a video is required",
        );
        return;
    };
    let path = at(path, name);
    match name.as_str() {
        "text" => {
            let is_blank = value.as_str().is_none_or(|it| it.trim().is_empty());
            found.check(!is_blank, &path, "text must not be blank");
        }
        "json" => found.check(value.is_object(), &path, "an object is required"),
        "image" => {
            let format = found.text(value, &path, "format");
            let is_known = matches!(format, "png" | "jpeg" | "gif" | "webp");
            found.check(is_known, &path, "png, jpeg, gif or webp is required");
            // 3.75 MB as Base64.
            check_bytes(
                found,
                &path,
                &format!("image/{format}"),
                value,
                wanted(5_000_000),
            );
        }
        "document" | "video" => {
            let format = found.text(value, &path, "format");
            let is_video = VIDEOS.contains(&format);
            let known = FORMATS.iter().find(|(_, it)| *it == format);
            found.check(
                known.is_some() && is_video == (name == "video"),
                &path,
                "a format that the API reads is required",
            );
            let mime_type = known.map_or("", |(it, _)| it);
            // 4.5 MB as Base64.
            check_bytes(found, &path, mime_type, value, wanted(6_000_000));
            if name == "document" {
                let name = found.text(value, &path, "name");
                // maximhq/bifrost#7003.
                found.check(
                    names.insert(name),
                    &path,
                    "names of documents must be unique",
                );
                check_name(found, &path, name);
            }
        }
        _ => found.add(
            path,
            "text, json, an image, a document or a video is required",
        ),
    }
}

fn check_bytes(found: &mut Found, path: &str, mime_type: &str, value: &Value, wanted: Wanted<'_>) {
    let source = value.get("source").unwrap_or(&Value::Null);
    let data = found.text(source, &at(path, "source"), "bytes");
    found.bytes(path, mime_type, data, wanted);
}

fn check_name(found: &mut Found, path: &str, name: &str) {
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || " -()[]".contains(it);
    found.check(
        !name.trim().is_empty() && name.len() <= MAX_NAME,
        path,
        "a name of 1 to 200 characters is required",
    );
    found.check(
        name.chars().all(is_allowed) && !name.contains("  "),
        path,
        "a name has letters, digits, hyphens, parentheses, brackets and no two blanks in a row",
    );
}
