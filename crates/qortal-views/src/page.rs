//! One page out of the style sheets and scripts of `web/`, at compile time.
#![expect(
    clippy::indexing_slicing,
    reason = "constant functions have no other access, and what is wrong does not compile"
)]

use crate::compact::{SCRIPT, STYLE, compact};

/// A part of a page.
pub(crate) enum Part {
    Text(&'static str),
    Style(&'static str),
    Script(&'static str),
}

/// What a page shows until its script has an answer.
pub(crate) const BODY: &str = "\n</style>\n</head>\n<body>\n<main aria-busy=\"true\"><h1 class=\"sr\">Waiting for the answer</h1><div class=\"skeleton\"></div></main>\n<p id=\"live\" class=\"sr\" role=\"status\"></p>\n<script>\n";

/// Writes the parts to `target`, as far as that reaches, and returns the length of all.
pub(crate) const fn assemble(parts: &[Part], target: &mut [u8]) -> usize {
    let (mut at, mut length) = (0, 0);
    while at < parts.len() {
        length = match parts[at] {
            Part::Text(text) => copy(text.as_bytes(), target, length),
            Part::Style(text) => compact(text.as_bytes(), STYLE, target, length),
            Part::Script(text) => compact(text.as_bytes(), SCRIPT, target, length),
        };
        at += 1;
    }
    length
}

const fn copy(text: &[u8], target: &mut [u8], mut length: usize) -> usize {
    let mut at = 0;
    while at < text.len() {
        if length < target.len() {
            target[length] = text[at];
        }
        length += 1;
        at += 1;
    }
    length
}

/// The page of this title, these style sheets and these scripts.
macro_rules! page {
    ($title:literal, [$($style:literal),+], [$($script:literal),+]) => {{
        const PARTS: &[$crate::page::Part] = &[
            $crate::page::Part::Text(concat!(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
                "<title>", $title, "</title>\n<style>\n",
            )),
            $crate::page::Part::Style(concat!($(include_str!(concat!("../web/", $style, ".css"))),+)),
            $crate::page::Part::Text($crate::page::BODY),
            $crate::page::Part::Script(concat!($(include_str!(concat!("../web/", $script, ".js"))),+)),
            $crate::page::Part::Text("\n</script>\n</body>\n</html>\n"),
        ];
        const LENGTH: usize = $crate::page::assemble(PARTS, &mut []);
        const BYTES: [u8; LENGTH] = {
            let mut bytes = [0; LENGTH];
            $crate::page::assemble(PARTS, &mut bytes);
            bytes
        };
        // Only ASCII is left out, so that UTF-8 stays UTF-8; nothing would be a page without a head, which the tests look for.
        match std::str::from_utf8(&BYTES) {
            Ok(page) => page,
            Err(_) => "",
        }
    }};
}

pub(crate) use page;
